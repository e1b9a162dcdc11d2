"""How `simple_attention` is judged."""

from typing import Any

import numpy as np

from autograder.model import Case, Exercise, Part, common

from ..shown.library import ATTENTION
from .cases import all_large, far_apart, qkv
from .mistakes import MISTAKES, STEPS, made_in


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(2)
    hand: Any = [[1, 0]], [[1, 0], [0, 1], [1, 0]], [[10, 0], [0, 20], [30, 0]]
    scalars: Any = [[1]], [[1], [2], [0.5]], [[10], [20], [5]]
    hand, scalars = (tuple(np.array(x, dtype=float) for x in arrays) for arrays in (hand, scalars))
    return (
        Case("example", hand, label="worked by hand"),
        Case("example", scalars, label="one feature a key: with a calculator, 15.58"),
        Case("sizes", qkv(rng, 2, 3, 5, 4), label="five features, four columns of values"),
        Case("sizes", qkv(rng, 3, 3, 3, 3), label="as many queries as keys"),
        Case("sizes", qkv(rng, 2, 2, 2, 2), label="two of everything"),
        Case("large", far_apart(rng), label="rows of scores thousands apart"),
        Case("large", all_large(rng), label="all scores above 1000"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    single = tuple(x.astype(np.float32) for x in qkv(rng, 3, 4, 9, 9))
    return (
        Case("sizes", qkv(rng, 3, 4, 5, 6), label="distinct sizes"),
        Case("sizes", qkv(rng, 5, 5, 5, 5), label="square"),
        Case("sizes", qkv(rng, 3, 3, 2, 3), label="as many queries as keys"),
        Case("sizes", qkv(rng, 1, 6, 7, 7), label="one query"),
        Case("sizes", single, label="float32"),
        Case("sizes", qkv(rng, 6, 2, 16, 3), label="more queries than keys"),
        Case("large", far_apart(rng), label="rows of scores thousands apart"),
        Case("large", all_large(rng), label="all scores above 1000"),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    library=ATTENTION,
    parts=(
        Part("one row of output for each query, as wide as a value", common.shape, ("example", "sizes")),
        Part("the examples you can work by hand", common.agrees, ("example",)),
        Part("the numbers are right for other sizes", common.agrees, ("sizes",)),
        Part("large scores do no harm", common.agrees, ("large",)),
        Part("leaves its inputs as they were", common.unchanged, ("example", "sizes")),
    ),
    misconceptions=made_in(
        "exp, amax = np.exp, np.amax" + STEPS.replace("weights @ V, weights", "weights @ V"), MISTAKES
    ),
)
