"""Rules about word vectors and about the heatmap drawn from attention weights."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from autograder import values
from autograder.exercise import Case, Observation, Problem, WordVectors
from autograder.rules import common, masks

Rows = list[np.ndarray]

FACTOR = 3.0
"""A stand-in may be this many times longer or shorter than an ordinary word vector."""


# --- one word: the first argument is a list of words, the value a list of what came back for each ---------


def a_vector_each(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """One vector a word, as wide as the model's, all numbers finite."""
    return common.shape(case, seen, expected)


def same_every_time(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The same word has the same vector: in one list, asked again, and in another process."""
    return _not_repeatable(seen.value, seen.again, seen.elsewhere, list(case.args[0]))


def told_apart(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Different words have different vectors."""
    return _alike(seen.value, list(case.args[0]))


def of_ordinary_length(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each vector's norm lies within a factor of 3 of the known words' median norm, `facts["norm"]`."""
    return _out_of_proportion(seen.value, list(case.args[0]), float(case.facts["norm"]))


def model_left_alone(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The word vectors are what they were, also after the result has been written into."""
    for before, after in zip(case.args, seen.after, strict=False):
        if isinstance(before, WordVectors):
            return _model_changed(before, after)
    return None


def _model_changed(before: WordVectors, after: Any) -> Problem | None:
    if not isinstance(after, WordVectors) or tuple(after.words) != before.words:
        return Problem("the model's vocabulary changed")
    if values.close(after.matrix, before.matrix, 1e-6):
        return None
    text = "writing into the vector that came back changed the model's own row"
    return Problem(text, misconception="alias")


# --- a sentence: the value is a matrix, `facts` says which rows belong to known words ---------------------


def one_row_per_word(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many rows as words, each as wide as the vectors."""
    problem = common.shape(case, seen, expected)
    words = str(case.args[0]).split()
    rows = _rows(seen.value)
    if problem is None or rows is None or len(rows) == len(words):
        return problem
    name = ""
    if len(rows) == len(case.facts["known"]):
        name = "word dropped"
    elif len(rows) == len(set(words)):
        name = "repeated word lost"
    return Problem("rows", str(len(rows)), f"{len(words)}, one for each word", misconception=name)


def known_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The row of each known word is the model's vector of that word."""
    rows, wanted = _rows(seen.value), _rows(expected.value)
    if rows is None or wanted is None or len(rows) != len(wanted):
        return Problem(
            "no matrix of that size came back", values.kind_of(seen.value), values.kind_of(expected.value)
        )
    words = str(case.args[0]).split()
    for i in case.facts["known"]:
        if not values.close(rows[i], wanted[i], case.tolerance):
            return Problem(
                f"row {i} is not the vector of {words[i]!r}", values.show(rows[i]), values.show(wanted[i])
            )
    return None


def spaced_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many rows as words, and the right ones, however the words are spaced."""
    return one_row_per_word(case, seen, expected) or known_rows(case, seen, expected)


def unknown_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The row of each unknown word is a proper stand-in: steady, its own, and of ordinary length."""
    words = str(case.args[0]).split()
    places = [i for i in range(len(words)) if i not in case.facts["known"]]
    picked, again, elsewhere = (
        _pick(value, places, len(words)) for value in (seen.value, seen.again, seen.elsewhere)
    )
    if picked is None:
        return Problem(
            "no row came back for an unknown word", values.kind_of(seen.value), f"{len(words)} rows"
        )
    chosen = [words[i] for i in places]
    return (
        _not_repeatable(picked, again, elsewhere, chosen)
        or _alike(picked, chosen)
        or _out_of_proportion(picked, chosen, float(case.facts["norm"]))
    )


def _pick(value: Any, places: Sequence[int], count: int) -> Rows | None:
    rows = _rows(value)
    return None if rows is None or len(rows) != count else [rows[i] for i in places]


# --- shared by both ---------------------------------------------------------------------------------------


def _rows(value: Any) -> Rows | None:
    """The rows of a matrix or of a list of vectors, as floats."""
    numbers = values.as_numbers(value)
    if numbers is None or numbers.ndim != 2 or numbers.dtype.kind not in "biuf":
        return None
    return list(numbers.astype(float))


def _missing(value: Any) -> Problem:
    return Problem("no vectors came back", values.kind_of(value), "one vector for each word")


def _not_repeatable(value: Any, again: Any, elsewhere: Any, words: Sequence[str]) -> Problem | None:
    rows, second = _rows(value), _rows(again)
    if rows is None or len(rows) != len(words):
        return _missing(value)
    first = {word: row for word, row in zip(reversed(words), reversed(rows), strict=True)}
    if any(not _equal(first[word], row) for word, row in zip(words, rows, strict=True)):
        return Problem("a word that occurs twice got two different vectors", misconception="new every call")
    if not _same_rows(rows, second):
        return Problem("asked twice, two different vectors came back", misconception="new every call")
    if elsewhere is not None and not _same_rows(rows, _rows(elsewhere)):
        text = "a freshly started Python gives this word another vector"
        return Problem(text, misconception="another one tomorrow")
    return None


def _same_rows(rows: Rows, others: Rows | None) -> bool:
    return others is not None and len(rows) == len(others) and all(map(_equal, rows, others))


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    size = max(float(np.abs(one).max(initial=0.0)), float(np.abs(other).max(initial=0.0)))
    return one.shape == other.shape and bool(
        np.allclose(one, other, rtol=0.0, atol=1e-5 * size, equal_nan=True)
    )


def _alike(value: Any, words: Sequence[str]) -> Problem | None:
    rows = _rows(value)
    if rows is None or len(rows) != len(words):
        return _missing(value)
    for (word, row), (other, second) in combinations(zip(words, rows, strict=True), 2):
        if word != other and _equal(row, second):
            return Problem(f"{word!r} and {other!r} got the same vector", misconception="one for all")
    return None


def _out_of_proportion(value: Any, words: Sequence[str], norm: float) -> Problem | None:
    rows = _rows(value)
    if rows is None or len(rows) != len(words):
        return _missing(value)
    for word, row in zip(words, rows, strict=True):
        length = float(np.linalg.norm(row))
        if not length > 0.0:
            return Problem(f"the vector of {word!r} is zero or not a number", misconception="one for all")
        if not norm / FACTOR <= length * 1.001 or not length <= norm * FACTOR * 1.001:
            name = "far too long" if length > norm else ""
            text = f"the vector of {word!r} has length {length:.3g}; an ordinary word's has {norm:.3g}"
            return Problem(text, misconception=name)
    return None


# --- attention --------------------------------------------------------------------------------------------


def shared_out(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every query's weights sum to 1; where the sums run another way, that is named."""
    problem = common.rows_sum_to_one(case, seen, expected)
    weights = common.last_array(seen.value, expected.value)
    if problem is None or weights is None or weights.ndim < 2 or weights.dtype.kind != "f":
        return problem
    name = ""
    if any(np.allclose(weights.sum(axis), 1.0, atol=1e-3) for axis in (-2, 0)):
        name = "softmax over queries"
    elif any(np.allclose(weights.sum(axes), 1.0, atol=1e-3) for axes in ((-2, -1), None)):
        name = "whole matrix"
    return Problem(problem.what, problem.got, problem.expected, misconception=name)


def agrees_under_mask(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """No weight where the mask is False, and the right numbers everywhere."""
    return masks.nothing_where_masked(case, seen, expected) or common.agrees(case, seen, expected)


# --- the heatmap: `probe.describe_axes` says what is known of it ------------------------------------------


def drew_axes(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A matplotlib Axes with something drawn on it came back."""
    axes = _axes(seen.value)
    if axes is None:
        name = "nothing returned" if seen.value is None else ""
        return Problem(
            "returned the wrong kind of thing", values.kind_of(seen.value), "the Axes", misconception=name
        )
    if not isinstance(axes.get("data"), np.ndarray):
        return Problem("the Axes that came back holds no heatmap")
    return None


def queries_in_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The picture's numbers are the weights: a row for each query, a column for each key."""
    data, weights = (_axes(seen.value) or {}).get("data"), np.asarray(case.args[0], dtype=float)
    if not isinstance(data, np.ndarray):
        return Problem("there is no heatmap to look at")
    data = data.astype(float)
    if _pictured(data, weights):
        return None
    name = "axes swapped" if _pictured(data, weights.T) else ""
    return Problem("the heatmap's numbers", values.show(data), values.show(weights), misconception=name)


def _pictured(data: np.ndarray, weights: np.ndarray) -> bool:
    if data.shape != weights.shape:
        return False
    return bool(np.allclose(data, weights, rtol=0.0, atol=0.006))


def labelled_by_word(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each row carries its word of the first sentence, each column its word of the second."""
    axes = _axes(seen.value) or {}
    for side, sentence in (("y_labels", case.args[1]), ("x_labels", case.args[2])):
        words = sentence.split() if isinstance(sentence, str) else list(sentence)
        labels = [str(label).strip() for label in axes.get(side) or ()]
        labels = [label for label in labels if label]
        if labels != words:
            which = "rows" if side == "y_labels" else "columns"
            name = _why_not_words(labels, words, case.args[2 if side == "y_labels" else 1])
            return Problem(
                f"labels of the {which}", " ".join(labels) or "none", " ".join(words), misconception=name
            )
    return None


def _why_not_words(labels: list[str], words: list[str], other: Any) -> str:
    letters = [letter for letter in " ".join(words) if letter.strip()]
    if labels and labels[: len(words)] == letters[: len(labels)][: len(words)]:
        return "labelled by letter"
    if labels == (other.split() if isinstance(other, str) else list(other)):
        return "axes swapped"
    return "" if set(labels) & set(words) else "words missing"


def annotated(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every cell shows its weight as a number, rounded as one likes."""
    texts = (_axes(seen.value) or {}).get("texts") or ()
    weights = np.sort(np.asarray(case.args[0], dtype=float).ravel())
    numbers = np.sort([number for number in map(_number, texts) if math.isfinite(number)])
    if len(numbers) != len(weights):
        text = "numbers written into the picture"
        return Problem(text, str(len(numbers)), str(len(weights)), misconception="no numbers")
    if min(np.abs(numbers - weights).max(), np.abs(numbers / 100 - weights).max()) <= 0.051:
        return None
    return Problem(
        "the numbers in the picture are not the weights", values.show(numbers), values.show(weights)
    )


def _number(text: Any) -> float:
    """The number that a text is, `45%` being 0.45; NaN when it is none."""
    found = re.fullmatch(
        r"\s*([-+.\deE]+)\s*(%?)\s*", str(text).replace("\N{MINUS SIGN}", "-").replace("$", "")
    )
    if found is None:
        return math.nan
    try:
        return float(found[1]) / (100 if found[2] else 1)
    except ValueError:
        return math.nan


def titled(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """There is a title, and the axis labels say which side is the query and which the key."""
    axes = _axes(seen.value) or {}
    x_name, y_name = (str(axes.get(side, "")) for side in ("x_name", "y_name"))
    x_key, y_query = "key" in x_name.lower(), "quer" in y_name.lower()
    if not (x_key and y_query):
        swapped = "quer" in x_name.lower() and "key" in y_name.lower()
        got = f"columns {x_name!r}, rows {y_name!r}"
        text = "the axis labels should say which is the query and which is the key"
        return Problem(f"{text}; found {got}", misconception="axes swapped" if swapped else "axes not named")
    return None if str(axes.get("title", "")).strip() else Problem("the picture has no title")


def _axes(value: Any) -> Mapping[str, Any] | None:
    """The description of the Axes that came back, alone or as the first of several results."""
    if isinstance(value, Mapping) and isinstance(value.get("axes"), Mapping):
        return value["axes"]
    return None


# --- predictions: a verdict says what to think about, never what comes out --------------------------------


def guessed_shares(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many numbers as asked for, none negative, with sum 1."""
    for name, wanted in expected.value.items():
        numbers, count = _guess(seen.value, name), np.size(wanted)
        if numbers is None or numbers.size != count:
            return Problem(f"{name} should hold {count} numbers")
        if (numbers < 0).any() or not abs(numbers.sum() - 1.0) <= 0.015:
            text = f"what {name} shares out sums to {numbers.sum():.3g}: is that all there is to share?"
            return Problem(text, misconception=_said(case, name, numbers))
    return None


def guessed_numbers(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted numbers, right within 0.01."""
    for name, wanted in expected.value.items():
        numbers, right = _guess(seen.value, name), np.ravel(wanted).astype(float)
        if numbers is None or not _near(numbers, right):
            text = f"{name} comes out differently: work it through once more, then run the next cell"
            return Problem(text, misconception=_said(case, name, numbers))
    return None


def _said(case: Case, name: str, numbers: np.ndarray | None) -> str:
    """The misconception that says these numbers, if the case knows of one."""
    said = case.facts.get("mistaken", ())
    return next(
        (label for label, guess in said if numbers is not None and _near(numbers, np.ravel(guess[name]))), ""
    )


def _near(numbers: np.ndarray, others: np.ndarray) -> bool:
    return numbers.size == others.size and bool((np.abs(numbers - others) <= 0.01).all())


def _guess(value: Any, name: str) -> np.ndarray | None:
    numbers = values.as_numbers(value.get(name)) if isinstance(value, Mapping) else None
    if numbers is None or numbers.dtype.kind not in "biuf":
        return None
    return numbers.astype(float).ravel()


def guessed_words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted words, capitals and spaces aside."""
    given = seen.value if isinstance(seen.value, Mapping) else {}
    words = {name: str(given.get(name, "")).strip().lower() for name in expected.value}
    wrong = [name for name, word in expected.value.items() if words[name] != word]
    if not wrong:
        return None
    named = next((label for label, guess in case.facts.get("mistaken", ()) if guess == words), "")
    return Problem(f"not so for {', '.join(wrong)}: which word keeps similar company?", misconception=named)
