"""How `bandwidth_slope` is judged."""

from functools import partial

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import KILOS, WAISTS, drawn, rounded


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(3)
    case, near = partial(drawn, rng, scale=3), partial(rng.uniform, 0, 3)
    lesson = drawn(rng, "numbers", "the three people, bandwidth 3", WAISTS, KILOS, 3.0)
    return rounded(
        lesson,
        case("numbers", "scalars, bandwidth 0.7", near(6), (6,), 0.7),
        case("vectors", "two measurements, three values each", near((5, 2)), (5, 3), 2.0),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    case, near = partial(drawn, rng, scale=3), partial(rng.uniform, 0, 3)
    return (
        case("numbers", "twelve samples", near(12), (12,), float(rng.uniform(0.5, 0.8))),
        case("numbers", "three measurements, one number", near((7, 3)), (7,), 1.5),
        case("vectors", "one column everywhere, bandwidth 1", near((6, 1)), (6, 1), 1),
        case("vectors", "one measurement, two values each", near(6), (6, 2), 0.6),
    )


BY_STEPS = """
step = 1e-5
above, below = (leave_one_out_error(keys, values, bandwidth + s) for s in (step, -step))
return (above - below)"""
ERROR = "error = lambda h: leave_one_out_error(keys, values, h); "

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    builds_on=("gaussian_weights", "kernel_regression", "leave_one_out_error"),
    examples=examples,
    draw=draw,
    variant=Variant(
        "The slope along bandwidth², not along the bandwidth: what the error gains where the *square* grows by one.",
        ("return float(", "return float(0.5 / bandwidth) * float("),
    ),
    criteria=(
        Criterion("one number", common.shape),
        Criterion("the slope for predicted numbers", rules.slope, ("numbers",)),
        Criterion("the slope for predicted vectors", rules.slope, ("vectors",), plain=("numbers",)),
    ),
    misconceptions=(
        mistake("sign of the slope reversed", ("return float", "return -float")),
        mistake("difference not divided by the step"),
        mistake("divided by half the step", BY_STEPS + " / step"),
        mistake("the step too wide",
            *(f"{ERROR}return (error(bandwidth + {step}) - error(bandwidth)) / {step}" for step in (1, 0.1, 0.01)),
            f"{ERROR}return (error(bandwidth + 0.1) - error(bandwidth - 0.1)) / 0.2"),
        mistake("error instead of its slope", "return leave_one_out_error(keys, values, bandwidth)"),
        mistake("sample not left out",
            ("np.where(np.eye(len(keys)), -np.inf, -squares / (2 * bandwidth**2))", "-squares / (2 * bandwidth**2)")),
    ),
)
