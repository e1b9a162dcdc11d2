"""How `copy_left` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant

from ...judging.mistakes import mistake
from ..checks import rules

LEFT = "[0, *range(n - 1)]"


def examples() -> tuple[Case, ...]:
    return tuple(Case("words", (n,), label=f"{n} word{'s' * (n > 1)}") for n in (5, 2, 1, 20))


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = (1, 3, 30, int(rng.integers(9, 20)))
    return tuple(Case("words", (n,), label="as many words as you like") for n in sizes)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    graded=False,
    puzzle=True,
    canonical=rules.who_looks_where,
    variant=Variant(
        "To the right: the weights of word i lie on word i + 1, those of the last word on itself.",
        ("[0, *range(n - 1)]", "[*range(1, n), n - 1]"),
        rule=rules.same_looks,
    ),
    criteria=(
        Criterion("Q and K with a row for each word, equally wide", rules.two_matrices),
        Criterion("every word but the first looks to its left", rules.looks_left),
        Criterion("the first word looks at itself", rules.first_stays),
        Criterion("with a weight of 0.99 and more", rules.looks_hard),
    ),
    misconceptions=(
        mistake("shifted the wrong way", (LEFT, "[*range(1, n), n - 1]"),
            (LEFT, "[(i + 1) % n for i in range(n)]")),
        mistake("round the corner", (LEFT, "[-1, *range(n - 1)]")),
        mistake("scores too close together", ("1000 * ", ""), ("1000 * ", "3 * ")),
    ),
)
