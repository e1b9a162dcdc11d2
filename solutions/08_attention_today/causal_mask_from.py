"""How `causal_mask_from` is judged."""

from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant

from .shown import rules


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
        Criterion("m × n, of True and False", rules.boolean, ("mask", "all")),
        Criterion("each word sees itself and all words before it", rules.sees_the_past, ("mask", "all")),
        Criterion("no word sees a later one", rules.sees_no_future, ("mask", "all")),
        Criterion("ValueError where more words ask than there are", rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        Misconception("mask aligned at the top left", "row 0 is treated as the first word of the text",
            "Which word of the text does the last row belong to, and what may it see?",
            (RIGHT, "torch.ones(m, n, dtype=torch.bool).tril()"),
            (RIGHT, "torch.ones(n, n, dtype=torch.bool).tril()[:m]")),
        Misconception("mask looks ahead", "it hides the earlier words, or shows the later ones",
            "May the first new word see the second?",
            (RIGHT, "torch.arange(n) >= torch.arange(n - m, n)[:, None]"),
            (RIGHT, "torch.arange(n) > torch.arange(n - m, n)[:, None]")),
        Misconception("new words not masked among themselves", "each of them sees the whole text",
            "There are two new words. May the first of them see the second?",
            (RIGHT, "torch.ones(m, n, dtype=torch.bool)")),
        Misconception("causal mask off by one", "it hides a word from itself, or shows it the next one",
            "How many True does the last row have, and how many words are there?",
            (RIGHT, RIGHT.replace("<=", "<")),
            (RIGHT, RIGHT.replace("n - m, n)", "n - m + 1, n + 1)"))),
        Misconception("old words hidden", "the new words see each other alone",
            "How many words come before the new ones, and which row may see them?",
            (RIGHT, f"({RIGHT}) & (torch.arange(n) >= n - m)")),
        Misconception("moved the wrong way", "the diagonal goes n − m places down, not up",
            "How many words does the first row see, at the least?",
            (RIGHT, "torch.ones(m, n, dtype=torch.bool).tril(m - n)")),
        Misconception("rows and columns exchanged", "a row a word of the text, a column a word that asks",
            "Who asks, the rows or the columns?",
            (RIGHT, f"({RIGHT}).T"),
            (RIGHT, "torch.ones(n, m, dtype=torch.bool).tril(n - m)"),
            (RIGHT, "torch.ones(n, m, dtype=torch.bool).tril()")),
        Misconception("mask not boolean", "a mask of numbers",
            "What does `~mask` print?",
            (RIGHT, f"({RIGHT}).float()"),
            (RIGHT, f"({RIGHT}).int()"),
            (RIGHT, f"torch.zeros(m, n).masked_fill({RIGHT.replace('<=', '>')}, -torch.inf)")),
        Misconception("axis of length 1 lost", "a single new word has a row as well",
            "Which shape should the mask of one new word have?",
            (RIGHT, f"({RIGHT}).squeeze()")),
        Misconception("m above n not refused", "there is no such text",
            "Which position would row 0 have if three of two words asked?",
            ("if m > n:", "if False:"),
            ("if m > n:", "if m > n + 1:"),
            ("if m > n:", "m = min(m, n)\n    if False:")),
    ),
)
