"""What several exercises of this lesson are made of."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.exercises import Misconception, Tensor
from autograder.exercises.exercise import WrongAnswer


def tensor(values: Any) -> Tensor:
    """Numbers in single precision, as the notebook's are."""
    return Tensor(np.asarray(values, dtype=np.float32))


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
        Misconception("mask inverted", "what may be seen is hidden, and what may not is shown",
            "Print the weights where the mask is False.",
            write(masked("scores.masked_fill(mask, -torch.inf)")),
            write(masked("scores.masked_fill(mask, -torch.inf)", ".softmax(dim=-1).nan_to_num()")),
            write(masked("scores.masked_fill(mask, -1e9)"))),
        Misconception("mask ignored", "the weights are those without a mask",
            "Give the same scores two different masks. What changes?",
            write("scores.softmax(dim=-1)")),
        Misconception("masked after the softmax", "hidden keys have taken part in the sharing",
            "Which scores does your softmax see: those of hidden keys, too?",
            write(LATE),
            write(f"torch.nn.functional.normalize({LATE}, p=1, dim=-1)"),
            write(f"{LATE}.div({LATE}.sum(dim=-1, keepdim=True))")),
        Misconception("no shift by the maximum", "exp of a score may be 0, or too large a number",
            "What is exp(−1000), and what is exp(1000)?",
            write(f"{KERNEL}.div({KERNEL}.sum(dim=-1, keepdim=True))"),
            write(f"{KERNEL}.div({KERNEL}.sum(dim=-1, keepdim=True)).nan_to_num()"),
            write(f"{STRUCK}.div({STRUCK}.sum(dim=-1, keepdim=True)).nan_to_num()"),
            write(f"{KERNEL}.div({KERNEL}.sum(dim=-1, keepdim=True) + 1e-9)")),
        Misconception("large scores cut to a limit", "all that lie beyond it weigh the same",
            "Of two scores, 5000 and 5010, which one should win, and what is left of them after your limit?",
            write(masked(HIDDEN, ".softmax(dim=-1).nan_to_num()").replace("scores", "scores.clamp(-80, 80)"))),
        Misconception("masked score not low enough", "hidden keys still take part in the sharing",
            "Can a real score be lower than the number you hide a key with?",
            write(masked("scores.masked_fill(~mask, 0.0)")),
            write(masked("scores.masked_fill(~mask, -1.0)")),
            write(masked("scores.masked_fill(~mask, -10.0)")),
            write(masked("scores.masked_fill(~mask, -1e6)")),
            write(masked("scores.masked_fill(~mask, -10.0)", f".softmax(dim=-1) * {SOME}")),
            write(masked("scores.masked_fill(~mask, -1e6)", f".softmax(dim=-1) * {SOME}")),
            write(masked("scores.masked_fill(~mask, -1e6)", f".softmax(dim=-1) * {KEPT}")),
            write(masked("scores * mask"))),
        Misconception("mask added as a number", "a hidden key's score falls 1 behind the others, no more",
            "What does True count in a sum, and what False? What is a hidden key's share then?",
            write(masked("scores + mask")),
            write(masked("scores + mask", f".softmax(dim=-1) * {SOME}"))),
        Misconception("zero times infinity", "0 · inf is not a number",
            "What does Python say to `0 * float('inf')`?",
            write(masked("scores + (1 - mask.float()) * -torch.inf")),
            write(masked("scores + (1 - mask.float()) * -torch.inf", ".softmax(dim=-1).nan_to_num()"))),
        Misconception("mask transposed", "queries and keys have changed places in it",
            "Does a row of your mask belong to a query or to a key?",
            write(masked("scores.masked_fill(~mask.mT, -torch.inf)", ".softmax(dim=-1).nan_to_num()")),
            write(masked("scores.masked_fill(~mask.mT, -torch.inf)")),
            write(masked("scores.masked_fill(~mask.mT, -1e9)"))),
        Misconception("row with nothing to look at", "such a query still gets something, or NaN",
            "What should a query get that may look nowhere?",
            write(masked(HIDDEN)),
            write(masked("scores.masked_fill(~mask, -1e9)"))),
        Misconception("one hidden key empties the row", "a query's weights become 0 where any key is hidden from it",
            "Print, beside the mask, which rows you set to 0. Which should they be?",
            write(masked(HIDDEN, f".softmax(dim=-1).nan_to_num() * {FULL}")),
            write(masked(HIDDEN, f".softmax(dim=-1) * {FULL}"))),
        Misconception("softmax over the queries", "the keys' columns sum to 1, not the queries' rows",
            "For one query, what is shared out?",
            write(masked(HIDDEN, ".softmax(dim=-2).nan_to_num()")),
            write(masked(HIDDEN, ".softmax(dim=-2)"))),
        Misconception("softmax over the whole matrix", "one softmax for the scores of several queries",
            "What does each query's row sum to?",
            write(masked(HIDDEN, ".flatten(-2).softmax(dim=-1).view(scores.shape).nan_to_num()")),
            write(masked(HIDDEN, ".flatten().softmax(dim=0).view(scores.shape).nan_to_num()"))),
    )
