"""How `words_a_pass` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common


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
        Misconception("guesses kept behind a refused one", "the first refusal ends a pass",
            "The first guess was refused: is the second one still of use?",
            (SUM, "1 + guesses * kept")),
        Misconception("the word that is drawn forgotten", "each pass ends with a word that the model itself drew",
            "All guesses were refused: how many words has the pass written?",
            (SUM, "sum(kept**i for i in range(1, guesses + 1))"),
            (SUM, "guesses * kept")),
        Misconception("one guess too few", "the last guess is left out",
            "With one guess, how many words are written when it is kept?",
            (SUM, "sum(kept**i for i in range(guesses))")),
        Misconception("one guess too many", "the sum goes one step too far",
            "With no guess, how many words does a pass write?",
            (SUM, "sum(kept**i for i in range(guesses + 2))")),
        Misconception("all guesses or none", "a pass may also keep the first guess alone",
            "With two guesses, how often is only the first one kept?",
            (SUM, "1 + guesses * kept**guesses"),
            (SUM, "1 + kept**guesses")),
        Misconception("as if there were guesses without end", "the number of guesses is not used",
            "At most how many words can a pass with two guesses write?",
            (SUM, "1 / (1 - min(kept, 0.999))"),
            (SUM, "1 / (1 - kept)")),
        Misconception("divides by zero where every guess is kept", "1 − kept is 0 there",
            "What is 1 − kept where every guess is kept?",
            (SUM, "(1 - kept ** (guesses + 1)) / (1 - kept)")),
        Misconception("guesses refused with this probability", "kept and refused are exchanged",
            "How many words does a pass write when kept is 1?",
            (SUM, "sum((1 - kept)**i for i in range(guesses + 1))")),
        Misconception("every guess counted as kept", "the probability is not used",
            "How many words does a pass write when kept is 0?",
            (SUM, "guesses + 1"),
            (SUM, "(guesses + 1) * kept")),
    ),
)
