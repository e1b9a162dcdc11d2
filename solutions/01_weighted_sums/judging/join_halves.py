"""How `join_halves` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from .cases import fractions

Scores = np.ndarray | list[float]


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(4)
    return (
        row(rng, "alike", [2.0, 1.0], [2.0, 0.1, -1.0], 2, "the same top, totals that differ"),
        row(rng, "apart", [2.0, 1.0, 0.1], [0.5, -1.0], 3, "tops that differ"),
        row(rng, "huge", [5000.0, 4998.5], [4999.0], 4, "beyond the range of exp"),
        row(rng, "huge", [-5000.0, -5001.0], [-3000.5, -3002.0], 2, "far below zero, the second half on top"),
        row(rng, "huge", [3000.0, 2999.0], [0.5, -1.0], 3, "the first half thousands above the second"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    one, other = (rng.normal(scale=1.5, size=size).round(2) for size in (4, 6))
    return (
        row(rng, "alike", one - one.max(), other - other.max(), 3, "the same top"),
        row(rng, "apart", one, other + 2, 5, "the second half weighs more"),
        row(rng, "apart", one + 2, other, 1, "the first half weighs more"),
        row(rng, "huge", one + 2000, other + 2001, 2, "scores near 2000"),
        row(rng, "huge", one - 9000, other + 9000, 3, "halves thousands apart"),
    )


def row(rng: np.random.Generator, tag: str, first: Scores, second: Scores, width: int, label: str) -> Case:
    """What is kept of two halves of a row of scores, whose values are drawn."""
    return Case(tag, (half(rng, first, width), half(rng, second, width)), label=label)


def half(rng: np.random.Generator, scores: Scores, width: int) -> tuple[float, float, np.ndarray]:
    """Its largest score, the sum of the powers below it, and its own weighted sum, rounded to be read."""
    top = max(scores)
    powers = np.exp(np.array(scores) - top)
    mean = powers / powers.sum() @ fractions(rng, len(scores), width)
    return float(top), float(powers.sum().round(3)), mean.round(3)


EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    variant=Variant(
        "Each half is given as (top, total, sum): its third entry is not divided by its total yet.",
        (
            "return (sizes[0] * first[2] + sizes[1] * second[2]) / sum(sizes)",
            "sums = [one[2] * np.exp(one[0] - highest) for one in (first, second)]\n    return sum(sums) / sum(sizes)",
        ),
    ),
    criteria=(
        Criterion("as many numbers as a mean has", common.shape),
        Criterion("each half has its share where the tops differ", common.agrees, ("apart",)),
        Criterion("each half has its share where the tops are the same", common.agrees, ("alike",), plain=("apart",)),
        Criterion(
            "each half has its share where the scores are huge", common.agrees, ("huge",), plain=("apart", "alike")
        ),
        Criterion("leaves both halves as they were", common.unchanged, ("apart", "alike")),
    ),
    misconceptions=(
        mistake("plain mean of the halves", "return (first[2] + second[2]) / 2"),
        mistake("largest scores forgotten",
            "return (first[1] * first[2] + second[1] * second[2]) / (first[1] + second[1])",
            (" * np.exp(top - highest)", "")),
        mistake("no shift by the maximum", (" - highest", ""),
            """
            a, b = first[1] * np.exp(first[0]), second[1] * np.exp(second[0])
            return (a * first[2] + b * second[2]) / (a + b)
            """, detail="exp gets numbers that it cannot hold",
            question="What is exp(5000), and what could you subtract from both tops?"),
        mistake("writes into its input",
            ("return", "first[2][:] =", "sum(sizes)", "sum(sizes); return first[2]"),
            ("return", "second[2][:] =", "sum(sizes)", "sum(sizes); return second[2]"),
            question="Into which array do you write: one of your own, or the mean of a half?"),
    ),
)
