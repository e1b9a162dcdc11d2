"""Whether attention notices the order of words: two sentences of the same three words."""

from __future__ import annotations

from typing import Any

import torch

SENTENCES = (("man", "bites", "dog"), ("dog", "bites", "man"))


def compare_orders(attention: Any, positions: torch.Tensor | None = None) -> None:
    """Print whether the outputs for *bites* and *dog* change from "man bites dog" to "dog bites man".

    Args:
        attention: A module as lesson 06's, called with queries, keys and values, (1, 3, d_model) each.
        positions: One row for each position, (3, d_model), which is added to the vector of the word there.
    """
    width = attention.W_q.in_features
    vectors = dict(zip(SENTENCES[0], torch.randn(3, width, generator=torch.Generator().manual_seed(0))))
    outputs = []
    for words in SENTENCES:
        X = torch.stack([vectors[word] for word in words]) + (0 if positions is None else positions)
        outputs.append(dict(zip(words, attention(X[None], X[None], X[None])[0])))
    for word in ("bites", "dog"):
        changes = not torch.allclose(outputs[0][word], outputs[1][word], atol=1e-5)
        print(f"{word}_changes = {changes}")
