"""How `self_attention` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common
from attention import shares

from .cases import mistake, normal, on_tensors, steps
from .scaled_dot_product_attention import CONSTANTS, WITH_MATRICES, WRONG_LENGTHS, WRONG_PLACES

PROJECTED = "X @ W_Q, X @ W_K, X @ W_V"
STEPS = f"""Q, K, V = {PROJECTED}
    scores = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights"""


def on_words(changes: tuple[str, ...]) -> tuple[str, ...]:
    """The solution with all its steps written out, and these changes in it."""
    return f"return scaled_dot_product_attention({PROJECTED})", STEPS, *changes


def words(rng: np.random.Generator, n: int, d_model: int, d_k: int, d_v: int) -> tuple[np.ndarray, ...]:
    """X, W_Q, W_K and W_V of these sizes."""
    return normal(rng, (n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v))


def loud_words(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Whole numbers whose scores run from small to several thousands, of either sign."""
    X = np.array([[1, 0, 2], [30, 40, -10], [-50, 20, 60], [2, -1, 1]])
    W_Q, W_K = (np.eye(3)[rng.permutation(3)] for _ in range(2))
    return X, W_Q, W_K, *normal(rng, (3, 3))


def lone_words(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """All scores are in the thousands, and each word's query fits one key by thousands better than the others."""
    W_Q, W_K = (np.eye(3)[rng.permutation(3)] for _ in range(2))
    return 50 + 100 * np.eye(3), W_Q, W_K, *normal(rng, (3, 3))


def alike_words(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Sixteenths, with scores near 1000, those of one word near each other: their divisor shows."""
    X, W = 20 + rng.integers(0, 6, 3) + steps(rng), np.eye(3)[:, rng.permutation(3)[:2]]
    return X, W, W, *normal(rng, (3, 3))


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(7)
    X = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0]]
    W_Q = [[1, 0], [0, 2], [0, 1], [1, 0]]
    W_K = [[0, 1], [1, 0], [1, 0], [1, 1]]
    W_V = [[1, 2, 0], [0, 1, 0], [3, 0, 1], [0, 0, 2]]
    return (
        on_tensors("example", (X, W_Q, W_K, W_V), "three words of four features"),
        on_tensors("sizes", words(rng, 2, 4, 5, 3), "two words"),
        on_tensors("alike", words(rng, 3, 3, 3, 3), "all sizes alike"),
        on_tensors("sizes", words(rng, 4, 3, 2, 2), "four words"),
        on_tensors("sizes", words(rng, 1, 4, 3, 2), "one word"),
        on_tensors("large", loud_words(rng), "large scores", tolerance=1e-3),
        on_tensors("large", lone_words(rng), "each word finds one other", tolerance=1e-3),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        on_tensors("sizes", words(rng, 4, 6, 5, 3), "distinct sizes"),
        on_tensors("alike", words(rng, 5, 5, 5, 5), "all sizes alike"),
        on_tensors("sizes", words(rng, 3, 7, 2, 7), "values as wide as the words"),
        on_tensors("sizes", words(rng, 6, 3, 9, 2), "wide keys"),
        on_tensors("alike", words(rng, 2, 2, 2, 2), "two words, all sizes alike"),
        on_tensors("sizes", words(rng, 1, 4, 3, 3), "one word"),
        on_tensors("sizes", words(rng, 3, 1, 1, 1), "one of each feature"),
        on_tensors("large", loud_words(rng), "large scores", tolerance=1e-3),
        on_tensors("large", alike_words(rng), "large scores, near each other", tolerance=1e-3),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    results=("output", "weights"),
    builds_on=("scaled_dot_product_attention",),
    variant=Variant(
        "`W_Q` and `W_K` have changed places: a word asks with `X @ W_K`, and is found by `X @ W_Q`.",
        ("X @ W_Q, X @ W_K", "X @ W_K, X @ W_Q"),
    ),
    criteria=(
        Criterion("returns output and weights, of the right shapes", common.shape),
        Criterion("every word's weights sum to 1", shares.rows_sum_to_one, ("sizes",)),
        Criterion("the example with three words", common.agrees, ("example",)),
        Criterion("the numbers are right for other sizes", common.agrees, ("sizes", "alike"), points=2,
            plain=("example",)),
        Criterion("the numbers are right for large scores", common.agrees, ("large",),
            plain=("example", "sizes", "alike")),
    ),
    misconceptions=(
        *(
            Misconception(m.name, m.detail, m.question, *(on_words(tuple(wrong)) for wrong in m.wrong))
            for m in WITH_MATRICES
        ),
        mistake("divided by the root of the wrong length",
            *map(on_words, WRONG_LENGTHS),
            on_words(("K.shape[-1]", "X.shape[-1]"))),
        mistake("a constant instead of the input's size", *map(on_words, CONSTANTS)),
        mistake("softmax over the queries",
            on_words(("dim=-1", "dim=0"))),
        mistake("Q, K or V in the wrong place",
            *((PROJECTED, f"X @ W_{q}, X @ W_{k}, X @ W_{v}") for q, k, v in ("QQV", "KKV", "QKK", "QKQ", "KQV")),
            *map(on_words, WRONG_PLACES), detail="one of them, or its matrix, stands where another belongs",
            question="Which of your products uses W_Q, which W_K, which W_V, and where does each result go?"),
        mistake("one projection for Q, K and V",
            *((PROJECTED, ", ".join([f"X @ W_{one}"] * 3)) for one in "QKV")),
        mistake("keys or values made from the queries", (PROJECTED, "X @ W_Q, X @ W_Q @ W_K, X @ W_Q @ W_V"),
            (PROJECTED, "X @ W_Q, X @ W_Q @ W_K, X @ W_V"), (PROJECTED, "X @ W_Q, X @ W_K, X @ W_Q @ W_V")),
        mistake("a projection left out", (PROJECTED, "X @ W_Q, X @ W_K, X"), (PROJECTED, "X, X, X"),
            (PROJECTED, "X, X @ W_K, X @ W_V"), (PROJECTED, "X, X, X @ W_V")),
        mistake("writes into its input",
            on_words((" / K.shape[-1] ** 0.5", "", "Q, K, V", "W_Q /= W_Q.shape[-1] ** 0.5\n    Q, K, V")),
            ("return", "X += 1\n    return"), detail="",
            question="Print X and the matrices before the call and after it. Which of your lines assigns in place?"),
    ),
)
