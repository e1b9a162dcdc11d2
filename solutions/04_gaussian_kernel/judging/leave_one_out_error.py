"""How `leave_one_out_error` is judged."""

from functools import partial

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from .cases import KILOS, WAISTS, as_float32, drawn, rounded
from .gaussian_weights import kernel_mistakes


def _telling(rng: np.random.Generator) -> tuple[Case, ...]:
    """The kinds of input that tell the misconceptions apart."""
    case, near = partial(drawn, rng, scale=3), partial(rng.uniform, 0, 3)
    keys, values = np.array([50.0, 52.0, 55.0, 300.0]), np.array([40.0, 41.0, 45.0, 90.0])
    return (
        case("numbers", "scalars, bandwidth 0.5", near(5), (5,), 0.5),
        case("numbers", "scalars, bandwidth 2", near(6), (6,), 2.0),
        case("numbers", "neighbours nine bandwidths away", np.arange(4) * 9.0, (4,), 1.0),
        case("vectors", "two measurements, three values each", near((5, 2)), (5, 3), 0.6),
        case("vectors", "one measurement, two values each", near(4), (4, 2), 1.5),
        case("lone", "one sample far from all others, bandwidth 0.1", keys, values, 0.1),
        case("lone", "two samples far apart, bandwidth 0.1", keys[2:], values[2:], 0.1),
    )


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(58)
    lesson = drawn(rng, "example", "the three people, bandwidth 1", WAISTS, KILOS, 1.0)
    whole = drawn(rng, "numbers", "values that are whole numbers", (4,), np.array([1, 6, 2, 8]), 0.7)
    return rounded(lesson, *_telling(rng), whole)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    case, near, normal = partial(drawn, rng), partial(rng.uniform, 0, 3), rng.standard_normal
    h = float(rng.uniform(0.5, 0.8))
    waists = rng.choice(np.arange(50, 74), 9, replace=False)
    spread = np.column_stack([np.arange(6.0) ** 2, np.arange(6.0) ** 3 / 8])
    plane = case("vectors", "three measurements, two values each", near((7, 3)), (7, 2), h, scale=2)
    return (
        *_telling(rng),
        plane,
        as_float32(plane),
        case("numbers", "twelve samples", near(12), (12,), h, scale=3),
        case("lone", "neighbours many bandwidths away", np.arange(6.0) * 4, np.arange(6.0) ** 2, 1.0),
        case("lone", "neighbours many bandwidths away", np.arange(12.0).reshape(6, 2) * 2, spread, 1.0),
        case("numbers", "two samples", near(2), (2,), h),
        case("numbers", "whole numbers", waists, rng.integers(40, 90, 9), 3),
        case("numbers", "every key twice", np.repeat(near(4), 2), (8,), h, scale=3),
        case("numbers", "four measurements, one number", near((6, 4)), (6,), 1.5, scale=3),
        case("vectors", "values with one column", near(6), (6, 1), h, scale=3),
        case("vectors", "as many samples as columns", near((4, 4)), (4, 4), 1.2, scale=3),
        case("numbers", "small whole numbers, bandwidth 1", np.arange(5), np.array([2, 0, 5, 1, 1]), 1),
        case("vectors", "one column everywhere", near((5, 1)), (5, 1), h, scale=3),
        case("lone", "one far sample", np.append(normal(5), 400.0), (6,), 0.2, scale=3),
        case("lone", "one far sample", np.vstack([normal((5, 2)), [90.0, -90.0]]), (6, 2), 0.3),
    )


def leave_one_out_error(keys: np.ndarray, values: np.ndarray, bandwidth: float) -> float:
    """SciPy's softmax of its distances, with every key far from itself."""
    import numpy as np
    from scipy.spatial.distance import pdist, squareform
    from scipy.special import softmax

    points, targets = (np.reshape(x, (len(x), -1)).astype(float) for x in (keys, values))
    distances = squareform(pdist(points, "sqeuclidean"))
    np.fill_diagonal(distances, np.inf)
    shares = softmax(distances / (-2 * bandwidth**2), axis=-1)
    return float(np.square(shares @ targets - targets).mean())


ON_THE_WEIGHTS = """
def leave_one_out_error(keys, values, bandwidth):
    rest = [np.arange(len(keys)) != i for i in range(len(keys))]
    predicted = [(gaussian_weights(keys[~r], keys[r], bandwidth) @ values[r])[0] for r in rest]
    return float(np.mean((np.array(predicted) - values) ** 2))
"""


def _at_once(weights: str) -> str:
    """An answer without a loop: the weights made of all scores `s`, or of those of the others, `o`."""
    return f"""
        points = keys.reshape(len(keys), -1)
        s = -((points[:, None] - points) ** 2).sum(-1) / (2 * bandwidth**2)
        itself = np.eye(len(keys))
        o = np.where(itself, -np.inf, s)
        w = {weights}
        return float(np.mean((w @ values - values) ** 2))
        """


OF_ITS_OWN = (
    "weights not normalised",
    "one maximum for all rows",
    "broadcast along the wrong axis",
    "queries and keys paired one to one",
    "queries and keys exchanged",
)
"""Mistakes in the kernel that look otherwise here, or that one query at a time does not show."""

EXERCISE = Exercise(
    builds_on=("gaussian_weights", "kernel_regression"),
    examples=examples,
    draw=draw,
    reference_stub=leave_one_out_error,
    variant=Variant(
        "The mean *absolute* error, without a square.",
        ("(np.array(predictions) - values) ** 2", "np.abs(np.array(predictions) - values)"),
    ),
    criteria=(
        Criterion("one number", common.shape, ("example", "numbers", "vectors")),
        Criterion("the lesson's three people", common.agrees, ("example",)),
        Criterion("the mean squared error of predicted numbers", common.agrees, ("numbers",), plain=("example",)),
        Criterion("the mean over all entries of predicted vectors",
            common.agrees, ("vectors",), plain=("example", "numbers")),
        Criterion("a sample far from all others does no harm",
            common.agrees, ("lone",), plain=("example", "numbers", "vectors")),
    ),
    misconceptions=(
        mistake("sample not left out", _at_once("softmax(s)"),
            question="What does your error become as the bandwidth shrinks to nothing? Should it?"),
        mistake("masked after the softmax", _at_once("softmax(s) * (1 - itself)"),
            detail="the others' weights no longer sum to 1",
            question="When the sample's own weight is set to 0, what do the remaining ones sum to?"),
        mistake("masked score not low enough",
            *(_at_once(f"softmax(s - {fill} * itself)") for fill in (1, 10, 100, 1e3, 1e6)),
            detail="the sample keeps a score that still earns it a weight",
            question="What is exp of the score that the sample has for itself?"),
        mistake("zero times infinity", _at_once("softmax(s + itself * -np.inf)"),
            detail="NaN enters beside the diagonal", question="What is 0 · inf?"),
        mistake("keys in the values' place", ("values[others]", "keys[others]"), (" - values)", " - keys)"),
            ("predictions.append(", "predictions.append((", "bandwidth)[0])", "bandwidth)[0] - keys[i]) ** 2)",
             "float(np.mean((np.array(predictions) - values) ** 2))", "float(np.mean(predictions))"),
            ("predictions.append(", "predictions.append((", "values[others], bandwidth)[0])",
             "keys[others], bandwidth)[0] - values[i]) ** 2)",
             "float(np.mean((np.array(predictions) - values) ** 2))", "float(np.mean(predictions))")),
        mistake("squares added up instead of averaged", ("np.mean", "np.sum"),
            ("** 2))", "** 2) * values.size / len(keys))"), ("** 2))", "** 2) * len(keys))")),
        mistake("squares divided by another number than theirs",
            ("** 2))", "** 2) * values.size / (values.size - 1))"),
            ("** 2))", "** 2) * len(keys) / (len(keys) - 1))"), ("** 2))", "** 2) / 2)")),
        mistake("several errors instead of one number",
            ("float(np.mean(", "np.mean(", "** 2))", "** 2, axis=0)"),
            ("float(np.mean(", "(", "** 2))", "** 2).reshape(len(keys), -1).mean(-1)")),
        mistake("errors not squared", ("mean((", "mean(np.abs(", ") ** 2", ")"), (" ** 2", "")),
        mistake("mean squared instead of squares averaged", (") ** 2))", ")) ** 2)"),
            question="A residual of −3 and one of 3: what is your error?"),
        mistake("root of the mean squared error", ("np.mean(", "np.sqrt(np.mean(", "** 2))", "** 2)))")),
        mistake("weights not normalised", _at_once("np.exp(o)"), _at_once("softmax(o, axis=0)"),
            _at_once("softmax(o, axis=None)"), detail="the others' weights for a sample do not sum to 1",
            question="For the sample you left out, what do the others' weights sum to?"),
        mistake("one maximum for all rows", _at_once("np.exp(o - o.max()); w /= w.sum(-1, keepdims=True)"),
            detail="one maximum for all samples, so that a far sample's row still meets underflow",
            question="After your shift, what is left of the row of the sample that is farthest from the others?"),
        mistake("only one sample left out",
            *((
                "for i in range(len(keys))", f"for i in [{which}]", "!= i\n", "!= i % len(keys)\n",
                "- values)", f"- values[[{which}]])",
            ) for which in (0, -1))),
        mistake("only the samples on one side vote",
            """
            indices, behind = range(len(keys) - 1), lambda i: (keys[i + 1 :], values[i + 1 :])
            predicted = [kernel_regression(keys[i : i + 1], *behind(i), bandwidth)[0] for i in indices]
            return float(np.mean((np.array(predicted) - values[:-1]) ** 2))
            """,
            """
            indices = range(1, len(keys))
            predicted = [kernel_regression(keys[i : i + 1], keys[:i], values[:i], bandwidth)[0] for i in indices]
            return float(np.mean((np.array(predicted) - values[1:]) ** 2))
            """),
        mistake("prediction compared with all values",
            """
            rest = [np.arange(len(keys)) != i for i in range(len(keys))]
            predicted = [kernel_regression(keys[~r], keys[r], values[r], bandwidth) for r in rest]
            return float(np.mean([np.mean((guess - values) ** 2) for guess in predicted]))
            """),
        *kernel_mistakes(ON_THE_WEIGHTS, without=OF_ITS_OWN, unsummed=False),
    ),
)
