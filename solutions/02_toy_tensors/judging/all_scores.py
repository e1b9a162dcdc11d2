"""How `all_scores` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from .cases import mistake, normal, on_tensors

ROOT = " / W_K.shape[1] ** 0.5"


def words(rng: np.random.Generator, batch: int, n: int, d_model: int, d_k: int) -> tuple[np.ndarray, ...]:
    """X, W_Q and W_K of these sizes."""
    return normal(rng, (batch, n, d_model), (d_model, d_k), (d_model, d_k))


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(11)
    return (
        on_tensors("sizes", words(rng, 2, 3, 5, 4), "two sentences of three words"),
        on_tensors("sizes", words(rng, 1, 4, 2, 6), "one sentence"),
        on_tensors("sizes", words(rng, 3, 3, 3, 3), "all sizes alike"),
        on_tensors("sizes", words(rng, 1, 2, 2, 2), "one sentence of two words"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = (3, 5, 7, 2), (2, 2, 2, 2), (4, 1, 3, 5), (2, 3, 1, 1)
    return tuple(on_tensors("sizes", words(rng, *one), "other sizes") for one in sizes)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    graded=False,
    puzzle=True,
    variant=Variant(
        "The keys stand in the rows and the queries in the columns.",
        ("->bij", "->bji"),
    ),
    criteria=(
        Criterion("a score for each two words of each sentence", common.shape),
        Criterion("the scores are right", common.agrees),
    ),
    misconceptions=(
        mistake("not divided by √d_k",
            (ROOT, "")),
        mistake("divided by the root of the wrong length",
            (ROOT, " / X.shape[-1] ** 0.5"),
            (ROOT, " / X.shape[1] ** 0.5"),
            (ROOT, " / W_K.shape[0] ** 0.5")),
        mistake("divided by the wrong power of d_k",
            *(("** 0.5", power) for power in ("** 1", "/ 2", "* 2"))),
        mistake("a constant instead of the input's size",
            *(("W_K.shape[1]", number) for number in ("2", "3", "16", "64"))),
        mistake("batch axis transposed", "return X @ W_Q @ (X @ W_K).T / W_K.shape[1] ** 0.5",
            "return X @ W_Q @ (X @ W_K).transpose(0, 1) / W_K.shape[1] ** 0.5",
            detail="the batch axis of the keys changes places with another one"),
        mistake("Q, K or V in the wrong place", ("W_Q, W_K", "W_K, W_Q"), ("W_Q, W_K", "W_Q, W_Q"),
            ("W_Q, W_K", "W_K, W_K"), detail="a word meets the matrix of the other part that it plays",
            question="In the score of words i and j, word i asks: which matrix does it meet in your "
                "product, and which does j?"),
    ),
)
