"""How `AdditiveAttention` is judged."""

from typing import Any

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part

from ..shown import modules
from .both_modules import PARTS, attention_case, inputs, shared_misconceptions
from .cases import tensor


def examples() -> tuple[Case, ...]:
    lesson = attention_case(
        "one",
        (tensor([[[1, 2]]]), tensor([[[-1], [0], [1]]]), tensor([np.eye(3)])),
        {"query_size": 2, "key_size": 1, "num_hiddens": 2},
        {"W_q.weight": np.eye(2), "W_k.weight": [[1], [-1]], "w_v.weight": [[1, -1]]},
        "the lesson's example",
    )
    rng = np.random.default_rng(51)
    rows = (
        ("plain", (2, 2, 3, 5, 2, 4, 2)),
        ("plain", (2, 2, 2, 2, 2, 2, 2), "all sizes equal"),
        ("lengths", (2, 2, 3, 5, 2, 4, 2), "one length per batch entry", [2, 1]),
        ("dropout", (1, 2, 3, 2, 3, 4, 0), "after eval(), dropout 0.5", None, 0.5),
        ("dropout", (2, 5, 5, 2, 3, 4, 0), "in training, dropout 0.25", None, 0.25, True),
        ("gradient", (1, 2, 2, 2, 1, 2, 1), "with gradients"),
    )
    return lesson, *(case(rng, *row) for row in rows)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    rows = (
        ("plain", (2, 3, 4, 20, 2, 8, 6), "query width 20, key width 2"),
        ("plain", (3, 3, 3, 3, 3, 3, 3), "3 x 3 x 3"),
        ("plain", (2, 5, 5, 4, 4, 7, 4), "as many queries as keys"),
        ("one", (1, 3, 4, 5, 2, 7, 6), "one batch entry"),
        ("one", (2, 1, 4, 5, 3, 7, 6), "one query"),
        ("one", (2, 3, 1, 5, 3, 7, 6), "one key"),
        ("one", (2, 3, 4, 5, 3, 7, 1), "values of width 1"),
        ("lengths", (2, 3, 4, 20, 2, 8, 6), "one length per batch entry", [3, 1]),
        ("lengths", (2, 3, 4, 5, 3, 7, 6), "one length per query", [[4, 1, 3], [2, 0, 1]]),
        ("lengths", (3, 3, 3, 3, 3, 3, 3), "3 x 3 x 3 with lengths", [2, 1, 0]),
        ("lengths", (2, 1, 10, 20, 2, 8, 4), "one query, lengths 2 and 6", [2, 6]),
        ("dropout", (2, 4, 5, 5, 3, 7, 0), "after eval(), dropout 0.5", [5, 3], 0.5),
        ("dropout", (2, 7, 8, 5, 3, 7, 0), "in training, dropout 0.3", [8, 5], 0.3, True),
        ("gradient", (2, 3, 4, 5, 3, 7, 6), "with gradients"),
        ("gradient", (2, 3, 4, 5, 3, 7, 6), "with gradients", [0, 3]),
    )
    return tuple(case(rng, *row) for row in rows)


def case(rng: np.random.Generator, tag: str, sizes: tuple[int, ...], *more: Any) -> Case:
    """sizes: batch, n_q, n_k, query_size, key_size, num_hiddens, d_v. more: the label and so on."""
    batch, n_q, n_k, query_size, key_size, num_hiddens, d_v = sizes
    weights = {
        "W_q.weight": rng.normal(size=(num_hiddens, query_size)),
        "W_k.weight": rng.normal(size=(num_hiddens, key_size)),
        "w_v.weight": 2 * rng.normal(size=(1, num_hiddens)),
    }
    given = inputs(rng, tag, (batch, n_q, query_size), (batch, n_k, key_size), d_v)
    init = {"query_size": query_size, "key_size": key_size, "num_hiddens": num_hiddens}
    return attention_case(tag, given, init, weights, *more)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    builds_on=("masked_softmax",),
    parts=(Part("learns W_q, W_k and w_v, and nothing else", modules.parameters, ("plain",)), *PARTS),
    misconceptions=(
        Misconception("no tanh, tanh misplaced, relu", "the sum of query and key is not bent as it should be",
            "Are the weights the same for every query? What exactly goes into tanh?",
            ("torch.tanh(features)", "features"),
            ("torch.tanh", "torch.relu"),
            ("torch.tanh", "torch.sigmoid"),
            ("self.w_v(torch.tanh(features))", "torch.tanh(self.w_v(features))"),
            ("queries).", "queries).tanh().", "keys).", "keys).tanh().", "torch.tanh(features)", "features")),
        Misconception("axes missing or swapped", "the sum does not pair every query with every key",
            "Name every axis of the sum. Which one does each side lack?",
            ("queries).unsqueeze(2)", "queries).unsqueeze(1)", "keys).unsqueeze(1)", "keys).unsqueeze(2)"),
            (".unsqueeze(2)", "", ".unsqueeze(1)", ""),
            (".unsqueeze(1)", ""),
            (".unsqueeze(1)", "", ".unsqueeze(2)", ".unsqueeze(1)"),
            (".unsqueeze(2)", ""),
            (".unsqueeze(2)", "", ".unsqueeze(1)", ".unsqueeze(2)"),
            (".unsqueeze(2)", ".unsqueeze(1)"),
            (".unsqueeze(1)", ".unsqueeze(2)"),
            (".squeeze(-1)", "")),
        Misconception("projected values", "they have passed through a layer",
            "Where do the values enter the formula?",
            ("@ values", "@ self.W_k(values)"),
            ("@ values", "@ self.W_q(values)")),
        Misconception("extra scale, bias, swapped sizes",
            "layers or score have something that the formula has not",
            "Which input feeds W_q, how wide is it, and what does the formula divide by or add?",
            ("W_q = nn.Linear(query", "W_q = nn.Linear(key", "W_k = nn.Linear(key", "W_k = nn.Linear(query"),
            ("bias=False", "bias=True"),
            (".squeeze(-1)", ".squeeze(-1) / math.sqrt(features.shape[-1])"),
            (".squeeze(-1)", ".squeeze(-1) / math.sqrt(queries.shape[-1])"),
            (".squeeze(-1)", ".squeeze(-1) / math.sqrt(keys.shape[-1])")),
        *shared_misconceptions(),
    ),
)
