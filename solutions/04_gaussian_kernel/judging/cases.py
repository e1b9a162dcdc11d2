"""What several exercises of this lesson draw their cases from, and a misconception that they share."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from autograder.exercises import Case
from attention.bodies import load_bodies

from ...judging import cases
from ...judging.mistakes import mistake

WAISTS, KILOS = np.array([51.0, 56.0, 58.0]), np.array([40.0, 43.0, 48.0])

WRITES = mistake("writes into its input",
             question="Which array do the in-place operations (-=, /=, fill) write into?")


def drawn(rng: np.random.Generator, tag: str, label: str, *args: Any, scale: float = 1.0) -> Case:
    """A case with normal numbers wherever `args` holds a shape.

    Its tolerance leaves room for ‖q‖² + ‖k‖² − 2q·k, which cancels, and for float32.
    """
    arrays = (scale * rng.normal(size=x) if isinstance(x, tuple) else x for x in args)
    return Case(tag, tuple(arrays), label=label, tolerance=1e-3)


def rounded(*cases: Case) -> tuple[Case, ...]:
    """The cases with one decimal in all arrays, for the stored examples."""
    return tuple(_each_array(case, lambda array: array.round(1)) for case in cases)


def as_float32(case: Case) -> Case:
    return replace(_each_array(case, np.float32), label="float32")


def _each_array(case: Case, change: Any) -> Case:
    return replace(case, args=tuple(change(x) if isinstance(x, np.ndarray) else x for x in case.args))


def everybody() -> tuple[np.ndarray, np.ndarray]:
    """Of all 160 people, waist and chest, and weight and height."""
    bodies = load_bodies()
    return (
        np.column_stack([bodies["waist"], bodies["chest"]]),
        np.column_stack([bodies["weight"], bodies["height"]]),
    )


prediction = partial(cases.prediction, tolerance=0.05)
