"""How `words_a_pass` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake


def examples() -> tuple[Case, ...]:
    return (
        Case("some", (0.5, 1), label="one guess"),
        Case("some", (0.5, 2)),
        Case("some", (0.8, 3)),
        Case("none", (0.3, 0), label="no guess"),
        Case("sure", (0.0, 4), label="no guess is ever kept"),
        Case("sure", (1.0, 3), label="every guess is kept"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    shares = rng.uniform(0.2, 0.95, 3).round(2).tolist()
    counts = rng.integers(2, 9, 3).tolist()
    return (
        *(Case("some", given) for given in zip(shares, counts)),
        Case("none", (1.0, 0)),
        Case("none", (0.0, 0)),
        Case("sure", (1.0, 7)),
        Case("sure", (0.0, 2)),
    )


SUM = "sum(kept**i for i in range(guesses + 1))"

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    by_error=("divides by zero where every guess is kept",),
    variant=Variant(
        "Where all guesses are kept, no further word is drawn: the pass writes the guesses alone.",
        (f"return {SUM}", f"return {SUM} - kept**guesses"),
    ),
    criteria=(
        Criterion("some guesses kept, some refused", common.agrees, ("some",)),
        Criterion("no guess: one word a pass", common.agrees, ("none",)),
        Criterion("all guesses kept, or all refused", common.agrees, ("sure",)),
    ),
    misconceptions=(
        mistake("guesses kept behind a refused one", (SUM, "1 + guesses * kept")),
        mistake("the word that is drawn forgotten", (SUM, "sum(kept**i for i in range(1, guesses + 1))"),
            (SUM, "guesses * kept")),
        mistake("one guess too few", (SUM, "sum(kept**i for i in range(guesses))")),
        mistake("one guess too many", (SUM, "sum(kept**i for i in range(guesses + 2))")),
        mistake("all guesses or none", (SUM, "1 + guesses * kept**guesses"), (SUM, "1 + kept**guesses")),
        mistake("as if there were guesses without end", (SUM, "1 / (1 - min(kept, 0.999))"),
            (SUM, "1 / (1 - kept)")),
        mistake("divides by zero where every guess is kept",
            (SUM, "(1 - kept ** (guesses + 1)) / (1 - kept)")),
        mistake("guesses refused with this probability",
            (SUM, "sum((1 - kept)**i for i in range(guesses + 1))")),
        mistake("every guess counted as kept", (SUM, "guesses + 1"), (SUM, "(guesses + 1) * kept")),
    ),
)
