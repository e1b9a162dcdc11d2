"""Lesson 04, attention was regression all along: what it asks and how it is judged."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import softmax

from autograder.bodies import load_bodies
from autograder.exercise import Case, Exercise, Lesson, Misconception, Part
from autograder.rules import common, gaussian_kernel

Array = np.ndarray
Weights = Callable[..., Array]
"""`weights(queries, keys, bandwidth=1.0)`."""

WAISTS, KILOS = np.array([51.0, 56.0, 58.0]), np.array([40.0, 43.0, 48.0])
SIZES = np.array([[51.0, 70.0], [56.0, 82.0], [58.0, 86.0]])
PEOPLE = np.array([[40.0, 155.0], [43.0, 159.0], [48.0, 162.0]])
ASKED = np.array([[57.0, 83.0], [55.0, 76.0]])

TOLERANCE = 1e-3
"""Leaves room for ‖q‖² + ‖k‖² − 2q·k, which cancels, and for float32."""


def _lenient(*cases: Case) -> tuple[Case, ...]:
    return tuple(dataclasses.replace(case, tolerance=TOLERANCE) for case in cases)


def _rounded(cases: Sequence[Case], digits: int = 1) -> tuple[Case, ...]:
    """The cases with short numbers, for the stored examples."""
    return tuple(
        dataclasses.replace(case, args=tuple(_short(x, digits) for x in case.args)) for case in cases
    )


def _short(argument: object, digits: int) -> object:
    return np.round(argument, digits) if isinstance(argument, np.ndarray) else argument


def _as_float32(case: Case) -> Case:
    args = tuple(x.astype(np.float32) if isinstance(x, np.ndarray) else x for x in case.args)
    return dataclasses.replace(case, args=args, label="float32")


# --- ways to weigh, right but for one thing --------------------------------------------------------------


def _rows(points: Array) -> Array:
    return points.reshape(len(points), -1)


def _differences(queries: Array, keys: Array) -> Array:
    """(n_q, n_k, d)"""
    return _rows(queries)[:, None, :] - _rows(keys)[None, :, :]


def _squared(differences: Array) -> Array:
    return (differences**2).sum(axis=-1)


def _scored(score: Callable[[Array, float], Array]) -> Weights:
    """A right softmax of any score of differences (n_q, n_k, d) and bandwidth."""

    def weights(queries: Array, keys: Array, bandwidth: float = 1.0) -> Array:
        return softmax(score(_differences(queries, keys), bandwidth), axis=-1)

    return weights


def _shared_out(share: Callable[[Array], Array]) -> Weights:
    """The right scores (n_q, n_k), shared out in any way."""

    def weights(queries: Array, keys: Array, bandwidth: float = 1.0) -> Array:
        return share(-_squared(_differences(queries, keys)) / (2 * bandwidth**2))

    return weights


def _norm(differences: Array) -> Array:
    return np.sqrt(_squared(differences))


def _ratio(kernel: Array) -> Array:
    return kernel / kernel.sum(axis=-1, keepdims=True)


def _uniform_when_empty(scores: Array) -> Array:
    return np.nan_to_num(_ratio(np.exp(scores)), nan=1 / scores.shape[-1])


def _no_keepdims(scores: Array) -> Array:
    kernel = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return kernel / kernel.sum(axis=-1)


def _elementwise(queries: Array, keys: Array, bandwidth: float = 1.0) -> Array:
    return softmax(-((queries - keys) ** 2).sum(axis=tuple(range(1, keys.ndim))) / (2 * bandwidth**2))


def _side_by_side(queries: Array, keys: Array, bandwidth: float = 1.0) -> Array:
    pairs = zip(_rows(queries), _rows(keys), strict=False)
    return softmax([-((q - k) ** 2).sum() / (2 * bandwidth**2) for q, k in pairs])


def _all_as_one(queries: Array, keys: Array, bandwidth: float = 1.0) -> Array:
    differences = np.atleast_2d(queries)[:, None] - np.atleast_2d(keys)[None]
    return softmax(-_squared(differences) / (2 * bandwidth**2), axis=-1)


def _keys_by_queries(queries: Array, keys: Array, bandwidth: float = 1.0) -> Array:
    return softmax(-_squared(_differences(keys, queries)) / (2 * bandwidth**2), axis=-1)


def _turned(queries: Array, keys: Array, bandwidth: float = 1.0) -> Array:
    return softmax(-_squared(_differences(queries, keys)) / (2 * bandwidth**2), axis=-1).T


def _each_coordinate(axis: int) -> Weights:
    """As written for scalars, without a sum over coordinates."""

    def weights(queries: Array, keys: Array, bandwidth: float = 1.0) -> Array:
        return softmax(-((queries[:, None] - keys[None]) ** 2) / (2 * bandwidth**2), axis=axis)

    return weights


def _scored_and_squeezed(queries: Array, keys: Array, bandwidth: float = 1.0) -> Array:
    return np.squeeze(RIGHT(queries, keys, bandwidth))


RIGHT = _shared_out(lambda s: softmax(s, axis=-1))

SIGN = (
    _scored(lambda d, h: _squared(d) / (2 * h**2)),
    _shared_out(lambda s: _ratio(np.exp(-s))),
)
BANDWIDTH = (
    _scored(lambda d, h: -_squared(d) / 2),
    _scored(lambda d, h: -_squared(d) / (2 * h)),
    _scored(lambda d, h: -_squared(d) / 2 * h**2),
    _scored(lambda d, h: -_squared(d) / 2 * h),
    _scored(lambda d, h: -_squared(d) / (2 * h) ** 2),
)
DISTANCE = (
    _scored(lambda d, h: -_norm(d) / (2 * h**2)),
    _scored(lambda d, h: -_norm(d) / (2 * h)),
    _scored(lambda d, h: -_norm(d) / h),
    _scored(lambda d, h: -_squared(d) / h**2),
)
NOT_NORMALISED = (
    _shared_out(np.exp),
    _shared_out(lambda s: softmax(s, axis=0)),
    _shared_out(lambda s: softmax(s, axis=None)),
    _shared_out(lambda s: np.exp(s) / np.exp(s).sum(axis=0)),
    _shared_out(lambda s: np.exp(s) / np.sqrt(2 * np.pi)),
)
UNDERFLOW = (
    _shared_out(lambda s: _ratio(np.exp(s))),
    _shared_out(lambda s: np.nan_to_num(_ratio(np.exp(s)))),
    _shared_out(_uniform_when_empty),
)
GLOBAL_SHIFT = (_shared_out(lambda s: _ratio(np.exp(s - s.max()))),)
BROADCAST = (_shared_out(_no_keepdims),)
PAIRS = (_elementwise, _side_by_side, _all_as_one, _keys_by_queries)
FEATURES = (
    _scored(lambda d, h: -(d**2).mean(axis=-1) / (2 * h**2)),
    _scored(lambda d, h: -(d[..., 0] ** 2) / (2 * h**2)),
    _scored(lambda d, h: -(np.abs(d).sum(axis=-1) ** 2) / (2 * h**2)),
    _scored(lambda d, h: -(d.sum(axis=-1) ** 2) / (2 * h**2)),
    _each_coordinate(1),
    _each_coordinate(-1),
)
TWICE = (
    _shared_out(lambda s: softmax(np.exp(s), axis=-1)),
    _shared_out(lambda s: softmax(softmax(s, axis=-1), axis=-1)),
)


def _kernel_mistakes(
    answer: Callable[[Weights], Callable[..., object]], without: Sequence[str] = ()
) -> tuple[Misconception, ...]:
    """The Gaussian kernel's misconceptions, carried on into whatever `answer` builds on the weights."""
    return tuple(mistake for mistake in _all_kernel_mistakes(answer) if mistake.name not in without)


def _all_kernel_mistakes(answer: Callable[[Weights], Callable[..., object]]) -> tuple[Misconception, ...]:

    def made(ways: Sequence[Weights]) -> tuple[Callable[..., object], ...]:
        return tuple(answer(weights) for weights in ways)

    return (
        Misconception(
            "sign",
            "sign: the score grows with the distance, the minus is missing",
            "Which key should win, the nearest or the farthest? Which one wins in your first row?",
            made(SIGN),
        ),
        Misconception(
            "bandwidth",
            "bandwidth: it is not used as 1 / (2 · bandwidth²)",
            "Double the bandwidth: should the weights become sharper or flatter, and do yours?",
            made(BANDWIDTH),
        ),
        Misconception(
            "distance",
            "distance: it is not squared, or the ½ is missing",
            "Work one query and one key out by hand, 2 apart at bandwidth 1: what is the score?",
            made(DISTANCE),
        ),
        Misconception(
            "not normalised",
            "not normalised for each query: kernel values as weights, a wrong axis, or the whole matrix",
            "Print your weights' row sums: what should every query's weights add up to?",
            made(NOT_NORMALISED),
        ),
        Misconception(
            "broadcast",
            "broadcast: the row sums are divided along the wrong axis",
            "Print both shapes at the division: which row does each sum meet?",
            made(BROADCAST),
        ),
        Misconception(
            "pairs",
            "pairs: not every query meets every key, one row for a query and one column for a key",
            "What shape do the differences have for 4 queries and 6 keys?",
            made(PAIRS),
        ),
        Misconception(
            "features",
            "features: the squares of all coordinates' differences are not added up",
            "How far is (3, 4) from (0, 0)? What does your code say?",
            made(FEATURES),
        ),
        Misconception(
            "twice",
            "twice: an exponential of the kernel values or of the weights",
            "How many exponentials stand between a distance and its weight?",
            made(TWICE),
        ),
        Misconception(
            "underflow",
            "underflow: far from all keys every exp is 0, and so is their sum",
            "What do the kernel values of a query far from every key add up to?",
            made(UNDERFLOW),
        ),
        Misconception(
            "global shift",
            "global shift: one maximum for all queries, so that a far query's row still meets underflow",
            "After your shift, what is left of the row of the query that is farthest from all keys?",
            made(GLOBAL_SHIFT),
        ),
        WRITES,
    )


WRITES = Misconception(
    "writes into its input",
    "writes into its input: the caller's arrays are changed",
    "Which array do the in-place operations (-=, /=, fill) write into?",
)

# --- gaussian_weights ------------------------------------------------------------------------------------


def _weight_cases(rng: np.random.Generator) -> tuple[Case, ...]:
    """The kinds of input that tell the kernel's misconceptions apart."""

    def case(tag: str, n_q: int, n_k: int, d: tuple[int, ...], bandwidth: float, label: str) -> Case:
        return Case(tag, (rng.normal(size=(n_q, *d)), rng.normal(size=(n_k, *d)), bandwidth), label=label)

    plane = case("plane", 3, 4, (2,), 1.0, "two measurements each, bandwidth left at its default")
    return (
        case("line", 2, 4, (), 0.5, "scalars, bandwidth 0.5"),
        case("line", 3, 3, (), 2.0, "as many queries as keys, bandwidth 2"),
        dataclasses.replace(plane, args=plane.args[:2]),
        case("plane", 3, 3, (3,), 0.7, "three measurements each, bandwidth 0.7"),
        Case("far", (np.array([500.0]), WAISTS, 0.1), label="waist 500, bandwidth 0.1"),
        Case("far", (np.array([500.0, 57.0]), WAISTS, 0.1), label="waists 500 and 57, bandwidth 0.1"),
    )


def _weight_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    h = float(rng.uniform(0.4, 0.8))
    waists = np.sort(rng.choice(np.arange(50, 110), 6, replace=False))
    asked = waists[:4] + rng.integers(1, 4, 4)
    line = Case("line", (rng.normal(size=4), rng.normal(size=6), h), label="more keys than queries")
    plane = Case(
        "plane", (rng.normal(size=(5, 3)), rng.normal(size=(3, 3)), 1.6), label="more queries than keys"
    )
    return _lenient(
        *_weight_cases(rng),
        line,
        plane,
        _as_float32(line),
        _as_float32(plane),
        Case("line", (rng.normal(size=1), rng.normal(size=5), 2 * h), label="one query"),
        Case("line", (rng.normal(size=5), rng.normal(size=1), h), label="one key"),
        Case("line", (asked, waists, 3), label="whole numbers"),
        Case("line", (waists[:3] * 1.0, waists * 1.0, 4.0), label="queries that are keys"),
        Case("plane", (rng.normal(size=(1, 3)), rng.normal(size=(4, 3)), h), label="one query"),
        Case("plane", (rng.normal(size=(4, 1)), rng.normal(size=(3, 1)), h), label="one column"),
        Case(
            "plane", (rng.normal(size=(4, 5)), rng.normal(size=(4, 5)), 1.3), label="as many queries as keys"
        ),
        Case("far", (np.array([500.0]), waists * 1.0, 0.1), label="one query far from all keys"),
        Case("far", (np.array([-400.0, 60.0, 900.0]), waists * 1.0, 0.2), label="far and near queries"),
        Case(
            "far",
            (rng.normal(size=(3, 2)) + 300, rng.normal(size=(4, 2)), 0.3),
            label="far in two dimensions",
        ),
        Case(
            "far",
            (rng.normal(size=(3, 2)) * [[1], [1], [400]], rng.normal(size=(3, 2)), 0.5),
            label="one far",
        ),
    )


def _weight_examples() -> tuple[Case, ...]:
    lesson = Case("example", (np.array([57.0]), WAISTS), label="waist 57, three people, bandwidth 1")
    return _lenient(lesson, *_rounded(_weight_cases(np.random.default_rng(4))))


GAUSSIAN_WEIGHTS = Exercise(
    id="gaussian_weights",
    signature="gaussian_weights(queries, keys, bandwidth=1.0)",
    examples=_weight_examples,
    draw=_weight_draw,
    parts=(
        Part("one row a query, one column a key", common.shape, ("example", "line", "plane")),
        Part("every query's weights sum to 1", gaussian_kernel.shared_out, ("example", "line", "plane")),
        Part("the lesson's three people", common.agrees, ("example",)),
        Part("scalars, at any bandwidth", common.agrees, ("line",)),
        Part("vectors, at any bandwidth", common.agrees, ("plane",)),
        Part("a query far from all keys gets numbers too", common.agrees, ("far",)),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        *_kernel_mistakes(lambda weights: weights),
        Misconception(
            "weights transposed",
            "weights transposed: a row for each key where a row for each query belongs",
            "Which row of your result belongs to query 0?",
            (_turned,),
        ),
        Misconception(
            "squeezed too much",
            "squeezed too much: an axis of length 1 has vanished",
            "What shape should come back for one query, or for one key?",
            (_scored_and_squeezed,),
        ),
    ),
)

# --- kernel_regression -----------------------------------------------------------------------------------


def _regression_cases(rng: np.random.Generator) -> tuple[Case, ...]:
    def case(tag: str, sizes: Sequence[tuple[int, ...]], bandwidth: float, label: str) -> Case:
        return Case(tag, (*(3 * rng.normal(size=size) for size in sizes), bandwidth), label=label)

    default = case(
        "vectors", ((2, 2), (4, 2), (4, 3)), 1.0, "vectors in, vectors out, bandwidth left at its default"
    )
    return (
        case("numbers", ((2,), (4,), (4,)), 1.5, "scalars, bandwidth 1.5"),
        case("numbers", ((3,), (3,), (3,)), 3.0, "as many queries as keys, bandwidth 3"),
        dataclasses.replace(default, args=default.args[:3]),
        case("vectors", ((3, 3), (3, 3), (3, 3)), 2.5, "as many queries as keys, bandwidth 2.5"),
        case("vectors", ((1, 2), (4, 2), (4, 1)), 2.0, "one query, values with one column"),
        Case("far", (np.array([500.0]), WAISTS, KILOS, 0.1), label="waist 500, bandwidth 0.1"),
        Case("far", (np.array([500.0, 57.0]), WAISTS, KILOS, 0.1), label="waists 500 and 57, bandwidth 0.1"),
    )


def _regression_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    def normal(*size: int) -> Array:
        return rng.normal(size=size)

    h = float(rng.uniform(0.4, 0.8))
    waists = np.sort(rng.choice(np.arange(50, 110), 6, replace=False))
    kilos = rng.integers(40, 90, 6)
    plane = Case("vectors", (normal(3, 2), normal(4, 2), normal(4, 5), h), label="all sizes differ")
    return _lenient(
        *_regression_cases(rng),
        plane,
        _as_float32(plane),
        Case("numbers", (normal(4), normal(6), normal(6), h), label="more keys than queries"),
        Case("numbers", (normal(1), normal(5), normal(5), 2 * h), label="one query"),
        Case("numbers", (waists[:4] + 1, waists, kilos, 3), label="whole numbers"),
        Case("numbers", (normal(3, 4), normal(5, 4), normal(5), 1.5), label="vectors in, numbers out"),
        Case("vectors", (normal(4), normal(5), normal(5, 2), h), label="numbers in, vectors out"),
        Case("vectors", (normal(5, 1), normal(3, 1), normal(3, 1), h), label="one column everywhere"),
        Case("vectors", (normal(4, 4), normal(4, 4), normal(4, 4), 1.3), label="all sizes alike"),
        Case("far", (np.array([500.0]), waists * 1.0, kilos * 1.0, 0.1), label="one query far from all keys"),
        Case("far", (np.array([-400.0, 60.0, 900.0]), waists * 1.0, normal(6, 2), 0.2), label="far and near"),
        Case("far", (normal(3, 2) + 300, normal(4, 2), normal(4, 2), 0.3), label="far in two dimensions"),
    )


def _regression_examples() -> tuple[Case, ...]:
    lesson = Case("example", (np.array([57.0]), WAISTS, KILOS), label="waist 57, three people, bandwidth 1")
    return _lenient(lesson, *_rounded(_regression_cases(np.random.default_rng(57))))


def _regress(weights: Weights) -> Callable[..., Array]:
    def regression(queries: Array, keys: Array, values: Array, bandwidth: float = 1.0) -> Array:
        return weights(queries, keys, bandwidth) @ values

    return regression


def regressed_keys(queries: Array, keys: Array, values: Array, bandwidth: float = 1.0) -> Array:
    return RIGHT(queries, keys, bandwidth) @ keys


def weights_turned(queries: Array, keys: Array, values: Array, bandwidth: float = 1.0) -> Array:
    return RIGHT(queries, keys, bandwidth).T @ values


def squeezed(queries: Array, keys: Array, values: Array, bandwidth: float = 1.0) -> Array:
    return np.squeeze(RIGHT(queries, keys, bandwidth) @ values)


def always_columns(queries: Array, keys: Array, values: Array, bandwidth: float = 1.0) -> Array:
    return RIGHT(queries, keys, bandwidth) @ _rows(values)


def plain_average(queries: Array, keys: Array, values: Array, bandwidth: float = 1.0) -> Array:
    return np.repeat(values.mean(axis=0, keepdims=True), len(queries), axis=0)


KERNEL_REGRESSION = Exercise(
    id="kernel_regression",
    signature="kernel_regression(queries, keys, values, bandwidth=1.0)",
    builds_on=("gaussian_weights",),
    examples=_regression_examples,
    draw=_regression_draw,
    parts=(
        Part(
            "one prediction a query, shaped like the values", common.shape, ("example", "numbers", "vectors")
        ),
        Part("f(57) = 45.5 for the lesson's three people", common.agrees, ("example",)),
        Part("predicts numbers, at any bandwidth", common.agrees, ("numbers",)),
        Part("predicts vectors, at any bandwidth", common.agrees, ("vectors",)),
        Part("a query far from all keys gets numbers too", common.agrees, ("far",)),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        *_kernel_mistakes(_regress),
        Misconception(
            "wrong partner",
            "wrong partner: the weights are applied to the keys",
            "Change only the values: does your prediction move?",
            (regressed_keys,),
        ),
        Misconception(
            "weights transposed",
            "weights transposed: a column of the weights is used where a row belongs",
            "Which row of the weights belongs to query 0?",
            (weights_turned,),
        ),
        Misconception(
            "plain mean",
            "plain mean: every value counts the same, whoever asks",
            "Which person should count most for waist 57?",
            (plain_average,),
        ),
        Misconception(
            "squeezed too much",
            "squeezed too much, or an axis too many: the predictions are not shaped like the values",
            "Which axes of length 1 vanish or appear? What if there is one query, or one column of values?",
            (squeezed, always_columns),
        ),
    ),
)

# --- leave_one_out_error ---------------------------------------------------------------------------------


def _error_cases(rng: np.random.Generator) -> tuple[Case, ...]:
    def near(*size: int) -> Array:
        return rng.uniform(0, 3, size)

    def normal(*size: int) -> Array:
        return rng.normal(size=size)

    far_keys, far_values = np.array([50.0, 52.0, 55.0, 300.0]), np.array([40.0, 41.0, 45.0, 90.0])
    return (
        Case("numbers", (near(5), 3 * normal(5), 0.5), label="scalars, bandwidth 0.5"),
        Case("numbers", (near(6), 3 * normal(6), 2.0), label="scalars, bandwidth 2"),
        Case("vectors", (near(5, 2), 3 * normal(5, 3), 0.6), label="two measurements, three values each"),
        Case("vectors", (near(4), 3 * normal(4, 2), 1.5), label="one measurement, two values each"),
        Case("lone", (far_keys, far_values, 0.1), label="one sample far from all others, bandwidth 0.1"),
        Case("lone", (far_keys[2:], far_values[2:], 0.1), label="two samples far apart, bandwidth 0.1"),
    )


def _error_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    def near(*size: int) -> Array:
        return rng.uniform(0, 3, size)

    def normal(*size: int) -> Array:
        return rng.normal(size=size)

    h = float(rng.uniform(0.5, 0.8))
    waists = rng.choice(np.arange(50, 74), 9, replace=False)
    plane = Case("vectors", (near(7, 3), 2 * normal(7, 2), h), label="three measurements, two values each")
    return _lenient(
        *_error_cases(rng),
        plane,
        _as_float32(plane),
        Case("numbers", (near(12), 3 * normal(12), h), label="twelve samples"),
        Case("numbers", (near(2), normal(2), h), label="two samples"),
        Case("numbers", (waists, rng.integers(40, 90, 9), 3), label="whole numbers"),
        Case("numbers", (np.repeat(near(4), 2), 3 * normal(8), h), label="every key twice"),
        Case("numbers", (near(6, 4), 3 * normal(6), 1.5), label="four measurements, one number"),
        Case("vectors", (near(6), 3 * normal(6, 1), h), label="values with one column"),
        Case("vectors", (near(4, 4), 3 * normal(4, 4), 1.2), label="as many samples as columns"),
        Case("lone", (np.append(normal(5), 400.0), 3 * normal(6), 0.2), label="one far sample"),
        Case(
            "lone",
            (np.append(normal(5, 2), [[90.0, -90.0]], axis=0), normal(6, 2), 0.3),
            label="one far sample",
        ),
    )


def _error_examples() -> tuple[Case, ...]:
    lesson = Case("example", (WAISTS, KILOS, 1.0), label="the three people, bandwidth 1")
    return _lenient(lesson, *_rounded(_error_cases(np.random.default_rng(58))))


def _predictions(weights: Weights, keys: Array, values: Array, bandwidth: float) -> Array:
    """Each sample predicted from the others."""
    rows = []
    for i in range(len(keys)):
        others, their_values = np.delete(keys, i, axis=0), np.delete(values, i, axis=0)
        rows.append((weights(keys[i : i + 1], others, bandwidth) @ their_values)[0])
    return np.array(rows)


def _left_out(weights: Weights) -> Callable[..., float]:
    def error(keys: Array, values: Array, bandwidth: float) -> float:
        return float(np.mean((_predictions(weights, keys, values, bandwidth) - values) ** 2))

    return error


def _measured(measure: Callable[[Array], float]) -> Callable[..., float]:
    """The right predictions, their residuals (n,) or (n, d_v) put together in any way."""
    return lambda keys, values, bandwidth: measure(_predictions(RIGHT, keys, values, bandwidth) - values)


def _from_all_scores(share: Callable[[Array], Array]) -> Callable[..., float]:
    """The scores of all samples for all samples (n, n), shared out in any way."""

    def error(keys: Array, values: Array, bandwidth: float) -> float:
        scores = -_squared(_differences(keys, keys)) / (2 * bandwidth**2)
        return float(np.mean((share(scores) @ values - values) ** 2))

    return error


def _without_itself(scores: Array) -> Array:
    return np.where(np.eye(len(scores), dtype=bool), -np.inf, scores)


def _one_shift(scores: Array) -> Array:
    lowered = _without_itself(scores)
    return _ratio(np.exp(lowered - lowered.max()))


sees_itself = _from_all_scores(lambda s: softmax(s, axis=-1))


LEAVE_ONE_OUT_ERROR = Exercise(
    id="leave_one_out_error",
    signature="leave_one_out_error(keys, values, bandwidth)",
    builds_on=("gaussian_weights", "kernel_regression"),
    examples=_error_examples,
    draw=_error_draw,
    parts=(
        Part("one finite number", common.shape, ("example", "numbers", "vectors")),
        Part("the lesson's three people", common.agrees, ("example",)),
        Part("the mean squared error of predicted numbers", common.agrees, ("numbers",)),
        Part("the mean over all entries of predicted vectors", common.agrees, ("vectors",)),
        Part("a sample far from all others does no harm", common.agrees, ("lone",)),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception(
            "sees itself",
            "sees itself: the sample that is to be predicted takes part in its own prediction",
            "What does your error become as the bandwidth shrinks to nothing? Should it?",
            (sees_itself,),
        ),
        Misconception(
            "masked after softmax",
            "masked after softmax: the others' weights no longer sum to 1",
            "When the sample's own weight is set to 0, what do the remaining ones sum to?",
            (_from_all_scores(lambda s: softmax(s, axis=-1) * (1 - np.eye(len(s)))),),
        ),
        Misconception(
            "fill too weak",
            "fill too weak: the sample keeps a score that still earns it a weight",
            "What is exp of the score that the sample has for itself?",
            (
                _from_all_scores(lambda s: softmax(s - np.eye(len(s)), axis=-1)),
                _from_all_scores(lambda s: softmax(s - 10 * np.eye(len(s)), axis=-1)),
                _from_all_scores(lambda s: softmax(s - 1e3 * np.eye(len(s)), axis=-1)),
                _from_all_scores(lambda s: softmax(s - 1e6 * np.eye(len(s)), axis=-1)),
            ),
        ),
        Misconception(
            "zero times infinity",
            "zero times infinity: NaN enters beside the diagonal",
            "What is 0 · inf?",
            (_from_all_scores(lambda s: softmax(s + np.eye(len(s)) * -np.inf, axis=-1)),),
        ),
        Misconception(
            "mean over all entries",
            "not the mean over all entries: the squares are added up over samples or columns",
            "With twice as many samples, or columns, of the same quality: should the error grow?",
            (
                _measured(lambda r: float((r**2).sum())),
                _measured(lambda r: float((_rows(r) ** 2).sum(axis=-1).mean())),
                _measured(lambda r: float((r**2).mean(axis=0).sum())),
                _measured(lambda r: float((r**2).sum() / (r.size - 1))),
                _measured(lambda r: float((r**2).mean() / 2)),
            ),
        ),
        Misconception(
            "one error a column",
            "one error a column or a sample, where one number is asked for",
            "What shape does your mean have when the values have two columns?",
            (_measured(lambda r: (r**2).mean(axis=0)), _measured(lambda r: (_rows(r) ** 2).mean(axis=-1))),
        ),
        Misconception(
            "not squared",
            "not squared, or a root taken: another error than the mean of squares",
            "A residual of −3: what does it add to your error?",
            (
                _measured(lambda r: float(np.abs(r).mean())),
                _measured(lambda r: float(np.sqrt((r**2).mean()))),
                _measured(lambda r: float(r.mean())),
            ),
        ),
        Misconception(
            "not normalised",
            "not normalised for each sample: kernel values as weights, a wrong axis, or the whole matrix",
            "For the sample you left out, what do the others' weights sum to?",
            (
                _left_out(NOT_NORMALISED[0]),
                _from_all_scores(lambda s: softmax(_without_itself(s), axis=0)),
                _from_all_scores(lambda s: softmax(_without_itself(s), axis=None)),
            ),
        ),
        Misconception(
            "global shift",
            "global shift: one maximum for all samples, so that a far sample's row still meets underflow",
            "After your shift, what is left of the row of the sample that is farthest from the others?",
            (_from_all_scores(_one_shift),),
        ),
        *_kernel_mistakes(_left_out, without=("not normalised", "global shift", "broadcast")),
    ),
)

# --- best_bandwidth --------------------------------------------------------------------------------------

GRID = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


def _errors(keys: Array, values: Array, candidates: Sequence[float]) -> Array:
    scores = -_squared(_differences(keys, keys))
    np.fill_diagonal(scores, -np.inf)
    return np.array(
        [np.mean((softmax(scores / (2 * h * h), axis=-1) @ values - values) ** 2) for h in candidates]
    )


def _clear(keys: Array, values: Array, candidates: Sequence[float]) -> bool:
    """Whether the best candidate is better than all others by 1 %, and neither first nor last in the list."""
    errors = _errors(keys, values, candidates)
    least, second = np.sort(errors)[:2]
    return bool(second > 1.01 * least) and 0 < int(np.argmin(errors)) < len(candidates) - 1


def _whole(keys: Array, values: Array, candidates: Sequence[float]) -> bool:
    """Whether vectors have another best candidate than the first or the last column of their keys or values."""
    partial = [(keys[:, i], values) for i in (0, -1)] + [(keys, values[:, i]) for i in (0, -1)]
    best = np.argmin(_errors(keys, values, candidates))
    return all(np.argmin(_errors(*part, candidates)) != best for part in partial)


def _clear_case(
    rng: np.random.Generator, tag: str, make: Callable[[], tuple[Array, Array]], label: str
) -> Case:
    """A drawn sample with a drawn order of candidates, of which one is clearly the best."""
    for _ in range(2000):
        keys, values = make()
        candidates = rng.permutation(rng.choice(GRID, 6, replace=False)).tolist()
        if _clear(keys, values, candidates) and (tag != "vectors" or _whole(keys, values, candidates)):
            return Case(tag, (keys, values, candidates), label=label)
    raise LookupError(f"no sample with a clear best bandwidth for {label!r}")


def _best_at(place: int, case: Case) -> Case:
    """The case with its best candidate in the first place (0) or in the last (-1)."""
    keys, values, candidates = case.args
    best = candidates[int(np.argmin(_errors(keys, values, candidates)))]
    others = [candidate for candidate in candidates if candidate != best]
    ordered = [best, *others] if place == 0 else [*others, best]
    return dataclasses.replace(case, args=(keys, values, ordered))


def _search_cases(rng: np.random.Generator, n: int) -> tuple[Case, ...]:
    def wave() -> tuple[Array, Array]:
        keys = np.round(rng.uniform(0, 20, n), 1)
        return keys, np.round(5 * np.sin(keys / 2) + rng.normal(size=n), 1)

    def slope() -> tuple[Array, Array]:
        keys = np.round(rng.uniform(0, 40, n), 1)
        return keys, np.round(keys / 10 + 2 * rng.normal(size=n), 1)

    def plane() -> tuple[Array, Array]:
        keys = np.round(rng.uniform(0, 10, (n, 2)), 1)
        values = np.column_stack([5 * np.sin(keys[:, 0] / 2), keys[:, 1]])
        return keys, np.round(values + rng.normal(size=(n, 2)) * [1, 3], 1)

    return (
        _clear_case(rng, "order", wave, "a wave; candidates in no order"),
        _best_at(0, _clear_case(rng, "order", slope, "a slope; candidates in no order")),
        _best_at(-1, _clear_case(rng, "order", wave, "another wave")),
        _clear_case(rng, "vectors", plane, "two measurements, two values"),
    )


def _lone_case(candidates: Sequence[float]) -> Case:
    keys = np.array([50.0, 52.0, 53.0, 55.0, 57.0, 58.0, 61.0, 400.0])
    values = np.array([40.0, 43.0, 42.0, 47.0, 46.0, 50.0, 52.0, 90.0])
    return Case("lone", (keys, values, list(candidates)), label="one person far from all others")


def _bodies_cases(rng: np.random.Generator, n: int) -> tuple[Case, ...]:
    bodies = load_bodies()
    size, person = (
        np.column_stack([bodies[a], bodies[b]]) for a, b in (("waist", "chest"), ("weight", "height"))
    )

    def scalars() -> tuple[Array, Array]:
        chosen = rng.choice(len(size), n, replace=False)
        return bodies["waist"][chosen], bodies["weight"][chosen]

    def pairs() -> tuple[Array, Array]:
        chosen = rng.choice(len(size), n, replace=False)
        return size[chosen], person[chosen]

    return (
        _clear_case(rng, "bodies", scalars, f"{n} of the measured bodies, waist to weight"),
        _clear_case(
            rng, "bodies", pairs, f"{n} of the measured bodies, waist and chest to weight and height"
        ),
    )


def _search_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = (*_search_cases(rng, 14), *_bodies_cases(rng, 30))
    wave = cases[0].args
    return _lenient(
        *cases,
        Case("order", (*wave[:2], sorted(wave[2])), label="candidates from small to large"),
        Case("order", (*wave[:2], sorted(wave[2], reverse=True)), label="candidates from large to small"),
        Case("order", (*wave[:2], np.array(wave[2])), label="candidates as an array"),
        Case("order", (*wave[:2], wave[2][:1]), label="one candidate"),
        _lone_case((0.1, 8.0, 2.0, 32.0)),
        _lone_case((32.0, 2.0, 0.1, 8.0)),
    )


def _search_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(2)
    lesson = Case("example", (WAISTS, KILOS, [8.0, 1.0, 3.0, 0.5]), label="the three people")
    return _lenient(
        lesson, *_search_cases(rng, 8), *_bodies_cases(rng, 12), _lone_case((0.1, 2.0, 8.0, 32.0))
    )


def _chosen(choose: Callable[[Array, list[float]], object]) -> Callable[..., object]:
    """The right errors, put to any use."""
    return lambda keys, values, candidates: choose(_errors(keys, values, candidates), list(candidates))


def smallest_error_with_itself(keys: Array, values: Array, candidates: Sequence[float]) -> float:
    return min(candidates, key=lambda h: sees_itself(keys, values, h))


def _unshifted_error(keys: Array, values: Array, bandwidth: float) -> float:
    with np.errstate(invalid="ignore"):
        return _left_out(UNDERFLOW[0])(keys, values, bandwidth)


def nan_wins(keys: Array, values: Array, candidates: Sequence[float]) -> float:
    return candidates[int(np.argmin([_unshifted_error(keys, values, h) for h in candidates]))]


def nan_first(keys: Array, values: Array, candidates: Sequence[float]) -> float:
    return min(candidates, key=lambda h: _unshifted_error(keys, values, h))


def _until_it_rises(errors: Array, candidates: list[float]) -> float:
    rises = np.flatnonzero(np.diff(errors) > 0)
    return candidates[int(rises[0]) if len(rises) else -1]


def _lower_than_before(errors: Array, candidates: list[float]) -> float:
    lower = np.flatnonzero(np.diff(errors) < 0)
    return candidates[int(lower[-1]) + 1 if len(lower) else 0]


BEST_BANDWIDTH = Exercise(
    id="best_bandwidth",
    signature="best_bandwidth(keys, values, candidates)",
    builds_on=("gaussian_weights", "kernel_regression", "leave_one_out_error"),
    examples=_search_examples,
    draw=_search_draw,
    parts=(
        Part("one of the candidates", gaussian_kernel.is_a_candidate),
        Part("the lesson's three people", common.agrees, ("example",)),
        Part("the best one, in whatever order they come", common.agrees, ("order",)),
        Part("works for vectors", common.agrees, ("vectors",)),
        Part("works on the measured bodies", common.agrees, ("bodies",)),
        Part("a sample far from all others does no harm", common.agrees, ("lone",)),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception(
            "sees itself",
            "sees itself: the samples are not left out, so the smallest candidate always wins",
            "Who is the nearest neighbour of a sample that has not been left out?",
            (smallest_error_with_itself, _chosen(lambda errors, candidates: min(candidates))),
        ),
        Misconception(
            "largest candidate",
            "largest candidate: it is taken whatever the errors are",
            "Print every candidate beside its error: which one did you return?",
            (_chosen(lambda errors, candidates: max(candidates)),),
        ),
        Misconception(
            "worst instead of best",
            "worst instead of best: the candidate of greatest error",
            "Print every candidate beside its error: which one did you return?",
            (_chosen(lambda errors, candidates: candidates[int(np.argmax(errors))]),),
        ),
        Misconception(
            "position instead of bandwidth",
            "position instead of bandwidth: where the best candidate stands, not the candidate",
            "What does argmin give you: a bandwidth, or a place in a list?",
            (_chosen(lambda errors, candidates: float(np.argmin(errors))),),
        ),
        Misconception(
            "error instead of bandwidth",
            "error instead of bandwidth: how small the error is, not which candidate makes it so",
            "Is the number you return a width in centimetres?",
            (_chosen(lambda errors, candidates: float(errors.min())),),
        ),
        Misconception(
            "order of the candidates",
            "order of the candidates: your answer depends on how they are sorted",
            "Shuffle the candidates: does your answer change?",
            (
                _chosen(lambda errors, candidates: candidates[0]),
                _chosen(lambda errors, candidates: candidates[-1]),
                _chosen(lambda errors, candidates: sorted(candidates)[int(np.argmin(errors))]),
                _chosen(_until_it_rises),
                _chosen(_lower_than_before),
            ),
        ),
        Misconception(
            "underflow",
            "underflow: a candidate whose error is not a number wins",
            "Print the error of the smallest candidate. What does a comparison with NaN give?",
            (nan_wins, nan_first),
        ),
        WRITES,
    ),
)

# --- dot_product_lookup ----------------------------------------------------------------------------------


def _lookup_cases(rng: np.random.Generator) -> tuple[Case, ...]:
    def case(tag: str, n_q: int, n_k: int, d_k: int, d_v: int, label: str) -> Case:
        sizes = ((n_q, d_k), (n_k, d_k), (n_k, d_v))
        return Case(tag, tuple(rng.normal(size=size) for size in sizes), label=label)

    weights = case("weights", 3, 4, 2, 1, "values that show the weights")
    large = case("large", 2, 3, 5, 2, "large numbers")
    people = rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    return (
        dataclasses.replace(weights, args=(*weights.args[:2], np.eye(4))),
        case("ordinary", 3, 4, 5, 2, "all sizes differ"),
        case("ordinary", 3, 3, 3, 3, "all sizes alike"),
        case("ordinary", 1, 3, 2, 2, "one query"),
        dataclasses.replace(large, args=tuple(40 * x for x in large.args)),
        Case("large", (rng.normal(size=(2, 4)) * [[1], [9000]], *people), label="one long query"),
    )


def _lookup_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    def case(tag: str, n_q: int, n_k: int, d_k: int, d_v: int, label: str) -> Case:
        sizes = ((n_q, d_k), (n_k, d_k), (n_k, d_v))
        return Case(tag, tuple(rng.normal(size=size) for size in sizes), label=label)

    people = rng.choice(160, 5, replace=False)
    size, person = (np.column_stack([load_bodies()[name][people] for name in names])
                    for names in (("waist", "chest"), ("weight", "height")))  # fmt: skip
    wide = case("ordinary", 2, 5, 9, 3, "nine numbers a key")
    return _lenient(
        *_lookup_cases(rng),
        wide,
        _as_float32(wide),
        case("ordinary", 1, 4, 3, 2, "one query"),
        case("ordinary", 4, 2, 6, 1, "values with one column"),
        case("ordinary", 5, 3, 4, 2, "more queries than keys"),
        case("ordinary", 2, 3, 1, 2, "one number a key"),
        case("ordinary", 4, 4, 4, 4, "all sizes alike"),
        Case(
            "ordinary",
            tuple(rng.integers(-2, 3, size) for size in ((3, 5), (4, 5), (4, 2))),
            label="whole numbers",
        ),
        Case(
            "weights",
            (rng.normal(size=(4, 7)), rng.normal(size=(3, 7)), np.eye(3)),
            label="values that show the weights",
        ),
        Case("large", (size[:2], size, person), label="centimetres and kilograms"),
        Case("large", (size[:2] - 75, size - 75, person), label="centimetres around 75"),
    )


def _lookup_examples() -> tuple[Case, ...]:
    lesson = Case("example", (ASKED, SIZES, PEOPLE), label="waist and chest to weight and height")
    return _lenient(lesson, *_rounded(_lookup_cases(np.random.default_rng(83))))


def _scores(queries: Array, keys: Array) -> Array:
    return queries @ keys.T / np.sqrt(keys.shape[-1])


def _scaled_by(scale: Callable[[Array, Array, Array], float]) -> Callable[..., Array]:
    return lambda q, k, v: softmax(q @ k.T * scale(q, k, v), axis=-1) @ v


def _looked_up(share: Callable[[Array], Array]) -> Callable[..., Array]:
    """The right scores (n_q, n_k), shared out in any way."""
    return lambda q, k, v: share(_scores(q, k)) @ v


DOT_PRODUCT_LOOKUP = Exercise(
    id="dot_product_lookup",
    signature="dot_product_lookup(queries, keys, values)",
    examples=_lookup_examples,
    draw=_lookup_draw,
    parts=(
        Part("one row a query, shaped like the values", common.shape, ("weights", "ordinary")),
        Part("every query's weights sum to 1", common.rows_sum_to_one, ("weights",)),
        Part("the lesson's two people", common.agrees, ("example",)),
        Part("the right average of the values", common.agrees, ("weights", "ordinary")),
        Part("large scores do not overflow", common.agrees, ("large",)),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception(
            "no scale",
            "no scale: the dot products go into the softmax as they are",
            "How does the spread of the dot products grow with d_k?",
            (_scaled_by(lambda q, k, v: 1.0),),
        ),
        Misconception(
            "wrong power",
            "wrong power: the dot products are not divided by the square root of d_k",
            "What do you divide by when a key holds nine numbers?",
            (
                _scaled_by(lambda q, k, v: 1 / k.shape[1]),
                _scaled_by(lambda q, k, v: np.sqrt(k.shape[1])),
                _scaled_by(lambda q, k, v: 2 / k.shape[1]),
                _scaled_by(lambda q, k, v: 1 / (2 * k.shape[1])),
            ),
        ),
        Misconception(
            "wrong length",
            "wrong length under the root: not the width of a key",
            "Over which axis did the product sum?",
            (
                _scaled_by(lambda q, k, v: 1 / np.sqrt(len(k))),
                _scaled_by(lambda q, k, v: 1 / np.sqrt(len(q))),
                _scaled_by(lambda q, k, v: 1 / np.sqrt(v.shape[1])),
                _scaled_by(lambda q, k, v: 1 / np.sqrt(k.size)),
            ),
        ),
        Misconception(
            "scaled after softmax",
            "scaled after softmax: the weights no longer sum to 1",
            "Put an identity matrix in as the values: what do the rows sum to?",
            (lambda q, k, v: softmax(q @ k.T, axis=-1) / np.sqrt(k.shape[1]) @ v,),
        ),
        Misconception(
            "softmax over queries",
            "softmax over queries: the columns sum to 1, not the rows",
            "For one query, what is shared out, and among whom?",
            (_looked_up(lambda s: softmax(s, axis=0)),),
        ),
        Misconception(
            "whole matrix",
            "whole matrix: one softmax over all queries and keys together",
            "Put an identity matrix in as the values: what does each row sum to?",
            (_looked_up(lambda s: softmax(s, axis=None)),),
        ),
        Misconception(
            "not normalised",
            "not normalised: scores or their exponentials are used as weights",
            "Put an identity matrix in as the values: what does each row sum to?",
            (
                _looked_up(lambda s: s),
                lambda q, k, v: q @ k.T @ v,
                lambda q, k, v: q @ k.T @ v / k.shape[1],
                _looked_up(np.exp),
            ),
        ),
        Misconception(
            "wrong partner",
            "wrong partner: a product with the wrong matrix",
            "Change only the values: what moves? Change only the keys?",
            (
                lambda q, k, v: softmax(_scores(q, k), axis=-1) @ k,
                lambda q, k, v: softmax(q @ v.T / np.sqrt(k.shape[1]), axis=-1) @ v,
                lambda q, k, v: softmax(q @ q.T / np.sqrt(k.shape[1]), axis=-1) @ v,
                lambda q, k, v: softmax(k @ q.T / np.sqrt(k.shape[1]), axis=-1) @ v,
                lambda q, k, v: softmax(q @ k / np.sqrt(k.shape[1]), axis=-1) @ v,
            ),
        ),
        Misconception(
            "weights transposed",
            "weights transposed: a column of the weights is used where a row belongs",
            "Which row of the weights belongs to query 0?",
            (_looked_up(lambda s: softmax(s, axis=-1).T),),
        ),
        Misconception(
            "squeezed too much",
            "squeezed too much: an axis of length 1 has vanished",
            "What shape should come back for one query, or for values with one column?",
            (lambda q, k, v: np.squeeze(softmax(_scores(q, k), axis=-1) @ v),),
        ),
        Misconception(
            "overflow",
            "overflow: exp of a large score is infinite",
            "What is exp(1000)? Which shift leaves the ratio alone?",
            (_looked_up(lambda s: _ratio(np.exp(s))), _looked_up(lambda s: np.nan_to_num(_ratio(np.exp(s))))),
        ),
        Misconception(
            "global shift",
            "global shift: one maximum for all queries",
            "What is left of the row whose scores are smallest?",
            (_looked_up(lambda s: _ratio(np.exp(s - s.max()))),),
        ),
        Misconception(
            "broadcast",
            "broadcast: the row sums are divided along the wrong axis",
            "Print both shapes at the division: which row does each sum meet?",
            (_looked_up(_no_keepdims),),
        ),
        Misconception(
            "twice",
            "twice: an exponential of what is already an exponential",
            "How many exponentials stand between a score and its weight?",
            (_looked_up(lambda s: softmax(softmax(s, axis=-1), axis=-1)),),
        ),
        WRITES,
    ),
)

# --- questions without points ----------------------------------------------------------------------------

PREDICT_BANDWIDTH = Exercise(
    id="predict_bandwidth",
    signature="nearly_zero, enormous",
    values=("nearly_zero", "enormous"),
    graded=False,
    examples=lambda: (),
    parts=(
        Part("bandwidth 0.1: who is still heard", gaussian_kernel.nearly_zero),
        Part("bandwidth 1000: who is still told apart", gaussian_kernel.enormous),
    ),
    misconceptions=(
        Misconception(
            "bandwidth upside down",
            "bandwidth upside down: a small one listens to few, a large one to all",
            "Double the bandwidth: do the weights become sharper or flatter?",
            (lambda: (131 / 3, 43.0), lambda: (43.67, 43.0), lambda: (43.7, 43)),
        ),
        Misconception(
            "the two neighbours",
            "the two neighbours: an average of two, whatever the bandwidth",
            "What does the farther neighbour weigh at bandwidth 0.1, and what does waist 51 at 1000?",
            (lambda: (45.5, 45.5), lambda: (43.0, 45.5), lambda: (44.0, 44.0), lambda: (45.5, 131 / 3)),
        ),
        Misconception(
            "nothing within reach",
            "nothing within reach: as if weights could vanish together",
            "What do the three weights sum to, whatever the bandwidth?",
            (lambda: (0.0, 131 / 3), lambda: (0.0, 43.67), lambda: (0.0, 131.0), lambda: (43.0, 131.0)),
        ),
    ),
)

NAME_THE_SLIP = Exercise(
    id="name_the_slip",
    signature="winner, faulty_line",
    values=("winner", "faulty_line"),
    graded=False,
    examples=lambda: (),
    parts=(
        Part("which key wins", gaussian_kernel.winner),
        Part("the line where it goes wrong", gaussian_kernel.faulty_line),
    ),
    misconceptions=(
        Misconception(
            "blames the exponential",
            "blames the exponential, which only turns scores into positive numbers",
            "Is what goes into the exponential what your table says?",
            (lambda: (51, 3),),
        ),
        Misconception(
            "blames the sum",
            "blames the sum, although the weights do sum to 1",
            "Which line is the first to differ from your table?",
            (lambda: (51, 4),),
        ),
        Misconception(
            "position instead of waist",
            "position instead of waist: the key's place in the list",
            "Which waist stands at that place?",
            (lambda: (0, 2), lambda: (1, 2)),
        ),
    ),
)

PREDICT_TWINS = Exercise(
    id="predict_twins",
    signature="at_the_twins",
    values=("at_the_twins",),
    graded=False,
    examples=lambda: (),
    parts=(Part("what a query on the repeated key fetches", gaussian_kernel.at_the_twins),),
    misconceptions=(
        Misconception(
            "like a dictionary",
            "like a dictionary: one of two equal keys hides the other",
            "What are the distances to the two equal keys, and so their weights?",
            (lambda: ([43, 159],), lambda: ([48, 162],)),
        ),
        Misconception(
            "added up",
            "added up: both values in full",
            "What do the weights of all keys sum to?",
            (lambda: ([91, 321],),),
        ),
    ),
)

PREDICT_DIVISOR = Exercise(
    id="predict_divisor",
    signature="divisor_at_9",
    values=("divisor_at_9",),
    graded=False,
    examples=lambda: (),
    parts=(Part("the divisor that keeps the spread", gaussian_kernel.divisor_at_9),),
    misconceptions=(
        Misconception(
            "wrong power",
            "wrong power: the sentence in the notes, not the formula",
            "Nine independent terms add up their variances: by what factor does the spread grow?",
            (lambda: (9,), lambda: (4.5,), lambda: (1 / 3,), lambda: (81,)),
        ),
    ),
)

LESSON = Lesson(
    "04_gaussian_kernel",
    "Attention was regression all along",
    (
        NAME_THE_SLIP,
        GAUSSIAN_WEIGHTS,
        KERNEL_REGRESSION,
        PREDICT_BANDWIDTH,
        LEAVE_ONE_OUT_ERROR,
        BEST_BANDWIDTH,
        PREDICT_TWINS,
        DOT_PRODUCT_LOOKUP,
        PREDICT_DIVISOR,
    ),
)
