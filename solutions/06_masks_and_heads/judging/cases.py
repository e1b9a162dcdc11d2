"""What several exercises of this lesson are made of."""

from collections.abc import Callable

import numpy as np

from autograder.exercises import Misconception, Tensor
from autograder.exercises.exercise import WrongAnswer

from ...judging.cases import tensor
from ...judging.mistakes import mistake


def numbered(*shape: int, start: int = 0) -> Tensor:
    """A tensor whose entries count up, so that each can be followed."""
    return tensor(np.arange(start, start + np.prod(shape)).reshape(shape))


HIDDEN = "scores.masked_fill(~mask, -torch.inf)"
KEPT = "(1 if mask is None else mask)"
LATE = f"(scores.softmax(dim=-1) * {KEPT})"
KERNEL = f"(scores.exp() * {KEPT})"
STRUCK = "(scores.exp() if mask is None else scores.exp().masked_fill(~mask, 0))"
SOME = "(1 if mask is None else mask.any(dim=-1, keepdim=True))"
FULL = "(1 if mask is None else mask.all(dim=-1, keepdim=True))"


def masked(scores: str, weights: str = ".softmax(dim=-1)") -> str:
    """An expression for weights, from one for the scores under a mask."""
    return f"(scores if mask is None else {scores}){weights}"


def weighing_mistakes(write: Callable[[str], WrongAnswer]) -> tuple[Misconception, ...]:
    """What goes wrong between scores and weights; `write` makes an answer of an expression for weights."""
    return (
        mistake("mask inverted", write(masked("scores.masked_fill(mask, -torch.inf)")),
            write(masked("scores.masked_fill(mask, -torch.inf)", ".softmax(dim=-1).nan_to_num()")),
            write(masked("scores.masked_fill(mask, -1e9)")),
            detail="what may be seen is hidden, and what may not is shown",
            question="Print the weights where the mask is False."),
        mistake("mask ignored", write("scores.softmax(dim=-1)"),
            detail="the weights are those without a mask",
            question="Give the same scores two different masks. What changes?"),
        mistake("masked after the softmax", write(LATE),
            write(f"torch.nn.functional.normalize({LATE}, p=1, dim=-1)"),
            write(f"{LATE}.div({LATE}.sum(dim=-1, keepdim=True))"),
            detail="hidden keys have taken part in the sharing",
            question="Which scores does your softmax see: those of hidden keys, too?"),
        mistake("no shift by the maximum", write(f"{KERNEL}.div({KERNEL}.sum(dim=-1, keepdim=True))"),
            write(f"{KERNEL}.div({KERNEL}.sum(dim=-1, keepdim=True)).nan_to_num()"),
            write(f"{STRUCK}.div({STRUCK}.sum(dim=-1, keepdim=True)).nan_to_num()"),
            write(f"{KERNEL}.div({KERNEL}.sum(dim=-1, keepdim=True) + 1e-9)"),
            detail="exp of a score may be 0, or too large a number",
            question="What is exp(−1000), and what is exp(1000)?"),
        mistake("large scores cut to a limit",
            write(masked(HIDDEN, ".softmax(dim=-1).nan_to_num()").replace("scores", "scores.clamp(-80, 80)"))),
        mistake("masked score not low enough", write(masked("scores.masked_fill(~mask, 0.0)")),
            write(masked("scores.masked_fill(~mask, -1.0)")),
            write(masked("scores.masked_fill(~mask, -10.0)")),
            write(masked("scores.masked_fill(~mask, -1e6)")),
            write(masked("scores.masked_fill(~mask, -10.0)", f".softmax(dim=-1) * {SOME}")),
            write(masked("scores.masked_fill(~mask, -1e6)", f".softmax(dim=-1) * {SOME}")),
            write(masked("scores.masked_fill(~mask, -1e6)", f".softmax(dim=-1) * {KEPT}")),
            write(masked("scores * mask")), detail="hidden keys still take part in the sharing",
            question="Can a real score be lower than the number you hide a key with?"),
        mistake("mask added as a number", write(masked("scores + mask")),
            write(masked("scores + mask", f".softmax(dim=-1) * {SOME}"))),
        mistake("zero times infinity", write(masked("scores + (1 - mask.float()) * -torch.inf")),
            write(masked("scores + (1 - mask.float()) * -torch.inf", ".softmax(dim=-1).nan_to_num()"))),
        mistake("mask transposed",
            write(masked("scores.masked_fill(~mask.mT, -torch.inf)", ".softmax(dim=-1).nan_to_num()")),
            write(masked("scores.masked_fill(~mask.mT, -torch.inf)")),
            write(masked("scores.masked_fill(~mask.mT, -1e9)")),
            question="Does a row of your mask belong to a query or to a key?"),
        mistake("row with nothing to look at", write(masked(HIDDEN)),
            write(masked("scores.masked_fill(~mask, -1e9)")),
            detail="such a query still gets something, or NaN",
            question="What should a query get that may look nowhere?"),
        mistake("one hidden key empties the row",
            write(masked(HIDDEN, f".softmax(dim=-1).nan_to_num() * {FULL}")),
            write(masked(HIDDEN, f".softmax(dim=-1) * {FULL}")),
            detail="a query's weights become 0 where any key is hidden from it",
            question="Print, beside the mask, which rows you set to 0. Which should they be?"),
        mistake("softmax over the queries", write(masked(HIDDEN, ".softmax(dim=-2).nan_to_num()")),
            write(masked(HIDDEN, ".softmax(dim=-2)")),
            detail="the keys' columns sum to 1, not the queries' rows"),
        mistake("softmax over the whole matrix",
            write(masked(HIDDEN, ".flatten(-2).softmax(dim=-1).view(scores.shape).nan_to_num()")),
            write(masked(HIDDEN, ".flatten().softmax(dim=0).view(scores.shape).nan_to_num()")),
            detail="one softmax for the scores of several queries",
            question="What does each query's row sum to?"),
    )
