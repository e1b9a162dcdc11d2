"""How `gaussian_keys` is judged."""

from functools import partial

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import drawn


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(8)
    case = partial(drawn, rng)
    return (
        case("line", "one measurement, bandwidth left at its default", np.array([[1.0], [2.0], [4.0]])),
        case("plane", "two measurements, whole numbers, bandwidth 2", np.array([[3, 4], [1, 2], [0, 2]]), 2),
        case("plane", "three measurements, bandwidth 0.5", np.array([[1.0, -2.0, 0.5], [2.0, 1.0, -1.0]]), 0.5),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    case = partial(drawn, rng)
    return (
        case("line", "one measurement", (5, 1), float(rng.uniform(0.5, 0.8))),
        case("plane", "three measurements", (4, 3), float(rng.uniform(1.5, 2.5))),
        case("plane", "as many keys as measurements", (3, 3), 3.0),
        case("plane", "bandwidth left at its default", (6, 2)),
        case("plane", "one key, bandwidth 1", (1, 4), 1),
        case("plane", "whole numbers", rng.integers(1, 6, (4, 2)), 2),
    )


EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    canonical=rules.but_for_what_cancels,
    variant=Variant(
        "The queries end in a 2.",
        ("-lengths / 2]", "-lengths / 4]"),
        rule=rules.same_for_softmax,
    ),
    criteria=(
        Criterion("one more column", common.shape),
        Criterion("Gaussian weights of one measurement", rules.same_for_softmax, ("line",)),
        Criterion("Gaussian weights of several measurements", rules.same_for_softmax, ("plane",), plain=("line",)),
    ),
    misconceptions=(
        mistake("minus sign missing", ("-lengths", "lengths")),
        mistake("distance not squared or not halved", ("/ 2]", "]"), ("-lengths", "-np.sqrt(lengths)")),
        mistake("the key's length left out", ("[keys, -lengths / 2])", "[keys, np.ones(len(keys))])"),
            ("[keys, -lengths / 2]) / bandwidth**2", "[keys / bandwidth**2, np.ones(len(keys))])"),
            ("-lengths / 2", "0 * lengths")),
        mistake("bandwidth in the wrong place, or left out",
            ("[keys, -lengths / 2]) / bandwidth**2", "[keys, -lengths / (2 * bandwidth**2)])"),
            ("[keys, -lengths / 2]) / bandwidth**2", "[keys / bandwidth**2, -lengths / 2])"),
            ("[keys, -lengths / 2]) / bandwidth**2", "[keys / bandwidth, -lengths / (2 * bandwidth**2)])"),
            ("bandwidth**2", "bandwidth"), ("bandwidth**2", "bandwidth**4"), (" / bandwidth**2", "")),
    ),
)
