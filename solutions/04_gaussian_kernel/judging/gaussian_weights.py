"""How `gaussian_weights` is judged, and what its misconceptions make of the exercises built on it."""

from functools import partial
from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common
from autograder.exercises.errors import CourseError

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import WAISTS, WRITES, as_float32, drawn, rounded


def _near(rng: np.random.Generator, tag: str, label: str, *args: Any) -> Case:
    """A drawn case, except for those under "far" one whose queries all lie within a few bandwidths of a key.

    Only there does a tiny number added to the sum change nothing, and so it costs everybody the same.
    """
    while True:
        case = drawn(rng, tag, label, *args)
        queries, keys, bandwidth = (*case.args, 1.0)[:3]
        difference = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
        square = (difference**2).sum(-1)
        if tag == "far" or (np.exp(-square / (2 * bandwidth**2)).sum(-1) > 0.01).all():
            return case


def _telling(rng: np.random.Generator) -> tuple[Case, ...]:
    """The kinds of input that tell the misconceptions apart."""
    case = partial(_near, rng)
    default = case("plane", "two measurements each, bandwidth left at its default", (3, 2), (4, 2))
    return (
        case("line", "scalars, bandwidth 0.5", (2,), (4,), 0.5),
        case("line", "as many queries as keys, bandwidth 2", (3,), (3,), 2.0),
        default,
        case("plane", "three measurements each, bandwidth 0.7", (3, 3), (3, 3), 0.7),
        case("far", "waist 500, bandwidth 0.1", np.array([500.0]), WAISTS, 0.1),
        case("far", "waists 500 and 57, bandwidth 0.1", np.array([500.0, 57.0]), WAISTS, 0.1),
    )


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(4)
    lesson = drawn(rng, "example", "waist 57, three people, bandwidth 1", np.array([57.0]), WAISTS)
    whole = drawn(rng, "line", "whole numbers, bandwidth 2", np.array([3, 8]), np.array([2, 5, 9]), 2)
    return rounded(lesson, *_telling(rng), whole)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    case, normal = partial(_near, rng), rng.standard_normal
    h = float(rng.uniform(0.4, 0.8))
    waists = np.sort(rng.choice(np.arange(50, 110), 6, replace=False))
    asked = waists[:4] + rng.integers(1, 4, 4)
    line = case("line", "more keys than queries", (4,), (6,), h)
    plane = case("plane", "more queries than keys", (5, 3), (3, 3), 1.6)
    return (
        *_telling(rng),
        line,
        plane,
        as_float32(line),
        as_float32(plane),
        case("line", "one query", (1,), (5,), 2 * h),
        case("line", "one key", (5,), (1,), 4 * h),
        case("plane", "one key", (4, 2), (1, 2), 5.0),
        case("line", "whole numbers, bandwidth 1", np.arange(3), np.arange(4), 1),
        case("line", "whole numbers", asked, waists, 3),
        case("line", "queries that are keys", waists[:3] * 1.0, waists * 1.0, 4.0),
        case("plane", "one query", (1, 3), (4, 3), h),
        case("plane", "one column", (4, 1), (3, 1), h),
        case("plane", "as many queries as keys", (4, 5), (4, 5), 1.3),
        case("far", "far and near, bandwidth 0.5", np.array([500.0, 56.9]), WAISTS, 0.5),
        case("far", "one way round or straight", np.array([[300.0, 0]]), np.array([[0, 10.0], [-1, 0]]), 0.3),
        case("far", "ahead or askew", np.array([[300.0, 0]]), np.array([[0, 0.0], [10, -290]]), 0.3),
        case("far", "one query far from all keys", np.array([500.0]), waists * 1.0, 0.1),
        case("far", "far and near queries", np.array([-400.0, 60.0, 900.0]), waists * 1.0, 0.2),
        case("far", "far from keys close together", np.array([500.0]), np.array([0.0, 0.13, 0.29]), 10.0),
        case("far", "far in two dimensions", normal((3, 2)) + 300, (4, 2), 0.3),
        case("far", "one far", normal((3, 2)) * [[1], [1], [400]], (3, 2), 0.5),
    )


def gaussian_weights(queries: np.ndarray, keys: np.ndarray, bandwidth: float = 1.0) -> np.ndarray:
    """SciPy's softmax of its distances: (n_q, n_k)."""
    import numpy as np
    from scipy.spatial.distance import cdist
    from scipy.special import softmax

    points = (np.reshape(x, (len(x), -1)) for x in (queries, keys))
    distances = cdist(*points, "sqeuclidean")
    return softmax(distances / (-2 * bandwidth**2), axis=-1)


RIGHT = """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    square = (d**2).sum(-1)
    s = -square / (2 * bandwidth**2)
    w = softmax(s)
    return w
"""


def changed(*replacements: str) -> str:
    """The cell above with the first text replaced by the second, the third by the fourth."""
    text = RIGHT
    for old, new in zip(replacements[::2], replacements[1::2], strict=True):
        if old not in text:
            raise CourseError(f"a mistake puts {new!r} in place of {old!r}, which is not there:\n{text}")
        text = text.replace(old, new)
    return text


OF_WEIGHTS = (
    "the squared distance is not divided by twice its square",
    "Work one query and one key out by hand, 2 apart at bandwidth ½: what is the score, and what is yours?",
)
OF_CALLERS = (
    "the weights used here are not those of the bandwidth that was given",
    "Work one weight out by hand at the bandwidth that was given: is it the weight that your prediction uses?",
)
"""What is said of the bandwidth in gaussian_weights, and in what calls it: there it may not be handed on."""


def kernel_mistakes(
    then: str = "", without: tuple[str, ...] = (), unsummed: bool = True
) -> tuple[Misconception, ...]:
    """What goes wrong in Gaussian weights; `then`: the cells that carry it on into what is built on them.

    unsummed: whether weights with an axis too many give a result there, which shows them, and not only errors.
    """
    axes_too_many = (
        ("(d**2).sum(-1)", "(queries[:, None] - keys) ** 2"),
        ("(d**2).sum(-1)", "(queries[:, None] - keys) ** 2", "softmax(s)", "softmax(s, axis=1)"),
    )

    def mistake(name: str, detail: str, question: str, *changes: tuple[str, ...]) -> Misconception:
        return Misconception(name, detail, question, *(changed(*change) + then for change in changes))

    every = (
        mistake("minus sign missing", "the score grows with the distance, the minus is missing",
            "Which key should win, the nearest or the farthest, and which one does?",
            ("-square", "square"),
            ("softmax(s)", "np.exp(-s); w /= w.sum(-1, keepdims=True)")),
        mistake("bandwidth in the wrong place, or left out", *OF_CALLERS if then else OF_WEIGHTS,
            *(("/ (2 * bandwidth**2)", f"/ {wrong}")
                for wrong in ("2", "(2 * bandwidth)", "(2 * bandwidth) ** 2", "2 * bandwidth", "2 * bandwidth**2")),
            ("bandwidth**2", "np.sqrt(bandwidth)"),
            ("bandwidth**2", "bandwidth**4")),
        mistake("distance not squared or not halved", "it is not squared, or the ½ is missing",
            "Work one query and one key out by hand, 3 apart at bandwidth 1: what is the score, and what is yours?",
            ("2 * bandwidth**2", "bandwidth**2"),
            ("-square", "-np.sqrt(square)"),
            ("-square", "-np.sqrt(square)", "bandwidth**2", "bandwidth"),
            ("-square", "-np.sqrt(square)", "2 * bandwidth**2", "bandwidth")),
        mistake("weights not normalised", "a query's weights do not sum to 1",
            "Print your weights' row sums: what should every query's weights add up to?",
            ("softmax(s)", "softmax(s, axis=0)"),
            ("softmax(s)", "softmax(s, axis=None)"),
            ("softmax(s)", "np.exp(s)"),
            ("softmax(s)", "np.exp(s) / np.exp(s).sum(0)"),
            ("softmax(s)", "np.exp(s) / np.sqrt(2 * np.pi)")),
        mistake("broadcast along the wrong axis", "the row sums are divided along the wrong axis",
            "Print both shapes at the division: which row does each sum meet?",
            ("softmax(s)", "np.exp(s - s.max(-1, keepdims=True)); w = w / w.sum(-1)"),
            ("softmax(s)", "np.exp(s); w = w / w.sum(-1)")),
        mistake("queries and keys paired one to one", "not every query meets every key",
            "How many differences are there between all the queries and all the keys?",
            ("(d**2).sum(-1)", "((queries - keys) ** 2).sum(tuple(range(1, keys.ndim)))"),
            ("(d**2).sum(-1)", "(queries - keys) ** 2", "softmax(s)", "np.exp(s) / np.exp(s).sum()"),
            ("(d**2)", "(np.diagonal(d).T ** 2)")),
        mistake("queries and keys exchanged", "each key shares itself out among the queries",
            "Whose row is the first of your result, and among whom is it shared out?",
            ("softmax(s)", "softmax(s.T)")),
        mistake("features not added up", "the squares of all coordinates' differences are not added up",
            "Two points lie 3 apart in one measurement and 4 in the other: how far apart are they?",
            ("(d**2).sum(-1)", "(d**2).mean(-1)"),
            ("(d**2).sum(-1)", "np.abs(d).max(-1) ** 2"),
            ("(d**2).sum(-1)", "d[..., 0] ** 2"),
            ("(d**2).sum(-1)", "d[..., -1] ** 2"),
            *(axes_too_many if unsummed else ())),
        mistake("differences added up before squaring", "it is the sum of the squares that is wanted",
            "Two points lie 3 apart in one measurement and 4 in the other: how far apart are they?",
            ("(d**2).sum(-1)", "np.abs(d).sum(-1) ** 2"),
            ("(d**2).sum(-1)", "d.sum(-1) ** 2")),
        mistake("exponential taken twice", "an exponential of the kernel values or of the weights",
            "How many exponentials stand between a distance and its weight?",
            ("softmax(s)", "softmax(np.exp(s))"),
            ("softmax(s)", "softmax(softmax(s))")),
        mistake("all kernel values underflow", "far from all keys every exp is 0, and so is their sum",
            "What do the kernel values of a query far from every key add up to?",
            ("softmax(s)", "np.exp(s); w /= w.sum(-1, keepdims=True)"),
            ("softmax(s)", "np.exp(s); w /= w.sum(-1, keepdims=True) + 1e-8"),
            ("softmax(s)", "np.exp(s); w /= w.sum(-1, keepdims=True) + 1e-12"),
            ("softmax(s)", "np.exp(s); w = np.nan_to_num(w / w.sum(-1, keepdims=True))"),
            ("softmax(s)", "np.exp(s); w = np.nan_to_num(w / w.sum(-1, keepdims=True), nan=1 / len(keys))")),
        mistake("one maximum for all rows",
            "one maximum for all queries, so that a far query's row still meets underflow",
            "After your shift, what is left of the row of the query that is farthest from all keys?",
            ("softmax(s)", "np.exp(s - s.max()); w /= w.sum(-1, keepdims=True)")),
        WRITES,
    )
    return tuple(one for one in every if one.name not in without)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    results=("weights",),
    reference_stub=gaussian_weights,
    variant=Variant(
        "The kernel has no 2 in it: the weights are proportional to exp(−|q − k|² / bandwidth²).",
        ("(2 * bandwidth**2)", "bandwidth**2"),
    ),
    criteria=(
        Criterion("one row a query, one column a key", common.shape, ("example", "line", "plane")),
        Criterion("every query's weights sum to 1", rules.shared_out, ("example", "line", "plane")),
        Criterion("the lesson's three people", common.agrees, ("example",)),
        Criterion("scalars, at any bandwidth", common.agrees, ("line",), plain=("example",)),
        Criterion("vectors, at any bandwidth", common.agrees, ("plane",), plain=("example", "line")),
        Criterion("a query far from all keys gets its weights too",
            common.agrees, ("far",), plain=("example", "line", "plane")),
    ),
    misconceptions=(
        *kernel_mistakes(),
        mistake("fractions cut off", changed("softmax(s)", "softmax(s).astype(queries.dtype)"),
            changed("softmax(s)", "softmax(s).astype(keys.dtype)"),
            detail="shares are stored where only whole numbers fit",
            question="Which dtype has the array that your weights go into, when queries and keys are whole numbers?"),
        mistake("weights transposed", changed("return w", "return w.T"),
            ("bandwidth**2))", "bandwidth**2)).T"),
            detail="a row for each key where a row for each query belongs",
            question="Which row of your result belongs to the first query?"),
        mistake("axis of length 1 lost", changed("return w", "return np.squeeze(w)"),
            ("return softmax(", "return np.squeeze(softmax(", "bandwidth**2))", "bandwidth**2)))"),
            changed("return w", "return w[0] if len(w) == 1 else w"),
            detail="an axis of length 1 has vanished",
            question="What shape should come back when there is one query, or one key?"),
    ),
)
