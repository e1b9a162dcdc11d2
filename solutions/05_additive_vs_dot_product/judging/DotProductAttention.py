"""How `DotProductAttention` is judged."""

from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention import modules

from ...judging.mistakes import mistake
from .both_modules import (
    CRITERIA,
    FORWARD,
    HIDDEN,
    SECOND,
    SOFTMAX,
    attention_case,
    changed,
    inputs,
    shared_misconceptions,
)


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(52)
    rows = (
        ("plain", (2, 2, 3, 5, 4)),
        ("plain", (2, 2, 2, 2, 2), "all sizes equal"),
        ("one", (2, 1, 3, 5, 2), "one query"),
        ("lengths", (2, 2, 3, 5, 4), "one length per batch entry", [2, 1]),
        ("lengths", (2, 2, 3, 5, 4), "one length per query, one of them 0", [[3, 0], [1, 2]]),
        ("eval", (2, 3, 4, 7, 0), "equal keys, after eval(), dropout 0.4", None, 0.4),
        ("dropout", (2, 4, 5, 5, 0), "equal keys, in training, dropout 0.25", None, 0.25, True),
        ("dropout", (2, 4, 5, 5, 0), "after eval() and train() again, dropout 0.5", None, 0.5, True, True),
        ("gradient", (1, 2, 2, 3, 1), "with gradients"),
        ("second", (2, 3, 5, 7, 6), SECOND),
    )
    return tuple(case(rng, *row) for row in rows)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    rows = (
        ("plain", (2, 3, 4, 5, 6), "no two sizes equal"),
        ("plain", (3, 3, 3, 3, 3), "3 x 3 x 3"),
        ("plain", (2, 5, 5, 7, 7), "as many queries as keys"),
        ("plain", (2, 3, 2, 16, 5), "width 16"),
        ("one", (1, 3, 4, 5, 6), "one batch entry"),
        ("one", (2, 1, 4, 5, 6), "one query"),
        ("one", (2, 3, 1, 5, 6), "one key"),
        ("one", (2, 3, 4, 5, 1), "values of width 1"),
        ("one", (2, 3, 4, 1, 2), "queries and keys of width 1"),
        ("lengths", (2, 3, 4, 5, 6), "one length per batch entry", [3, 1]),
        ("lengths", (2, 3, 4, 5, 6), "one length per query", [[4, 1, 3], [2, 0, 1]]),
        ("lengths", (3, 3, 3, 3, 3), "3 x 3 x 3 with lengths", [2, 1, 0]),
        ("lengths", (1, 2, 3, 4, 6), "one batch entry, one length", [2]),
        ("lengths", (1, 1, 3, 4, 6), "one query, its own length", [[2]]),
        ("eval", (2, 4, 5, 7, 0), "equal keys, after eval(), dropout 0.4", None, 0.4),
        ("dropout", (2, 7, 8, 5, 0), "equal keys, in training, dropout 0.3", None, 0.3, True),
        ("gradient", (2, 3, 4, 5, 6), "with gradients"),
        ("gradient", (2, 3, 4, 5, 6), "with gradients", [0, 3]),
    )
    return tuple(case(rng, *row) for row in rows)


def case(rng: np.random.Generator, tag: str, sizes: tuple[int, ...], *more: Any) -> Case:
    """sizes: batch, n_q, n_k, d, d_v. more: the label and so on."""
    batch, n_q, n_k, d, d_v = sizes
    return attention_case(tag, inputs(rng, tag, (batch, n_q, d), (batch, n_k, d), d_v), {}, {}, *more)


WHOLE = f"""class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
{FORWARD.format(score="scores = queries @ keys.transpose(1, 2) / math.sqrt(keys.shape[-1])")}"""

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    builds_on=("masked_softmax",),
    free=("dropout",),
    steps=("scores",),
    variant=Variant(
        "The scores are divided by d, not by its root.",
        ("math.sqrt(keys.shape[-1])", "keys.shape[-1]"),
        ("one", "plain", "lengths"),
    ),
    by_error=("axis of length 1 lost",),
    criteria=(
        *CRITERIA[:-1],
        Criterion("gradients reach queries, keys and values; no parameter is added", modules.gradients_alone,
            ("gradient",)),
    ),
    misconceptions=(
        mistake("not divided by √d_k", (" / math.sqrt(keys.shape[-1])", ""),
            question="How does the spread of the dot products grow with d?"),
        mistake("divided by the wrong power of d_k", ("math.sqrt(keys.shape[-1])", "keys.shape[-1]"),
            ("/ math.sqrt", "* math.sqrt"), ("math.sqrt(keys.shape[-1])", "(keys.shape[-1] ** 1 / 2)"),
            ("math.sqrt(keys.shape[-1])", "keys.shape[-1] ** 1 / 2"),
            detail="divided by d, by d / 2 or 2d, or multiplied by √d",
            question="What is your divisor at d = 9?"),
        mistake("divided by the root of the wrong length", ("keys.shape[-1]", "keys.shape[1]"),
            ("keys.shape[-1]", "queries.shape[1]"), ("keys.shape[-1]", "queries.shape[0]"),
            changed(WHOLE, "keys.shape[-1]", "values.shape[-1]"),
            detail="under the root stands another size than the width of queries and keys",
            question="Over which axis does the product sum?"),
        mistake("scaled after the softmax",
            changed(WHOLE, " / math.sqrt(keys.shape[-1])", "", SOFTMAX, f"{SOFTMAX} / math.sqrt(keys.shape[-1])")),
        mistake("batch axis transposed", ("transpose(1, 2)", "transpose(0, 1)"),
            ("transpose(1, 2)", "transpose(0, 2)"),
            question="Which axes swap when there is a batch in front?"),
        mistake("keys not transposed", ("keys.transpose(1, 2)", "keys"),
            detail="the product sums over the keys, not over their features",
            question="Over which axis of the keys does your product sum?"),
        mistake("softmax over the whole matrix",
            changed(WHOLE, SOFTMAX, f"{HIDDEN}.flatten(1).softmax(dim=-1).view_as(scores).nan_to_num()")),
        *shared_misconceptions(
            WHOLE,
            ("queries @ keys", "queries @ queries"),
            ("queries @ keys", "keys @ queries"),
            ("queries @ keys", "keys @ keys"),
            ("@ keys", "@ values"),
        ),
    ),
)
