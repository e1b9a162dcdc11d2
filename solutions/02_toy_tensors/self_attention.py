"""How `self_attention` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Part, common

from ..shown import shares
from ..shown.library import ATTENTION
from .cases import normal, on_tensors
from .mistakes import MISTAKES, ON_TENSORS, made_in

PROJECTED = "X @ W_Q, X @ W_K, X @ W_V"


def words(rng: np.random.Generator, n: int, d_model: int, d_k: int, d_v: int) -> tuple[np.ndarray, ...]:
    """X, W_Q, W_K and W_V of these sizes."""
    return normal(rng, (n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v))


def loud_words(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Whole numbers whose scores run from small to several thousands, of either sign."""
    X = np.array([[1, 0, 2], [30, 40, -10], [-50, 20, 60], [2, -1, 1]])
    W_Q, W_K = (np.eye(3)[rng.permutation(3)] for _ in range(2))
    return X, W_Q, W_K, *normal(rng, (3, 3))


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(7)
    X = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0]]
    W_Q = [[1, 0], [0, 2], [0, 1], [1, 0]]
    W_K = [[0, 1], [1, 0], [1, 0], [1, 1]]
    W_V = [[1, 2, 0], [0, 1, 0], [3, 0, 1], [0, 0, 2]]
    return (
        on_tensors("example", (X, W_Q, W_K, W_V), "three words of four features"),
        on_tensors("sizes", words(rng, 2, 4, 3, 5), "two words"),
        on_tensors("sizes", words(rng, 3, 3, 3, 3), "all sizes alike"),
        on_tensors("sizes", words(rng, 4, 3, 2, 2), "four words"),
        on_tensors("large", loud_words(rng), "large scores", tolerance=1e-3),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        on_tensors("sizes", words(rng, 4, 6, 5, 3), "distinct sizes"),
        on_tensors("sizes", words(rng, 5, 5, 5, 5), "all sizes alike"),
        on_tensors("sizes", words(rng, 3, 7, 2, 7), "values as wide as the words"),
        on_tensors("sizes", words(rng, 6, 3, 9, 2), "wide keys"),
        on_tensors("sizes", words(rng, 2, 2, 2, 2), "two words, all sizes alike"),
        on_tensors("sizes", words(rng, 1, 4, 3, 3), "one word"),
        on_tensors("large", loud_words(rng), "large scores", tolerance=1e-3),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    library=ATTENTION,
    builds_on=("scaled_dot_product_attention",),
    parts=(
        Part("returns output and weights, of the right shapes", common.shape),
        Part("every word's weights sum to 1", shares.rows_sum_to_one),
        Part("the example with three words", common.agrees, ("example",)),
        Part("the numbers are right for other sizes", common.agrees, ("sizes",)),
        Part("large scores do no harm", common.agrees, ("large",)),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=made_in(
        f"Q, K, V = {PROJECTED}\n{ON_TENSORS}",
        MISTAKES
        | {
            "wrong length": (*MISTAKES["wrong length"], ("K.shape[-1]", "X.shape[-1]")),
            "wrong partner": (
                "one of Q, K and V stands where another belongs, or one projection for all",
                "Which of your three lines uses W_Q, which W_K, which W_V, and where does each result go?",
                *(
                    (PROJECTED, f"X @ W_{q}, X @ W_{k}, X @ W_{v}")
                    for q, k, v in ("QQQ", "QQV", "KKV", "QKK", "QKQ", "VVV")
                ),
                *MISTAKES["wrong partner"][2:],
            ),
            "writes into its input": (
                "",
                "Print X and the matrices before the call and after it. Which of your lines assigns in place?",
                (" / K.shape[-1] ** 0.5", "", "Q, K, V", "W_Q /= W_Q.shape[-1] ** 0.5; Q, K, V"),
                ("return", "X += 1; return"),
            ),
            "not projected": (
                "X itself stands where one of its projections belongs",
                "A word plays three parts here: which matrix dresses it for each of them?",
                (PROJECTED, "X @ W_Q, X @ W_K, X"),
                (PROJECTED, "X, X, X"),
                (PROJECTED, "X, X, X @ W_V"),
            ),
        },
    ),
)
