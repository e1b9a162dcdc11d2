"""How `positional_encoding` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common
from attention import common_rules

from ...judging.mistakes import mistake
from ..checks import rules

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
        Criterion("ValueError for an odd d_model", common_rules.value_error, ("refuse",), points=0),
    ),
    misconceptions=(
        mistake("sine and cosine in halves", (PAIRS, "torch.cat([angles.sin(), angles.cos()], dim=-1)")),
        mistake("sine and cosine exchanged",
            (PAIRS, "torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)")),
        mistake("wrong wavelength", (EXPONENT, "(torch.arange(d_model // 2) / d_model)"),
            (EXPONENT, "(torch.arange(0, d_model, 2) // d_model)"),
            (EXPONENT, "(2 * torch.arange(0, d_model, 2) / d_model)"),
            (EXPONENT, "(torch.arange(0, d_model, 2) / (d_model // 2))"),
            (EXPONENT, "(torch.arange(d_model // 2) / (d_model // 2 - 1 or 1))"), ("10000 ** ", "1000 ** "),
            (PAIRS, ONE_BY_ONE, EXPONENT, "(torch.arange(d_model) / d_model)"),
            (PAIRS, ONE_BY_ONE, EXPONENT, "(2 * torch.arange(d_model) / d_model)")),
        mistake("positions multiplied by the wavelength", (ANGLES, f"positions * 10000 ** {EXPONENT}")),
        mistake("positions counted from 1", ("torch.arange(n)", "torch.arange(1, n + 1)"),
            detail="row 0 holds the numbers of position 1",
            question="What is sin 0, and where should it stand?"),
        mistake("positions along the columns", (PAIRS, PAIRS + ".T")),
        mistake("a constant instead of the input's size", (EXPONENT, "(torch.arange(0, d_model, 2) / 8)"),
            (EXPONENT, "(torch.arange(0, d_model, 2) / 512)"),
            detail="the exponent is divided by a fixed number, not by d_model",
            question="By which number do you divide the exponent if d_model is 6, and by which if it is 10?"),
        mistake("axis of length 1 lost", (PAIRS, PAIRS + ".squeeze()"),
            detail="the table of a single position has two axes, too",
            question="Which shape should the table of one position have?"),
        mistake("fractions cut off", (PAIRS, PAIRS + ".long()"), detail="the table holds whole numbers",
            question="What is sin 1, and what is left of it in your table?"),
        mistake("odd d_model not refused", ("if d_model % 2:", "if False:"),
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
