"""How `to_celsius` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, common


def examples() -> tuple[Case, ...]:
    return (
        Case("number", (32.0,), label="water freezes"),
        Case("number", (212.0,), label="water boils"),
        Case("array", (np.array([[50.0, 59.0, 68.0], [-40.0, 5.0, 14.0]]),), label="two rows of three"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        Case("number", (float(rng.uniform(-60, 110)),), label="any temperature"),
        Case("array", (rng.uniform(-60, 110, size=5),), label="five temperatures"),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    criteria=(
        Criterion("right for a number", common.agrees, ("number",)),
        Criterion("right for an array", common.agrees, ("array",)),
    ),
    misconceptions=(
        Misconception(
            "ratio upside down",
            "a degree Celsius is the larger one",
            "How many degrees of each kind lie between freezing and boiling?",
            ("* 5 / 9", "* 9 / 5"),
        ),
        Misconception(
            "freezing point forgotten",
            "the two scales do not begin at the same place",
            "What does your function say of 32 °F?",
            (" - 32", ""),
            ("(fahrenheit - 32) * 5 / 9", "fahrenheit * 5 / 9 - 32"),
        ),
    ),
)
