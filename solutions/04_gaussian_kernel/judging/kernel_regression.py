"""How `kernel_regression` is judged."""

from functools import partial

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from .cases import KILOS, WAISTS, as_float32, drawn, rounded
from .gaussian_weights import gaussian_weights, kernel_mistakes


def _telling(rng: np.random.Generator) -> tuple[Case, ...]:
    """The kinds of input that tell the misconceptions apart."""
    case = partial(drawn, rng, scale=3)
    default = case(
        "vectors", "vectors in, vectors out, bandwidth left at its default", (2, 2), (4, 2), (4, 3)
    )
    return (
        case("numbers", "scalars, bandwidth 1.5", (2,), (4,), (4,), 1.5),
        case("numbers", "as many queries as keys, bandwidth 3", (3,), (3,), (3,), 3.0),
        default,
        case("vectors", "as many queries as keys, bandwidth 2.5", (3, 3), (3, 3), (3, 3), 2.5),
        case("vectors", "one query, values with one column", (1, 2), (4, 2), (4, 1), 2.0),
        case("far", "waist 500, bandwidth 0.1", np.array([500.0]), WAISTS, KILOS, 0.1),
        case("far", "waists 500 and 57, bandwidth 0.1", np.array([500.0, 57.0]), WAISTS, KILOS, 0.1),
    )


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(57)
    lesson = drawn(rng, "example", "waist 57, three people, bandwidth 1", np.array([57.0]), WAISTS, KILOS)
    whole = drawn(rng, "numbers", "values that are whole numbers", (2,), (4,), np.array([1, 6, 2, 8]), 1.5)
    return rounded(lesson, *_telling(rng), whole)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    case = partial(drawn, rng)
    h = float(rng.uniform(0.4, 0.8))
    waists = np.sort(rng.choice(np.arange(50, 110), 6, replace=False))
    kilos = rng.integers(40, 90, 6)
    plane = case("vectors", "all sizes differ", (3, 2), (4, 2), (4, 5), h)
    return (
        *_telling(rng),
        plane,
        as_float32(plane),
        case("numbers", "more keys than queries", (4,), (6,), (6,), h),
        case("numbers", "one query", (1,), (5,), (5,), 2 * h),
        case("numbers", "one key", (4,), (1,), (1,), 5.0),
        case("vectors", "one key", (4, 2), (1, 2), (1, 3), 5.0),
        case("numbers", "small whole numbers, bandwidth 1", np.arange(3), np.arange(4), np.array([2, 0, 5, 1]), 1),
        case("numbers", "whole numbers", waists[:4] + 1, waists, kilos, 3),
        case("numbers", "vectors in, numbers out", (3, 4), (5, 4), (5,), 1.5),
        case("vectors", "numbers in, vectors out", (4,), (5,), (5, 2), h),
        case("vectors", "one column everywhere", (5, 1), (3, 1), (3, 1), h),
        case("vectors", "all sizes alike", (4, 4), (4, 4), (4, 4), 1.3),
        case("far", "far and near, bandwidth 0.5", np.array([500.0, 56.9]), WAISTS, KILOS, 0.5),
        case("far", "one query far from all keys", np.array([500.0]), waists * 1.0, kilos * 1.0, 0.1),
        case("far", "far and near", np.array([-400.0, 60.0, 900.0]), waists * 1.0, (6, 2), 0.2),
        case("far", "far in two dimensions", rng.normal(size=(3, 2)) + 300, (4, 2), (4, 2), 0.3),
    )


def kernel_regression(
    queries: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float = 1.0
) -> np.ndarray:
    """NumPy's average of the values, under the Gaussian weights of each query."""
    import numpy as np

    shares = gaussian_weights(queries, keys, bandwidth)
    return np.stack([np.average(values, axis=0, weights=row) for row in shares])


ON_THE_WEIGHTS = """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return gaussian_weights(queries, keys, bandwidth) @ values
"""

EXERCISE = Exercise(
    builds_on=("gaussian_weights",),
    examples=examples,
    draw=draw,
    reference_stub=kernel_regression,
    variant=Variant(
        "`bandwidth` is the kernel's sharpness: one divided by what it was.",
        ("keys, bandwidth)", "keys, 1 / bandwidth)"),
    ),
    criteria=(
        Criterion(
            "one prediction a query, shaped like the values", common.shape, ("example", "numbers", "vectors")
        ),
        Criterion("f(57) = 45.5 for the lesson's three people", common.agrees, ("example",)),
        Criterion("predicts numbers, at any bandwidth", common.agrees, ("numbers",), plain=("example",)),
        Criterion("predicts vectors, at any bandwidth", common.agrees, ("vectors",), plain=("example", "numbers")),
        Criterion("a query far from all keys gets its prediction too",
            common.agrees, ("far",), plain=("example", "numbers", "vectors")),
    ),
    misconceptions=(
        *kernel_mistakes(ON_THE_WEIGHTS),
        mistake("Q, K or V in the wrong place", ("@ values", "@ keys"),
            detail="the weights are applied to the keys",
            question="Change only the values: does your prediction move?"),
        mistake("factors of the product in the wrong order",
            "return values @ gaussian_weights(queries, keys, bandwidth).T",
            "return values @ gaussian_weights(queries, keys, bandwidth)",
            "return np.dot(values, gaussian_weights(queries, keys, bandwidth).T)",
            "return np.dot(values, gaussian_weights(queries, keys, bandwidth))"),
        mistake("predictions transposed", "return (gaussian_weights(queries, keys, bandwidth) @ values).T",
            "return np.dot(values.T, gaussian_weights(queries, keys, bandwidth).T)"),
        mistake("weights transposed", (" @ values", ".T @ values"),
            "return np.einsum('qk,q...->k...', gaussian_weights(queries, keys, bandwidth), values)",
            detail="a column of the weights is used where a row belongs"),
        mistake("plain mean instead of weights",
            "return np.repeat(values.mean(axis=0, keepdims=True), len(queries), axis=0)",
            detail="every value counts the same, whoever asks",
            question="Which key should count most for a query, and does it?"),
        mistake("only the best key counts",
            "return values[gaussian_weights(queries, keys, bandwidth).argmax(axis=1)]",
            detail="a query gets the value of its nearest key alone",
            question="Two keys are equally far from a query: which values should it get, and which does it?"),
        mistake("axis of length 1 lost",
            "return np.squeeze(gaussian_weights(queries, keys, bandwidth) @ values)",
            """
            predicted = gaussian_weights(queries, keys, bandwidth) @ values
            return predicted[0] if len(queries) == 1 else predicted
            """,
            """
            predicted = gaussian_weights(queries, keys, bandwidth) @ values
            return predicted[:, 0] if predicted.shape[1:] == (1,) else predicted
            """, detail="the predictions are not shaped like the values"),
        mistake("axis of length 1 too many", ("@ values", "@ values.reshape(len(values), -1)")),
        mistake("weighted sum divided once more", ("@ values", "@ values / len(keys)"),
            ("@ values", "@ values / len(queries)")),
    ),
)
