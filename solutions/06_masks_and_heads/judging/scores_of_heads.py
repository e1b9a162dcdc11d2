"""How `scores_of_heads` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common

from .cases import tensor


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
        Misconception("not divided by √d_k", "the scores are right up to the scale",
            "What does the formula divide by?",
            (" / W_q.shape[-1] ** 0.5", "")),
        Misconception("divided by √d_model instead of √d_k", "the scores are scaled as if there were one head",
            "How long is the vector that one head compares?",
            ("W_q.shape[-1]", "X.shape[-1]")),
        Misconception("divided by the wrong power of d_k", "not by its square root",
            "What is your divisor at d_k = 9?",
            ("W_q.shape[-1] ** 0.5", "W_q.shape[-1]"),
            ("W_q.shape[-1] ** 0.5", "W_q.shape[-1] ** 1 / 2")),
        Misconception("divided by the root of the wrong length", "the scale counts something else than features",
            "Over which axis did the product sum?",
            *(("W_q.shape[-1]", length) for length in ("len(X)", "X.shape[1]", "len(W_q)"))),
        Misconception("queries and keys have changed places", "a row belongs to a key",
            "Which letter counts the queries, and where does it stand behind the arrow?",
            ("bhnm", "bhmn")),
        Misconception("one letter for two axes", "two axes that are different ones run together",
            "Which letter stands for two different axes, and which pairs of them are left out?",
            ("bme,hek", "bmd,hdk"),
            ("bme,hek->bhnm", "bne,hek->bhn")),
        Misconception("one projection for two inputs", "queries and keys pass through the same matrices",
            "Which input passes through which stack?",
            ("W_q, X, W_k", "W_q, X, W_q"),
            ("W_q, X, W_k", "W_k, X, W_k")),
    ),
)
