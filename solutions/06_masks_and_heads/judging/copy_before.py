"""How `copy_before` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant

from ...judging.mistakes import mistake
from ..checks import copying

SHIFT = "torch.eye(n).roll(-1, dims=1)"


def examples() -> tuple[Case, ...]:
    return tuple(Case("words", pair, label=f"{pair[1]} words of {pair[0]} numbers") for pair in ((4, 6), (7, 3)))


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = (3, 3), (1, 8), (2, 9), (5, 20), (int(rng.integers(6, 12)), int(rng.integers(4, 16)))
    return tuple(Case("words", pair, label="other sizes") for pair in sizes)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    graded=False,
    puzzle=True,
    canonical=copying.who_looks_back,
    variant=Variant(
        "Each word fetches the *first* word, not the one before.",
        (f"shout * {SHIFT}", "shout * torch.eye(n)[:1].expand(n, n)"),
        rule=copying.same_looks,
    ),
    criteria=(
        Criterion("three matrices that fit the rows of X", copying.three_matrices),
        Criterion("every word looks most at the one before", copying.looks_back),
        Criterion("with a weight of 0.99 and more", copying.looks_hard),
        Criterion("what is handed over is the word", copying.hands_over_words),
    ),
    misconceptions=(
        mistake("shifted the wrong way", (SHIFT, "torch.eye(n).roll(1, dims=1)"),
            detail="places ask for the one behind them, which is hidden",
            question="Which column of W_q is not 0 in the row of place 3?"),
        mistake("every word looks at itself", (SHIFT, "torch.eye(n)")),
        mistake("scores too close together", ("shout * ", "")),
        mistake("scores so large that they overflow",
            ("shout * ", "1e30 * ", "W_k = torch.cat([torch.zeros(d, n), torch.eye(n)])",
             "W_k = torch.cat([torch.zeros(d, n), 1e30 * torch.eye(n)])")),
        mistake("words asked as well as places",
            ("W_q = torch.cat([torch.zeros(d, n),", "W_q = torch.cat([torch.ones(d, n),",
             "W_k = torch.cat([torch.zeros(d, n),", "W_k = torch.cat([200 * torch.eye(d, n),")),
        mistake("places handed over with the words", ("torch.zeros(n, d)", "torch.ones(n, d)"),
            ("torch.zeros(n, d)", "torch.eye(n, d)")),
    ),
)
