"""Lesson 02, attention you can check by hand: what it asks and how it is judged."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.special
import torch

from autograder import listening
from autograder.exercise import Case, Exercise, Lesson, Misconception, Part, RandomSource, Tensor
from autograder.rules import common, toy_tensors

Array = Any
"""A NumPy array or a torch tensor: the mistakes below are made with either."""

Step = Callable[..., Array]


# --- attention, wrong in one step at a time ------------------------------------------------------------


@dataclass(frozen=True)
class Library:
    """What NumPy and torch call differently."""

    exp: Step
    softmax: Step
    largest: Step


NUMPY = Library(np.exp, scipy.special.softmax, lambda x: x.max(-1, keepdims=True))
TORCH = Library(torch.exp, torch.softmax, lambda x: x.amax(-1, keepdim=True))


@dataclass(frozen=True)
class Recipe:
    """Attention in three steps: `score(Q, K, V)`, `weigh(library, scores, K)` and `mix(weights, K, V)`."""

    score: Step = lambda Q, K, V: _products(Q, K) / _root(K)
    weigh: Step = lambda library, scores, K: library.softmax(scores, -1)
    mix: Step = lambda weights, K, V: (weights @ V, weights)

    def __call__(self, library: Library, Q: Array, K: Array, V: Array) -> tuple[Array, Array]:
        return self.mix(self.weigh(library, self.score(Q, K, V), K), K, V)


@dataclass(frozen=True)
class Mistake:
    """A misconception about attention, as recipes."""

    name: str
    looks_like: str
    question: str
    recipes: tuple[Recipe, ...]


def _turned(X: Array) -> Array:
    return X.swapaxes(-1, -2)


def _products(Q: Array, K: Array) -> Array:
    return Q @ _turned(K)


def _root(K: Array) -> float:
    return float(np.sqrt(K.shape[-1]))


def _divided(divisor: Callable[[Array, Array, Array], float]) -> Recipe:
    return Recipe(score=lambda Q, K, V: _products(Q, K) / divisor(Q, K, V))


def _naive(library: Library, scores: Array, K: Array) -> Array:
    kernel = library.exp(scores)
    return kernel / kernel.sum(-1)[..., None]


def _one_shift(library: Library, scores: Array, K: Array) -> Array:
    return _naive(library, scores - scores.max(), K)


def _sums_not_kept(library: Library, scores: Array, K: Array) -> Array:
    kernel = library.exp(scores - library.largest(scores))
    return kernel / kernel.sum(-1)


def _nothing_kept(library: Library, scores: Array, K: Array) -> Array:
    kernel = library.exp(scores - library.largest(scores)[..., 0])
    return kernel / kernel.sum(-1)


def _over_everything(library: Library, scores: Array, K: Array) -> Array:
    return library.softmax(scores.reshape(-1), -1).reshape(scores.shape)


def _over_each_matrix(library: Library, scores: Array, K: Array) -> Array:
    return library.softmax(scores.reshape(*scores.shape[:-2], -1), -1).reshape(scores.shape)


def _along(axis: int) -> Recipe:
    return Recipe(weigh=lambda library, scores, K: library.softmax(scores, axis))


def _queries_divided_in_place(Q: Array, K: Array, V: Array) -> Array:
    Q /= _root(K)
    return _products(Q, K)


def _keys_divided_in_place(Q: Array, K: Array, V: Array) -> Array:
    K /= _root(K)
    return _products(Q, K)


def _scored(left: Callable[..., Array], right: Callable[..., Array]) -> Recipe:
    """Scores of `left(Q, K, V)` against `right(Q, K, V)`, scaled as they should be."""
    return Recipe(score=lambda Q, K, V: _products(left(Q, K, V), right(Q, K, V)) / _root(K))


def _first(Q: Array, K: Array, V: Array) -> Array:
    return Q


def _second(Q: Array, K: Array, V: Array) -> Array:
    return K


def _third(Q: Array, K: Array, V: Array) -> Array:
    return V


MISTAKES = (
    Mistake(
        "no scale",
        "no scale: the dot products go into the softmax as they are",
        "With twice as many features, what happens to the size of a dot product? What brings it back?",
        (Recipe(score=lambda Q, K, V: _products(Q, K)),),
    ),
    Mistake(
        "wrong power",
        "wrong power of d_k in the scale",
        "Put d_k = 9 into your code with a pencil: which number are the scores divided by?",
        (
            _divided(lambda Q, K, V: K.shape[-1]),
            _divided(lambda Q, K, V: 1 / _root(K)),
            _divided(lambda Q, K, V: 2 * K.shape[-1]),
            _divided(lambda Q, K, V: K.shape[-1] / 2),
            _divided(lambda Q, K, V: K.shape[-1] ** 0.25),
            _divided(lambda Q, K, V: K.shape[-1] ** 2),
        ),
    ),
    Mistake(
        "wrong length",
        "wrong length under the root: another axis than the features of the keys, or a fixed number",
        "Over which axis does a dot product sum, and does your divisor follow when that axis grows?",
        (
            _divided(lambda Q, K, V: float(np.sqrt(K.shape[-2]))),
            _divided(lambda Q, K, V: float(np.sqrt(Q.shape[-2]))),
            _divided(lambda Q, K, V: float(np.sqrt(V.shape[-1]))),
            _divided(lambda Q, K, V: float(np.sqrt(K.shape[0]))),
            _divided(lambda Q, K, V: 2.0),
        ),
    ),
    Mistake(
        "scaled after softmax",
        "scaled after softmax: the weights are divided, not the scores",
        "Add up one row of your weights. Which step could have changed that sum?",
        (
            Recipe(
                score=lambda Q, K, V: _products(Q, K),
                weigh=lambda library, scores, K: library.softmax(scores, -1) / _root(K),
            ),
        ),
    ),
    Mistake(
        "softmax over queries",
        "softmax over queries (the wrong axis): each key shares itself out among the queries",
        "Take one query: among what does it share out its attention, and along which axis do those lie?",
        (_along(-2), _along(0)),
    ),
    Mistake(
        "whole matrix",
        "softmax over the whole matrix: all queries share a single 1",
        "What does each row of your weights sum to, and what if there were twice as many queries?",
        (Recipe(weigh=_over_everything), Recipe(weigh=_over_each_matrix)),
    ),
    Mistake(
        "wrong partner",
        "wrong partner: one of Q, K and V stands where another belongs",
        "Change nothing but V: which of your results should move, and which should not?",
        (
            Recipe(mix=lambda weights, K, V: (weights @ K, weights)),
            _scored(_first, _third),
            _scored(_first, _first),
            _scored(_second, _first),
            _scored(_second, _second),
            _scored(_third, _second),
        ),
    ),
    Mistake(
        "weights transposed",
        "weights transposed before they meet the values",
        "Which row of your weights belongs to query 0, and which numbers does your product take?",
        (
            Recipe(mix=lambda weights, K, V: (_turned(weights) @ V, weights)),
            Recipe(mix=lambda weights, K, V: (_turned(weights) @ V, _turned(weights))),
        ),
    ),
    Mistake(
        "overflow",
        "overflow: exp of a large score is infinite",
        "What does np.exp(1000) print? Which shift of a row leaves its softmax the same?",
        (Recipe(weigh=_naive),),
    ),
    Mistake(
        "global shift",
        "global shift: one maximum is taken off all the rows",
        "One row of scores lies far below another: what is left of it after your shift and exp?",
        (Recipe(weigh=_one_shift),),
    ),
    Mistake(
        "broadcast",
        "broadcast the wrong way: the row sums line up with the columns",
        "Print the two shapes that meet in your division: which axis does the shorter one line up with?",
        (Recipe(weigh=_sums_not_kept), Recipe(weigh=_nothing_kept)),
    ),
    Mistake(
        "writes into its input",
        "an answer that writes into its input",
        "Print Q and K before the call and after it. Which of your lines assigns in place?",
        (Recipe(score=_queries_divided_in_place), Recipe(score=_keys_divided_in_place)),
    ),
)


# --- predict_by_hand -----------------------------------------------------------------------------------


def _prediction(*mistakes: Misconception, names: tuple[str, ...]) -> tuple[Case, ...]:
    """The one case of an exercise that asks for values; it carries what the mistakes would give."""
    guesses = [(m.name, dict(zip(names, guess(), strict=True))) for m in mistakes for guess in m.wrong]
    return (Case("values", facts={"mistaken": guesses}),)


def _guess(*values: Any) -> Callable[[], tuple[Any, ...]]:
    return lambda: values


def _from_weights(weights: Sequence[float]) -> Callable[[], tuple[Any, ...]]:
    """The hand example's weights with the output that follows from them."""
    return _guess(np.array(weights), np.array([10 * weights[0] + 30 * weights[2], 20 * weights[1]]))


def _hand_guess(scale: float, divided_after: float = 1.0) -> Callable[[], tuple[Any, ...]]:
    shares = scipy.special.softmax(scale * np.array([1.0, 0.0, 1.0])) / divided_after
    return _from_weights(shares)


HAND_NAMES = ("hand_weights", "hand_output")
HAND_MISTAKES = (
    Misconception(
        "zero score, zero weight",
        "zero score, zero weight: a key that scores 0 was given nothing",
        "What is exp(0), and can a softmax ever give a weight of exactly 0?",
        (_from_weights([0.5, 0.0, 0.5]), _from_weights([2**-0.5, 0.0, 2**-0.5])),
    ),
    Misconception(
        "no scale",
        "no scale: the dot products 1, 0, 1 went into the softmax as they are",
        "How many features has a key here, and what are the scores divided by?",
        (_hand_guess(1.0),),
    ),
    Misconception(
        "wrong power",
        "wrong power of d_k in the scale",
        "Is it d_k that the scores are divided by, or something smaller?",
        (_hand_guess(0.5), _hand_guess(2**0.5), _hand_guess(0.25)),
    ),
    Misconception(
        "wrong length",
        "wrong length under the root: not the number of features of a key",
        "There are three keys; how many numbers are summed in one dot product?",
        (_hand_guess(3**-0.5),),
    ),
    Misconception(
        "scaled after softmax",
        "scaled after softmax: the weights were divided, not the scores",
        "Add up your weights. Which step comes first, the scale or the softmax?",
        (_hand_guess(1.0, 2**0.5),),
    ),
    Misconception(
        "not normalised",
        "not normalised: the exponentials themselves, before their sum is divided out",
        "What must the three weights sum to, and what do you divide by to get there?",
        (
            _from_weights([float(np.exp(2**-0.5)), 1.0, float(np.exp(2**-0.5))]),
            _from_weights([math.e, 1.0, math.e]),
        ),
    ),
    Misconception(
        "plain mean",
        "plain mean: every key was given the same weight",
        "Which keys point the way the query points, and which does not?",
        (_from_weights([1 / 3] * 3),),
    ),
    Misconception(
        "wrong partner",
        "wrong partner: the weights met the keys, not the values",
        "Which of the three matrices holds what is handed back?",
        (
            _guess(
                scipy.special.softmax([2**-0.5, 0, 2**-0.5]),
                scipy.special.softmax([2**-0.5, 0, 2**-0.5]) @ [[1, 0], [0, 1], [1, 0]],
            ),
        ),
    ),
)

PREDICT_BY_HAND = Exercise(
    id="predict_by_hand",
    signature="hand_weights, hand_output",
    values=HAND_NAMES,
    examples=partial(_prediction, *HAND_MISTAKES, names=HAND_NAMES),
    parts=(
        Part("three weights that share one whole", toy_tensors.three_shares),
        Part("the weights are right", toy_tensors.hand_weights),
        Part("the output is right", toy_tensors.hand_output),
    ),
    misconceptions=HAND_MISTAKES,
)


# --- simple_attention ----------------------------------------------------------------------------------


def _qkv(rng: np.random.Generator, n_q: int, n_k: int, d_k: int, d_v: int, *batch: int) -> tuple[Array, ...]:
    """Queries, keys and values of the given sizes, to two decimals."""
    return tuple(rng.normal(size=(*batch, *size)).round(2) for size in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))


def _far_apart(rng: np.random.Generator) -> tuple[Array, ...]:
    """Whole numbers: query 0's scores are ordinary, those of queries 1 and 2 run to thousands."""
    direction = rng.permutation([1, -2, 3]).astype(float)
    Q = np.array([direction, 300 * direction, -400 * direction])
    K = np.array([direction, direction + [1, 0, 0], direction + [0, -1, 2]])
    return Q, K, rng.normal(size=(3, 3)).round(2)


def _all_large(rng: np.random.Generator) -> tuple[Array, ...]:
    """Whole numbers: every score lies between 1000 and 3000."""
    base = 20 * np.ones(3)
    Q, K = base + rng.integers(0, 6, (4, 3)), base + rng.integers(0, 6, (4, 3))
    return Q, K, rng.normal(size=(4, 3)).round(2)


def _simple_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(2)
    hand = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    scalars = np.array([[1.0]]), np.array([[1.0], [2.0], [0.5]]), np.array([[10.0], [20.0], [5.0]])
    return (
        Case("example", (*hand, np.array([[10.0, 0.0], [0.0, 20.0], [30.0, 0.0]])), label="worked by hand"),
        Case("example", scalars, label="one feature a key: with a calculator, 15.58"),
        Case("sizes", _qkv(rng, 2, 3, 5, 4), label="five features, four columns of values"),
        Case("sizes", _qkv(rng, 3, 3, 3, 3), label="as many queries as keys"),
        Case("sizes", _qkv(rng, 2, 2, 2, 2), label="two of everything"),
        Case("large", _far_apart(rng), label="rows of scores thousands apart"),
        Case("large", _all_large(rng), label="all scores above 1000"),
    )


def _simple_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    single = tuple(x.astype(np.float32) for x in _qkv(rng, 3, 4, 9, 9))
    return (
        Case("sizes", _qkv(rng, 3, 4, 5, 6), label="distinct sizes"),
        Case("sizes", _qkv(rng, 5, 5, 5, 5), label="square"),
        Case("sizes", _qkv(rng, 3, 3, 2, 3), label="as many queries as keys"),
        Case("sizes", _qkv(rng, 1, 6, 7, 7), label="one query"),
        Case("sizes", single, label="float32"),
        Case("sizes", _qkv(rng, 6, 2, 16, 3), label="more queries than keys"),
        Case("large", _far_apart(rng), label="rows of scores thousands apart"),
        Case("large", _all_large(rng), label="all scores above 1000"),
    )


def _simple_mistake(mistake: Mistake) -> Misconception:
    def wrong(recipe: Recipe) -> Callable[..., Array]:
        return lambda Q, K, V: recipe(NUMPY, Q, K, V)[0]

    return Misconception(
        mistake.name, mistake.looks_like, mistake.question, tuple(wrong(recipe) for recipe in mistake.recipes)
    )


SIMPLE_ATTENTION = Exercise(
    id="simple_attention",
    signature="simple_attention(Q, K, V)",
    examples=_simple_examples,
    draw=_simple_draw,
    library=frozenset(listening.ATTENTION.values()),
    parts=(
        Part("one row of output for each query, as wide as a value", common.shape, ("example", "sizes")),
        Part("the examples you can work by hand", common.agrees, ("example",)),
        Part("the numbers are right for other sizes", common.agrees, ("sizes",)),
        Part("large scores do no harm", common.agrees, ("large",)),
        Part("leaves its inputs as they were", common.unchanged, ("example", "sizes")),
    ),
    misconceptions=tuple(_simple_mistake(mistake) for mistake in MISTAKES),
)


# --- the divisor: a slip to find -----------------------------------------------------------------------

DIVISOR_MISTAKES = (
    Misconception(
        "wrong length",
        "wrong length under the root: not the number of features of a key",
        "Count the numbers in one row of toy_K. How many keys there are is another matter.",
        (_guess(2.0), _guess(4.0)),
    ),
    Misconception(
        "wrong power",
        "wrong power of d_k",
        "Which function of d_k stands under the fraction line of the formula?",
        (_guess(3.0), _guess(1.5), _guess(9.0)),
    ),
)

MEND_THE_DIVISOR = Exercise(
    id="mend_the_divisor",
    signature="divisor",
    values=("divisor",),
    graded=False,
    examples=partial(_prediction, *DIVISOR_MISTAKES, names=("divisor",)),
    parts=(Part("the number that the toy scores must be divided by", toy_tensors.divisor),),
    misconceptions=DIVISOR_MISTAKES,
)


# --- scaled_dot_product_attention ----------------------------------------------------------------------


def _tensors(arrays: Sequence[Array]) -> tuple[Tensor, ...]:
    return tuple(Tensor(np.asarray(array, dtype=np.float32)) for array in arrays)


def _torch_case(tag: str, arrays: Sequence[Array], label: str, **settings: Any) -> Case:
    return Case(tag, _tensors(arrays), label=label, **settings)


def _toy() -> tuple[Array, ...]:
    """The toy keys and values with a strong and a gentle query."""
    keys = [[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]]
    values = [[1, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]]
    return np.array([[0, 10, 0], [0, 0.3, 0.1]]), np.array(keys), np.array(values)


GRADIENT = {"gradient_of": (0, 1, 2)}


def _torch_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(5)
    return (
        _torch_case("example", _toy(), "the toy keys, asked strongly and gently"),
        _torch_case("sizes", _qkv(rng, 2, 3, 5, 4), "five features, four columns of values"),
        _torch_case("sizes", _qkv(rng, 3, 3, 3, 3), "as many queries as keys"),
        _torch_case("batch", _qkv(rng, 2, 3, 5, 2, 2), "a batch of two"),
        _torch_case("batch", _qkv(rng, 2, 2, 2, 2, 2), "a batch of two, as many queries as keys"),
        _torch_case("large", _far_apart(rng), "rows of scores thousands apart", tolerance=1e-3),
        _torch_case("gradient", _qkv(rng, 3, 3, 3, 3), "with gradients", **GRADIENT),
    )


def _torch_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        _torch_case("sizes", _qkv(rng, 3, 4, 5, 6), "distinct sizes"),
        _torch_case("sizes", _qkv(rng, 5, 5, 5, 5), "square"),
        _torch_case("sizes", _qkv(rng, 1, 6, 7, 7), "one query"),
        _torch_case("sizes", _qkv(rng, 4, 4, 9, 4), "as many queries as keys"),
        _torch_case("batch", _qkv(rng, 3, 4, 5, 6, 2), "a batch, distinct sizes"),
        _torch_case("batch", _qkv(rng, 3, 3, 3, 3, 3), "a batch of three square matrices"),
        _torch_case("batch", _qkv(rng, 2, 5, 6, 3, 1), "a batch of one"),
        _torch_case("batch", _qkv(rng, 3, 4, 7, 2, 2, 5), "two batch axes"),
        _torch_case("batch", _qkv(rng, 2, 2, 2, 2, 2, 2), "two batch axes, all sizes alike"),
        _torch_case("large", _far_apart(rng), "rows of scores thousands apart", tolerance=1e-3),
        _torch_case("large", _all_large(rng), "all scores above 1000", tolerance=1e-3),
        _torch_case("gradient", _qkv(rng, 3, 4, 5, 6), "with gradients", **GRADIENT),
        _torch_case("gradient", _qkv(rng, 4, 4, 2, 4), "as many queries as keys, with gradients", **GRADIENT),
    )


def _torch_recipe(recipe: Recipe) -> Callable[..., Any]:
    return lambda Q, K, V: recipe(TORCH, Q, K, V)


def _transposing(transpose: Callable[[Array], Array]) -> Callable[..., Any]:
    return _torch_recipe(Recipe(score=lambda Q, K, V: Q @ transpose(K) / _root(K)))


def _without_gradient(Q: Array, K: Array, V: Array) -> Any:
    return Recipe()(TORCH, Q.detach(), K.detach(), V.detach())


def _weights_detached(Q: Array, K: Array, V: Array) -> Any:
    return Recipe(mix=lambda weights, K, V: (weights.detach() @ V, weights.detach()))(TORCH, Q, K, V)


def _through_numpy(Q: Array, K: Array, V: Array) -> Any:
    output, weights = Recipe()(NUMPY, Q.numpy(), K.numpy(), V.numpy())
    return torch.from_numpy(output), torch.from_numpy(weights)


def _implied(library: Library, scores: Array, K: Array) -> Array:
    """The axis that `torch.nn.functional.softmax` takes when none is named."""
    return library.softmax(scores, 0 if scores.ndim in (0, 1, 3) else 1)


EXTRA_RECIPES = {
    "softmax over queries": (_along(1), Recipe(weigh=_implied)),
    "wrong length": (_divided(lambda Q, K, V: float(np.sqrt(K.shape[1]))),),
}


def _torch_mistake(mistake: Mistake) -> Misconception:
    recipes = (*mistake.recipes, *EXTRA_RECIPES.get(mistake.name, ()))
    wrong = tuple(_torch_recipe(recipe) for recipe in recipes)
    return Misconception(mistake.name, mistake.looks_like, mistake.question, wrong)


SCALED_DOT_PRODUCT_ATTENTION = Exercise(
    id="scaled_dot_product_attention",
    signature="scaled_dot_product_attention(Q, K, V)",
    examples=_torch_examples,
    draw=_torch_draw,
    library=frozenset(listening.ATTENTION.values()),
    parts=(
        Part("returns output and weights, of the right shapes", common.shape, ("example", "sizes")),
        Part("every query's weights sum to 1", common.rows_sum_to_one, ("example", "sizes")),
        Part("the numbers are right, whatever the sizes", common.agrees, ("example", "sizes")),
        Part("a batch is answered matrix by matrix", common.agrees, ("batch",)),
        Part("large scores do no harm", common.agrees, ("large",)),
        Part("leaves its inputs as they were", common.unchanged, ("example", "sizes")),
        Part("gradients reach Q, K and V", toy_tensors.gradient_flows, ("gradient",)),
    ),
    misconceptions=(
        *(_torch_mistake(mistake) for mistake in MISTAKES),
        Misconception(
            "transposed the batch",
            "transposed the batch: with three axes, more (or others) than the last two have changed places",
            "K has shape (batch, n_k, d_k): which two axes should swap, and which stay where they are?",
            (
                _transposing(lambda K: K.T),
                _transposing(lambda K: K.transpose(0, 1)),
                _transposing(lambda K: K.transpose(1, 2)),
                _transposing(lambda K: K.t()),
            ),
        ),
        Misconception(
            "gradient cut",
            "gradient cut: somewhere the result leaves PyTorch's graph",
            "Print requires_grad after each line: at which one does it turn False?",
            (_without_gradient, _weights_detached, _through_numpy),
        ),
    ),
)


# --- predict_toy_queries -------------------------------------------------------------------------------

TOY_NAMES = ("attends_to", "looked_up")
TOY_ROWS = np.array([[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]])
TOY_MISTAKES = (
    Misconception(
        "off by one",
        "off by one: positions counted from 1",
        "Which number has the first key in Python?",
        (_guess([[2], [3, 4], [1, 2]], TOY_ROWS),),
    ),
    Misconception(
        "only one winner",
        "only one winner: a tie was settled for the first or the last key",
        "Two keys score the same: why should a softmax prefer one of them?",
        (
            _guess([[1], [2], [0]], np.array([[10, 0, 2], [100, 5, 0], [1, 0, 1]])),
            _guess([[1], [3], [1]], np.array([[10, 0, 2], [1000, 6, 0], [10, 0, 2]])),
        ),
    ),
    Misconception(
        "wrong partner",
        "wrong partner: rows of the keys, not of the values",
        "Keys are compared; which matrix is handed back?",
        (_guess([[1], [2, 3], [0, 1]], np.array([[0, 10, 0], [0, 0, 10], [5, 5, 0]])),),
    ),
    Misconception(
        "not normalised",
        "not normalised: values were added with weight 1 each",
        "Two keys share the attention: what do their weights sum to?",
        (_guess([[1], [2, 3], [0, 1]], np.array([[10, 0, 2], [1100, 11, 0], [11, 0, 3]])),),
    ),
    Misconception(
        "positions, not keys",
        "positions, not keys: the query's own non-zero places were listed",
        "Which rows of toy_K point the way the query points? Go through all four.",
        (_guess([[1], [2], [0, 1]], TOY_ROWS),),
    ),
)

PREDICT_TOY_QUERIES = Exercise(
    id="predict_toy_queries",
    signature="attends_to, looked_up",
    values=TOY_NAMES,
    examples=partial(_prediction, *TOY_MISTAKES, names=TOY_NAMES),
    parts=(
        Part("which keys each query attends to", toy_tensors.attends_to),
        Part("the rows that are looked up", toy_tensors.looked_up),
    ),
    misconceptions=TOY_MISTAKES,
)


# --- self or cross, and what sums to one ---------------------------------------------------------------

KINDS_MISTAKES = (
    Misconception(
        "self for cross",
        "self for cross: any attention was called self-attention",
        "For each call: do queries and keys come from one and the same sequence?",
        (_guess(["self", "self", "self"]),),
    ),
    Misconception(
        "shape for origin",
        "shape for origin: equal lengths do not make it self-attention",
        "Where do the rows of Q come from, and where those of K?",
        (_guess(["cross", "self", "self"]),),
    ),
)

SELF_OR_CROSS = Exercise(
    id="self_or_cross",
    signature="kinds",
    values=("kinds",),
    graded=False,
    examples=partial(_prediction, *KINDS_MISTAKES, names=("kinds",)),
    parts=(Part("each call has its right name", toy_tensors.words),),
    misconceptions=KINDS_MISTAKES,
)

SUMS_MISTAKES = (
    Misconception(
        "axis taken for granted",
        "an axis taken for granted: nothing in that line names one",
        "np.sum without an axis: over which entries does it run?",
        (_guess("row"), _guess("column")),
    ),
)

WHAT_SUMS_TO_ONE = Exercise(
    id="what_sums_to_one",
    signature="sums_to_one",
    values=("sums_to_one",),
    graded=False,
    examples=partial(_prediction, *SUMS_MISTAKES, names=("sums_to_one",)),
    parts=(Part("what sums to 1 in the borrowed weights", toy_tensors.words),),
    misconceptions=SUMS_MISTAKES,
)


# --- self_attention ------------------------------------------------------------------------------------


def _words(rng: np.random.Generator, n: int, d_model: int, d_k: int, d_v: int) -> tuple[Array, ...]:
    """X, W_Q, W_K and W_V of the given sizes, to two decimals."""
    shapes = ((n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v))
    return tuple(rng.normal(size=shape).round(2) for shape in shapes)


def _loud_words(rng: np.random.Generator) -> tuple[Array, ...]:
    """Whole numbers whose scores run from small to several thousands, of either sign."""
    X = np.array([[1, 0, 2], [30, 40, -10], [-50, 20, 60], [2, -1, 1]])
    W_Q, W_K = (np.eye(3)[rng.permutation(3)] for _ in range(2))
    return X, W_Q, W_K, rng.normal(size=(3, 3)).round(2)


def _self_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(7)
    X = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0]]
    W_Q = [[1, 0], [0, 2], [0, 1], [1, 0]]
    W_K = [[0, 1], [1, 0], [1, 0], [1, 1]]
    W_V = [[1, 2, 0], [0, 1, 0], [3, 0, 1], [0, 0, 2]]
    return (
        _torch_case("example", (X, W_Q, W_K, W_V), "three words of four features"),
        _torch_case("sizes", _words(rng, 2, 4, 3, 5), "two words"),
        _torch_case("sizes", _words(rng, 3, 3, 3, 3), "all sizes alike"),
        _torch_case("sizes", _words(rng, 4, 3, 2, 2), "four words"),
        _torch_case("large", _loud_words(rng), "large scores", tolerance=1e-3),
    )


def _self_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        _torch_case("sizes", _words(rng, 4, 6, 5, 3), "distinct sizes"),
        _torch_case("sizes", _words(rng, 5, 5, 5, 5), "all sizes alike"),
        _torch_case("sizes", _words(rng, 3, 7, 2, 7), "values as wide as the words"),
        _torch_case("sizes", _words(rng, 6, 3, 9, 2), "wide keys"),
        _torch_case("sizes", _words(rng, 2, 2, 2, 2), "two words, all sizes alike"),
        _torch_case("sizes", _words(rng, 1, 4, 3, 3), "one word"),
        _torch_case("large", _loud_words(rng), "large scores", tolerance=1e-3),
    )


def _projected(recipe: Recipe) -> Callable[..., Any]:
    return lambda X, W_Q, W_K, W_V: recipe(TORCH, X @ W_Q, X @ W_K, X @ W_V)


def _from(project: Callable[..., tuple[Array, Array, Array]]) -> Callable[..., Any]:
    """Right attention over wrongly made queries, keys and values."""
    return lambda X, W_Q, W_K, W_V: Recipe()(TORCH, *project(X, W_Q, W_K, W_V))


def _scaled_by_model_width(X: Array, W_Q: Array, W_K: Array, W_V: Array) -> Any:
    return _divided(lambda Q, K, V: _root(X))(TORCH, X @ W_Q, X @ W_K, X @ W_V)


def _input_overwritten(X: Array, W_Q: Array, W_K: Array, W_V: Array) -> Any:
    W_Q /= W_K.shape[-1] ** 0.5
    return Recipe(score=lambda Q, K, V: _products(Q, K))(TORCH, X @ W_Q, X @ W_K, X @ W_V)


def _words_overwritten(X: Array, W_Q: Array, W_K: Array, W_V: Array) -> Any:
    result = Recipe()(TORCH, X @ W_Q, X @ W_K, X @ W_V)
    X += 1
    return result


ONE_PROJECTION = (
    _from(lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q, X @ W_Q)),
    _from(lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_Q, X @ W_V)),
    _from(lambda X, W_Q, W_K, W_V: (X @ W_K, X @ W_K, X @ W_V)),
    _from(lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_K)),
    _from(lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X @ W_Q)),
    _from(lambda X, W_Q, W_K, W_V: (X @ W_V, X @ W_V, X @ W_V)),
)
WRONG_PARTNER = Misconception(
    "wrong partner",
    "wrong partner, or one projection for all: one of Q, K and V stands where another belongs",
    "Which of your three lines uses W_Q, which W_K, which W_V, and where does each result go?",
    (
        *ONE_PROJECTION,
        *(
            _projected(recipe)
            for mistake in MISTAKES
            if mistake.name == "wrong partner"
            for recipe in mistake.recipes
        ),
    ),
)


def _self_mistake(mistake: Mistake) -> Misconception:
    if mistake.name == "wrong partner":
        return WRONG_PARTNER
    wrong = tuple(_projected(recipe) for recipe in mistake.recipes)
    if mistake.name == "wrong length":
        wrong = (*wrong, _scaled_by_model_width)
    if mistake.name == "writes into its input":
        wrong = (_input_overwritten, _words_overwritten)
    question = mistake.question.replace("Q and K", "X and the matrices").replace("but V", "but W_V")
    return Misconception(mistake.name, mistake.looks_like, question, wrong)


SELF_ATTENTION = Exercise(
    id="self_attention",
    signature="self_attention(X, W_Q, W_K, W_V)",
    examples=_self_examples,
    draw=_self_draw,
    library=frozenset(listening.ATTENTION.values()),
    builds_on=("scaled_dot_product_attention",),
    parts=(
        Part("returns output and weights, of the right shapes", common.shape),
        Part("every word's weights sum to 1", common.rows_sum_to_one),
        Part("the example with three words", common.agrees, ("example",)),
        Part("the numbers are right for other sizes", common.agrees, ("sizes",)),
        Part("large scores do no harm", common.agrees, ("large",)),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        *(_self_mistake(mistake) for mistake in MISTAKES),
        Misconception(
            "not projected",
            "not projected: X itself stands where one of its projections belongs",
            "A word plays three parts here: which matrix dresses it for each of them?",
            (
                _from(lambda X, W_Q, W_K, W_V: (X @ W_Q, X @ W_K, X)),
                _from(lambda X, W_Q, W_K, W_V: (X, X, X)),
                _from(lambda X, W_Q, W_K, W_V: (X, X, X @ W_V)),
            ),
        ),
    ),
)


# --- score_variance ------------------------------------------------------------------------------------


def _many_seeds(seeds: Sequence[int]) -> Case:
    """The variance of two scores jumps from seed to seed."""
    sources = [RandomSource(seed) for seed in seeds]
    return Case("seeds", (4, 2, sources), label="two pairs at a time, with twelve seeds", each=2)


def _one_feature(seeds: Sequence[int]) -> Case:
    """Products of two normal numbers have a tail that a normal score, or one of signs, has not."""
    sources = [RandomSource(seed) for seed in seeds]
    return Case("tail", (1, 200, sources), label="a single feature, with a hundred seeds", each=2)


def _variance_examples() -> tuple[Case, ...]:
    return (
        Case("many", (16, 4_000, RandomSource(0)), label="4,000 pairs of 16 features"),
        Case("many", (64, 2_000, RandomSource(1)), label="2,000 pairs of 64 features"),
        Case("few", (5, 7, RandomSource(2)), label="only 7 pairs"),
        _many_seeds(range(3, 15)),
    )


def _variance_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    seeds = [int(seed) for seed in rng.integers(1_000, 2**31, 7)]
    width = int(rng.integers(20, 40))
    return (
        Case("many", (3, 4_000, RandomSource(seeds[0])), label="3 features"),
        Case("many", (8, 5_000, RandomSource(seeds[1])), label="8 features, 5,000 pairs"),
        Case("many", (width, 4_000, RandomSource(seeds[2])), label=f"{width} features"),
        Case("many", (256, 2_000, RandomSource(seeds[3])), label="256 features"),
        Case("few", (1, 40, RandomSource(seeds[4])), label="a single feature"),
        Case("few", (9, 5, RandomSource(seeds[5])), label="only 5 pairs"),
        _many_seeds(range(seeds[6], seeds[6] + 12)),
        _one_feature(range(seeds[6] + 12, seeds[6] + 112)),
    )


def _normal_scores(d_k: int, n_samples: int, rng: np.random.Generator) -> Array:
    q, k = rng.standard_normal((2, n_samples, d_k))
    return (q * k).sum(axis=1)


def _variances(change: Callable[[Array, float], tuple[Any, Any]]) -> Callable[..., Any]:
    return lambda d_k, n_samples, rng: change(_normal_scores(d_k, n_samples, rng), d_k)


def _uniform(low: float) -> Callable[..., Any]:
    def wrong(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
        q, k = rng.uniform(low, 1, (2, n_samples, d_k))
        scores = (q * k).sum(axis=1)
        return scores.var(), (scores / np.sqrt(d_k)).var()

    return wrong


def _drawn_twice(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    raw = _normal_scores(d_k, n_samples, rng).var()
    return raw, (_normal_scores(d_k, n_samples, rng) / np.sqrt(d_k)).var()


def _own_generator(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    scores = _normal_scores(d_k, n_samples, np.random.default_rng(0))
    return scores.var(), (scores / np.sqrt(d_k)).var()


def _own_numbers(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    scores = _normal_scores(d_k, n_samples, np.random.default_rng(rng.integers(1, 2)))
    return scores.var(), (scores / np.sqrt(d_k)).var()


def _always_a_thousand(d_k: int, n_samples: int, rng: np.random.Generator) -> Any:
    scores = _normal_scores(d_k, 1000, rng)
    return scores.var(), (scores / np.sqrt(d_k)).var()


SCORE_VARIANCE = Exercise(
    id="score_variance",
    signature="score_variance(d_k, n_samples, rng)",
    examples=_variance_examples,
    draw=_variance_draw,
    parts=(
        Part("returns two variances", toy_tensors.two_variances, ("many", "few")),
        Part("draws from the generator it is given", toy_tensors.uses_its_rng),
        Part("draws as many pairs as it is asked for", toy_tensors.as_many_as_asked, ("seeds",)),
        Part("raw scores spread as d_k says", toy_tensors.spreads_like_products, ("many", "tail")),
        Part("the scale brings the variance back to 1", toy_tensors.stays_at_one, ("many",)),
        Part("both over the same draws", toy_tensors.same_draws, ("many", "few")),
    ),
    misconceptions=(
        Misconception(
            "divided by d_k",
            "scores divided by d_k, not by its root",
            "If every score is halved, by what does the variance fall?",
            (_variances(lambda scores, d_k: (scores.var(), (scores / d_k).var())),),
        ),
        Misconception(
            "uniform instead of normal",
            "uniform instead of normal entries in q and k",
            "What are the mean and the variance of one entry of your q?",
            (_uniform(0.0), _uniform(-1.0)),
        ),
        Misconception(
            "deviation for variance",
            "deviation for variance: somewhere a root of d_k stands for d_k",
            "Which grows in proportion to d_k, the variance or its root? Which is divided by √d_k?",
            (
                _variances(lambda scores, d_k: (scores.std(), (scores / np.sqrt(d_k)).std())),
                _variances(lambda scores, d_k: (scores.var(), scores.var() / np.sqrt(d_k))),
            ),
        ),
        Misconception(
            "no scale",
            "no scale: the second variance is that of the raw scores again",
            "Where does √d_k enter before the second variance is taken?",
            (_variances(lambda scores, d_k: (scores.var(), scores.var())),),
        ),
        Misconception(
            "fresh draws",
            "fresh draws: the second variance comes from other samples than the first",
            "How often do you draw q and k? What would raw / scaled be if it were once?",
            (_drawn_twice,),
        ),
        Misconception(
            "rng ignored",
            "rng ignored: the numbers come from somewhere else",
            "Call it twice with default_rng(3) and once with default_rng(4): which answers should be alike?",
            (_own_generator, _own_numbers),
        ),
        Misconception(
            "n_samples ignored",
            "n_samples ignored: another number of pairs was drawn",
            "How many rows have your q and k when n_samples is 2?",
            (_always_a_thousand,),
        ),
    ),
)

LESSON = Lesson(
    "02_toy_tensors",
    "Attention you can check by hand",
    (
        PREDICT_BY_HAND,
        SIMPLE_ATTENTION,
        MEND_THE_DIVISOR,
        SCALED_DOT_PRODUCT_ATTENTION,
        PREDICT_TOY_QUERIES,
        SELF_OR_CROSS,
        WHAT_SUMS_TO_ONE,
        SELF_ATTENTION,
        SCORE_VARIANCE,
    ),
)
