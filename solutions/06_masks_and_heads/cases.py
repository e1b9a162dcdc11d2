"""What several exercises of this lesson are made of."""

from collections.abc import Callable

import numpy as np

from autograder.model import Misconception, Tensor
from autograder.model.exercise import Wrong


def numbered(*shape: int, start: int = 0) -> Tensor:
    """A tensor whose entries count up, so that each can be followed."""
    return Tensor(np.arange(start, start + np.prod(shape), dtype=np.float32).reshape(shape))


HIDDEN = "scores.masked_fill(~mask, -torch.inf)"


def masked(scores: str, weights: str = ".softmax(dim=-1)") -> str:
    """An expression for weights, from one for the scores under a mask."""
    return f"(scores if mask is None else {scores}){weights}"


def weighing_mistakes(write: Callable[[str], Wrong]) -> tuple[Misconception, ...]:
    """What goes wrong between scores and weights; `write` makes an answer of an expression for weights."""
    return (
        Misconception("mask inverted", "it hides what it should show",
            "Print the weights where the mask is False.",
            write(masked("scores.masked_fill(mask, -torch.inf)")),
            write(masked("scores.masked_fill(mask, -torch.inf)", ".softmax(dim=-1).nan_to_num()"))),
        Misconception("mask ignored", "the weights are those without a mask",
            "Give the same scores two different masks. What changes?",
            write("scores.softmax(dim=-1)")),
        Misconception("masked after softmax", "what the hidden keys got is lost",
            "What do the weights of a query sum to once some of its keys are hidden?",
            write("scores.softmax(dim=-1) * (1 if mask is None else mask)")),
        Misconception("fill too weak", "a hidden key still gets a share",
            "What is exp of the number you hide a key with?",
            write(masked("scores.masked_fill(~mask, 0.0)")),
            write(masked("scores.masked_fill(~mask, -10.0)")),
            write(masked("scores.masked_fill(~mask, -1e6)")),
            write(masked("scores + mask"))),
        Misconception("zero times infinity", "0 · inf is not a number",
            "What does Python say to `0 * float('inf')`?",
            write(masked("scores + (1 - mask.float()) * -torch.inf"))),
        Misconception("mask transposed", "queries and keys have changed places in it",
            "Does a row of your mask belong to a query or to a key?",
            write(masked("scores.masked_fill(~mask.mT, -torch.inf)", ".softmax(dim=-1).nan_to_num()"))),
        Misconception("empty row", "a query with nothing to look at still gets something, or NaN",
            "What should a query get that may look nowhere?",
            write(masked(HIDDEN)),
            write(masked("scores.masked_fill(~mask, -1e9)"))),
        Misconception("softmax over queries", "the keys' columns sum to 1, not the queries' rows",
            "For one query, what is shared out?",
            write(masked(HIDDEN, ".softmax(dim=-2).nan_to_num()"))),
        Misconception("whole matrix", "one softmax for all its scores",
            "What does each query's row sum to?",
            write(masked(HIDDEN, ".flatten(-2).softmax(dim=-1).view(scores.shape).nan_to_num()"))),
    )
