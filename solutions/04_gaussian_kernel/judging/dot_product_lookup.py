"""How `dot_product_lookup` is judged."""

from functools import partial

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common
from attention import shares

from ...judging.mistakes import mistake
from .cases import WRITES, as_float32, drawn, everybody, rounded


def _telling(rng: np.random.Generator) -> tuple[Case, ...]:
    """The kinds of input that tell the misconceptions apart."""
    case, normal = partial(drawn, rng), rng.standard_normal
    asked, keys, _ = normal((3, 2)), normal((4, 2)), normal((4, 1))
    large = case("large", "large numbers", (2, 5), (3, 5), (3, 2), scale=40)
    people = normal((5, 4)), normal((5, 2))
    return (
        case("weights", "values that show the weights", asked, keys, np.eye(4)),
        case("ordinary", "all sizes differ", (3, 5), (4, 5), (4, 2)),
        case("ordinary", "all sizes alike", (3, 3), (3, 3), (3, 3)),
        case("ordinary", "one query", (1, 2), (3, 2), (3, 2)),
        large,
        case("large", "one long query", normal((2, 4)) * [[1], [9000]], *people),
    )


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(83)
    asked, sizes = (
        np.array([[57.0, 83.0], [55.0, 76.0]]),
        np.array([[51.0, 70.0], [56.0, 82.0], [58.0, 86.0]]),
    )
    people = np.array([[40.0, 155.0], [43.0, 159.0], [48.0, 162.0]])
    lesson = drawn(rng, "example", "waist and chest to weight and height", asked, sizes, people)
    whole = drawn(rng, "ordinary", "values that are whole numbers", (2, 3), (4, 3), rng.integers(-2, 3, (4, 2)))
    return rounded(lesson, *_telling(rng), whole)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    case, whole = partial(drawn, rng), partial(rng.integers, -2, 3)
    people = rng.choice(160, 5, replace=False)
    size, person = (table[people] for table in everybody())
    wide = case("ordinary", "nine numbers a key", (2, 9), (5, 9), (5, 3))
    near = 20 + rng.integers(0, 6, 5) + rng.permutation(4)[:, None] / 50
    return (
        *_telling(rng),
        wide,
        as_float32(wide),
        case("ordinary", "one query", (1, 3), (4, 3), (4, 2)),
        case("ordinary", "values with one column", (4, 6), (2, 6), (2, 1)),
        case("ordinary", "more queries than keys", (5, 4), (3, 4), (3, 2)),
        case("ordinary", "one number a key", (2, 1), (3, 1), (3, 2)),
        case("ordinary", "one key", (3, 2), (1, 2), (1, 4)),
        case("ordinary", "all sizes alike", (4, 4), (4, 4), (4, 4)),
        case("ordinary", "whole numbers", whole((3, 5)), whole((4, 5)), whole((4, 2))),
        case("weights", "values that show the weights", (4, 7), (3, 7), np.eye(3)),
        case("large", "centimetres and kilograms", size[:2], size, person),
        case("large", "large scores near each other", rng.uniform(20, 25, (2, 5)), near, (4, 2)),
        case("large", "centimetres around 75", size[:2] - 75, size - 75, person),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    steps=("scores",),
    variant=Variant(
        "The scores are divided by d_k, not by its root.",
        ("np.sqrt(keys.shape[1])", "keys.shape[1]"),
    ),
    criteria=(
        Criterion("one row a query, shaped like the values", common.shape, ("weights", "ordinary")),
        Criterion("every query's weights sum to 1", shares.rows_sum_to_one, ("weights",)),
        Criterion("the lesson's two queries", common.agrees, ("example",)),
        Criterion("the right average of the values", common.agrees, ("weights", "ordinary")),
        Criterion("the right average for large scores", common.agrees, ("large",), plain=("weights", "ordinary")),
    ),
    misconceptions=(
        mistake("not divided by √d_k", (" / np.sqrt(keys.shape[1])", ""),
            question="How does the spread of the dot products grow with d_k?"),
        mistake("divided by the wrong power of d_k", ("np.sqrt(keys.shape[1])", "keys.shape[1]"),
            ("np.sqrt(keys.shape[1])", "(keys.shape[1] / 2)"),
            ("np.sqrt(keys.shape[1])", "(keys.shape[1] * 2)"), ("/ np.sqrt", "* np.sqrt")),
        mistake("root of d_k cut to a whole number",
            ("np.sqrt(keys.shape[1])", "int(np.sqrt(keys.shape[1]))"), detail="it loses its fraction",
            question="What does your code divide by when a key holds three numbers?"),
        mistake("divided by the root of the wrong length", ("keys.shape[1]", "len(keys)"),
            ("keys.shape[1]", "len(queries)"), ("keys.shape[1]", "values.shape[1]"),
            ("keys.shape[1]", "keys.size"), detail="not the width of a key under the root"),
        mistake("a constant instead of the input's size", ("keys.shape[1]", "2"),
            question="What would your code divide by if a key held one number more?"),
        mistake("minus sign too many", ("scores = queries", "scores = -queries"),
            detail="the key that fits least gets the largest share",
            question="Which key should get the largest share, the one with the largest product or with the smallest?"),
        mistake("cosine instead of the dot product",
            *(f"""
            lengths = [np.linalg.norm(points, axis=1) for points in (queries, keys)]
            return softmax(queries @ keys.T / np.outer(*lengths){scale}) @ values
            """ for scale in (" / np.sqrt(keys.shape[1])", ""))),
        mistake("only the best key counts", ("softmax(scores) @ values", "values[scores.argmax(axis=1)]")),
        mistake("scaled after the softmax",
            "return softmax(queries @ keys.T) / np.sqrt(keys.shape[1]) @ values",
            detail="the weights no longer sum to 1",
            question="Put an identity matrix in as the values: what do the rows sum to?"),
        mistake("softmax over the queries", ("softmax(scores)", "softmax(scores, axis=0)"),
            detail="the columns sum to 1, not the rows",
            question="For one query, what is shared out, and among whom?"),
        mistake("softmax over the whole matrix", ("softmax(scores)", "softmax(scores, axis=None)"),
            detail="one softmax over all queries and keys together",
            question="Put an identity matrix in as the values: what does each row sum to?"),
        mistake("weights not normalised", ("softmax(scores)", "scores"),
            ("softmax(scores)", "np.exp(scores)"), "return queries @ keys.T @ values",
            "return queries @ keys.T @ values / keys.shape[1]", detail="a query's weights do not sum to 1",
            question="Put an identity matrix in as the values: what does each row sum to?"),
        mistake("Q, K or V in the wrong place", ("@ values", "@ keys"), ("keys.T", "values.T"),
            ("keys.T", "queries.T"), ("queries @ keys.T", "keys @ queries.T"),
            detail="a product with the wrong matrix",
            question="Change only the values: what moves? Change only the keys?"),
        mistake("factors of the product in the wrong order",
            "return values @ softmax(queries @ keys.T / np.sqrt(keys.shape[1])).T",
            "return values @ softmax(queries @ keys.T / np.sqrt(keys.shape[1]))"),
        mistake("result transposed",
            ("return softmax(scores) @ values", "return (softmax(scores) @ values).T")),
        mistake("weighted sum divided once more", ("@ values", "@ values / len(keys)")),
        mistake("keys not transposed", ("keys.T", "keys"),
            "return softmax(queries @ keys / np.sqrt(keys.shape[1]), axis=1) @ values",
            detail="a query's entries meet those of several keys",
            question="Over which axis of the queries, and which of the keys, does the product sum?"),
        mistake("weights transposed", ("softmax(scores)", "softmax(scores).T"),
            detail="a column of the weights is used where a row belongs"),
        mistake("axis of length 1 lost", ("softmax(scores) @ values", "np.squeeze(softmax(scores) @ values)"),
            ("return softmax(scores) @ values",
             "output = softmax(scores) @ values\n    return output[0] if len(output) == 1 else output"),
            detail="an axis of length 1 has vanished"),
        mistake("no shift by the maximum",
            ("softmax(scores)", "(np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))"),
            ("softmax(scores)", "np.nan_to_num(np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))"),
            detail="exp of a large score is infinite",
            question="What is exp(1000)? Which shift leaves the ratio alone?"),
        mistake("one maximum for all rows",
            ("return softmax(scores)",
             "kernel = np.exp(scores - scores.max())\n    return kernel / kernel.sum(-1, keepdims=True)"),
            detail="one maximum for all queries",
            question="What is left of the row whose scores are smallest?"),
        mistake("broadcast along the wrong axis",
            ("return softmax(scores)",
             "kernel = np.exp(scores - scores.max(-1, keepdims=True))\n    return kernel / kernel.sum(-1)"),
            detail="the row sums are divided along the wrong axis",
            question="Print both shapes at the division: which row does each sum meet?"),
        mistake("exponential taken twice", ("softmax(scores)", "softmax(softmax(scores))")),
        WRITES,
    ),
)
