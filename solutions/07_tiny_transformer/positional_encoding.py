"""How `positional_encoding` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common

from .shown import rules

if TYPE_CHECKING:
    import torch


def examples() -> tuple[Case, ...]:
    return (
        table(5, 6),
        table(3, 2, "one sine, one cosine"),
        table(4, 4, "as many positions as columns"),
        table(1, 8, "one position"),
        Case("refuse", (3, 5), label="an odd d_model", raises="ValueError"),
        Case("refuse", (4, 5), label="an odd d_model, an even n", raises="ValueError"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    longer = int(rng.integers(12, 30))
    return (
        table(longer, 10),
        table(7, 16),
        table(6, 6),
        table(40, 8),
        table(1, 2),
        Case("refuse", (int(rng.integers(2, 9)), 7), raises="ValueError"),
        Case("refuse", (4, 1), raises="ValueError"),
    )


def table(n: int, d_model: int, label: str = "") -> Case:
    return Case("table", (n, d_model), label=label, tolerance=1e-3)


def positional_encoding(n: int, d_model: int) -> torch.Tensor:
    """Real and imaginary parts of turns of length 1."""
    from torch import arange, outer, polar, tensor, view_as_real

    if d_model % 2:
        raise ValueError("an odd d_model")
    turns = outer(arange(n) + 0.0, 10000.0 ** (-arange(0, d_model, 2) / d_model))
    return view_as_real(polar(tensor(1.0), turns)).flip(-1).flatten(1)


EXPONENT = "(torch.arange(0, d_model, 2) / d_model)"
ANGLES = f"positions / 10000 ** {EXPONENT}"
PAIRS = "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)"
ONE_BY_ONE = "torch.where(torch.arange(d_model) % 2 == 0, angles.sin(), angles.cos())"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    reference_stub=positional_encoding,
    variant=Variant(
        "All sines stand in the left half of the columns, all cosines in the right half.",
        (
            "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)",
            "torch.cat([angles.sin(), angles.cos()], dim=1)",
        ),
    ),
    by_error=("odd d_model not refused",),
    criteria=(
        Criterion("one row for each position, one column for each feature", common.shape, ("table",)),
        Criterion("position 0: sin 0 and cos 0 by turns", rules.first_row, ("table",)),
        Criterion("columns 0 and 1: sine and cosine of the position", rules.first_columns, ("table",)),
        Criterion("the later columns: longer and longer waves", rules.later_columns, ("table",)),
        Criterion("ValueError for an odd d_model", rules.value_error, ("refuse",), points=0),
    ),
    misconceptions=(
        Misconception("sine and cosine in halves", "all sines stand first, then all cosines",
            "What should stand in column 1, beside the first sine?",
            (PAIRS, "torch.cat([angles.sin(), angles.cos()], dim=-1)")),
        Misconception("sine and cosine exchanged", "the cosines stand in the even columns",
            "What is sin 0, and in which columns of row 0 does it stand?",
            (PAIRS, "torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)")),
        Misconception("wrong wavelength", "the waves of the later columns are not as long as in the formula",
            "How many positions does one wave take in the last two columns?",
            (EXPONENT, "(torch.arange(d_model // 2) / d_model)"),
            (EXPONENT, "(torch.arange(0, d_model, 2) // d_model)"),
            (EXPONENT, "(2 * torch.arange(0, d_model, 2) / d_model)"),
            (EXPONENT, "(torch.arange(0, d_model, 2) / (d_model // 2))"),
            (EXPONENT, "(torch.arange(d_model // 2) / (d_model // 2 - 1 or 1))"),
            ("10000 ** ", "1000 ** "),
            (PAIRS, ONE_BY_ONE, EXPONENT, "(torch.arange(d_model) / d_model)"),
            (PAIRS, ONE_BY_ONE, EXPONENT, "(2 * torch.arange(d_model) / d_model)")),
        Misconception("positions multiplied by the wavelength",
            "the waves of the later columns are shorter, but they should be longer",
            "Does a later column wave faster or slower than the first?",
            (ANGLES, f"positions * 10000 ** {EXPONENT}")),
        Misconception("positions counted from 1", "row 0 holds the numbers of position 1",
            "What is sin 0, and where should it stand?",
            ("torch.arange(n)", "torch.arange(1, n + 1)")),
        Misconception("positions along the columns", "each row holds a wave, but it should hold a position",
            "What changes when a word moves by one position: the row or the column?",
            (PAIRS, PAIRS + ".T")),
        Misconception("a constant instead of the input's size",
            "the exponent is divided by a fixed number, not by d_model",
            "By which number do you divide the exponent if d_model is 6, and by which if it is 10?",
            (EXPONENT, "(torch.arange(0, d_model, 2) / 8)"),
            (EXPONENT, "(torch.arange(0, d_model, 2) / 512)")),
        Misconception("axis of length 1 lost", "the table of a single position has two axes, too",
            "Which shape should the table of one position have?",
            (PAIRS, PAIRS + ".squeeze()")),
        Misconception("fractions cut off", "the table holds whole numbers",
            "What is sin 1, and what is left of it in your table?",
            (PAIRS, PAIRS + ".long()")),
        Misconception("odd d_model not refused", "the last sine has no cosine",
            "How many cosines belong to three sines?",
            ("if d_model % 2:", "if False:"),
            ("if d_model % 2:", "if False:", PAIRS, PAIRS + "[:, :d_model]"),
            """
            table = torch.zeros(n, d_model)
            angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
            table[:, 0::2] = angles.sin()
            table[:, 1::2] = angles.cos()
            return table
            """),
    ),
)
