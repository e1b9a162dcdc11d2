"""A small trained transformer as plain arrays, to look inside: see data/README.md."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercises import public_course
from autograder.exercises.errors import CourseError

from .helpers import softmax

if TYPE_CHECKING:
    import torch

DATA = public_course.find_course(__name__).data
PATH = DATA / "writer.npz"
REMEDY = "Unpack the student kit again, or in the repository run: git restore data"

Norm = tuple[np.ndarray, np.ndarray]
"""Scale and shift, each (d_model,)."""


@dataclass(frozen=True)
class Layer:
    """One block's numbers. A matrix W is used as `rows @ W`; head h owns columns h * d_k up to (h + 1) * d_k."""

    W_q: np.ndarray
    W_k: np.ndarray
    W_v: np.ndarray
    W_o: np.ndarray
    norm_1: Norm
    norm_2: Norm
    feed_1: np.ndarray
    bias_1: np.ndarray
    feed_2: np.ndarray
    bias_2: np.ndarray


@dataclass(frozen=True)
class Writer:
    """A trained writer of the course's sentences: two blocks as in lesson 07, read word by word under a causal mask.

    Sentences are lists of lower-case words; "." stands between sentences, and is best put before the first one.
    """

    words: list[str]
    embedding: np.ndarray
    """(words, d_model): a row a word, before and after the blocks."""
    positions: np.ndarray
    """(16, d_model): a row a position, added to the word's; no sentence may be longer."""
    layers: list[Layer]
    norm: Norm
    num_heads: int

    @property
    def d_model(self) -> int:
        """The length of each word's row."""
        return self.embedding.shape[1]

    def attention_inputs(self, sentence: Sequence[str]) -> list[np.ndarray]:
        """What each layer's attention reads: a list of (n, d_model), rows already normed.

        In layer i, Q is `inputs[i] @ layers[i].W_q`, and K and V are made alike.
        """
        return self._read(sentence)[0]

    def head(self, sentence: Sequence[str], layer: int, head: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Q, K and V of one head, each (n, d_k), for your own attention; the model itself looks only back."""
        rows, block = self.attention_inputs(sentence)[layer], self.layers[layer]
        d_k = self.d_model // self.num_heads
        own = slice(head * d_k, (head + 1) * d_k)
        return rows @ block.W_q[:, own], rows @ block.W_k[:, own], rows @ block.W_v[:, own]

    def weights(self, sentence: Sequence[str], layer: int, head: int) -> np.ndarray:
        """(n, n): how a head shares out each word's attention, as the model reads."""
        return self._read(sentence)[1][layer][head]

    def next_words(self, sentence: Sequence[str]) -> np.ndarray:
        """(n, words): behind each word, the probability of every word to come next."""
        return softmax(_normed(self._read(sentence)[2], self.norm) @ self.embedding.T)

    def _read(self, sentence: Sequence[str]) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
        """What each layer's attention reads, its weights (heads, n, n), and the rows that leave the last layer."""
        x = self.embedding[self._numbers(sentence)] + self.positions[: len(sentence)]
        later = np.triu(np.ones((len(x), len(x)), dtype=bool), 1)
        inputs, shares = [], []
        for layer in self.layers:
            h = _normed(x, layer.norm_1)
            inputs.append(h)
            Q, K, V = (self._split(h @ W) for W in (layer.W_q, layer.W_k, layer.W_v))
            scores = Q @ K.transpose(0, 2, 1) / np.sqrt(Q.shape[-1])
            shares.append(softmax(np.where(later, -np.inf, scores)))
            mixed = shares[-1] @ V
            x = x + mixed.transpose(1, 0, 2).reshape(x.shape) @ layer.W_o
            inner = _normed(x, layer.norm_2) @ layer.feed_1 + layer.bias_1
            x = x + np.maximum(inner, 0) @ layer.feed_2 + layer.bias_2
        return inputs, shares, x

    def _split(self, rows: np.ndarray) -> np.ndarray:
        """(n, d_model) -> (heads, n, d_k)."""
        return rows.reshape(len(rows), self.num_heads, -1).transpose(1, 0, 2)

    def _numbers(self, sentence: Sequence[str]) -> list[int]:
        if isinstance(sentence, str):
            raise CourseError("A sentence is a list of words here: write sentence.split().")
        if not 0 < len(sentence) <= len(self.positions):
            raise CourseError(f"The writer reads 1 to {len(self.positions)} words, not {len(sentence)}.")
        number = {word: i for i, word in enumerate(self.words)}
        unknown = [word for word in sentence if word not in number]
        if unknown:
            raise CourseError(f"The writer has never met {', '.join(map(repr, unknown))}: see its `words`.")
        return [number[word] for word in sentence]


def load_writer() -> Writer:
    """The course's own small trained writer; its numbers are arrays of float32.

    Raises `CourseError` when the file is missing or is not the one that the course was written with.
    """
    found = arrays_of(PATH)
    numbers = {name: array.astype(np.float32) for name, array in found.items() if array.dtype == np.float16}
    layers = sum(name.endswith("W_q.weight") for name in numbers)
    return Writer(
        words=found["words"].tobytes().decode().split("\n"),
        embedding=numbers["embedding.weight"],
        positions=numbers["positions"],
        layers=[_layer(numbers, f"blocks.{i}") for i in range(layers)],
        norm=_norm(numbers, "norm"),
        num_heads=int(found["num_heads"]),
    )


def run_writer(
    attention: Callable[[int, int], Any], words: Sequence[str], mask: torch.Tensor
) -> dict[str, torch.Tensor]:
    """Return the weights (heads, n, n) of each layer of the trained writer, computed by modules of another class.

    Args:
        attention: Makes a module from (d_model, num_heads), as lesson 06's `MultiHeadAttention`.
        words: The sentence that is read.
        mask: Booleans (n, n), True where a word may look.
    """
    import torch

    writer, weights = load_writer(), {}
    for number, (layer, rows) in enumerate(zip(writer.layers, writer.attention_inputs(words), strict=True)):
        module, X = attention(writer.d_model, writer.num_heads), torch.tensor(rows).float()[None]
        with torch.no_grad():
            for name in ("W_q", "W_k", "W_v", "W_o"):
                getattr(module, name).weight.copy_(torch.tensor(getattr(layer, name)).T)
            module(X, X, X, mask)
        weights[f"layer {number}"] = module.attention_weights[0]
    return weights


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an `.npz` in the course's data. Raises `CourseError` where it is missing or has changed."""
    if not path.is_file():
        raise CourseError(f"{path} is missing. {REMEDY}")
    data = path.read_bytes()
    sums = (DATA / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    if f"{hashlib.sha256(data).hexdigest()}  {path.name}" not in sums:
        raise CourseError(f"{path} has changed. {REMEDY}")
    with np.load(io.BytesIO(data)) as file:
        return {name: file[name] for name in file.files}


def _layer(numbers: dict[str, np.ndarray], block: str) -> Layer:
    own = {name.removeprefix(f"{block}."): array for name, array in numbers.items()}
    return Layer(
        **{name: own[f"attention.{name}.weight"] for name in ("W_q", "W_k", "W_v", "W_o")},
        norm_1=_norm(own, "norm_1"),
        norm_2=_norm(own, "norm_2"),
        feed_1=own["feed_1.weight"],
        feed_2=own["feed_2.weight"],
        bias_1=own["feed_1.bias"],
        bias_2=own["feed_2.bias"],
    )


def _norm(numbers: dict[str, np.ndarray], name: str) -> Norm:
    return numbers[f"{name}.weight"], numbers[f"{name}.bias"]


def _normed(x: np.ndarray, norm: Norm) -> np.ndarray:
    """Each row with mean 0 and variance 1, then scaled and shifted, as `nn.LayerNorm` does."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5) * norm[0] + norm[1]
