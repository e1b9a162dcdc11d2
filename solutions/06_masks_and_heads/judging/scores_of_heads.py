"""How `scores_of_heads` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.cases import tensor
from ...judging.mistakes import mistake


def case(rng: np.random.Generator, label: str, *sizes: int) -> Case:
    """sizes: batch, words, d_model, heads, d_k."""
    batch, n, d_model, heads, d_k = sizes
    shapes = ((batch, n, d_model), (heads, d_model, d_k), (heads, d_model, d_k))
    return Case("scores", tuple(tensor(rng.normal(size=shape).round(1)) for shape in shapes), label=label)


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(5)
    return case(rng, "2 heads", 1, 3, 4, 2, 5), case(rng, "3 heads, 2 sentences", 2, 4, 6, 3, 2)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = {"4 heads": (3, 2, 7, 4, 6), "all sizes alike": (3, 3, 3, 3, 3), "one head": (2, 5, 8, 1, 3)}
    sizes |= {"one word": (2, 1, 4, 2, 3), "one column": (1, 3, 1, 2, 1)}
    return tuple(case(rng, label, *those) for label, those in sizes.items())


EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    variant=Variant(
        "The heads stand in the last axis: (batch, n, n, num_heads).",
        ("->bhnm", "->bnmh"),
    ),
    criteria=(
        Criterion("(batch, num_heads, n, n)", common.shape),
        Criterion("every head's scaled scores", common.agrees),
        Criterion("X and both stacks stay as they were", common.unchanged),
    ),
    misconceptions=(
        mistake("not divided by √d_k", (" / W_q.shape[-1] ** 0.5", ""),
            detail="the scores are right up to the scale", question="What does the formula divide by?"),
        mistake("divided by √d_model instead of √d_k", ("W_q.shape[-1]", "X.shape[-1]")),
        mistake("divided by the wrong power of d_k", ("W_q.shape[-1] ** 0.5", "W_q.shape[-1]"),
            ("W_q.shape[-1] ** 0.5", "W_q.shape[-1] ** 1 / 2"), detail="not by its square root",
            question="What is your divisor at d_k = 9?"),
        mistake("divided by the root of the wrong length",
            *(("W_q.shape[-1]", length) for length in ("len(X)", "X.shape[1]", "len(W_q)"))),
        mistake("queries and keys have changed places", ("bhnm", "bhmn")),
        mistake("one letter for two axes", ("bme,hek", "bmd,hdk"), ("bme,hek->bhnm", "bne,hek->bhn")),
        mistake("one projection for two inputs", ("W_q, X, W_k", "W_q, X, W_q"),
            ("W_q, X, W_k", "W_k, X, W_k"), detail="queries and keys pass through the same matrices",
            question="Which input passes through which stack?"),
    ),
)
