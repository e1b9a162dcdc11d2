"""How `warmest_days` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, common


def examples() -> tuple[Case, ...]:
    return (
        Case("few", (np.array([12.0, 19.5, 17.0, 21.0]), 2), label="two of four days"),
        Case("few", (np.array([-3.0, -8.5, -1.0]), 1), label="one cold day"),
        Case("all", (np.array([15.0, 11.0, 18.0]), 3), label="all of them"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    days = rng.permutation(30)[:9] + 0.5
    return (
        Case("few", (days, 4), label="four of nine days"),
        Case("all", (days - 20, 9), label="all of nine days"),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    criteria=(
        Criterion("the right days", common.agrees, ("few",)),
        Criterion("in the right order", common.agrees, ("all",)),
    ),
    misconceptions=(
        Misconception(
            "coldest instead of warmest",
            "",
            "Which end of the sorted list do you take?",
            ("-temperatures", "temperatures"),
        ),
        Misconception(
            "temperatures instead of positions",
            "",
            "Is 21.0 a day, or how warm it was?",
            ("np.argsort(-temperatures)", "-np.sort(-temperatures)"),
        ),
    ),
)
