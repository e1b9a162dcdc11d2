"""How `batched_sums` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from .cases import fractions


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(3)
    return (
        batch(rng, 2, 3, 4, 5, "two sentences, three queries, four keys"),
        batch(rng, 3, 4, 4, 2, "as many queries as keys"),
        batch(rng, 1, 2, 3, 4, "one sentence"),
        batch(rng, 2, 1, 2, 2, "two sentences, one query, two keys"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        batch(rng, 4, 2, 5, 3, "four sentences"),
        batch(rng, 2, 3, 3, 4, "as many queries as keys"),
        batch(rng, 3, 3, 3, 3, "all sizes alike"),
        batch(rng, 2, 1, 6, 1, "one query"),
        batch(rng, 2, 3, 1, 4, "one key"),
    )


def batch(rng: np.random.Generator, sentences: int, queries: int, keys: int, width: int, label: str) -> Case:
    """Weights that sum to 1 for each query, and values."""
    weights = rng.dirichlet(np.ones(keys), size=(sentences, queries))
    return Case("batch", (weights, fractions(rng, sentences, keys, width)), label=label)


EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    variant=Variant(
        "The result's axes stand in another order: (batch, d, n_q).",
        ("->bqd", "->bdq"),
    ),
    criteria=(
        Criterion("a row for each query of each sentence", common.shape),
        Criterion("the weighted sums are right", common.agrees),
    ),
    misconceptions=(
        mistake("queries and keys swapped", ("bqk,bkd->bqd", "bkq,bkd->bqd"),
            "return np.swapaxes(weights, 1, 2) @ values"),
        mistake("plain mean instead of weights",
            "return np.repeat(values.mean(axis=1, keepdims=True), weights.shape[1], axis=1)"),
        mistake("sentences of a batch mixed", ("bqk,bkd->bqd", "bqk,ckd->bqd"),
            "return weights @ values.sum(axis=0)"),
    ),
)
