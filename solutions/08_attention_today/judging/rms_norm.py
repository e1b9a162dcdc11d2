"""How `rms_norm` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common

from ...judging.cases import numbers
from ...judging.mistakes import mistake


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
    ),
    misconceptions=(
        mistake("the mean taken off as well",
            ("return x", "x = x - x.mean(dim=-1, keepdim=True)\n    return x"),
            ("x / (", "(x - x.mean(dim=-1, keepdim=True)) / (")),
        mistake("torch's variance in place of the mean of squares",
            ("x.square().mean(dim=-1, keepdim=True)", "x.var(dim=-1, keepdim=True)"),
            ("x / (x.square().mean(dim=-1, keepdim=True)",
             "(x - x.mean(dim=-1, keepdim=True)) / (x.var(dim=-1, keepdim=True)"),
            ("x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt()",
             "(x - x.mean(dim=-1, keepdim=True)) / (x.std(dim=-1, keepdim=True) + eps)")),
        mistake("not squared", (".square()", "")),
        mistake("sum in place of mean", (".mean(", ".sum(")),
        mistake("no root", (").sqrt()", ")")),
        mistake("one norm for all rows", (MEAN, "x.square().mean()")),
        mistake("mean along the wrong axis", (MEAN, "x.square().mean(dim=0, keepdim=True)"),
            (MEAN, "x.square().mean(dim=min(1, x.ndim - 1), keepdim=True)"),
            (MEAN, "x.square().mean(dim=-min(2, x.ndim), keepdim=True)")),
        mistake("broadcast along the wrong axis", (MEAN, "x.square().mean(dim=-1)"),
            detail="the means stand in one row, not beside their rows",
            question="Print both shapes at the division."),
        mistake("weight missing", (" * weight", "")),
        mistake("eps outside the root", (f"({MEAN} + eps).sqrt()", f"({MEAN}.sqrt() + eps)")),
        mistake("eps left out", (" + eps", "")),
        mistake("writes into its input", (f"x / ({MEAN} + eps).sqrt()", f"x.div_(({MEAN} + eps).sqrt())")),
    ),
)
