"""Lesson 08: trained parameters for the learner's own writer, and what its measurements have in common."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from .two_writers import load_trained

OTHER_NAMES = {"embedding": "embed", "scores": "unembed"}
"""What the bundled writer calls its parts, and what `TinyWriter` calls them."""


def give_parameters(model: nn.Module) -> tuple[nn.Module, list[str]]:
    """Copy the trained parameters of lesson 07's writer into a `TinyWriter`; return it, and the words it can say."""
    trained = load_trained("lesson 07")
    found = dict(model.named_parameters())
    with torch.no_grad():
        for name, parameter in trained.named_parameters():
            first, rest = name.split(".", 1)
            found[f"{OTHER_NAMES.get(first, first)}.{rest}"].copy_(parameter)
    return model.eval().requires_grad_(False), trained.words


def milliseconds(run: Callable[..., Any], *args: Any) -> float:
    """The processor time of the fastest of three calls."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        run(*args)
        taken.append(time.process_time() - began)
    return 1000 * min(taken)


def kibibytes(kept: Any) -> float:
    """How much memory the keys and values take that are kept for all blocks."""
    return sum(rows.numel() * rows.element_size() for pair in kept for rows in pair) / 1024
