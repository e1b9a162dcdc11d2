"""How `$name` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, common


def examples() -> tuple[Case, ...]:
    return (Case("example", (2.0,), label="the lesson's example"),)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (Case("drawn", (float(rng.normal()),), label="any number"),)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    criteria=(
        Criterion("right on the lesson's example", common.agrees, ("example",)),
        Criterion("right on other numbers", common.agrees, ("drawn",)),
    ),
    misconceptions=(
        Misconception("TODO: its name", "", "TODO: a question that leads to it?", ("return x", "return -x")),
    ),
)
