"""Working versions of earlier exercises, which serve in their place while a later one is graded.

A student whose `softmax` is wrong loses points for `softmax`, and not once more for each exercise that calls it.
While such an exercise is asked, the text of its stand-ins travels with the question into the student's process,
where it is run in a namespace of its own, put under the exercises' names, and taken away again.

Hostile code can read a stand-in while it is asked, and keep it for as long as its process lasts. It gains nothing:

- An exercise is asked once, and the stand-in for it stays here until that has been done, whatever the order of a
  submission's cells (`Question.withhold`). What it has answered by then is judged, and is not asked for again, also
  not by a new kernel that goes on behind a fatal cell.
- In the second process an exercise may be asked once more, but only to compare what it gives with what it gave.
- No stand-in solves another exercise than its own.

It can print one, and so carry it into a later submission. That is worth what calling a library is worth, since this is
all that they do.

Each is named and called like its exercise, brings its imports along, and calls nothing here but what the exercise
itself builds on.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import torch
    from gensim.models import KeyedVectors


def texts(exercises: Iterable[str]) -> dict[str, str]:
    """The source text of the stand-in for each of these exercises, in their order."""
    future = "from __future__ import annotations\n\n"
    return {exercise: future + inspect.getsource(globals()[exercise]) for exercise in exercises}


def pad_rows(vectors: Sequence[Sequence[float]]) -> np.ndarray:
    """PyTorch's padding: (n, longest), zeros on the right."""
    import numpy as np
    from torch import float64, tensor
    from torch.nn.utils.rnn import pad_sequence

    rows = [tensor(np.asarray(vector), dtype=float64) for vector in vectors]
    return pad_sequence(rows, batch_first=True).numpy()


def scaled_dot_product_attention(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """PyTorch's, with its weights."""
    from autograder.helpers import attention

    return attention(Q, K, V)


def word_embedding(word: str, vectors: KeyedVectors) -> np.ndarray:
    """A known word's own vector; an unknown word's numbers are thrown with dice of its own."""
    import random

    import numpy as np

    if word in vectors:
        return np.array(vectors[word])
    dice = random.Random(word)
    return np.array([dice.gauss(0, vectors.vectors.std()) for _ in range(vectors.vector_size)])


def softmax_rows(scores: np.ndarray) -> np.ndarray:
    """SciPy's softmax, along the last axis."""
    from autograder.helpers import softmax

    return softmax(scores)


def gaussian_weights(queries: np.ndarray, keys: np.ndarray, bandwidth: float = 1.0) -> np.ndarray:
    """PyTorch's softmax of SciPy's distances: (n_q, n_k)."""
    import numpy as np
    from scipy.spatial.distance import cdist
    from torch import from_numpy, softmax

    points = (np.reshape(x, (len(x), -1)) for x in (queries, keys))
    distances = cdist(*points, "sqeuclidean")
    return softmax(from_numpy(distances / (-2 * bandwidth**2)), dim=-1).numpy()


def kernel_regression(
    queries: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float = 1.0
) -> np.ndarray:
    """NumPy's average of the values, under the Gaussian weights of each query."""
    import numpy as np

    shares = gaussian_weights(queries, keys, bandwidth)
    return np.stack([np.average(values, axis=0, weights=row) for row in shares])


def leave_one_out_error(keys: np.ndarray, values: np.ndarray, bandwidth: float) -> float:
    """PyTorch's mean squared error under PyTorch's softmax of SciPy's distances, with every key far from itself."""
    import numpy as np
    from scipy.spatial.distance import pdist, squareform
    from torch import diag, from_numpy, full, inf, softmax
    from torch.nn.functional import mse_loss

    points, targets = (np.reshape(x, (len(x), -1)).astype(float) for x in (keys, values))
    distances = from_numpy(squareform(pdist(points, "sqeuclidean"))) + diag(full((len(points),), inf))
    shares = softmax(distances / (-2 * bandwidth**2), dim=-1)
    return mse_loss(shares @ from_numpy(targets), from_numpy(targets)).item()


def masked_softmax(X: torch.Tensor, valid_lens: torch.Tensor | None = None) -> torch.Tensor:
    """PyTorch's attention weights for scores of which only the first `valid_lens` count."""
    from torch import arange, as_tensor, eye
    from torch.nn.functional import scaled_dot_product_attention, softmax

    if valid_lens is None:
        return softmax(X, dim=-1)

    one_per_key = eye(X.shape[-1], dtype=X.dtype).expand(len(X), -1, -1)
    lengths = as_tensor(valid_lens).reshape(len(X), -1, 1)
    mask = (arange(X.shape[-1]) < lengths).expand(X.shape)
    return scaled_dot_product_attention(X, one_per_key, one_per_key, attn_mask=mask, scale=1.0)


def masked_weights(scores: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """PyTorch's attention weights for these scores; a query that may look nowhere gets zeros."""
    from torch import eye
    from torch.nn.functional import scaled_dot_product_attention

    every_key = eye(scores.shape[-1], dtype=scores.dtype).expand(*scores.shape[:-2], -1, -1)
    weights = scaled_dot_product_attention(scores, every_key, every_key, attn_mask=mask, scale=1.0)
    return weights.nan_to_num()


def split_heads(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    """PyTorch's chunks, stacked: (batch, num_heads, n, d_head)."""
    from torch import stack

    return stack(X.chunk(num_heads, dim=-1), dim=1)


def merge_heads(X: torch.Tensor) -> torch.Tensor:
    """The way back: (batch, n, d_model)."""
    from torch import cat

    return cat(X.unbind(dim=1), dim=-1)
