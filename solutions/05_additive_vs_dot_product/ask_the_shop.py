"""How `ask_the_shop` is judged."""

import numpy as np

from autograder.exercises import Case, Exercise, Misconception, Part, Twin, common, common_mistakes
from attention import shares
from attention.library import ATTENTION

from .cases import tensor

SCORES = "queries @ keys.transpose(1, 2)"
SCALE = " / math.sqrt(keys.shape[-1])"
SOFTMAX = "scores.softmax(dim=-1)"


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(57)
    return (
        case(rng, 1, 1, 6, 8, "one shop"),
        case(rng, 2, 3, 4, 5, "two shops, three things asked for in each"),
        case(rng, 3, 3, 3, 3, "all sizes equal"),
        case(rng, 2, 2, 3, 1, "words of one number"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = (4, 1, 6, 8), (2, 2, 2, 2), (2, 5, 3, 7), (1, 4, 1, 3), (3, 2, 5, 1)
    return tuple(case(rng, *one) for one in sizes)


def case(rng: np.random.Generator, batch: int, n_q: int, n_k: int, d: int, label: str = "") -> Case:
    shapes = (batch, n_q, d), (batch, n_k, d), (batch, n_k, 1)
    return Case("shop", tuple(tensor(rng.normal(size=shape)) for shape in shapes), label=label)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    graded=False,
    results=("answers", "weights"),
    steps=("scores",),
    library=ATTENTION,
    twin=Twin("The scores are divided by d, not by its root.", ("math.sqrt(keys.shape[-1])", "keys.shape[-1]")),
    parts=(
        Part("an answer and a row of weights for each query", common.shape),
        Part("every query's weights sum to 1", shares.rows_sum_to_one),
        Part("answers and weights are the right ones", common.agrees),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception("not divided by √d_k", "the dot products go into the softmax as they are",
            "How does the spread of the dot products grow with d?",
            (SCALE, "")),
        Misconception("divided by the wrong power of d_k", "not by its square root",
            "What is your divisor at d = 9?",
            ("math.sqrt(keys.shape[-1])", "keys.shape[-1]"),
            ("math.sqrt(keys.shape[-1])", "keys.shape[-1] ** 1 / 2"),
            ("/ math.sqrt", "* math.sqrt")),
        Misconception("scaled after the softmax", "the weights are divided, not the scores",
            "What do the weights of one query sum to?",
            (SCALE, "", SOFTMAX, f"{SOFTMAX}{SCALE}")),
        Misconception("batch axis transposed", "other axes than the last two changed places",
            "Which axes swap when there is a batch in front?",
            ("keys.transpose(1, 2)", "keys.T")),
        Misconception("axis of length 1 lost", "an axis of length 1 that belongs to the shape is gone",
            "Which 1s vanished, and what did each of them count?",
            ("weights @ prices,", "(weights @ prices).squeeze(-1),"),
            ("weights @ prices, weights", "(weights @ prices).squeeze(), weights.squeeze()")),
        common_mistakes.writes_into_its_input(),
        Misconception("divided by the root of the wrong length",
            "under the root stands another size than the width of queries and keys",
            "Over which axis does the product sum?",
            ("keys.shape[-1]", "keys.shape[1]"),
            ("keys.shape[-1]", "queries.shape[1]")),
        Misconception("weights not normalised", "exponentials are the weights, not divided by the sum of their row",
            "What do the weights of one query sum to?",
            ("scores.softmax(dim=-1)", "scores.exp()")),
        Misconception("softmax over the queries", "the shares of one key are summed to 1, not those of one query",
            "For one query, what is shared out among the keys?",
            (SOFTMAX, "scores.softmax(dim=1)")),
        Misconception("softmax over the whole matrix", "one softmax for more than one query's scores",
            "What does each row sum to?",
            (SOFTMAX, "scores.flatten(1).softmax(dim=-1).view_as(scores)"),
            (SOFTMAX, "scores.flatten().softmax(dim=-1).view_as(scores)")),
        Misconception("Q, K or V in the wrong place",
            "the wrong two are compared, or in the wrong order, or something else is mixed",
            "What does a row of your scores belong to, and which of the three does the answer consist of?",
            (SCORES, "keys @ queries.transpose(1, 2)"),
            (SCORES, "queries @ queries.transpose(1, 2)"),
            ("weights @ prices", "weights @ keys")),
        Misconception("results in the wrong order", "the weights come first",
            "What does the docstring say comes first?",
            ("return weights @ prices, weights", "return weights, weights @ prices")),
    ),
)
