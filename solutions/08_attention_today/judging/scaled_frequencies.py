"""How `scaled_frequencies` is judged."""

import math

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention import common_rules

from ...judging.mistakes import mistake
from ..checks import rules

PLAIN, BOTH = ("plain",), ("plain", "mixed", "all", "none", "base")
NEAR = 0.02
"""No pair turns so little more or less than once, as a share: there a rounding would decide."""


def examples() -> tuple[Case, ...]:
    return (
        case("plain", 8, 1000, 1.0, "a factor of 1"),
        case("mixed", 16, 30, 4.0, "16 columns, trained on 30 words, read 4 times as far"),
        case("mixed", 8, 50, 2.0),
        case("mixed", 32, 128, 2.5),
        case("all", 4, 1000, 8.0, "all pairs make a whole turn"),
        case("none", 6, 5, 3.0, "no pair makes a whole turn"),
        case("base", 6, 64, 4.0, "another base", base=500.0),
        Case("refuse", (5, 30, 4.0), label="an odd d", raises="ValueError"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case("plain", 12, 1000, 1.0),
        case("mixed", 64, 128, 4.0),
        case("mixed", 8, 50, float(rng.integers(3, 9))),
        case("mixed", 10, 500, 16.0),
        case("mixed", 128, 2048, 8.0),
        drawn(rng, 16),
        drawn(rng, 24),
        drawn(rng, 48),
        case("all", 2, 7, 4.0, "one pair, a little more than one turn"),
        case("all", 6, 100_000, 2.0, "all pairs make a whole turn"),
        case("none", 2, 6, 4.0, "one pair, a little less than one turn"),
        case("none", 12, 4, 1.5, "no pair makes a whole turn"),
        case("none", 8, 1, 2.0, "trained on a single word"),
        case("base", 16, 220, 4.0, base=1000.0),
        case("base", 32, 1000, 2.0, base=500_000.0),
        Case("refuse", (7, 100, 2.0), raises="ValueError"),
        Case("refuse", (1, 100, 2.0), raises="ValueError"),
    )


def case(tag: str, d: int, trained: int, factor: float, label: str = "", base: float | None = None) -> Case:
    given = {} if base is None else {"base": base}
    return Case(tag, (d, trained, factor), given, label=label, tolerance=1e-6)


def drawn(rng: np.random.Generator, d: int) -> Case:
    """Some pairs make a whole turn and some do not, and none is near the limit."""
    while True:
        trained = int(rng.integers(20, 400))
        turns = trained * 10000.0 ** (-np.arange(0, d, 2) / d) / (2 * math.pi)
        if (abs(turns - 1) > NEAR).all():
            return case("mixed", d, trained, float(rng.integers(2, 9)))


EXPONENT = "(-torch.arange(0, d, 2) / d)"
TURNS = "trained * frequencies / (2 * math.pi)"
CHOSEN = "torch.where(turns >= 1, frequencies, frequencies / factor)"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    results=("frequencies",),
    variant=Variant(
        "A pair keeps its frequency if it makes at least *two* whole turns within `trained` words.",
        ("turns >= 1", "turns >= 2"),
        ("mixed", "base"),
    ),
    by_error=("odd d not refused",),
    criteria=(
        Criterion("one frequency for each pair of columns", common_rules.shape, BOTH),
        Criterion("with a factor of 1: the frequencies of `rotate`", rules.frequencies, PLAIN),
        Criterion("a pair that makes a whole turn in training keeps its frequency",
            rules.fast_frequencies, ("mixed", "all"), plain=PLAIN),
        Criterion("each slower pair is divided by the factor", rules.slow_frequencies, ("mixed", "none"), plain=PLAIN),
        Criterion("another base", rules.frequencies, ("base",), plain=("plain", "mixed")),
        Criterion("ValueError for an odd d", common_rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        mistake("all frequencies divided", (CHOSEN, "frequencies / factor")),
        mistake("fast frequencies divided, slow ones kept",
            (CHOSEN, "torch.where(turns >= 1, frequencies / factor, frequencies)")),
        mistake("multiplied by the factor instead of divided",
            (CHOSEN, "torch.where(turns >= 1, frequencies, frequencies * factor)")),
        mistake("no frequency divided", (CHOSEN, "frequencies")),
        mistake("a radian taken for a whole turn", (TURNS, "trained * frequencies")),
        mistake("half a turn taken for a whole one", (TURNS, "trained * frequencies / math.pi")),
        mistake("degrees for radians", (TURNS, "trained * frequencies / 360"),
            detail="a pair counts as fast once it has turned by 360 radians",
            question="In which unit are trained · frequency and 360?"),
        mistake("a frequency taken for a wavelength", (TURNS, "trained / (2 * math.pi * frequencies)")),
        mistake("the stretched length instead of the trained one",
            (TURNS, "trained * factor * frequencies / (2 * math.pi)")),
        mistake("turns counted after dividing", (TURNS, "trained * frequencies / factor / (2 * math.pi)")),
        mistake("a larger base for all pairs", (CHOSEN, "(base * factor) ** (-torch.arange(0, d, 2) / d)"),
            (CHOSEN, "(base * factor ** (d / max(d - 2, 1))) ** (-torch.arange(0, d, 2) / d)")),
        mistake("wrong wavelength", (EXPONENT, "(-torch.arange(d // 2) / d)"),
            (EXPONENT, "(-torch.arange(0, d, 2) // d)"), (EXPONENT, "(-torch.arange(0, d, 2) / (d // 2))"),
            (EXPONENT, "(-torch.arange(d // 2) / (d // 2 - 1 or 1))"),
            detail="the later pairs turn at another pace than in `rotate`",
            question="What is the frequency of pair 1 where d is 4?"),
        mistake("wavelengths in place of frequencies", (EXPONENT, "(torch.arange(0, d, 2) / d)"),
            (CHOSEN, "1 / torch.where(turns >= 1, frequencies, frequencies / factor)")),
        mistake("base ignored", ("base **", "10000.0 **")),
        mistake("a frequency for each column", (CHOSEN, f"{CHOSEN}.repeat_interleave(2)"),
            (CHOSEN, f"torch.cat([{CHOSEN}] * 2)"), (EXPONENT, "(-torch.arange(d) / d)")),
        mistake("fractions cut off", (CHOSEN, "torch.where(turns >= 1, frequencies, frequencies // factor)"),
            detail="a slow pair does not turn at all",
            question="What is 0.01 divided by 4, and what does `//` give?"),
        mistake("odd d not refused", ("if d % 2:", "if False:"),
            ("if d % 2:", "if False:", EXPONENT, "(-torch.arange(0, d - 1, 2) / d)")),
    ),
)
