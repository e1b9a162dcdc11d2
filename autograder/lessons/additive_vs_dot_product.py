"""Lesson 05, two ways to score: what it asks and how it is judged."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder.exercise import Case, Exercise, Lesson, Misconception, ModuleState, Part, Tensor
from autograder.rules import additive_vs_dot_product as own
from autograder.rules import common, modules

Array = np.ndarray
T = torch.Tensor


def _tensor(values: Any) -> Tensor:
    """Numbers as a float32 tensor, rounded so that they are short to store."""
    return Tensor(np.round(np.asarray(values, dtype=np.float64), 2).astype(np.float32))


def _lengths(values: Any) -> Tensor:
    return Tensor(np.asarray(values, dtype=np.int64))


# --- predictions ------------------------------------------------------------------------------------------


def _prediction(id: str, names: str, title: str, *misconceptions: Misconception) -> Exercise:
    return Exercise(
        id=id,
        signature=names,
        parts=(Part(title, own.reconsider),),
        examples=lambda: (Case("values", tolerance=0.01),),
        values=tuple(names.split(", ")),
        misconceptions=misconceptions,
        graded=False,
    )


SHAPE = _prediction(
    "guess_shape",
    "axes_in_all, batches, rows, columns",
    "the shape (2, 2, 4) is read rightly",
    Misconception(
        "shape misread",
        "shape misread: the numbers are taken from the wrong end, or the axes miscounted",
        "Which number says how many entries stand side by side in one row?",
        (
            lambda: (2, 2, 4, 3),
            lambda: (2, 2, 4, 2),
            lambda: (3, 2, 4, 2),
            lambda: (2, 2, 2, 4),
            lambda: (3, 4, 2, 2),
            lambda: (3, 2, 4, 3),
        ),
    ),
)

WEIGHTS = _prediction(
    "guess_weights",
    "weights_of_length_3",
    "the four weights of a row of length 3",
    Misconception(
        "mask ignored",
        "mask ignored: the hidden key still takes part",
        "Which keys may share at all?",
        (lambda: ([0.1, 0.2, 0.3, 0.4],),),
    ),
    Misconception(
        "masked after softmax",
        "masked after softmax: the hidden key's share is lost to everyone",
        "What do your four weights sum to?",
        (lambda: ([0.1, 0.2, 0.3, 0.0],),),
    ),
    Misconception(
        "off by one",
        "off by one: too many or too few keys are left",
        "Count the keys that survive a length of 3.",
        (lambda: ([1 / 3, 2 / 3, 0, 0],),),
    ),
    Misconception(
        "shared out evenly",
        "shared out evenly: the scores no longer matter",
        "Should a key with a higher score not get more?",
        (lambda: ([1 / 3, 1 / 3, 1 / 3, 0],), lambda: ([0.25, 0.25, 0.25, 0.25],)),
    ),
)

SLIPS = _prediction(
    "find_the_slips",
    "experiment_1, experiment_2, experiment_3",
    "each experiment has its cause",
    Misconception(
        "lengths repeated in the wrong order",
        "lengths repeated in the wrong order: but there is a single batch entry in the experiments",
        "Can a length reach another batch's rows when there is only one batch entry?",
        (lambda: ("b", "d", "a"), lambda: ("c", "b", "a"), lambda: ("c", "d", "b")),
    ),
    Misconception(
        "causes swapped",
        "causes swapped between the second and the third experiment",
        "In which of the two is there still a real score to compare with?",
        (lambda: ("c", "a", "d"),),
    ),
)

EQUAL_KEYS = _prediction(
    "guess_equal_keys",
    "first_weight_batch_0, first_weight_batch_1",
    "the first key's weight in both batch entries",
    Misconception(
        "mask ignored",
        "mask ignored: all ten keys share",
        "How many of the ten keys lie within the valid length?",
        (lambda: (0.1, 0.1),),
    ),
    Misconception(
        "the first takes all",
        "the first takes all: but what sets it apart from the second?",
        "How do the scores of two equal keys differ?",
        (lambda: (1.0, 1.0),),
    ),
)

SQUEEZED = _prediction(
    "guess_squeezed",
    "squeezed_one_query, squeezed_three_queries, promised_one_query",
    "the three shapes",
    Misconception(
        "squeezed too much",
        "squeezed too much: an axis is taken away that squeeze(1) leaves, or that the contract keeps",
        "What is the length of axis 1 in each case, and which letter of the contract names it?",
        (
            lambda: ((2, 4), (2, 4), (2, 1, 4)),
            lambda: ((2, 4), (6, 4), (2, 1, 4)),
            lambda: ((2, 4), (3, 4), (2, 1, 4)),
            lambda: ((2, 4), (2, 3, 4), (2, 4)),
        ),
    ),
)

LEARNERS = _prediction(
    "guess_learners",
    "bare_dot_product_learns, additive_learns, mapped_dot_product_learns",
    "who can learn and who can not",
    Misconception(
        "learning without parameters",
        "learning without parameters: a step of training would change nothing there",
        "What does the optimizer change, and how much of it does this contestant have?",
        (lambda: (True, True, True), lambda: (True, False, True), lambda: (True, True, False)),
    ),
    Misconception(
        "only the score can learn",
        "only the score can learn: but a map in front of it has parameters too",
        "How many parameters has nn.Linear(8, 8, bias=False)?",
        (lambda: (False, True, False),),
    ),
)


# --- masked_softmax ---------------------------------------------------------------------------------------


def _softmax_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(5)
    lesson = Tensor(
        np.log(np.array([[[1, 2, 3, 4], [4, 3, 2, 1]], [[1, 1, 1, 1], [1, 2, 3, 4]]])).astype(np.float32)
    )
    scores = _scores(rng, 2, 3, 4)
    return (
        Case("none", (scores, None), label="no lengths"),
        Case("none", (_tensor([[[1000, 1001, 999]]]), None), label="large scores, no lengths"),
        Case("batch", (lesson, _lengths([2, 3])), label="the lesson's example, one length per batch entry"),
        Case("batch", (scores, _lengths([3, 1])), label="one length per batch entry"),
        Case("batch", (_tempting(rng, 2, 2, 3, [2, 1]), _lengths([2, 1])), label="hidden keys score highest"),
        Case(
            "query", (lesson, _lengths([[1, 3], [2, 4]])), label="the lesson's example, one length per query"
        ),
        Case("query", (scores, _lengths([[4, 1, 2], [2, 3, 1]])), label="one length per query"),
        Case("low", (_low(rng, 2, 2, 3, -3e6, [2, 1]), _lengths([2, 1])), label="real scores of -3,000,000"),
        Case("empty", (_scores(rng, 2, 2, 3), _lengths([0, 2])), label="batch entry 0 has length 0"),
        Case("gradient", (_scores(rng, 2, 2, 3), _lengths([2, 0])), label="with gradients", gradient_of=(0,)),
    )


def _softmax_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        Case("none", (_scores(rng, 3, 2, 5), None), label="no lengths"),
        Case("none", (Tensor(rng.normal(size=(2, 3, 4)) * 2000), None), label="large scores, no lengths"),
        Case("batch", (_scores(rng, 3, 2, 5), _lengths([4, 2, 5])), label="three batch entries"),
        Case("batch", (_scores(rng, 3, 3, 3), _lengths([2, 1, 3])), label="3 x 3 x 3"),
        Case("batch", (_scores(rng, 2, 1, 6), _lengths([5, 2])), label="one query"),
        Case("batch", (_scores(rng, 1, 4, 3), _lengths([2])), label="one batch entry"),
        Case("batch", (_scores(rng, 2, 4, 4), _lengths([4, 4])), label="full lengths"),
        Case("batch", (Tensor(rng.normal(size=(2, 3, 5)) * 2000), _lengths([3, 2])), label="large scores"),
        Case(
            "batch",
            (_tempting(rng, 3, 2, 4, [3, 1, 2]), _lengths([3, 1, 2])),
            label="hidden keys score highest",
        ),
        Case(
            "query", (_scores(rng, 3, 2, 5), _lengths([[4, 1], [2, 5], [3, 1]])), label="one length per query"
        ),
        Case(
            "query", (_scores(rng, 3, 3, 3), _lengths([[1, 3, 2], [2, 1, 3], [3, 2, 1]])), label="3 x 3 x 3"
        ),
        Case(
            "query",
            (_scores(rng, 4, 1, 3), _lengths([[1], [3], [2], [1]])),
            label="one query, its own length",
        ),
        Case("query", (_scores(rng, 1, 5, 4), _lengths([[4, 1, 3, 2, 1]])), label="one batch entry"),
        Case("low", (_low(rng, 2, 3, 4, -3e6, [3, 2]), _lengths([3, 2])), label="very low real scores"),
        Case(
            "low",
            (_low(rng, 3, 2, 5, -5e6, [1, 4, 2]), _lengths([[1, 1], [4, 4], [2, 2]])),
            label="very low real scores",
        ),
        Case("empty", (_scores(rng, 3, 2, 5), _lengths([2, 0, 4])), label="batch entry 1 has length 0"),
        Case(
            "empty",
            (_scores(rng, 2, 3, 4), _lengths([[0, 3, 1], [2, 0, 4]])),
            label="two queries have length 0",
        ),
        Case(
            "empty",
            (_low(rng, 2, 2, 3, -3e6, [1, 0]), _lengths([1, 0])),
            label="very low scores and a length of 0",
        ),
        Case(
            "huge",
            (_low(rng, 2, 2, 4, -3e9, [2, 3]), _lengths([2, 3])),
            label="real scores of minus 3 thousand million",
        ),
        Case("huge", (_low(rng, 2, 3, 4, -3e37, [1, 3]), _lengths([1, 3])), label="the lowest real scores"),
        Case(
            "gradient", (_scores(rng, 3, 2, 4), _lengths([3, 0, 2])), label="with gradients", gradient_of=(0,)
        ),
        Case(
            "gradient",
            (_scores(rng, 2, 3, 4), _lengths([[1, 0, 4], [3, 2, 0]])),
            label="with gradients",
            gradient_of=(0,),
        ),
        Case("gradient", (_scores(rng, 2, 3, 4), None), label="with gradients, no lengths", gradient_of=(0,)),
    )


def _scores(rng: np.random.Generator, *shape: int) -> Tensor:
    return _tensor(rng.normal(size=shape) * 2)


def _tempting(rng: np.random.Generator, batch: int, n_q: int, n_k: int, lengths: list[int]) -> Tensor:
    """Scores of which those of the hidden keys are higher by far, so that a softmax over all leaves the others 0."""
    scores = rng.normal(size=(batch, n_q, n_k))
    for entry, length in enumerate(lengths):
        scores[entry, :, length:] += 300
    return _tensor(scores)


def _low(
    rng: np.random.Generator, batch: int, n_q: int, n_k: int, bottom: float, lengths: list[int]
) -> Tensor:
    """Real scores near `bottom`, half-integers apart; hidden ones near 0.

    In float64 down to -1e7, since exp(x - logsumexp(x)) of such float32 numbers is too coarse.
    """
    scores = np.round(rng.normal(size=(batch, n_q, n_k)) * 2) / 2
    for entry, length in enumerate(lengths):
        scores[entry, :, :length] += bottom
    return Tensor(scores if bottom > -1e7 else scores.astype(np.float32))


def _hidden(X: T, valid_lens: T) -> T:
    return torch.arange(X.shape[-1]) >= valid_lens.reshape(X.shape[0], -1, 1)


def _share(X: T, hidden: T | None, fill: float = -math.inf, dim: int = -1) -> T:
    """Right weights for any places to hide, so that each wrong answer below is wrong in one thing."""
    if hidden is None:
        return X.softmax(dim=dim)
    return X.masked_fill(hidden, fill).softmax(dim=dim).masked_fill(hidden, 0.0)


def _masked(X: T, valid_lens: T | None) -> T:
    return _share(X, None if valid_lens is None else _hidden(X, valid_lens))


def _hiding(places: Callable[[T, T], T]) -> Callable[..., T]:
    """A masked softmax that is right but for the places it hides."""
    return lambda X, valid_lens=None: _share(X, None if valid_lens is None else places(X, valid_lens))


def _filling(fill: float, mended: bool = False) -> Callable[..., T]:
    """A masked softmax with another fill value; `mended` puts zeros into empty rows afterwards."""

    def masked_softmax(X: T, valid_lens: T | None = None) -> T:
        if valid_lens is None:
            return X.softmax(dim=-1)
        hidden = _hidden(X, valid_lens)
        empty = hidden.all(dim=-1, keepdim=True)
        return X.masked_fill(hidden, fill).softmax(dim=-1).masked_fill(empty & mended, 0.0)

    return masked_softmax


def _lowered(by: float) -> Callable[..., T]:
    """A masked softmax that takes something off the hidden scores."""

    def masked_softmax(X: T, valid_lens: T | None = None) -> T:
        return (X if valid_lens is None else X - by * _hidden(X, valid_lens)).softmax(dim=-1)

    return masked_softmax


def _wiped(fill: float) -> Callable[..., T]:
    """A masked softmax with another fill value that puts zeros into all hidden places afterwards."""

    def masked_softmax(X: T, valid_lens: T | None = None) -> T:
        return X.softmax(dim=-1) if valid_lens is None else _share(X, _hidden(X, valid_lens), fill)

    return masked_softmax


def _filling_in_place(places: Callable[[T, T], T]) -> Callable[..., T]:
    """As in the seed note: the scores themselves are overwritten, and -1e6 has to do."""

    def masked_softmax(X: T, valid_lens: T | None = None) -> T:
        if valid_lens is not None:
            X.masked_fill_(places(X, valid_lens), -1e6)
        return X.softmax(dim=-1)

    return masked_softmax


def _columns(X: T) -> T:
    return torch.arange(X.shape[-1])


def _repeated(X: T, valid_lens: T) -> T:
    if valid_lens.dim() == 2:
        return _hidden(X, valid_lens)
    return _hidden(X, valid_lens.repeat(X.shape[1]).reshape(X.shape[:2]))


def _first_of_each(pick: Callable[[T], T]) -> Callable[[T, T], T]:
    return lambda X, lens: _hidden(X, lens if lens.dim() == 1 else pick(lens))


def _flat_unexpanded(X: T, valid_lens: T) -> T:
    return (_columns(X) >= valid_lens.reshape(-1, 1)).reshape(X.shape)


def _indexed_unexpanded(X: T, valid_lens: T | None = None) -> T:
    if valid_lens is None:
        return X.softmax(dim=-1)
    rows = X.flatten(0, 1).clone()
    rows[_columns(X) >= valid_lens.reshape(-1, 1)] = -math.inf
    return rows.softmax(dim=-1).nan_to_num().reshape(X.shape)


def _only_per_sequence(X: T, valid_lens: T) -> T:
    return torch.stack([(_columns(X) >= length).expand(X.shape[1:]) for length in valid_lens])


def _rows_hidden(X: T, valid_lens: T) -> T:
    lengths = valid_lens.reshape(X.shape[0], 1, -1)
    return (torch.arange(X.shape[1]).reshape(1, -1, 1) >= lengths).expand(X.shape)


def _rows_filled(fill: float) -> Callable[..., T]:
    def masked_softmax(X: T, valid_lens: T | None = None) -> T:
        return (
            X.softmax(-1)
            if valid_lens is None
            else X.masked_fill(_rows_hidden(X, valid_lens), fill).softmax(-1)
        )

    return masked_softmax


def _masked_afterwards(X: T, valid_lens: T | None = None) -> T:
    return X.softmax(-1) if valid_lens is None else X.softmax(-1).masked_fill(_hidden(X, valid_lens), 0.0)


def _renormalised(X: T, valid_lens: T | None = None) -> T:
    weights = _masked_afterwards(X, valid_lens)
    return weights / weights.sum(dim=-1, keepdim=True)


def _renormalised_with_care(X: T, valid_lens: T | None = None) -> T:
    weights = _masked_afterwards(X, valid_lens)
    return weights / weights.sum(dim=-1, keepdim=True).clamp_min(1e-12)


def _times_mask(X: T, valid_lens: T | None = None) -> T:
    return X.softmax(-1) if valid_lens is None else (X * ~_hidden(X, valid_lens)).softmax(-1)


def _whole_matrix(X: T, valid_lens: T | None = None) -> T:
    lowered = X if valid_lens is None else X.masked_fill(_hidden(X, valid_lens), -math.inf)
    return lowered.flatten(1).softmax(-1).reshape(X.shape).nan_to_num()


def _over_queries(X: T, valid_lens: T | None = None) -> T:
    return _share(X, None if valid_lens is None else _hidden(X, valid_lens), dim=1)


def _over_queries_nan(X: T, valid_lens: T | None = None) -> T:
    return X.softmax(1) if valid_lens is None else X.masked_fill(_hidden(X, valid_lens), -math.inf).softmax(1)


def _detached(X: T, valid_lens: T | None = None) -> T:
    return _masked(X.detach(), valid_lens)


def _nan_gradient(X: T, valid_lens: T | None = None) -> T:
    if valid_lens is None:
        return X.softmax(-1)
    lowered = X + torch.zeros_like(X).masked_fill(_hidden(X, valid_lens), -math.inf)
    return lowered.softmax(-1).nan_to_num()


def _zeroed_in_place(X: T, valid_lens: T | None = None) -> T:
    if valid_lens is None:
        return X.softmax(-1)
    hidden = _hidden(X, valid_lens)
    weights = X.masked_fill(hidden, -math.inf).softmax(-1)
    weights[hidden.expand(X.shape)] = 0.0
    return weights


MASKED_SOFTMAX = Exercise(
    id="masked_softmax",
    signature="masked_softmax(X, valid_lens)",
    examples=_softmax_examples,
    draw=_softmax_draw,
    parts=(
        Part("without lengths it is a softmax over the keys", common.agrees, ("none",)),
        Part("one length per batch entry holds for all its queries", common.agrees, ("batch",)),
        Part("one length per query holds for that query", common.agrees, ("query",)),
        Part("real keys get all the weight, however low their scores", own.low_scores, ("low",)),
        Part(
            "hidden keys get exactly 0, and a length of 0 gives zeros", own.nothing_to_see, ("empty", "huge")
        ),
        Part(
            "leaves X and valid_lens as they were",
            common.unchanged,
            ("none", "batch", "query", "low", "empty"),
        ),
        Part("gradients flow back to X, past an empty row too", own.differentiable, ("gradient",)),
    ),
    misconceptions=(
        Misconception(
            "lengths repeated in the wrong order",
            "lengths repeated in the wrong order: a row gets another batch entry's length",
            "Write the length that you use next to each row. Whose is it?",
            (_hiding(_repeated), _filling_in_place(_repeated)),
        ),
        Misconception(
            "off by one",
            "off by one: one key too many, or one too few, survives",
            "With a length of 2, which column numbers survive? How many are there?",
            (
                _hiding(lambda X, lens: _hidden(X, lens + 1)),
                _hiding(lambda X, lens: _hidden(X, lens - 1)),
                _filling_in_place(lambda X, lens: _hidden(X, lens + 1)),
            ),
        ),
        Misconception(
            "length 0",
            "length 0, an empty row: it should be all zeros",
            "What is left to look at, and what should that row's weights be?",
            (
                _filling(-math.inf),
                _filling(float(torch.finfo(torch.float32).min)),
                _filling(-1e9),
            ),
        ),
        Misconception(
            "fill too weak",
            "fill too weak: a hidden score becomes a number that a real score can come near, or be below",
            "What is exp of your fill value? Can a real score be lower than it?",
            (
                _filling(0.0),
                _filling(0.0, mended=True),
                _filling(-10.0),
                _filling(1e-9),
                _filling(-1e6),
                _filling(-1e6, mended=True),
                _wiped(-1e6),
                _wiped(-1e4),
                _lowered(10),
                _lowered(100),
                _lowered(1e4),
                _times_mask,
            ),
        ),
        Misconception(
            "writes into its input",
            "writes into its input: X is another after the call, and a leaf that needs gradients refuses it",
            "Print X afterwards. Which memory does your assignment write to?",
        ),
        Misconception(
            "lengths per row ignored",
            "lengths per row ignored: a (batch, n_q) table is read as (batch,), or the other way round",
            "Whose length is valid_lens[b, i], and whose is valid_lens[b]?",
            (
                _hiding(_first_of_each(lambda lens: lens[:, 0])),
                _hiding(_first_of_each(lambda lens: lens[:, -1])),
                _hiding(_first_of_each(lambda lens: lens.max(dim=1).values)),
                _hiding(_first_of_each(lambda lens: lens[0].expand(lens.shape))),
                _hiding(_flat_unexpanded),
                _indexed_unexpanded,
                _hiding(_only_per_sequence),
                _hiding(lambda X, lens: _columns(X) >= lens[..., None]),
                _hiding(lambda X, lens: _columns(X) >= lens[:, None, None]),
            ),
        ),
        Misconception(
            "masks the queries",
            "masks the queries: whole rows vanish instead of columns",
            "Whose column should vanish, and whose row stay?",
            (_hiding(_rows_hidden), _rows_filled(-1e9), _rows_filled(-math.inf)),
        ),
        Misconception(
            "softmax over queries",
            "softmax over queries: the shares of one key are summed to 1, not those of one query",
            "For one query, what is shared out among the keys?",
            (_over_queries, _over_queries_nan),
        ),
        Misconception(
            "whole matrix",
            "softmax over the whole matrix of a batch entry",
            "What does each row sum to?",
            (_whole_matrix,),
        ),
        Misconception(
            "mask inverted",
            "mask inverted: it hides what it should show",
            "Print the weights of the keys beyond the length.",
            (_hiding(lambda X, lens: ~_hidden(X, lens)),),
        ),
        Misconception(
            "mask ignored",
            "mask ignored: the lengths change nothing",
            "Where does your code use valid_lens?",
            (lambda X, valid_lens=None: X.softmax(-1),),
        ),
        Misconception(
            "masked after softmax",
            "masked after softmax: hidden keys have already taken their share",
            "Do the rows still sum to 1, and what if a hidden score is the highest by far?",
            (_masked_afterwards, _renormalised, _renormalised_with_care),
        ),
        Misconception(
            "gradient cut",
            "gradient cut: nothing, or NaN, gets back to X",
            "Where does the path from X to the weights leave the graph, or meet 0/0?",
            (_detached, _nan_gradient, _zeroed_in_place),
        ),
    ),
)


# --- the two modules --------------------------------------------------------------------------------------


class _Attention(nn.Module):
    """Right but for what a subclass overrides, so that each wrong answer is wrong in one thing."""

    dropout: nn.Dropout

    def score(self, queries: T, keys: T) -> T:
        raise NotImplementedError

    def weigh(self, scores: T, valid_lens: T | None) -> T:
        return _masked(scores, valid_lens)

    def drop(self, weights: T) -> T:
        dropped: T = self.dropout(weights)
        return dropped

    def mix(self, weights: T, queries: T, keys: T, values: T) -> T:
        return self.drop(weights) @ values

    def forward(self, queries: T, keys: T, values: T, valid_lens: T | None = None) -> T:
        self.attention_weights = self.weigh(self.score(queries, keys), valid_lens)
        return self.mix(self.attention_weights, queries, keys, values)


class _Additive(_Attention):
    bias = False

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__()
        self.W_q = nn.Linear(query_size, num_hiddens, bias=self.bias)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=self.bias)
        self.w_v = nn.Linear(num_hiddens, 1, bias=self.bias)
        self.dropout = nn.Dropout(dropout)

    def pair(self, queries: T, keys: T) -> T:
        return self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)

    def score(self, queries: T, keys: T) -> T:
        return self.w_v(torch.tanh(self.pair(queries, keys))).squeeze(-1)


class _SwappedSizes(_Additive):
    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__(query_size, key_size, num_hiddens, dropout)


class _DotProduct(_Attention):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def score(self, queries: T, keys: T) -> T:
        return queries @ keys.mT / math.sqrt(keys.shape[-1])


def _variant(base: type[nn.Module], **methods: Any) -> Callable[..., Any]:
    """The right module with some of its methods, or switches, replaced."""
    return type(base.__name__, (base,), methods)


def _pairs(left: int | None, right: int | None) -> Callable[..., T]:
    """Queries and keys added with the axis of length 1 at these places (None: no axis)."""

    def pair(self: Any, queries: T, keys: T) -> T:
        one, other = self.W_q(queries), self.W_k(keys)
        one = one if left is None else one.unsqueeze(left)
        return one + (other if right is None else other.unsqueeze(right))

    return pair


def _over_the_queries(self: Any, scores: T, valid_lens: T | None) -> T:
    return _over_queries(scores, valid_lens)


def _over_the_queries_unmasked(self: Any, scores: T, valid_lens: T | None) -> T:
    return scores.softmax(dim=1)


def _over_the_queries_nan(self: Any, scores: T, valid_lens: T | None) -> T:
    return _over_queries_nan(scores, valid_lens)


def _renormalised_dropout(self: Any, weights: T) -> T:
    dropped = self.dropout(weights)
    return dropped / dropped.sum(dim=-1, keepdim=True)


def _forward_detached(self: Any, queries: T, keys: T, values: T, valid_lens: T | None = None) -> T:
    self.attention_weights = self.weigh(self.score(queries, keys).detach(), valid_lens)
    return self.mix(self.attention_weights, queries, keys, values)


def _forward_without_graph(self: Any, queries: T, keys: T, values: T, valid_lens: T | None = None) -> T:
    with torch.no_grad():
        return _Attention.forward(self, queries, keys, values, valid_lens)


def _shared_by_both(base: type[_Attention], *partners: Callable[..., Any]) -> tuple[Misconception, ...]:
    """What goes wrong in any attention module; `partners`: more ways to compare the wrong two."""

    def squeezed_score(self: Any, queries: T, keys: T) -> T:
        return base.score(self, queries, keys).squeeze()

    return (
        Misconception(
            "softmax over queries",
            "softmax over queries: the shares of one key are summed to 1, not those of one query",
            "For one query, what is shared out among the keys?",
            (
                _variant(base, weigh=_over_the_queries),
                _variant(base, weigh=_over_the_queries_unmasked),
                _variant(base, weigh=_over_the_queries_nan),
            ),
        ),
        Misconception(
            "wrong partner",
            "wrong partner: the weights mix something else than the values, or the wrong two are compared",
            "Change only the values: what moves?",
            (
                _variant(base, mix=lambda self, weights, q, k, v: self.drop(weights) @ k),
                _variant(base, mix=lambda self, weights, q, k, v: self.drop(weights) @ q),
                *partners,
            ),
        ),
        Misconception(
            "weights transposed",
            "weights transposed before they meet the values",
            "Which row of the weights belongs to query 0?",
            (_variant(base, mix=lambda self, weights, q, k, v: self.drop(weights).mT @ v),),
        ),
        Misconception(
            "mask ignored",
            "mask ignored: valid_lens changes nothing",
            "Where does valid_lens go?",
            (_variant(base, weigh=lambda self, scores, valid_lens: scores.softmax(-1)),),
        ),
        Misconception(
            "squeezed too much",
            "squeezed too much: an axis of length 1 that belongs to the shape is gone",
            "Which 1s vanished, and which of them were a batch, a query or a key?",
            (
                _variant(base, mix=lambda self, weights, q, k, v: (self.drop(weights) @ v).squeeze(1)),
                _variant(base, mix=lambda self, weights, q, k, v: (self.drop(weights) @ v).squeeze()),
                _variant(base, score=squeezed_score),
                _variant(
                    base,
                    score=squeezed_score,
                    mix=lambda self, weights, q, k, v: torch.bmm(self.drop(weights), v),
                ),
            ),
        ),
        Misconception(
            "dropout in evaluation",
            "dropout in evaluation: it is still at work after eval()",
            "Does eval() reach this call?",
            (_variant(base, drop=lambda self, weights: functional.dropout(weights, self.dropout.p)),),
        ),
        Misconception(
            "dropout elsewhere",
            "dropout elsewhere: on the output, the scores or the values, not on the weights",
            "What is being dropped: a weight, or something before or after it?",
            (_variant(base, mix=lambda self, weights, q, k, v: self.dropout(weights @ v)),),
        ),
        Misconception(
            "renormalised after dropout",
            "renormalised after dropout: the kept weights are made to sum to 1 again",
            "Should a row sum to 1 every time, or in expectation?",
            (_variant(base, drop=_renormalised_dropout),),
        ),
        Misconception(
            "gradient cut",
            "gradient cut: nothing flows back through the scores",
            "Where does the path from queries to output leave the graph?",
            (_variant(base, forward=_forward_detached), _variant(base, forward=_forward_without_graph)),
        ),
        Misconception(
            "writes into its input",
            "writes into its input: an argument is another after the call",
            "Which of your lines assign into a tensor that came from outside?",
        ),
    )


FORWARD = "forward(queries, keys, values, valid_lens=None)"

PARTS = (
    Part("one row of weights per query, each row summing to 1", modules.a_row_per_query, ("plain", "one")),
    Part("the numbers are right without lengths", modules.agrees, ("plain", "one")),
    Part("the numbers are right with lengths", modules.agrees, ("lengths",)),
    Part("dropout acts on the weights, and only in training", modules.dropout_on_weights, ("dropout",)),
    Part("leaves its inputs as they were", common.unchanged, ("plain", "lengths")),
    Part("gradients reach queries, keys and values", modules.gradients, ("gradient",)),
)


# --- AdditiveAttention ------------------------------------------------------------------------------------


def _additive_case(
    rng: np.random.Generator,
    tag: str,
    sizes: tuple[int, int, int, int, int, int, int],
    lengths: Any = None,
    dropout: float = 0.0,
    training: bool = False,
    **more: Any,
) -> Case:
    """sizes: batch, n_q, n_k, query_size, key_size, num_hiddens, d_v."""
    batch, n_q, n_k, query_size, key_size, num_hiddens, d_v = sizes
    state = ModuleState(
        {"key_size": key_size, "query_size": query_size, "num_hiddens": num_hiddens, "dropout": dropout},
        {
            "W_q.weight": _tensor(rng.normal(size=(num_hiddens, query_size))).array,
            "W_k.weight": _tensor(rng.normal(size=(num_hiddens, key_size))).array,
            "w_v.weight": _tensor(2 * rng.normal(size=(1, num_hiddens))).array,
        },
        training,
    )
    args = _inputs(rng, tag, (batch, n_q, n_k, query_size, key_size, d_v))
    kwargs = {} if lengths is None else {"valid_lens": _lengths(lengths)}
    return Case(tag, args, kwargs, module=state, **more)


def _inputs(rng: np.random.Generator, tag: str, sizes: tuple[int, ...]) -> tuple[Tensor, Tensor, Tensor]:
    batch, n_q, n_k, query_size, key_size, d_v = sizes
    queries, keys = rng.normal(size=(batch, n_q, query_size)), rng.normal(size=(batch, n_k, key_size))
    if tag == "dropout":
        return _tensor(queries), _tensor(keys), _tensor([np.c_[np.eye(n_k), np.ones(n_k)]] * batch)
    return _tensor(queries), _tensor(keys), _tensor(rng.normal(size=(batch, n_k, d_v)))


def _additive_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(51)
    lesson = Case(
        "one",
        (_tensor([[[1, 2]]]), _tensor([[[-1], [0], [1]]]), _tensor([np.eye(3)])),
        label="the lesson's example",
        module=ModuleState(
            {"key_size": 1, "query_size": 2, "num_hiddens": 2, "dropout": 0.0},
            {
                "W_q.weight": _tensor(np.eye(2)).array,
                "W_k.weight": _tensor([[1], [-1]]).array,
                "w_v.weight": _tensor([[1, -1]]).array,
            },
        ),
    )
    return (
        lesson,
        _additive_case(rng, "plain", (2, 2, 3, 5, 2, 4, 2)),
        _additive_case(rng, "plain", (2, 2, 2, 2, 2, 2, 2), label="all sizes equal"),
        _additive_case(rng, "lengths", (2, 2, 3, 5, 2, 4, 2), [2, 1], label="one length per batch entry"),
        _additive_case(rng, "dropout", (1, 2, 3, 2, 3, 4, 0), dropout=0.5, label="after eval(), dropout 0.5"),
        _additive_case(
            rng,
            "dropout",
            (2, 5, 5, 2, 3, 4, 0),
            dropout=0.25,
            training=True,
            label="in training, dropout 0.25",
        ),
        _additive_case(rng, "gradient", (1, 2, 2, 2, 1, 2, 1), label="with gradients", gradient_of=(0, 1, 2)),
    )


def _additive_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    by_query = [[4, 1, 3], [2, 0, 1]]
    return (
        _additive_case(rng, "plain", (2, 3, 4, 20, 2, 8, 6), label="query width 20, key width 2"),
        _additive_case(rng, "plain", (3, 3, 3, 3, 3, 3, 3), label="3 x 3 x 3"),
        _additive_case(rng, "plain", (2, 5, 5, 4, 4, 7, 4), label="as many queries as keys"),
        _additive_case(rng, "one", (1, 3, 4, 5, 2, 7, 6), label="one batch entry"),
        _additive_case(rng, "one", (2, 1, 4, 5, 3, 7, 6), label="one query"),
        _additive_case(rng, "one", (2, 3, 1, 5, 3, 7, 6), label="one key"),
        _additive_case(rng, "one", (2, 3, 4, 5, 3, 7, 1), label="values of width 1"),
        _additive_case(rng, "lengths", (2, 3, 4, 20, 2, 8, 6), [3, 1], label="one length per batch entry"),
        _additive_case(rng, "lengths", (2, 3, 4, 5, 3, 7, 6), by_query, label="one length per query"),
        _additive_case(rng, "lengths", (3, 3, 3, 3, 3, 3, 3), [2, 1, 0], label="3 x 3 x 3 with lengths"),
        _additive_case(rng, "lengths", (2, 1, 10, 20, 2, 8, 4), [2, 6], label="one query, lengths 2 and 6"),
        _additive_case(rng, "dropout", (2, 4, 5, 5, 3, 7, 0), [5, 3], 0.5, label="after eval(), dropout 0.5"),
        _additive_case(
            rng, "dropout", (2, 7, 8, 5, 3, 7, 0), [8, 5], 0.3, True, label="in training, dropout 0.3"
        ),
        _additive_case(rng, "gradient", (2, 3, 4, 5, 3, 7, 6), label="with gradients", gradient_of=(0, 1, 2)),
        _additive_case(
            rng, "gradient", (2, 3, 4, 5, 3, 7, 6), [0, 3], label="with gradients", gradient_of=(0, 1, 2)
        ),
    )


def _tanh_last(self: Any, queries: T, keys: T) -> T:
    return torch.tanh(self.w_v(self.pair(queries, keys))).squeeze(-1)


def _tanh_each(self: Any, queries: T, keys: T) -> T:
    bent = torch.tanh(self.W_q(queries)).unsqueeze(2) + torch.tanh(self.W_k(keys)).unsqueeze(1)
    return self.w_v(bent).squeeze(-1)


def _bent_by(bend: Callable[[T], T]) -> Callable[..., Any]:
    return _variant(_Additive, score=lambda self, q, k: self.w_v(bend(self.pair(q, k))).squeeze(-1))


def _scaled_by(width: Callable[[Any, T, T], int]) -> Callable[..., Any]:
    return _variant(
        _Additive, score=lambda self, q, k: _Additive.score(self, q, k) / math.sqrt(width(self, q, k))
    )


ADDITIVE = Exercise(
    id="AdditiveAttention",
    signature=f"{FORWARD} of AdditiveAttention(key_size, query_size, num_hiddens, dropout)",
    examples=_additive_examples,
    draw=_additive_draw,
    builds_on=("masked_softmax",),
    parts=(Part("learns W_q, W_k and w_v, and nothing else", modules.parameters, ("plain",)), *PARTS),
    misconceptions=(
        Misconception(
            "no tanh, tanh misplaced, relu",
            "no tanh, tanh misplaced, relu: the sum of query and key is not bent as it should be",
            "Are the weights the same for every query? What exactly goes into tanh?",
            (
                _bent_by(lambda features: features),
                _bent_by(torch.relu),
                _bent_by(torch.sigmoid),
                _variant(_Additive, score=_tanh_last),
                _variant(_Additive, score=_tanh_each),
            ),
        ),
        Misconception(
            "axes missing or swapped",
            "axes missing or swapped: the sum does not pair every query with every key",
            "Name every axis of the sum. Which one does each side lack?",
            (
                _variant(_Additive, pair=_pairs(1, 2)),
                _variant(_Additive, pair=_pairs(None, None)),
                _variant(_Additive, pair=_pairs(2, None)),
                _variant(_Additive, pair=_pairs(1, None)),
                _variant(_Additive, pair=_pairs(None, 1)),
                _variant(_Additive, pair=_pairs(None, 2)),
                _variant(_Additive, pair=_pairs(1, 1)),
                _variant(_Additive, pair=_pairs(2, 2)),
                _variant(_Additive, score=lambda self, q, k: self.w_v(torch.tanh(self.pair(q, k)))),
            ),
        ),
        Misconception(
            "projected values",
            "projected values: they have passed through a layer",
            "Where do the values enter the formula?",
            (
                _variant(_Additive, mix=lambda self, weights, q, k, v: self.drop(weights) @ self.W_k(v)),
                _variant(_Additive, mix=lambda self, weights, q, k, v: self.drop(weights) @ self.W_q(v)),
            ),
        ),
        Misconception(
            "extra scale, bias, swapped sizes",
            "extra scale, bias, swapped sizes: layers or score have something that the formula has not",
            "Which input feeds W_q, how wide is it, and what does the formula divide by or add?",
            (
                _SwappedSizes,
                _variant(_Additive, bias=True),
                _scaled_by(lambda self, q, k: self.W_q.out_features),
                _scaled_by(lambda self, q, k: q.shape[-1]),
                _scaled_by(lambda self, q, k: k.shape[-1]),
            ),
        ),
        *_shared_by_both(_Additive),
    ),
)


# --- DotProductAttention ----------------------------------------------------------------------------------


def _dot_case(
    rng: np.random.Generator,
    tag: str,
    sizes: tuple[int, int, int, int, int],
    lengths: Any = None,
    dropout: float = 0.0,
    training: bool = False,
    **more: Any,
) -> Case:
    """sizes: batch, n_q, n_k, d, d_v."""
    batch, n_q, n_k, d, d_v = sizes
    args = _inputs(rng, tag, (batch, n_q, n_k, d, d, d_v))
    kwargs = {} if lengths is None else {"valid_lens": _lengths(lengths)}
    state = ModuleState({"dropout": dropout}, training=training)
    return Case(tag, args, kwargs, module=state, **more)


def _dot_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(52)
    return (
        _dot_case(rng, "plain", (2, 2, 3, 5, 4)),
        _dot_case(rng, "plain", (2, 2, 2, 2, 2), label="all sizes equal"),
        _dot_case(rng, "one", (2, 1, 3, 5, 2), label="one query"),
        _dot_case(rng, "lengths", (2, 2, 3, 5, 4), [2, 1], label="one length per batch entry"),
        _dot_case(rng, "dropout", (1, 2, 3, 5, 0), dropout=0.5, label="after eval(), dropout 0.5"),
        _dot_case(
            rng, "dropout", (2, 5, 5, 5, 0), dropout=0.25, training=True, label="in training, dropout 0.25"
        ),
        _dot_case(rng, "gradient", (1, 2, 2, 3, 1), label="with gradients", gradient_of=(0, 1, 2)),
    )


def _dot_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    by_query = [[4, 1, 3], [2, 0, 1]]
    return (
        _dot_case(rng, "plain", (2, 3, 4, 5, 6), label="no two sizes equal"),
        _dot_case(rng, "plain", (3, 3, 3, 3, 3), label="3 x 3 x 3"),
        _dot_case(rng, "plain", (2, 5, 5, 7, 7), label="as many queries as keys"),
        _dot_case(rng, "plain", (2, 3, 2, 16, 5), label="width 16"),
        _dot_case(rng, "one", (1, 3, 4, 5, 6), label="one batch entry"),
        _dot_case(rng, "one", (2, 1, 4, 5, 6), label="one query"),
        _dot_case(rng, "one", (2, 3, 1, 5, 6), label="one key"),
        _dot_case(rng, "one", (2, 3, 4, 5, 1), label="values of width 1"),
        _dot_case(rng, "lengths", (2, 3, 4, 5, 6), [3, 1], label="one length per batch entry"),
        _dot_case(rng, "lengths", (2, 3, 4, 5, 6), by_query, label="one length per query"),
        _dot_case(rng, "lengths", (3, 3, 3, 3, 3), [2, 1, 0], label="3 x 3 x 3 with lengths"),
        _dot_case(rng, "dropout", (2, 4, 5, 6, 0), [5, 3], 0.5, label="after eval(), dropout 0.5"),
        _dot_case(rng, "dropout", (2, 7, 8, 5, 0), [8, 5], 0.3, True, label="in training, dropout 0.3"),
        _dot_case(rng, "gradient", (2, 3, 4, 5, 6), label="with gradients", gradient_of=(0, 1, 2)),
        _dot_case(rng, "gradient", (2, 3, 4, 5, 6), [0, 3], label="with gradients", gradient_of=(0, 1, 2)),
    )


def _scored(score: Callable[[T, T], T]) -> Callable[..., Any]:
    return _variant(_DotProduct, score=lambda self, q, k: score(q, k))


def _divided(divisor: Callable[[T, T], float]) -> Callable[..., Any]:
    return _scored(lambda q, k: q @ k.mT / divisor(q, k))


def _by_value_width(self: Any, queries: T, keys: T, values: T, valid_lens: T | None = None) -> T:
    self.attention_weights = self.weigh(queries @ keys.mT / math.sqrt(values.shape[-1]), valid_lens)
    return self.mix(self.attention_weights, queries, keys, values)


def _asks_the_values(self: Any, queries: T, keys: T, values: T, valid_lens: T | None = None) -> T:
    self.attention_weights = self.weigh(self.score(queries, values), valid_lens)
    return self.mix(self.attention_weights, queries, keys, values)


def _scaled_late(self: Any, queries: T, keys: T, values: T, valid_lens: T | None = None) -> T:
    self.attention_weights = self.weigh(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
    return self.mix(self.attention_weights, queries, keys, values)


def _flattened(self: Any, scores: T, valid_lens: T | None) -> T:
    return _whole_matrix(scores, valid_lens)


DOT_PRODUCT = Exercise(
    id="DotProductAttention",
    signature=f"{FORWARD} of DotProductAttention(dropout)",
    examples=_dot_examples,
    draw=_dot_draw,
    builds_on=("masked_softmax",),
    parts=PARTS,
    misconceptions=(
        Misconception(
            "no scale",
            "no scale: the dot products go into the softmax as they are",
            "How does the spread of the dot products grow with d?",
            (_divided(lambda q, k: 1.0),),
        ),
        Misconception(
            "wrong power",
            "wrong power: divided by d, by d / 2, or multiplied by √d",
            "What is your divisor at d = 9?",
            (
                _divided(lambda q, k: k.shape[-1]),
                _divided(lambda q, k: k.shape[-1] ** -0.5),
                _divided(lambda q, k: k.shape[-1] ** 1 / 2),
            ),
        ),
        Misconception(
            "wrong length",
            "wrong length under the root: it counts queries, keys or the width of the values",
            "Over which axis does the product sum?",
            (
                _divided(lambda q, k: math.sqrt(k.shape[-2])),
                _divided(lambda q, k: math.sqrt(q.shape[-2])),
                _divided(lambda q, k: math.sqrt(q.shape[0])),
                _variant(_DotProduct, forward=_by_value_width),
            ),
        ),
        Misconception(
            "scaled after softmax",
            "scaled after softmax: the weights are divided, not the scores",
            "What do the weights of one query sum to?",
            (_variant(_DotProduct, forward=_scaled_late),),
        ),
        Misconception(
            "transposed the batch",
            "transposed the batch: more than the last two axes changed places",
            "Which axes swap when there is a batch in front?",
            (
                _scored(lambda q, k: q @ k.permute(2, 1, 0) / math.sqrt(k.shape[-1])),
                _scored(lambda q, k: q @ k.transpose(0, 1) / math.sqrt(k.shape[-1])),
                _scored(lambda q, k: q @ k.transpose(0, 2) / math.sqrt(k.shape[-1])),
            ),
        ),
        Misconception(
            "whole matrix",
            "softmax over the whole matrix of a batch entry",
            "What does each row sum to?",
            (_variant(_DotProduct, weigh=_flattened),),
        ),
        *_shared_by_both(
            _DotProduct,
            _scored(lambda q, k: q @ q.mT / math.sqrt(q.shape[-1])),
            _scored(lambda q, k: k @ q.mT / math.sqrt(q.shape[-1])),
            _variant(_DotProduct, forward=_asks_the_values),
        ),
    ),
)


# --- scoring_cost -----------------------------------------------------------------------------------------


def _cost_case(tag: str, n_q: int, n_k: int, d: int, num_hiddens: int, label: str = "") -> Case:
    return Case(tag, (n_q, n_k, d, num_hiddens), label=label, tolerance=1e-9)


def _cost_examples() -> tuple[Case, ...]:
    return (
        _cost_case("sizes", 2, 3, 4, 5, "the lesson's example"),
        _cost_case("sizes", 7, 3, 5, 2, "more queries than keys"),
        _cost_case("sizes", 1, 10, 20, 8, "one query"),
    )


def _cost_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.choice(np.arange(2, 60), size=4, replace=False).tolist() for _ in range(4)]
    return tuple(_cost_case("sizes", *sizes) for sizes in [*drawn, [1024, 2048, 512, 128]])


def _cost(
    additive: Callable[..., float], parameters: Callable[..., float], dot: Callable[..., float]
) -> Callable[..., Any]:
    """A wrong scoring_cost out of three formulas of n_q, n_k, d, h."""

    def scoring_cost(n_q: int, n_k: int, d: int, num_hiddens: int) -> dict[str, dict[str, float]]:
        sizes = (n_q, n_k, d, num_hiddens)
        return {
            "additive": {"multiply_adds": additive(*sizes), "parameters": parameters(*sizes)},
            "dot_product": {"multiply_adds": dot(*sizes), "parameters": 0},
        }

    return scoring_cost


def _additive_cost(n_q: int, n_k: int, d: int, h: int) -> int:
    return (n_q + n_k) * d * h + n_q * n_k * h


def _additive_parameters(n_q: int, n_k: int, d: int, h: int) -> int:
    return 2 * d * h + h


def _dot_cost(n_q: int, n_k: int, d: int, h: int) -> int:
    return n_q * n_k * d


SCORING_COST = Exercise(
    id="scoring_cost",
    signature="scoring_cost(n_q, n_k, d, num_hiddens)",
    examples=_cost_examples,
    draw=_cost_draw,
    parts=(
        Part("a dictionary with the four numbers", own.four_numbers),
        Part("the dot product's multiply-adds", own.dot_multiply_adds),
        Part("the dot product's parameters", own.dot_parameters),
        Part("the additive score's parameters", own.additive_parameters),
        Part("the additive score's multiply-adds", own.additive_multiply_adds),
    ),
    misconceptions=(
        Misconception(
            "projected pair by pair",
            "projected pair by pair: W_q and W_k are counted anew for every pair of query and key",
            "How often must one query go through W_q, however many keys there are?",
            (_cost(lambda n_q, n_k, d, h: n_q * n_k * (2 * d * h + h), _additive_parameters, _dot_cost),),
        ),
        Misconception(
            "projections forgotten",
            "projections forgotten: W_q and W_k are not free",
            "What happens to a query before it meets a key?",
            (
                _cost(lambda n_q, n_k, d, h: n_q * n_k * h, _additive_parameters, _dot_cost),
                _cost(lambda n_q, n_k, d, h: n_q * d * h + n_q * n_k * h, _additive_parameters, _dot_cost),
                _cost(lambda n_q, n_k, d, h: n_k * d * h + n_q * n_k * h, _additive_parameters, _dot_cost),
            ),
        ),
        Misconception(
            "w_v forgotten",
            "w_v forgotten: it turns num_hiddens numbers into one score, for every pair",
            "What happens between tanh and the score?",
            (
                _cost(lambda n_q, n_k, d, h: (n_q + n_k) * d * h, _additive_parameters, _dot_cost),
                _cost(_additive_cost, lambda n_q, n_k, d, h: 2 * d * h, _dot_cost),
                _cost(
                    lambda n_q, n_k, d, h: (n_q + n_k) * d * h, lambda n_q, n_k, d, h: 2 * d * h, _dot_cost
                ),
            ),
        ),
        Misconception(
            "one projection for both",
            "one projection for both: queries and keys have a matrix each",
            "How many matrices does the formula have?",
            (_cost(_additive_cost, lambda n_q, n_k, d, h: d * h + h, _dot_cost),),
        ),
        Misconception(
            "biases counted",
            "biases counted: the layers have none here",
            "What does bias=False leave out?",
            (
                _cost(_additive_cost, lambda n_q, n_k, d, h: 2 * d * h + 3 * h + 1, _dot_cost),
                _cost(_additive_cost, lambda n_q, n_k, d, h: 2 * d * h + 3 * h, _dot_cost),
            ),
        ),
        Misconception(
            "more than the scores",
            "more than the scores: the scale, the softmax or the product with the values is counted too",
            "Where does the score end and the weighting begin?",
            (
                _cost(
                    lambda n_q, n_k, d, h: _additive_cost(n_q, n_k, d, h) + n_q * n_k * d,
                    _additive_parameters,
                    lambda n_q, n_k, d, h: 2 * n_q * n_k * d,
                ),
                _cost(_additive_cost, _additive_parameters, lambda n_q, n_k, d, h: n_q * n_k * (d + 1)),
                _cost(
                    lambda n_q, n_k, d, h: _additive_cost(n_q, n_k, d, h) + n_q * n_k * h,
                    _additive_parameters,
                    _dot_cost,
                ),
            ),
        ),
    ),
)

LESSON = Lesson(
    "05_additive_vs_dot_product",
    "Two ways to score",
    (
        SHAPE,
        WEIGHTS,
        SLIPS,
        MASKED_SOFTMAX,
        ADDITIVE,
        EQUAL_KEYS,
        SQUEEZED,
        DOT_PRODUCT,
        SCORING_COST,
        LEARNERS,
    ),
)
