"""Lesson 08: trained parameters for the learner's own writer, and what its measurements have in common."""

from __future__ import annotations

import os
import textwrap
import time
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn

from autograder.student import figures

from .two_writers import load_trained

OTHER_NAMES = {"embedding": "embed", "scores": "unembed"}
"""What the bundled writer calls its parts, and what `TinyWriter` calls them."""


def give_parameters(model: nn.Module) -> nn.Module:
    """Copy the trained parameters of lesson 07's writer into a `TinyWriter`, and its words into `words`."""
    trained = load_trained("lesson 07")
    found = dict(model.named_parameters())
    with torch.no_grad():
        for name, parameter in trained.named_parameters():
            first, rest = name.split(".", 1)
            found[f"{OTHER_NAMES.get(first, first)}.{rest}"].copy_(parameter)
    model.words = trained.words
    return model.eval().requires_grad_(False)


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


def watch_page(begins: str, pieces: Iterable[str], every: int = 8, width: int = 100) -> str:
    """Return the beginning and the pieces as one text, shown as it grows, in lines of at most so many characters."""
    from IPython.display import display

    static, text, page = os.environ.get(figures.STATIC), begins, None

    def told() -> dict[str, str]:
        return {"text/plain": "\n".join(textwrap.fill(line, width) for line in text.strip().split("\n"))}

    for number, piece in enumerate(pieces, start=1):
        text += piece
        if number % every or static:
            continue
        if page is None:
            page = display(told(), raw=True, display_id=True)
        page.update(told(), raw=True)
    if page is None:
        print(told()["text/plain"])
    else:
        page.update(told(), raw=True)
    return text
