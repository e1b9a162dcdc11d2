"""Rules about word vectors and about the heatmap drawn from attention weights."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from autograder.model import common, values
from autograder.model.exercise import Case, Observation, Problem

from ...shown import masks, shares
from ...shown.kinds import WordVectors

StandIns = list[tuple[str, np.ndarray]]
"""Words, each with its row."""

FACTOR = 3.0
"""A stand-in may be this many times longer or shorter than an ordinary word vector."""


# --- words, in a list or a sentence: a row for each; all but the rows in `facts["known"]` are stand-ins -----


def a_vector_each(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """One vector a word, as wide as the model's, all numbers finite."""
    return common.shape(case, seen, expected)


def same_every_time(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The same word has the same vector: in one list, asked again, and in another process."""
    return _problem_of_stand_ins(case, seen, _not_repeatable)


def told_apart(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Different words have different vectors."""
    return _problem_of_stand_ins(case, seen, _alike)


def of_ordinary_length(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each vector's norm lies within a factor of 3 of the known words' median norm, `facts["norm"]`."""
    return _problem_of_stand_ins(case, seen, _out_of_proportion)


def unknown_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The row of each unknown word is a proper stand-in: steady, its own, and of ordinary length."""
    return _problem_of_stand_ins(case, seen, _not_repeatable, _alike, _out_of_proportion)


def model_left_alone(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The word vectors are what they were, also after the result has been written into."""
    for before, after in zip(case.args, seen.after):
        if not isinstance(before, WordVectors):
            continue
        if not isinstance(after, WordVectors) or not values.close(after.words, before.words, 0.0):
            return Problem("the model's vocabulary changed")
        if not values.close(after.matrix, before.matrix, 1e-6):
            text = "writing into the vector that came back changed the model's own row"
            return Problem(text, misconception="alias")
    return None


def one_row_per_word(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many rows as words, each as wide as the vectors."""
    problem, words, rows = common.shape(case, seen, expected), _words(case.args[0]), _rows(seen.value)
    if problem is None or rows is None or len(rows) == len(words):
        return problem
    names = {len(set(words)): "repeated word lost", len(case.facts["known"]): "word dropped"}
    wanted = f"{len(words)}, one for each word"
    return Problem("rows", str(len(rows)), wanted, misconception=names.get(len(rows), ""))


def known_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The row of each known word is the model's vector of that word."""
    rows, wanted = _rows(seen.value), _rows(expected.value)
    if rows is None or wanted is None or len(rows) != len(wanted):
        kinds = values.kind_of(seen.value), values.kind_of(expected.value)
        return Problem("no matrix of that size came back", *kinds)
    for i in case.facts["known"]:
        if not values.close(rows[i], wanted[i], case.tolerance):
            text = f"row {i} is not the vector of {_words(case.args[0])[i]!r}"
            return Problem(text, values.show(rows[i]), values.show(wanted[i]))
    return None


def spaced_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many rows as words, and the right ones, however the words are spaced."""
    return one_row_per_word(case, seen, expected) or known_rows(case, seen, expected)


def _problem_of_stand_ins(
    case: Case, seen: Observation, *checks: Callable[[Case, Observation, StandIns], Problem | None]
) -> Problem | None:
    found, got = _stand_ins(case, seen.value), values.kind_of(seen.value)
    if found is not None:
        return next(filter(None, (check(case, seen, found) for check in checks)), None)
    if isinstance(case.args[0], str):
        return Problem("no row came back for an unknown word", got, f"{len(_words(case.args[0]))} rows")
    return Problem("no vectors came back", got, "one vector for each word")


def _stand_ins(case: Case, value: Any) -> StandIns | None:
    rows, words = _rows(value), _words(case.args[0])
    if rows is None or len(rows) != len(words):
        return None
    return [(words[i], rows[i]) for i in range(len(words)) if i not in case.facts.get("known", ())]


def _rows(value: Any) -> np.ndarray | None:
    """The rows of a matrix or of a list of vectors, as floats."""
    numbers = values.as_numbers(value)
    if numbers is None or numbers.ndim != 2 or numbers.dtype.kind not in "biuf":
        return None
    return numbers.astype(float)


def _not_repeatable(case: Case, seen: Observation, found: StandIns) -> Problem | None:
    pairs = combinations(found, 2)
    if any(word == other and not _equal(row, second) for (word, row), (other, second) in pairs):
        return Problem("a word that occurs twice got two different vectors", misconception="new every call")
    if not _same(found, _stand_ins(case, seen.again)):
        return Problem("asked twice, two different vectors came back", misconception="new every call")
    if seen.elsewhere is not None and not _same(found, _stand_ins(case, seen.elsewhere)):
        text = "a freshly started Python gives this word another vector"
        return Problem(text, misconception="another one tomorrow")
    return None


def _same(found: StandIns, others: StandIns | None) -> bool:
    return others is not None and all(_equal(one[1], other[1]) for one, other in zip(found, others))


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    size = max(float(np.abs(one).max(initial=0.0)), float(np.abs(other).max(initial=0.0)))
    return one.shape == other.shape and np.allclose(one, other, rtol=0.0, atol=1e-5 * size, equal_nan=True)


def _alike(case: Case, seen: Observation, found: StandIns) -> Problem | None:
    for (word, row), (other, second) in combinations(found, 2):
        if word != other and _equal(row, second):
            return Problem(f"{word!r} and {other!r} got the same vector", misconception="one for all")
    return None


def _out_of_proportion(case: Case, seen: Observation, found: StandIns) -> Problem | None:
    norm = float(case.facts["norm"])
    for word, row in found:
        length = float(np.linalg.norm(row))
        if not length > 0.0:
            return Problem(f"the vector of {word!r} is zero or not a number", misconception="one for all")
        if not norm / FACTOR <= length * 1.001 or not length <= norm * FACTOR * 1.001:
            text = f"the vector of {word!r} has length {length:.3g}; an ordinary word's has {norm:.3g}"
            return Problem(text, misconception="far too long" if length > norm else "")
    return None


# --- attention --------------------------------------------------------------------------------------------


def shared_out(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every query's weights sum to 1; where the sums run another way, that is named."""
    problem = shares.rows_sum_to_one(case, seen, expected)
    weights = shares.last_array(seen.value, expected.value)
    if problem is None or weights is None or weights.ndim < 2 or weights.dtype.kind != "f":
        return problem
    queries, matrix = "softmax over queries", "whole matrix"
    other_ways: dict[Any, str] = {-2: queries, 0: queries, (-2, -1): matrix, None: matrix}
    sums_to_one = (
        name for axis, name in other_ways.items() if np.allclose(weights.sum(axis), 1.0, atol=1e-3)
    )
    return replace(problem, misconception=next(sums_to_one, ""))


def agrees_under_mask(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """No weight where the mask is False, and the right numbers everywhere."""
    return masks.nothing_where_masked(case, seen, expected) or common.agrees(case, seen, expected)


# --- the heatmap: `probe.describe_axes` says what is known of it ------------------------------------------


def drew_axes(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A matplotlib Axes with something drawn on it came back."""
    axes, name = _axes(seen.value), "nothing returned" if seen.value is None else ""
    if not axes:
        got = values.kind_of(seen.value)
        return Problem("returned the wrong kind of thing", got, "the Axes", misconception=name)
    drawn = isinstance(axes.get("data"), np.ndarray)
    return None if drawn else Problem("the Axes that came back holds no heatmap")


def queries_in_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The picture's numbers are the weights: a row for each query, a column for each key."""
    data, weights = _axes(seen.value).get("data"), np.asarray(case.args[0], dtype=float)
    if not isinstance(data, np.ndarray):
        return Problem("there is no heatmap to look at")
    data = data.astype(float)
    if _pictured(data, weights):
        return None
    name = "axes swapped" if _pictured(data, weights.T) else ""
    return Problem("the heatmap's numbers", values.show(data), values.show(weights), misconception=name)


def _pictured(data: np.ndarray, weights: np.ndarray) -> bool:
    return data.shape == weights.shape and np.allclose(data, weights, rtol=0.0, atol=0.006)


def labelled_by_word(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each row carries its word of the first sentence, each column its word of the second."""
    queries, keys = map(_words, case.args[1:])
    sides = ("rows", "y_labels", queries, keys), ("columns", "x_labels", keys, queries)
    for which, side, words, others in sides:
        labels = [text for label in _listed(seen.value, side) if (text := label.strip())]
        if labels != words:
            text, name = f"labels of the {which}", _why_not_words(labels, words, others)
            return Problem(text, " ".join(labels) or "none", " ".join(words), misconception=name)
    return None


def _why_not_words(labels: list[str], words: list[str], others: list[str]) -> str:
    letters = list("".join(" ".join(words).split()))
    if labels and labels[: len(words)] == letters[: len(labels)][: len(words)]:
        return "labelled by letter"
    if labels == others:
        return "axes swapped"
    return "" if set(labels) & set(words) else "words missing"


def annotated(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every cell shows its weight as a number, rounded as one likes."""
    weights = np.sort(np.asarray(case.args[0], dtype=float).ravel())
    written = map(_number, _listed(seen.value, "texts"))
    numbers = np.sort([number for number in written if math.isfinite(number)])
    if len(numbers) != len(weights):
        counts = str(len(numbers)), str(len(weights))
        return Problem("numbers written into the picture", *counts, misconception="no numbers")
    if min(np.abs(numbers - weights).max(), np.abs(numbers / 100 - weights).max()) <= 0.051:
        return None
    text = "the numbers in the picture are not the weights"
    return Problem(text, values.show(numbers), values.show(weights))


def _number(text: str) -> float:
    """The number that a text is, `45%` being 0.45; NaN when it is none."""
    plain = text.replace("\N{MINUS SIGN}", "-").replace("$", "")
    found = re.fullmatch(r"\s*([-+.\deE]+)\s*(%?)\s*", plain)
    try:
        return float(found[1]) / (100 if found[2] else 1) if found else math.nan
    except ValueError:
        return math.nan


def titled(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """There is a title, and the axis labels say which side is the query and which the key."""
    axes = _axes(seen.value)
    x_name, y_name = (str(axes.get(side, "")) for side in ("x_name", "y_name"))
    columns, rows = x_name.lower(), y_name.lower()
    if "key" not in columns or "quer" not in rows:
        name = "axes swapped" if "quer" in columns and "key" in rows else "axes not named"
        text = "the axis labels should say which is the query and which is the key"
        return Problem(f"{text}; found columns {x_name!r}, rows {y_name!r}", misconception=name)
    return None if str(axes.get("title", "")).strip() else Problem("the picture has no title")


def _axes(value: Any) -> Mapping[str, Any]:
    """The description of the Axes that came back, or nothing."""
    axes = value.get("axes") if isinstance(value, Mapping) else None
    return axes if isinstance(axes, Mapping) else {}


def _listed(value: Any, name: str) -> list[str]:
    """The texts that the Axes lists under this name; none where it is no list of texts."""
    found = _axes(value).get(name)
    if not isinstance(found, (list, tuple)) or not all(isinstance(text, str) for text in found):
        return []
    return list(found)


def _words(sentence: Any) -> list[str]:
    return sentence.split() if isinstance(sentence, str) else list(sentence)


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
        numbers = _guess(seen.value, name)
        if not _near(numbers, wanted):
            text = f"{name} comes out differently: work it through once more, then run the next cell"
            return Problem(text, misconception=_said(case, name, numbers))
    return None


def _said(case: Case, name: str, numbers: np.ndarray | None) -> str:
    """The misconception that says these numbers, if the case knows of one."""
    said = case.facts.get("mistaken", ())
    return next((label for label, guess in said if _near(numbers, guess[name])), "")


def _near(numbers: np.ndarray | None, wanted: Any) -> bool:
    if numbers is None or numbers.size != np.size(wanted):
        return False
    return bool((np.abs(numbers - np.ravel(wanted)) <= 0.01).all())


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
