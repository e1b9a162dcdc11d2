"""Lesson 06, who may look, and with how many eyes: what it asks and how it is judged."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

from autograder.exercise import Case, Exercise, Lesson, Misconception, ModuleState, Part, Tensor
from autograder.rules import common, masks_and_heads, modules

Array = np.ndarray
Mask = torch.Tensor | None


# --- guess_covered_key ------------------------------------------------------------------------------------

COVERED = Exercise(
    id="guess_covered_key",
    signature="real_weights = [...], covered_key = ...",
    values=("real_weights", "covered_key"),
    graded=False,
    examples=lambda: (Case("values", tolerance=0.01),),
    parts=(
        Part("the weights without a cover", masks_and_heads.real_weights),
        Part("the key to cover", masks_and_heads.covered_key),
    ),
    misconceptions=(
        Misconception(
            "a score of 0 is a weight of 0",
            "a score of 0 is a weight of 0: the notes' own slip",
            "What is exp(0)?",
            (lambda: ([0.5, 0.0, 0.5], 1), lambda: ([0.5, 0.0, 0.5], 0), lambda: ([0.5, 0.0, 0.5], 2)),
        ),
        Misconception(
            "no scale",
            "no scale: the scores go into the softmax as they are",
            "The keys have two features. By what are the scores divided?",
            (lambda: ([0.42, 0.16, 0.42], 1),),
        ),
    ),
)


# --- create_causal_mask -----------------------------------------------------------------------------------


def _causal_cases(*sizes: int) -> tuple[Case, ...]:
    return tuple(Case("size", (n,)) for n in sizes)


CAUSAL = Exercise(
    id="create_causal_mask",
    signature="create_causal_mask(n)",
    examples=lambda: _causal_cases(4, 3, 1),
    draw=lambda rng: _causal_cases(2, 5, int(rng.integers(6, 12))),
    parts=(
        Part("n × n, of True and False", masks_and_heads.boolean),
        Part("every word sees itself and all earlier ones", masks_and_heads.everything_before),
        Part("no word sees a later one", masks_and_heads.nothing_ahead),
    ),
    misconceptions=(
        Misconception(
            "looks ahead",
            "looks ahead: the mask shows the later words and hides the earlier ones",
            "Row 0 belongs to the first word. May it see word 1?",
            (lambda n: torch.ones(n, n).triu().bool(), lambda n: torch.ones(n, n).triu(1).bool()),
        ),
        Misconception(
            "diagonal",
            "diagonal off by one",
            "How many True does row 0 have, and how many should it have?",
            (lambda n: torch.ones(n, n).tril(-1).bool(), lambda n: torch.ones(n, n).tril(1).bool()),
        ),
        Misconception(
            "not boolean",
            "not boolean: a mask of numbers",
            "What does `~mask` print?",
            (
                lambda n: torch.ones(n, n).tril(),
                lambda n: torch.full((n, n), -torch.inf).triu(1),
                lambda n: torch.full((n, n), -1e9).triu(1),
            ),
        ),
    ),
)


# --- additive_mask ----------------------------------------------------------------------------------------


def _additive_examples() -> tuple[Case, ...]:
    return (
        Case("mask", (Tensor(np.tri(4, dtype=bool)),), label="causal, as in the notes"),
        Case("mask", (Tensor(np.array([[[True, True, False]], [[True, False, False]]])),), label="padding"),
        Case("mask", (Tensor(np.ones((1, 2), dtype=bool)),), label="nothing hidden"),
    )


def _additive_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    empty = rng.random((3, 5)) < 0.5
    empty[1] = False
    return (
        Case("mask", (Tensor(rng.random((3, 5)) < 0.5),)),
        Case("mask", (Tensor(rng.random((2, 3, 4, 5)) < 0.5),), label="one mask a head"),
        Case("mask", (Tensor(empty),), label="query 1 may look nowhere"),
    )


ADDITIVE = Exercise(
    id="additive_mask",
    signature="additive_mask(mask)",
    examples=_additive_examples,
    draw=_additive_draw,
    parts=(
        Part("one number for each place of the mask", masks_and_heads.same_shape),
        Part("0 where looking is allowed", masks_and_heads.zero_where_allowed),
        Part("−inf where it is not", masks_and_heads.minus_infinity_where_not),
    ),
    misconceptions=(
        Misconception(
            "zero times infinity",
            "zero times infinity: 0 · inf is not a number",
            "What does Python say to `0 * float('inf')`?",
            (lambda mask: (1 - mask.float()) * -torch.inf, lambda mask: (~mask).float() * -torch.inf),
        ),
        Misconception(
            "mask inverted",
            "mask inverted: what may be seen gets −inf",
            "Print your matrix beside the mask. What stands where the mask is True?",
            (
                lambda mask: torch.zeros(mask.shape).masked_fill(mask, -torch.inf),
                lambda mask: mask.float() * -torch.inf,
            ),
        ),
        Misconception(
            "fill too weak",
            "fill too weak: a score can still win against it",
            "Is there a score so high that this number cannot hide it?",
            (
                lambda mask: torch.zeros(mask.shape).masked_fill(~mask, -1e9),
                lambda mask: torch.zeros(mask.shape).masked_fill(~mask, torch.finfo(torch.float32).min),
                lambda mask: mask.float() - 1,
                lambda mask: mask.float(),
            ),
        ),
        Misconception(
            "writes into its input",
            "writes into its input: the mask is no longer what it was",
            "Print the mask after the call. Which tensor did you change?",
        ),
    ),
)


# --- create_padding_mask ----------------------------------------------------------------------------------

LESSON_SEQ = np.array([[1, 2, 3, 0, 0], [4, 5, 0, 0, 0]])
NINES = np.array([[7, 0, 9, 9], [0, 3, 0, 9], [5, 9, 2, 0]])


def _padding_examples() -> tuple[Case, ...]:
    return (
        Case("zero", (Tensor(LESSON_SEQ),), label="the notes' two sequences"),
        Case("zero", (Tensor(np.array([[8, 2, 6]])),), label="nothing to hide"),
        Case("other", (Tensor(NINES),), {"pad_token": 9}, label="pad 9; here 0 is a word"),
        Case("other", (Tensor(NINES), 9), label="the pad token without its name"),
        Case("array", (LESSON_SEQ,), label="a NumPy array"),
        Case("array", ([[3, 0], [5, 6], [0, 0]],), label="a nested list"),
    )


def _padding_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    n = int(rng.integers(5, 9))
    return (
        Case("zero", (Tensor(_sequences(rng, 3, n, 0)),)),
        Case("zero", (Tensor(_sequences(rng, 4, 4, 0)),), label="as many sequences as words"),
        Case("zero", (Tensor(_sequences(rng, 2, n, 0).astype(np.int32)),), {"pad_token": 0}),
        Case("other", (Tensor(_sequences(rng, 3, n, 9)),), {"pad_token": 9}, label="pad 9"),
        Case("other", (Tensor(_sequences(rng, 2, n, -1)),), {"pad_token": -1}, label="pad −1"),
        Case("array", (_sequences(rng, 2, 5, 0),), label="a NumPy array"),
        Case("array", (_sequences(rng, 3, 4, 9).tolist(),), {"pad_token": 9}, label="a nested list, pad 9"),
    )


def _sequences(rng: np.random.Generator, batch: int, n: int, pad: int) -> Array:
    """Token ids 0…19 with unlike numbers of pads at the end, in the last row one in the middle as well."""
    seq = rng.integers(1 if pad == 0 else 0, 9, size=(batch, n))
    if pad != 0:
        seq[:, 0] = 0
    for row, length in enumerate(rng.permutation(np.arange(1, n))[:batch]):
        seq[row, length:] = pad
    seq[-1, n // 2] = pad
    return seq


def _tokens(seq: Any) -> torch.Tensor:
    return torch.as_tensor(seq)


PADDING = Exercise(
    id="create_padding_mask",
    signature="create_padding_mask(seq, pad_token=0)",
    examples=_padding_examples,
    draw=_padding_draw,
    parts=(
        Part("(batch, 1, n), of True and False", masks_and_heads.boolean, ("zero", "other")),
        Part("words may be looked at, pads may not", masks_and_heads.right_and_untouched, ("zero",)),
        Part("any pad token will do", masks_and_heads.right_and_untouched, ("other",)),
        Part("arrays and nested lists will do", masks_and_heads.right_and_untouched, ("array",)),
    ),
    misconceptions=(
        Misconception(
            "inverted padding",
            "inverted padding: True stands on the pads",
            "Print your mask beside `seq`. What may be looked at?",
            (lambda seq, pad_token=0: (_tokens(seq) == pad_token)[:, None, :],),
        ),
        Misconception(
            "pads the queries",
            "pads the queries: rows vanish instead of columns",
            "Scores have queries as rows and keys as columns. Whose column should disappear?",
            (
                lambda seq, pad_token=0: (_tokens(seq) != pad_token)[:, :, None],
                lambda seq, pad_token=0: (_tokens(seq) != pad_token)[:, :, None].expand(-1, -1, len(seq[0])),
            ),
        ),
        Misconception(
            "literal 0",
            "literal 0: the pad token you were given is not used",
            "Which constants stand in your code?",
            (
                lambda seq, pad_token=0: (_tokens(seq) != 0)[:, None, :],
                lambda seq, pad_token=0: (_tokens(seq) > 0)[:, None, :],
            ),
        ),
        Misconception(
            "not boolean",
            "not boolean: a mask of numbers",
            "What does `~mask` print?",
            (
                lambda seq, pad_token=0: (_tokens(seq) != pad_token)[:, None, :].float(),
                lambda seq, pad_token=0: torch.where(_tokens(seq) == pad_token, -torch.inf, 0.0)[:, None, :],
            ),
        ),
        Misconception(
            "writes into its input",
            "writes into its input: the sequences are no longer what they were",
            "Print `seq` after the call. Which tensor did you change?",
        ),
    ),
)


# --- predict_who_sees_whom --------------------------------------------------------------------------------

WHO = Exercise(
    id="predict_who_sees_whom",
    signature="sees_causal = [...], sees_padding = [...], sees_both = [...]",
    values=("sees_causal", "sees_padding", "sees_both"),
    examples=lambda: (Case("values", tolerance=0.01),),
    parts=(
        Part("under the causal mask", masks_and_heads.sees_causal),
        Part("under the padding mask", masks_and_heads.sees_padding),
        Part("under both", masks_and_heads.sees_both),
    ),
    misconceptions=(
        Misconception(
            "looks ahead",
            "looks ahead: these are the words that come later",
            "While word 2 is being written, which words are already there?",
            tuple(
                lambda seen=seen, both=both: (seen, [0, 1, 3], both)
                for seen in ([2, 3, 4], [3, 4], [0, 1, 2, 3, 4])
                for both in ([3], [0, 1], [0, 1, 3])
            ),
        ),
        Misconception(
            "diagonal",
            "diagonal off by one: it hides word 2 from itself, or shows it word 3",
            "Under a causal mask, how many words may word 0 see?",
            (
                lambda: ([0, 1], [0, 1, 3], [0, 1]),
                lambda: ([0, 1, 2, 3], [0, 1, 3], [0, 1, 3]),
                lambda: ([0, 1, 2, 3], [0, 1, 3], [0, 1]),
            ),
        ),
        Misconception(
            "inverted padding",
            "inverted padding: these are the pads",
            "Which words carry nothing to look at?",
            (lambda: ([0, 1, 2], [2, 4], [2]), lambda: ([0, 1, 2], [2, 4], [0, 1])),
        ),
        Misconception(
            "pads the queries",
            "pads the queries: word 2 is a pad itself, but padding takes columns away, not rows",
            "Does the padding mask have a row for each query, or one row for all?",
            (
                lambda: ([0, 1, 2], [], []),
                lambda: ([0, 1, 2], [], [0, 1]),
                lambda: ([0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 2]),
            ),
        ),
        Misconception(
            "sees itself",
            "sees itself: word 2 is a pad, so no one may look at it",
            "What stands at position 2?",
            (
                lambda: ([0, 1, 2], [0, 1, 2, 3], [0, 1, 2]),
                lambda: ([0, 1, 2], [0, 1, 3], [0, 1, 2]),
                lambda: ([0, 1, 2], [0, 1, 2, 3], [0, 1]),
            ),
        ),
        Misconception(
            "either instead of both",
            "either instead of both: allowed by one of the masks is not enough",
            "Is it `&` or `|` that joins the two masks?",
            (lambda: ([0, 1, 2], [0, 1, 3], [0, 1, 2, 3]),),
        ),
        Misconception(
            "counted from 1",
            "counted from 1",
            "Which position does the first word have?",
            (lambda: ([1, 2, 3], [1, 2, 4], [1, 2]), lambda: ([1, 2], [1, 2, 4], [1, 2])),
        ),
    ),
)


# --- masked_weights ---------------------------------------------------------------------------------------


def weigh(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    """Right weights for any scores, so that each wrong answer below is wrong in one thing."""
    if mask is None:
        return torch.softmax(scores, -1)
    return torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), -1) * mask


def mask_inverted(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    return torch.softmax(scores if mask is None else scores.masked_fill(mask, -torch.inf), -1)


def mask_negated(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    return weigh(scores, None if mask is None else ~mask)


def mask_ignored(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    return torch.softmax(scores, -1)


def filled_with(fill: float) -> Callable[..., torch.Tensor]:
    """Weights that hide keys behind this number alone."""

    def weights(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
        return torch.softmax(scores if mask is None else scores.masked_fill(~mask, fill), -1)

    return weights


def mask_added(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    return torch.softmax(scores if mask is None else scores + mask, -1)


def masked_after(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    return torch.softmax(scores, -1) * (1 if mask is None else mask)


def zero_times_infinity(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    return torch.softmax(scores if mask is None else scores + (1 - mask.float()) * -torch.inf, -1)


def mask_transposed(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    return weigh(scores, None if mask is None else mask.mT)


def over_queries(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    filled = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(filled, -2).nan_to_num()


def over_everything(scores: torch.Tensor, mask: Mask = None) -> torch.Tensor:
    filled = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(filled.flatten(-2), -1).view(scores.shape).nan_to_num()


MASK_MISTAKES: tuple[tuple[str, str, str, tuple[Callable[..., torch.Tensor], ...]], ...] = (
    (
        "mask inverted",
        "mask inverted: it hides what it should show",
        "Print the weights where the mask is False.",
        (mask_inverted, mask_negated),
    ),
    (
        "mask ignored",
        "mask ignored: the weights are those without a mask",
        "Give the same scores two different masks. What changes?",
        (mask_ignored,),
    ),
    (
        "masked after softmax",
        "masked after softmax: what the hidden keys got is lost",
        "What do the weights of a query sum to once some of its keys are hidden?",
        (masked_after,),
    ),
    (
        "fill too weak",
        "fill too weak: a hidden key still gets a share",
        "What is exp of the number you hide a key with?",
        (filled_with(0.0), filled_with(-10.0), filled_with(-1e6), mask_added),
    ),
    (
        "zero times infinity",
        "zero times infinity: 0 · inf is not a number",
        "What does Python say to `0 * float('inf')`?",
        (zero_times_infinity,),
    ),
    (
        "mask transposed",
        "mask transposed: queries and keys have changed places in it",
        "Does a row of your mask belong to a query or to a key?",
        (mask_transposed,),
    ),
    (
        "empty row",
        "empty row: a query with nothing to look at still gets something, or NaN",
        "What should a query get that may look nowhere?",
        (filled_with(-torch.inf), filled_with(-1e9)),
    ),
    (
        "softmax over queries",
        "softmax over queries: the keys' columns sum to 1, not the queries' rows",
        "For one query, what is shared out?",
        (over_queries,),
    ),
    (
        "whole matrix",
        "softmax over the whole matrix",
        "What does each query's row sum to?",
        (over_everything,),
    ),
)


def _weight_examples() -> tuple[Case, ...]:
    notes = np.array([[1.0, 2.0, 0.5]])
    last_hidden = np.array([[True, True, False]])
    scores = np.array([[0.5, -1.0, 2.0], [1.5, 0.0, -0.5], [0.3, 0.8, -2.0]])
    heads = np.array([[[[0.2, 1.0, -0.5], [0.7, -1.2, 0.1]], [[-0.3, 0.9, 1.1], [2.0, 0.4, -0.8]]]])
    low = np.array([[-4e6, -3e6, 5.0], [1.0, 2.0, 3.0]])
    empty = np.array([[True, False, True], [False, False, False], [True, True, False]])
    return (
        Case("mask", (Tensor(notes), Tensor(last_hidden)), label="the notes' second example"),
        Case("plain", (Tensor(scores),), label="no mask"),
        Case("plain", (Tensor(heads),), label="two heads, no mask"),
        Case("mask", (Tensor(scores), Tensor(np.tri(3, dtype=bool))), label="causal"),
        Case("mask", (Tensor(heads), Tensor(np.tri(2, 3, dtype=bool))), label="two heads, one mask for both"),
        Case("mask", (Tensor(low), Tensor(last_hidden)), label="very low scores"),
        Case("empty", (Tensor(scores), Tensor(empty)), label="query 1 may look nowhere"),
    )


WEIGHTS = Exercise(
    id="masked_weights",
    signature="masked_weights(scores, mask=None)",
    graded=False,
    examples=_weight_examples,
    parts=(
        Part("without a mask, plain softmax", masks_and_heads.right_and_untouched, ("plain",)),
        Part("a hidden key's share goes to the others", masks_and_heads.right_and_untouched, ("mask",)),
        Part("a query with nothing to look at gets zeros", masks_and_heads.empty_rows_are_zero, ("empty",)),
        Part("and its neighbours are as before", masks_and_heads.right_and_untouched, ("empty",)),
    ),
    misconceptions=tuple(Misconception(*mistake) for mistake in MASK_MISTAKES),
)


# --- predict_head_zero ------------------------------------------------------------------------------------

HEAD_ZERO = Exercise(
    id="predict_head_zero",
    signature="head_0 = [...], head_0_by_view = [...]",
    values=("head_0", "head_0_by_view"),
    graded=False,
    examples=lambda: (Case("values", tolerance=0.01),),
    parts=(
        Part("what head 0 should get", masks_and_heads.head_0),
        Part("what a bare view gives it", masks_and_heads.head_0_by_view),
    ),
    misconceptions=(
        Misconception(
            "view instead of transpose",
            "view instead of transpose: head 0 has all of word 0, and nothing of word 2",
            "Which columns belong to head 0, and how many words should it know?",
            (
                lambda: ([[0, 1], [2, 3], [4, 5]], [[0, 1], [2, 3], [4, 5]]),
                lambda: ([[0, 1], [2, 3], [4, 5]], [[0, 1], [4, 5], [8, 9]]),
            ),
        ),
        Misconception(
            "a view moves nothing",
            "a view moves nothing: it deals the same twelve numbers out in the same order",
            "Write the numbers 0 to 11 in a line. Which are the first six?",
            (lambda: ([[0, 1], [4, 5], [8, 9]], [[0, 1], [4, 5], [8, 9]]),),
        ),
        Misconception(
            "every second column",
            "every second column: head 0 owns neighbouring columns",
            "Head 0 owns the first d_head columns. Which are these?",
            (
                lambda: ([[0, 2], [4, 6], [8, 10]], [[0, 1], [2, 3], [4, 5]]),
                lambda: ([[0, 2], [4, 6], [8, 10]], [[0, 2], [4, 6], [8, 10]]),
            ),
        ),
    ),
)


# --- split_heads and merge_heads --------------------------------------------------------------------------


def _split_case(
    tag: str, batch: int, n: int, heads: int, width: int, label: str = "", start: int = 0
) -> Case:
    size = batch * n * heads * width
    numbers = np.arange(start, start + size, dtype=np.float32).reshape(batch, n, heads * width)
    return Case(tag, (Tensor(numbers), heads), label=label)


def _split_examples() -> tuple[Case, ...]:
    return (
        _split_case("example", 1, 3, 2, 2, "3 words, 2 heads of width 2"),
        _split_case("sizes", 2, 3, 2, 1),
        _split_case("sizes", 2, 2, 2, 3, "as many words as heads"),
        _split_case("sizes", 1, 2, 1, 3, "one head"),
    )


def _split_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        _split_case("sizes", 2, 4, 3, 5, start=int(rng.integers(100))),
        _split_case("sizes", 3, 3, 3, 3, "all sizes alike", start=int(rng.integers(100))),
        _split_case("sizes", 2, 1, 4, 2, "one word"),
        Case("sizes", (Tensor(rng.normal(size=(2, 5, 6))), 3), label="double precision"),
        Case("sizes", (Tensor(rng.integers(0, 50, size=(2, 3, 8))), 2), label="integers"),
    )


def _view(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    return X.reshape(len(X), num_heads, X.shape[1], X.shape[2] // num_heads)


def _cut(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    return X.unflatten(2, (num_heads, -1)).transpose(1, 2)


def _glue(X: torch.Tensor) -> torch.Tensor:
    return X.transpose(1, 2).flatten(2)


def _flat(X: torch.Tensor) -> torch.Tensor:
    return X.reshape(X.shape[0], X.shape[2], X.shape[1] * X.shape[3])


SPLIT = Exercise(
    id="split_heads",
    signature="split_heads(X, num_heads)",
    examples=_split_examples,
    draw=_split_draw,
    parts=(
        Part("(batch, num_heads, n, d_head)", common.shape),
        Part("three words, two heads", masks_and_heads.right_and_untouched, ("example",)),
        Part("head j owns its columns, whatever the sizes", masks_and_heads.right_and_untouched, ("sizes",)),
    ),
    misconceptions=(
        Misconception(
            "view instead of transpose",
            "view instead of transpose: a head gets whole words, not a part of every word "
            "(with a merge to match, both mistakes pass every round trip)",
            "Number the features. Where does the second part of word 0 go?",
            (_view, lambda X, num_heads: X.unflatten(2, (num_heads, -1))),
        ),
        Misconception(
            "every second column",
            "every second column: a head's columns should be neighbours",
            "Head 0 owns columns 0 … d_head − 1. Which columns does yours hold?",
            (lambda X, num_heads: X.unflatten(2, (-1, num_heads)).permute(0, 3, 1, 2),),
        ),
        Misconception(
            "writes into its input",
            "writes into its input: X is no longer what it was",
            "Print X after the call.",
        ),
    ),
)


def _merge_case(
    tag: str, batch: int, heads: int, n: int, width: int, label: str = "", start: int = 0
) -> Case:
    size = batch * heads * n * width
    numbers = np.arange(start, start + size, dtype=np.float32).reshape(batch, heads, n, width)
    return Case(tag, (Tensor(numbers),), label=label)


def _merge_examples() -> tuple[Case, ...]:
    heads = np.array([[[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]], dtype=np.float32)
    return (
        Case("example", (Tensor(heads),), label="the three words of split_heads"),
        _merge_case("sizes", 2, 2, 3, 1),
        _merge_case("sizes", 2, 2, 2, 3, "as many words as heads"),
        _merge_case("sizes", 1, 1, 2, 3, "one head"),
    )


def _merge_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        _merge_case("sizes", 2, 3, 4, 5, start=int(rng.integers(100))),
        _merge_case("sizes", 3, 3, 3, 3, "all sizes alike", start=int(rng.integers(100))),
        _merge_case("sizes", 2, 4, 1, 2, "one word"),
        Case("sizes", (Tensor(rng.normal(size=(2, 3, 5, 2))),), label="double precision"),
        Case("sizes", (Tensor(rng.integers(0, 50, size=(2, 4, 3, 2))),), label="integers"),
    )


MERGE = Exercise(
    id="merge_heads",
    signature="merge_heads(X)",
    examples=_merge_examples,
    draw=_merge_draw,
    parts=(
        Part("(batch, n, d_model)", common.shape),
        Part("three words, two heads", masks_and_heads.right_and_untouched, ("example",)),
        Part("a word's parts side by side, at any sizes", masks_and_heads.right_and_untouched, ("sizes",)),
    ),
    misconceptions=(
        Misconception(
            "merge without transpose",
            "merge without transpose: the rows mix words "
            "(with a split to match, both mistakes pass every round trip)",
            "Follow word 0. Which rows of which heads end up in its vector?",
            (_flat, lambda X: X.flatten(2), lambda X: X.flatten(1, 2)),
        ),
        Misconception(
            "every second column",
            "every second column: a head's features should stay neighbours",
            "In the merged vector, which feature follows the first one of head 0?",
            (lambda X: X.permute(0, 2, 3, 1).flatten(2),),
        ),
        Misconception(
            "writes into its input",
            "writes into its input: X is no longer what it was",
            "Print X after the call.",
        ),
    ),
)


# --- MultiHeadAttention -----------------------------------------------------------------------------------

LAYERS = ("W_q.weight", "W_k.weight", "W_v.weight", "W_o.weight")


def _state(rng: np.random.Generator, d_model: int, heads: int, alike: bool = False) -> ModuleState:
    """Parameters rounded to one digit; with `alike`, queries and keys pass unchanged."""
    weights = {name: _numbers(rng, d_model, d_model) for name in LAYERS}
    if alike:
        weights["W_q.weight"] = weights["W_k.weight"] = np.eye(d_model, dtype=np.float32)
    return ModuleState({"d_model": d_model, "num_heads": heads}, weights)


def _numbers(rng: np.random.Generator, *shape: int) -> Array:
    return rng.normal(size=shape).round(1).astype(np.float32)


def _inputs(rng: np.random.Generator, batch: int, n_q: int, n_k: int, d_model: int) -> tuple[Tensor, ...]:
    return tuple(Tensor(_numbers(rng, batch, n, d_model)) for n in (n_q, n_k, n_k))


def _self_case(
    rng: np.random.Generator, sizes: tuple[int, int, int, int], watched: tuple[int, ...], label: str = ""
) -> Case:
    """sizes: batch, n, d_model, heads; watched: the arguments whose gradient is asked for."""
    batch, n, d_model, heads = sizes
    X = Tensor(_numbers(rng, batch, n, d_model))
    return Case("self", (X, X, X), module=_state(rng, d_model, heads), gradient_of=watched, label=label)


def _masked_case(
    rng: np.random.Generator, tag: str, sizes: tuple[int, int, int, int, int], mask: Array | None, label: str
) -> Case:
    """sizes: batch, n_q, n_k, d_model, heads."""
    batch, n_q, n_k, d_model, heads = sizes
    given = {} if mask is None else {"mask": Tensor(mask)}
    inputs = _inputs(rng, batch, n_q, n_k, d_model)
    return Case(tag, inputs, given, label=label, module=_state(rng, d_model, heads))


def _build_case(d_model: int, heads: int) -> Case:
    """A module with its own random parameters: on zeros they make no difference."""
    zeros = Tensor(np.zeros((1, 2, d_model), dtype=np.float32))
    made = ModuleState({"d_model": d_model, "num_heads": heads})
    return Case("build", (zeros, zeros, zeros), module=made, label=f"MultiHeadAttention({d_model}, {heads})")


def _refusal(d_model: int, heads: int) -> Case:
    case = _build_case(d_model, heads)
    return Case("refuse", case.args, module=case.module, label=f"MultiHeadAttention({d_model}, {heads})")


def _random_mask(rng: np.random.Generator, *shape: int) -> Array:
    """No row empty, no row full, not symmetric."""
    mask = rng.random(shape) < 0.5
    rows = mask.reshape(-1, shape[-1])
    first = rng.integers(shape[-1], size=len(rows))
    rows[np.arange(len(rows)), first] = True
    rows[np.arange(len(rows)), (first + 1) % shape[-1]] = False
    return mask


def _lengths(*lengths: int, n: int) -> Array:
    return (np.arange(n) < np.array(lengths)[:, None])[:, None, :]


def _top_masked(rng: np.random.Generator) -> Case:
    """Each query of each head may not look at the key that it likes best."""
    case = _masked_case(rng, "mask", (2, 3, 4, 10, 2), None, "a mask a head that hides the highest score")
    assert case.module is not None
    queries, keys = (case.args[i].array @ case.module.parameters[LAYERS[i]].T for i in (0, 1))
    q, k = (x.reshape(2, -1, 2, 5).swapaxes(1, 2) for x in (queries, keys))
    best = (q @ k.swapaxes(-1, -2)).argmax(-1)
    mask = Tensor(np.arange(4) != best[..., None])
    return Case("mask", case.args, {"mask": mask}, label=case.label, module=case.module)


def _low_scores(rng: np.random.Generator) -> Case:
    """The keys in view have scores of some minus ten million, far below a hidden one's."""
    queries, values = np.full((1, 2, 6), 2000, dtype=np.float32), _numbers(rng, 1, 4, 6)
    keys = np.repeat(np.array([-3000, -2800, -2600, 0], dtype=np.float32), 6).reshape(1, 4, 6)
    mask = Tensor(np.array([[True, False, True, False], [True, True, False, False]]))
    args = (Tensor(queries), Tensor(keys), Tensor(values))
    return Case("mask", args, {"mask": mask}, label="very low scores", module=_state(rng, 6, 2, alike=True))


def _heads_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(6)
    empty = np.array([[True, False, True], [False, False, False]])
    return (
        _build_case(6, 2),
        _refusal(6, 4),
        _self_case(rng, (1, 2, 6, 2), (0,)),
        _masked_case(rng, "cross", (1, 2, 3, 4, 2), None, "2 queries, 3 keys"),
        _masked_case(rng, "mask", (1, 2, 2, 4, 2), np.tri(2, dtype=bool), "causal"),
        _masked_case(rng, "each", (2, 2, 2, 4, 2), _lengths(2, 1, n=2), "padding, 2 sentences, 2 heads"),
        _masked_case(rng, "empty", (1, 2, 3, 4, 2), empty, "query 1 may look nowhere"),
    )


def _heads_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    one_empty = _random_mask(rng, 2, 3, 4)
    one_empty[1, 2] = False
    sentence_empty = _lengths(3, 0, n=4)
    a_sentence = _random_mask(rng, 2, 1, 3, 4)
    return (
        _build_case(12, 3),
        _refusal(10, 4),
        _self_case(rng, (2, 4, 15, 3), (0, 1, 2)),
        _self_case(rng, (3, 3, 9, 3), (0, 1, 2), "all sizes alike"),
        _masked_case(rng, "cross", (2, 3, 4, 10, 2), None, "3 queries, 4 keys"),
        _masked_case(rng, "cross", (2, 1, 4, 6, 3), None, "one query"),
        _masked_case(rng, "mask", (2, 5, 3, 10, 2), _random_mask(rng, 5, 3), "one mask for all"),
        _masked_case(rng, "mask", (2, 3, 4, 9, 3), a_sentence, "a mask (batch, 1, n_q, n_k)"),
        _top_masked(rng),
        _low_scores(rng),
        _masked_case(rng, "each", (2, 4, 4, 9, 3), _lengths(4, 2, n=4), "padding, 2 sentences, 3 heads"),
        _masked_case(rng, "each", (2, 3, 3, 10, 2), _random_mask(rng, 2, 3, 3), "a mask a sentence, 2 heads"),
        _masked_case(rng, "each", (3, 3, 3, 9, 3), _random_mask(rng, 3, 3, 3), "batch, heads, words alike"),
        _masked_case(rng, "empty", (2, 3, 4, 10, 2), one_empty, "query 2 of sentence 1 may look nowhere"),
        _masked_case(rng, "empty", (2, 4, 4, 9, 3), sentence_empty, "sentence 1 is all padding"),
    )


class Heads(nn.Module):
    """Multi-head attention in steps, so that each wrong answer below replaces one."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_model} features evenly")
        self.num_heads, self.d_model, self.d_k = num_heads, d_model, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, queries: Any, keys: Any, values: Any, mask: Mask = None) -> torch.Tensor:
        projected = self.project(queries, keys, values)
        Q, K, V = (self.cut(X, n) for X, n in zip(projected, self.lengths(queries, keys), strict=True))
        self.attention_weights = self.weigh(self.score(Q, K), None if mask is None else self.widen(mask))
        return self.mix(self.glue(self.attend(self.attention_weights, K, V)))

    def project(self, queries: Any, keys: Any, values: Any) -> tuple[torch.Tensor, ...]:
        return self.W_q(queries), self.W_k(keys), self.W_v(values)

    def lengths(self, queries: Any, keys: Any) -> tuple[int, int, int]:
        return queries.shape[1], keys.shape[1], keys.shape[1]

    def cut(self, X: torch.Tensor, n: int) -> torch.Tensor:
        return X.view(len(X), n, self.num_heads, self.d_k).transpose(1, 2)

    def score(self, Q: torch.Tensor, K: torch.Tensor) -> torch.Tensor:
        return Q @ K.mT / math.sqrt(self.d_k)

    def widen(self, mask: torch.Tensor) -> torch.Tensor:
        return mask.unsqueeze(1) if mask.dim() == 3 else mask

    def weigh(self, scores: torch.Tensor, mask: Mask) -> torch.Tensor:
        return weigh(scores, mask)

    def attend(self, weights: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return weights @ V

    def glue(self, X: torch.Tensor) -> torch.Tensor:
        return _glue(X)

    def mix(self, X: torch.Tensor) -> torch.Tensor:
        return self.W_o(X)


def wrong(**steps: Callable[..., Any]) -> type[Heads]:
    """Multi-head attention with other steps."""
    return type("MultiHeadAttention", (Heads,), steps)


def _repeated(mask: torch.Tensor) -> torch.Tensor:
    """A mask a sentence, handed out to the heads in the wrong order."""
    if mask.dim() != 3:
        return mask
    return mask.repeat(2, 1, 1).view(len(mask), 2, *mask.shape[1:])


def _raw(self: Heads, Q: torch.Tensor, K: torch.Tensor) -> torch.Tensor:
    return Q @ K.mT


HEAD_MISTAKES = (
    Misconception(
        "view instead of transpose",
        "view instead of transpose: a head gets whole words, not a part of every word",
        "Number the features. Where does the second part of word 0 go?",
        (wrong(cut=lambda self, X, n: _view(X, self.num_heads)),),
    ),
    Misconception(
        "merge without transpose",
        "merge without transpose: the rows mix words",
        "Follow word 0 from its head outputs to its row of the result.",
        (wrong(glue=lambda self, X: _flat(X)),),
    ),
    Misconception(
        "both",
        "both view instead of transpose and merge without transpose: the round trip hides it",
        "Shuffle the words: what should happen to the rows of the output?",
        (wrong(cut=lambda self, X, n: _view(X, self.num_heads), glue=lambda self, X: _flat(X)),),
    ),
    Misconception(
        "√d_model",
        "√d_model: the scores are scaled as if there were one head",
        "How long is the vector that one head compares?",
        (wrong(score=lambda self, Q, K: Q @ K.mT / math.sqrt(self.d_model)),),
    ),
    Misconception(
        "no scale",
        "no scale: the scores go into the softmax as they are",
        "How does the spread of the scores grow with d_k?",
        (wrong(score=_raw),),
    ),
    Misconception(
        "wrong power",
        "wrong power: not the square root of d_k",
        "What is your divisor at d_k = 9?",
        (
            wrong(score=lambda self, Q, K: Q @ K.mT / self.d_k),
            wrong(score=lambda self, Q, K: Q @ K.mT / (self.d_k / 2)),
            wrong(score=lambda self, Q, K: Q @ K.mT * math.sqrt(self.d_k)),
        ),
    ),
    Misconception(
        "wrong length",
        "wrong length: the scale counts words, not features",
        "Over which axis did the product sum?",
        (
            wrong(score=lambda self, Q, K: Q @ K.mT / math.sqrt(K.shape[2])),
            wrong(score=lambda self, Q, K: Q @ K.mT / math.sqrt(self.num_heads)),
        ),
    ),
    Misconception(
        "scaled after softmax",
        "scaled after softmax: the weights no longer sum to 1",
        "What do the weights of one query sum to?",
        (wrong(score=_raw, weigh=lambda self, scores, mask: weigh(scores, mask) / math.sqrt(self.d_k)),),
    ),
    Misconception(
        "one projection for all",
        "one projection for all: queries, keys and values need one each",
        "How many parameters should four layers have, and which inputs pass through each?",
        (
            wrong(project=lambda self, q, k, v: (self.W_q(q), self.W_q(k), self.W_q(v))),
            wrong(project=lambda self, q, k, v: (self.W_q(q), self.W_k(k), self.W_k(v))),
        ),
    ),
    Misconception(
        "no W_o",
        "no W_o: the heads' results stand side by side, unmixed",
        "Which layer mixes the heads?",
        (wrong(mix=lambda self, X: X),),
    ),
    Misconception(
        "n_q for both",
        "n_q for both: keys and values have a length of their own",
        "Whose length do you read, and whose do you use it for?",
        (wrong(lengths=lambda self, queries, keys: (queries.shape[1],) * 3),),
    ),
    Misconception(
        "mask meets heads",
        "mask meets heads: (batch, n_q, n_k) has no axis for the heads",
        "Write the mask's shape below the scores' shape, right-aligned. Which axis is missing?",
        (
            wrong(widen=lambda self, mask: mask),
            wrong(widen=lambda self, mask: mask.unsqueeze(1)),
            wrong(widen=lambda self, mask: _repeated(mask)),
        ),
    ),
    Misconception(
        "wrong partner",
        "wrong partner: the weights should gather the values",
        "Change only the values: does the output move?",
        (
            wrong(attend=lambda self, weights, K, V: weights @ K),
            wrong(project=lambda self, q, k, v: (self.W_q(q), self.W_k(k), self.W_v(k))),
            wrong(project=lambda self, q, k, v: (self.W_q(q), self.W_k(v), self.W_v(v))),
        ),
    ),
    Misconception(
        "weights transposed",
        "weights transposed: a query's weights stand in a row",
        "Which row of the weights belongs to query 0?",
        (wrong(attend=lambda self, weights, K, V: weights.mT @ V),),
    ),
    Misconception(
        "wrong axis",
        "wrong axis: the softmax lets the heads compete with each other",
        "Which entries of the scores should sum to 1?",
        (wrong(weigh=lambda self, scores, mask: torch.softmax(filled(scores, mask), 1).nan_to_num()),),
    ),
    Misconception(
        "gradient cut",
        "gradient cut: the output no longer depends on its inputs for autograd",
        "Where is the graph cut? Look for detach, .data and .numpy().",
    ),
    Misconception(
        "writes into its input",
        "writes into its input: an argument is no longer what it was",
        "Print the mask after the call.",
    ),
)


def filled(scores: torch.Tensor, mask: Mask) -> torch.Tensor:
    return scores if mask is None else scores.masked_fill(~mask, -torch.inf)


def _in_heads(mistake: tuple[str, str, str, tuple[Callable[..., torch.Tensor], ...]]) -> Misconception:
    name, looks_like, question, ways = mistake
    return Misconception(name, looks_like, question, tuple(wrong(weigh=staticmethod(way)) for way in ways))


MULTI_HEAD = Exercise(
    id="MultiHeadAttention",
    signature="MultiHeadAttention with forward(queries, keys, values, mask=None)",
    examples=_heads_examples,
    draw=_heads_draw,
    builds_on=("masked_weights", "split_heads", "merge_heads"),
    parts=(
        Part("four projections without bias, d_k, the right shapes", masks_and_heads.projections, ("build",)),
        Part("self-attention: the right output and weights", masks_and_heads.attends, ("self",)),
        Part("cross-attention: more or fewer keys than queries", masks_and_heads.attends, ("cross",)),
        Part("a mask, the same for all or one a head", masks_and_heads.attends, ("mask",)),
        Part("a mask a sentence, the same for every head", masks_and_heads.attends, ("each",)),
        Part("a query with nothing to look at gets zeros", masks_and_heads.sees_nothing, ("empty",)),
        Part("gradients reach queries, keys and values", modules.gradients, ("self",)),
        Part("ValueError where heads cannot share d_model", masks_and_heads.value_error, ("refuse",)),
    ),
    misconceptions=(*HEAD_MISTAKES, *(_in_heads(mistake) for mistake in MASK_MISTAKES)),
)


LESSON = Lesson(
    "06_masks_and_heads",
    "Who may look, and with how many eyes",
    (COVERED, CAUSAL, ADDITIVE, PADDING, WHO, WEIGHTS, HEAD_ZERO, SPLIT, MERGE, MULTI_HEAD),
)
