"""How `causal_mask_from` is judged."""

from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention import common_rules

from ...judging.mistakes import mistake
from ..checks import rules


def examples() -> tuple[Case, ...]:
    return (
        Case("mask", (2, 5), label="the last two of five words"),
        Case("mask", (1, 4), label="one new word"),
        Case("mask", (3, 4)),
        Case("all", (3, 3), label="all words ask"),
        Case("refuse", (3, 2), label="more words ask than there are", raises="ValueError"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    m = int(rng.integers(2, 6))
    return (
        Case("mask", (m, m + int(rng.integers(1, 5)))),
        Case("mask", (1, int(rng.integers(5, 9))), label="one new word"),
        Case("mask", (4, 10)),
        Case("all", (1, 1), label="one word"),
        Case("all", (int(rng.integers(4, 8)),) * 2, label="all words ask"),
        Case("refuse", (m + 1, m), raises="ValueError"),
        Case("refuse", (m + 4, m), raises="ValueError"),
    )


def causal_mask_from(m: int, n: int) -> Any:
    """The last rows of the causal mask for all words: (m, n) booleans."""
    import torch

    if m > n:
        raise ValueError(f"{m} of {n} words")
    return torch.ones(n, n, dtype=torch.bool).tril()[n - m :]


RIGHT = "torch.arange(n) <= torch.arange(n - m, n)[:, None]"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    reference_stub=causal_mask_from,
    variant=Variant(
        "True is what may *not* be looked at.",
        ("<= torch", "> torch"),
    ),
    criteria=(
        Criterion("m × n, of True and False", common_rules.boolean, ("mask", "all")),
        Criterion("each word sees itself and all words before it", rules.sees_the_past, ("mask", "all")),
        Criterion("no word sees a later one", rules.sees_no_future, ("mask", "all")),
        Criterion("ValueError where more words ask than there are", common_rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        mistake("mask aligned at the top left", (RIGHT, "torch.ones(m, n, dtype=torch.bool).tril()"),
            (RIGHT, "torch.ones(n, n, dtype=torch.bool).tril()[:m]"),
            detail="row 0 is treated as the first word of the text",
            question="Which word of the text does the last row belong to, and what may it see?"),
        mistake("mask looks ahead", (RIGHT, "torch.arange(n) >= torch.arange(n - m, n)[:, None]"),
            (RIGHT, "torch.arange(n) > torch.arange(n - m, n)[:, None]"),
            detail="it hides the earlier words, or shows the later ones",
            question="May the first new word see the second?"),
        mistake("new words not masked among themselves", (RIGHT, "torch.ones(m, n, dtype=torch.bool)"),
            detail="each of them sees the whole text",
            question="There are two new words. May the first of them see the second?"),
        mistake("causal mask off by one", (RIGHT, RIGHT.replace("<=", "<")),
            (RIGHT, RIGHT.replace("n - m, n)", "n - m + 1, n + 1)")),
            question="How many True does the last row have, and how many words are there?"),
        mistake("old words hidden", (RIGHT, f"({RIGHT}) & (torch.arange(n) >= n - m)")),
        mistake("moved the wrong way", (RIGHT, "torch.ones(m, n, dtype=torch.bool).tril(m - n)")),
        mistake("rows and columns exchanged", (RIGHT, f"({RIGHT}).T"),
            (RIGHT, "torch.ones(n, m, dtype=torch.bool).tril(n - m)"),
            (RIGHT, "torch.ones(n, m, dtype=torch.bool).tril()"),
            detail="a row a word of the text, a column a word that asks",
            question="Who asks, the rows or the columns?"),
        mistake("mask not boolean", (RIGHT, f"({RIGHT}).float()"), (RIGHT, f"({RIGHT}).int()"),
            (RIGHT, f"torch.zeros(m, n).masked_fill({RIGHT.replace('<=', '>')}, -torch.inf)")),
        mistake("axis of length 1 lost", (RIGHT, f"({RIGHT}).squeeze()"),
            detail="a single new word has a row as well",
            question="Which shape should the mask of one new word have?"),
        mistake("m above n not refused", ("if m > n:", "if False:"), ("if m > n:", "if m > n + 1:"),
            ("if m > n:", "m = min(m, n)\n    if False:")),
    ),
)
