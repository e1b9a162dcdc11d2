"""How `$name` is judged."""

import numpy as np

from autograder.exercises import Case, Exercise, Misconception, Part, common


def examples() -> tuple[Case, ...]:
    return (Case("example", (2.0,), label="the lesson's example"),)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (Case("drawn", (float(rng.normal()),), label="any number"),)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    parts=(
        Part("right on the lesson's example", common.agrees, ("example",)),
        Part("right on other numbers", common.agrees, ("drawn",)),
    ),
    misconceptions=(
        Misconception("TODO: its name", "", "TODO: a question that leads to it?", ("return x", "return -x")),
    ),
)
