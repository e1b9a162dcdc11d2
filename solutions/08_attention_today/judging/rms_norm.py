"""How `rms_norm` is judged."""

import numpy as np

from autograder.exercises import (
    Case,
    Criterion,
    Exercise,
    Misconception,
    Tensor,
    Variant,
    common,
    common_mistakes,
)

from .cases import numbers


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(89)
    return (
        case(rng, "rows", (2, 4)),
        case(rng, "rows", (2, 3, 5), "two texts"),
        case(rng, "rows", (3, 3), "as many rows as columns"),
        Case("tiny", (Tensor(np.array([[0, 0, 0], [1e-3, 0, -1e-3]], dtype=np.float32)), numbers(rng, 3)),
            label="a row of zeros, a tiny one"),
        Case("tiny", (numbers(rng, 2, 4), numbers(rng, 4)), {"eps": 0.5}, label="a large eps"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, "rows", (4, 7)),
        case(rng, "rows", (2, 4, 4), "words and columns alike"),
        case(rng, "rows", (2, 2, 3, 6), "four axes"),
        case(rng, "rows", (5,), "one row"),
        case(rng, "rows", (1, 1, 5), "a text of one word"),
        case(rng, "rows", (4, 1), "one column"),
        case(rng, "rows", (1,), "one number"),
        Case("tiny", (numbers(rng, 3, 4), numbers(rng, 4)), {"eps": 2.0}),
    )


def case(rng: np.random.Generator, tag: str, shape: tuple[int, ...], label: str = "") -> Case:
    return Case(tag, (numbers(rng, *shape, scale=3.0), numbers(rng, shape[-1])), label=label)


MEAN = "x.square().mean(dim=-1, keepdim=True)"

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    variant=Variant(
        "Each row is multiplied by 1 + `weight`, so that a weight of 0 changes nothing.",
        ("* weight", "* (1 + weight)"),
    ),
    criteria=(
        Criterion("the shape of x", common.shape),
        Criterion("each row by the root of the mean of its squares", common.agrees, ("rows",)),
        Criterion("`eps` below the root", common.agrees, ("tiny",), plain=("rows",)),
        Criterion("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception("the mean taken off as well", "LayerNorm does that, this norm does not",
            "Does the formula subtract anything?",
            ("return x", "x = x - x.mean(dim=-1, keepdim=True)\n    return x"),
            ("x / (", "(x - x.mean(dim=-1, keepdim=True)) / (")),
        Misconception("torch's variance in place of the mean of squares",
            "`var` and `std` take the mean off first, and divide by one less than there are",
            "Print, for one row, `x.var()` and the mean of the squares: by what do they differ?",
            ("x.square().mean(dim=-1, keepdim=True)", "x.var(dim=-1, keepdim=True)"),
            ("x / (x.square().mean(dim=-1, keepdim=True)",
             "(x - x.mean(dim=-1, keepdim=True)) / (x.var(dim=-1, keepdim=True)"),
            ("x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt()",
             "(x - x.mean(dim=-1, keepdim=True)) / (x.std(dim=-1, keepdim=True) + eps)")),
        Misconception("not squared", "the mean of the numbers, not of their squares",
            "Can the mean of a row be below 0?",
            (".square()", "")),
        Misconception("sum in place of mean", "the length of the row, not its root mean square",
            "What comes out for a row of ones?",
            (".mean(", ".sum(")),
        Misconception("no root", "divided by the mean of the squares itself",
            "Double the row: what should happen to the result?",
            (").sqrt()", ")")),
        Misconception("one norm for all rows", "every row is divided by the same number",
            "Over which axis goes the mean?",
            (MEAN, "x.square().mean()")),
        Misconception("mean along the wrong axis", "it goes over rows or texts, not over the numbers of a row",
            "Over which axis goes the mean?",
            (MEAN, "x.square().mean(dim=0, keepdim=True)"),
            (MEAN, "x.square().mean(dim=min(1, x.ndim - 1), keepdim=True)"),
            (MEAN, "x.square().mean(dim=-min(2, x.ndim), keepdim=True)")),
        Misconception("broadcast along the wrong axis", "the means stand in one row, not beside their rows",
            "Print both shapes at the division.",
            (MEAN, "x.square().mean(dim=-1)")),
        Misconception("weight missing", "the rows come out without their scale",
            "What do the numbers in `weight` do?",
            (" * weight", "")),
        Misconception("eps outside the root", "it is added to the root, not to the mean",
            "What is divided by for a row of zeros?",
            (f"({MEAN} + eps).sqrt()", f"({MEAN}.sqrt() + eps)")),
        Misconception("eps left out", "a row of zeros is divided by 0",
            "What is divided by for a row of zeros?",
            (" + eps", "")),
        common_mistakes.writes_into_its_input((f"x / ({MEAN} + eps).sqrt()", f"x.div_(({MEAN} + eps).sqrt())")),
    ),
)
