"""How `AdditiveAttention` is judged."""

from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention import modules

from ...judging.mistakes import mistake
from .both_modules import CRITERIA, FORWARD, SECOND, attention_case, changed, inputs, shared_misconceptions
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
        ("lengths", (2, 2, 3, 5, 2, 4, 2), "one length per query, one of them 0", [[3, 0], [1, 2]]),
        ("eval", (2, 3, 4, 2, 3, 4, 0), "equal keys, after eval(), dropout 0.4", None, 0.4),
        ("dropout", (2, 4, 5, 2, 3, 4, 0), "equal keys, in training, dropout 0.25", None, 0.25, True),
        ("dropout", (2, 4, 5, 2, 3, 4, 0), "after eval() and train() again, dropout 0.5", None, 0.5, True, True),
        ("gradient", (1, 2, 2, 2, 1, 2, 1), "with gradients"),
        ("second", (2, 2, 3, 5, 2, 4, 2), SECOND),
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
        ("one", (2, 3, 4, 1, 1, 7, 2), "queries and keys of width 1"),
        ("lengths", (2, 3, 4, 20, 2, 8, 6), "one length per batch entry", [3, 1]),
        ("lengths", (2, 3, 4, 5, 3, 7, 6), "one length per query", [[4, 1, 3], [2, 0, 1]]),
        ("lengths", (3, 3, 3, 3, 3, 3, 3), "3 x 3 x 3 with lengths", [2, 1, 0]),
        ("lengths", (1, 2, 3, 4, 2, 5, 6), "one batch entry, one length", [2]),
        ("lengths", (1, 1, 3, 4, 2, 5, 6), "one query, its own length", [[2]]),
        ("lengths", (2, 2, 10, 20, 2, 8, 4), "two queries, lengths 2 and 6", [2, 6]),
        ("eval", (2, 4, 5, 5, 3, 7, 0), "equal keys, after eval(), dropout 0.4", None, 0.4),
        ("dropout", (2, 7, 8, 5, 3, 7, 0), "equal keys, in training, dropout 0.3", None, 0.3, True),
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


BENDS = ("relu", "sigmoid", "gelu", "leaky_relu", "silu", "elu", "hardtanh", "softplus", "softsign")
SCALES = (
    "/ math.sqrt(features.shape[-1])",
    "/ features.shape[-1]",
    "/ math.sqrt(queries.shape[-1])",
    "/ math.sqrt(keys.shape[-1])",
)

SCORE = """features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        scores = self.w_v(torch.tanh(features)).squeeze(-1)"""
WHOLE = f"""class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
{FORWARD.format(score=SCORE)}"""

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    builds_on=("masked_softmax",),
    free=("dropout",),
    steps=("scores",),
    by_error=("an axis too many in the scores", "axis of length 1 lost"),
    variant=Variant(
        "What goes into tanh is the query's map *minus* the key's.",
        (".unsqueeze(2) + self", ".unsqueeze(2) - self"),
        ("one", "plain", "lengths"),
    ),
    criteria=(Criterion("W_q, W_k and w_v learn, and they alone", modules.parameters, ("plain",), built=True),
        *CRITERIA),
    misconceptions=(
        mistake("tanh missing, or on the queries alone", ("torch.tanh(features)", "features")),
        mistake("tanh in the wrong place",
            ("self.w_v(torch.tanh(features))", "torch.tanh(self.w_v(features))"),
            ("queries).", "queries).tanh().", "keys).", "keys).tanh().", "torch.tanh(features)", "features"),
            ("keys).", "keys).tanh().", "torch.tanh(features)", "features"),
            ("queries).", "queries).tanh().", "keys).", "keys).tanh()."),
            ("self.w_v(torch.tanh(features))", "torch.tanh(self.w_v(torch.tanh(features)))")),
        mistake("another function in place of tanh",
            *(("torch.tanh", f"nn.functional.{bend}") for bend in BENDS)),
        mistake("multiplied instead of added", (".unsqueeze(2) + self", ".unsqueeze(2) * self")),
        mistake("axes not lined up for broadcasting",
            ("queries).unsqueeze(2)", "queries).unsqueeze(1)", "keys).unsqueeze(1)", "keys).unsqueeze(2)"),
            (".unsqueeze(2)", "", ".unsqueeze(1)", ""), (".unsqueeze(1)", ""),
            (".unsqueeze(1)", "", ".unsqueeze(2)", ".unsqueeze(1)"), (".unsqueeze(2)", ""),
            (".unsqueeze(2)", "", ".unsqueeze(1)", ".unsqueeze(2)"), (".unsqueeze(2)", ".unsqueeze(1)"),
            (".unsqueeze(2)", "", ".unsqueeze(1)", "", ".squeeze(-1)", ".mT")),
        mistake("values projected", changed(WHOLE, "@ values", "@ self.W_k(values)"),
            changed(WHOLE, "@ values", "@ self.W_q(values)")),
        mistake("query and key sizes swapped",
            ("W_q = nn.Linear(query", "W_q = nn.Linear(key", "W_k = nn.Linear(key", "W_k = nn.Linear(query")),
        mistake("bias added", ("bias=False", "bias=True")),
        mistake("scores scaled where they are not",
            *((".squeeze(-1)", f".squeeze(-1) {scale}") for scale in SCALES),
            changed(WHOLE, ".squeeze(-1)", ".squeeze(-1) / math.sqrt(values.shape[-1])")),
        mistake("an axis too many in the scores", (".squeeze(-1)", "")),
        *shared_misconceptions(WHOLE),
    ),
)
