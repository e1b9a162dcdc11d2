"""How `dot_product_lookup` is judged."""

from functools import partial

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common
from attention import shares

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
        Criterion("the lesson's two people", common.agrees, ("example",)),
        Criterion("the right average of the values", common.agrees, ("weights", "ordinary")),
        Criterion("the right average for large scores", common.agrees, ("large",), plain=("weights", "ordinary")),
        Criterion("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception("not divided by √d_k", "the dot products go into the softmax as they are",
            "How does the spread of the dot products grow with d_k?",
            (" / np.sqrt(keys.shape[1])", "")),
        Misconception("divided by the wrong power of d_k", "the scores are scaled by another number than 1 / √d_k",
            "Put d_k = 9 into your code with a pencil: what becomes of a score of 9, and what by the formula?",
            ("np.sqrt(keys.shape[1])", "keys.shape[1]"),
            ("np.sqrt(keys.shape[1])", "(keys.shape[1] / 2)"),
            ("np.sqrt(keys.shape[1])", "(keys.shape[1] * 2)"),
            ("/ np.sqrt", "* np.sqrt")),
        Misconception("root of d_k cut to a whole number", "it loses its fraction",
            "What does your code divide by when a key holds three numbers?",
            ("np.sqrt(keys.shape[1])", "int(np.sqrt(keys.shape[1]))")),
        Misconception("divided by the root of the wrong length", "not the width of a key under the root",
            "Over which axis did the product sum?",
            ("keys.shape[1]", "len(keys)"),
            ("keys.shape[1]", "len(queries)"),
            ("keys.shape[1]", "values.shape[1]"),
            ("keys.shape[1]", "keys.size")),
        Misconception("a constant instead of the input's size", "the scores are divided by the root of a fixed number",
            "What would your code divide by if a key held one number more?",
            ("keys.shape[1]", "2")),
        Misconception("minus sign too many", "the key that fits least gets the largest share",
            "Which key should get the largest share, the one with the largest product or with the smallest?",
            ("scores = queries", "scores = -queries")),
        Misconception("cosine instead of the dot product", "a long key counts like a short one",
            "Make one key ten times longer: what should become of its score, and what does?",
            *(f"""
            lengths = [np.linalg.norm(points, axis=1) for points in (queries, keys)]
            return softmax(queries @ keys.T / np.outer(*lengths){scale}) @ values
            """ for scale in (" / np.sqrt(keys.shape[1])", ""))),
        Misconception("only the best key counts", "a query fetches the value of its best key alone",
            "Which share gets a key whose score is only a little lower than the best one?",
            ("softmax(scores) @ values", "values[scores.argmax(axis=1)]")),
        Misconception("scaled after the softmax", "the weights no longer sum to 1",
            "Put an identity matrix in as the values: what do the rows sum to?",
            "return softmax(queries @ keys.T) / np.sqrt(keys.shape[1]) @ values"),
        Misconception("softmax over the queries", "the columns sum to 1, not the rows",
            "For one query, what is shared out, and among whom?",
            ("softmax(scores)", "softmax(scores, axis=0)")),
        Misconception("softmax over the whole matrix", "one softmax over all queries and keys together",
            "Put an identity matrix in as the values: what does each row sum to?",
            ("softmax(scores)", "softmax(scores, axis=None)")),
        Misconception("weights not normalised", "a query's weights do not sum to 1",
            "Put an identity matrix in as the values: what does each row sum to?",
            ("softmax(scores)", "scores"),
            ("softmax(scores)", "np.exp(scores)"),
            "return queries @ keys.T @ values",
            "return queries @ keys.T @ values / keys.shape[1]"),
        Misconception("Q, K or V in the wrong place", "a product with the wrong matrix",
            "Change only the values: what moves? Change only the keys?",
            ("@ values", "@ keys"),
            ("keys.T", "values.T"),
            ("keys.T", "queries.T"),
            ("queries @ keys.T", "keys @ queries.T")),
        Misconception("factors of the product in the wrong order", "the values stand before the weights",
            "Which axis of the weights has an entry for each key, and which axis of the values?",
            "return values @ softmax(queries @ keys.T / np.sqrt(keys.shape[1])).T",
            "return values @ softmax(queries @ keys.T / np.sqrt(keys.shape[1]))"),
        Misconception("result transposed", "a column for each query where a row belongs",
            "Which row of your result belongs to the first query?",
            ("return softmax(scores) @ values", "return (softmax(scores) @ values).T")),
        Misconception("weighted sum divided once more", "the weights have shared out everything already",
            "What do a query's weights sum to, and so what is left to divide by?",
            ("@ values", "@ values / len(keys)")),
        Misconception("keys not transposed", "a query's entries meet those of several keys",
            "Over which axis of the queries, and which of the keys, does the product sum?",
            ("keys.T", "keys"),
            "return softmax(queries @ keys / np.sqrt(keys.shape[1]), axis=1) @ values"),
        Misconception("weights transposed", "a column of the weights is used where a row belongs",
            "Which row of the weights belongs to the first query?",
            ("softmax(scores)", "softmax(scores).T")),
        Misconception("axis of length 1 lost", "an axis of length 1 has vanished",
            "What shape should come back for one query, or for values with one column?",
            ("softmax(scores) @ values", "np.squeeze(softmax(scores) @ values)"),
            ("return softmax(scores) @ values",
             "output = softmax(scores) @ values\n    return output[0] if len(output) == 1 else output")),
        Misconception("no shift by the maximum", "exp of a large score is infinite",
            "What is exp(1000)? Which shift leaves the ratio alone?",
            ("softmax(scores)", "(np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))"),
            ("softmax(scores)", "np.nan_to_num(np.exp(scores) / np.exp(scores).sum(-1, keepdims=True))")),
        Misconception("one maximum for all rows", "one maximum for all queries",
            "What is left of the row whose scores are smallest?",
            ("return softmax(scores)",
             "kernel = np.exp(scores - scores.max())\n    return kernel / kernel.sum(-1, keepdims=True)")),
        Misconception("broadcast along the wrong axis", "the row sums are divided along the wrong axis",
            "Print both shapes at the division: which row does each sum meet?",
            ("return softmax(scores)",
             "kernel = np.exp(scores - scores.max(-1, keepdims=True))\n    return kernel / kernel.sum(-1)")),
        Misconception("exponential taken twice", "an exponential of what is already an exponential",
            "How many exponentials stand between a score and its weight?",
            ("softmax(scores)", "softmax(softmax(scores))")),
        WRITES,
    ),
)
