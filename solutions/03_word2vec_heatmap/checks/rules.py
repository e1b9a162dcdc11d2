"""Rules about word vectors and about the heatmap drawn from attention weights."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem
from attention import shares
from attention.kinds import WordVectors, as_met
from attention.numbers import like, real

StandIns = list[tuple[str, np.ndarray]]
"""Words, each with its row."""

FACTOR = 3.0
"""A stand-in may be this many times longer or shorter than an ordinary word vector."""


# --- words, in a list or a sentence: a row for each; all but the rows in `facts["known"]` are stand-ins -----


def a_vector_each(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """One vector a word, as wide as the model's, all numbers finite."""
    problem, rows = common.shape(case, seen, expected), _rows(seen.value)
    if problem is not None and isinstance(seen.value, (tuple, list)) and set(map(type, seen.value)) == {type(None)}:
        return replace(problem, misconception="unknown word not handled")
    if problem is not None and (kept := _from_another_model(case, seen)):
        return kept
    if problem is not None or rows is None:
        return problem or Problem("returned no numbers", values.describe_kind(seen.value))
    return _not_finite([*zip(_words(case.args[0]), rows)])


def _from_another_model(case: Case, seen: Observation) -> Problem | None:
    """Only words that were asked about before, `facts["met"]` with the width of the model then, have other widths."""
    width, met = case.args[1].matrix.shape[1], case.facts["met"]
    rows = seen.value if isinstance(seen.value, (tuple, list)) else ()
    shapes = [(word, getattr(real(row), "shape", None)) for word, row in zip(case.args[0], rows)]
    odd = [(word, shape) for word, shape in shapes if shape != (width,)]
    if not odd or len(odd) == len(shapes) or any(shape != (met.get(word.lower()),) for word, shape in odd):
        return None
    what = f"the vector of {odd[0][0]!r} is as wide as that of the model asked before"
    name = "kept from one model for another"
    return Problem(what, f"{met[odd[0][0].lower()]} numbers", f"{width} numbers", misconception=name)


def same_every_time(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The same word has the same vector: in one list, asked again, and in another process."""
    return _not_repeatable(case, seen, _stand_ins(case, seen, expected))


def told_apart(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Different words have different vectors, and none has that of a word the model knows."""
    return _alike(case, seen, _stand_ins(case, seen, expected))


def of_ordinary_length(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each vector's norm lies within a factor of 3 of the known words' median norm, `facts["norm"]`."""
    return _out_of_proportion(case, seen, _stand_ins(case, seen, expected))


def unknown_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The row of each unknown word is a proper stand-in: steady, its own, and of ordinary length."""
    if known_rows(case, seen, expected):
        raise NotReached("the known words' rows are not in their places yet")
    found = _of_unknown_words(case, like(seen, expected))
    checks = _not_repeatable, _alike, _out_of_proportion
    problem = _not_finite(found) or next(filter(None, (check(case, seen, found) for check in checks)), None)
    return problem or model_left_alone(case, seen, expected)


@common.judges_inputs
def model_left_alone(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The word vectors are what they were, also after the result has been written into."""
    common.require_same_kind(seen.value, expected.value)
    for given, after in zip(case.args, seen.after):
        if not isinstance(given, WordVectors):
            continue
        before = as_met(given)
        if not isinstance(after, WordVectors) or not values.are_close(after.words, before.words, 0.0):
            return Problem("the model's vocabulary changed")
        if not values.are_close(after.matrix, before.matrix, 1e-6):
            return _model_changed(case, before, after.matrix)
    return None


@common.judges_inputs
def inputs_left_alone(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments, the word vectors among them, are what they were before the call."""
    return common.unchanged(case, seen, expected) or model_left_alone(case, seen, expected)


def _model_changed(case: Case, before: WordVectors, after: np.ndarray) -> Problem:
    """Rows of words that were asked for alone are changed by writing into the vectors that came back."""
    pairs = zip(before.words, before.matrix, after)
    changed = {word for word, was, now in pairs if not values.are_close(now, was, 1e-6)}
    if case.scribble and changed <= set(_words(case.args[0])):
        text = "the vector that came back is the very row that the model keeps"
        return Problem(text, misconception="the model's own row, not a copy")
    return Problem("the model's vectors are no longer what they were before the call")


def one_row_per_word(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many rows as words, each as wide as the vectors."""
    problem, words, rows = common.shape(case, seen, expected), _words(case.args[0]), _rows(seen.value)
    if problem is None or rows is None or len(rows) == len(words):
        return problem
    lost = _each_word_once(words, rows, np.asarray(expected.value, dtype=float))
    name = "repeated word lost" if lost else ""
    return Problem("rows", str(len(rows)), f"{len(words)}, one for each word", misconception=name)


def _each_word_once(words: list[str], rows: np.ndarray, wanted: np.ndarray) -> bool:
    """Whether each of the words, all known, has one row, and not just since a word at an end is missing."""
    if rows.shape != (len(set(words)), wanted.shape[1]):
        return False
    at_an_end = any(values.are_close(rows, some, 1e-4) for some in (wanted[: len(rows)], wanted[-len(rows) :]))
    found = {next((w for w, row in zip(words, wanted) if _equal(row, one)), None) for one in rows}
    return found == set(words) and not at_an_end


def unknown_keeps_row(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """No unknown word is left out; not reached where other rows are missing, or too many."""
    rows, known = _rows(seen.value), list(case.facts["known"])
    wanted = np.asarray(expected.value, dtype=float)
    if rows is not None and known and values.are_close(rows, wanted[known], case.tolerance):
        counts = str(len(rows)), f"{len(wanted)}, one for each word"
        return Problem("rows", *counts, misconception="unknown word dropped")
    common.require_same_kind(seen.value, expected.value)
    return None


def known_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The row of each known word is the model's vector of that word."""
    rows, wanted = like(seen, expected), np.asarray(expected.value, dtype=float)
    for i in case.facts["known"]:
        if not values.are_close(rows[i], wanted[i], case.tolerance):
            text = f"row {i} is not the vector of {_words(case.args[0])[i]!r}"
            return Problem(text, *values.format_difference(rows[i], wanted[i]))
    return None


def spaced_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many rows as words, however they are spaced; not reached where white space alone does not explain others."""
    rows, sentence, count = _rows(seen.value), case.args[0], len(_words(case.args[0]))
    if rows is not None and len(rows) != count and len(rows) in _careless_counts(sentence):
        return Problem("rows", str(len(rows)), f"{count}, one for each word")
    like(seen, expected)
    return None


def _careless_counts(sentence: str) -> set[int]:
    """How many words a sentence has for one who splits it at single blanks."""
    pieces = sentence.split(" "), sentence.strip().split(" "), re.split(r"\s", sentence)
    return {len(found) for some in pieces for found in (some, [piece for piece in some if piece.strip()])}


def _stand_ins(case: Case, seen: Observation, expected: Observation) -> StandIns:
    """The unknown words with their rows. Raises `NotReached` unless each has finite numbers, as many as expected."""
    found = _of_unknown_words(case, like(seen, expected))
    if problem := _not_finite(found):
        raise NotReached(problem.message)
    return found


def _not_finite(found: StandIns) -> Problem | None:
    strange = [word for word, row in found if not np.isfinite(row).all()]
    return Problem(f"the vector of {strange[0]!r} holds what is not a number") if strange else None


def _of_unknown_words(case: Case, rows: np.ndarray) -> StandIns:
    known = case.facts.get("known", ())
    return [(word, row) for i, (word, row) in enumerate(zip(_words(case.args[0]), rows)) if i not in known]


def _rows(value: Any) -> np.ndarray | None:
    """The rows of a matrix or of a list of vectors, as floats."""
    numbers = real(value)
    return None if numbers is None or numbers.ndim != 2 else numbers


def _not_repeatable(case: Case, seen: Observation, found: StandIns) -> Problem | None:
    pairs = combinations(found, 2)
    anew = "new vector on every call" if _vectors_kept(case, seen) else ""
    rows = _rows(seen.again)
    again = None if rows is None or len(rows) != len(_words(case.args[0])) else _of_unknown_words(case, rows)
    if any(word == other and not _equal(row, second) for (word, row), (other, second) in pairs):
        name = "another vector at another place" if again and _same(found, again) else anew
        return Problem("a word that occurs twice got two different vectors", misconception=name)
    if again is None:
        return Problem("vectors came back the first time, none when asked the same again")
    if not _same(found, again):
        return Problem("asked twice, two different vectors came back", misconception=anew)
    there = _rows(seen.elsewhere)
    if there is not None and not _same(found, _of_unknown_words(case, there)):
        text = "a freshly started Python, asked in another order, gives this word another vector"
        return Problem(text, misconception="another vector in every process")
    return None


def _vectors_kept(case: Case, seen: Observation) -> bool:
    """Whether the model is what it was, so that what came of it is the answer's own doing."""
    pairs = [(one, other) for one, other in zip(case.args, seen.after) if isinstance(one, WordVectors)]
    return all(
        isinstance(other, WordVectors) and values.are_close(other.matrix, one.matrix, 1e-6)
        for one, other in pairs
    )


def _same(found: StandIns, others: StandIns) -> bool:
    return len(found) == len(others) and all(_equal(one[1], other[1]) for one, other in zip(found, others))


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    size = max(float(np.abs(one).max(initial=0.0)), float(np.abs(other).max(initial=0.0)))
    return one.shape == other.shape and np.allclose(one, other, rtol=0.0, atol=1e-5 * size, equal_nan=True)


def _equal_rows(one: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """The positions of the rows of a matrix of finite numbers that equal it."""
    if one.shape != matrix.shape[1:] or not np.isfinite(one).all():
        return np.array([], dtype=int)
    sizes = np.maximum(np.abs(one).max(initial=0.0), np.abs(matrix).max(axis=1, initial=0.0))
    return np.flatnonzero((np.abs(matrix - one) <= 1e-5 * sizes[:, None]).all(axis=1))


def _alike(case: Case, seen: Observation, found: StandIns) -> Problem | None:
    """A case's unknown words have little in common: three of them alike show that all are; of many, a few pairs may."""
    rows = dict(found)
    model = next(argument for argument in case.args if isinstance(argument, WordVectors))
    for word, row in rows.items():
        for known in (model.words[i] for i in _equal_rows(row, model.matrix)):
            if word.lower() != known.lower():
                return _shared(word, known, "a known word's vector for an unknown word")
    words, vectors = list(rows), np.array(list(rows.values()))
    pairs = [(one, words[j]) for i, one in enumerate(words) for j in _equal_rows(vectors[i], vectors) if j > i]
    all_alike = len(rows) > 2 and len(pairs) == math.comb(len(rows), 2)
    name = "one vector for all unknown words" if all_alike else "two unknown words share a vector"
    return _shared(*pairs[0], name) if len(pairs) > len(rows) // 25 else None


def _shared(word: str, other: str, name: str) -> Problem:
    return Problem(f"{word!r} and {other!r} got the same vector", misconception=name)


def _out_of_proportion(case: Case, seen: Observation, found: StandIns) -> Problem | None:
    norm = float(case.facts["norm"])
    for word, row in found:
        length = float(np.linalg.norm(row))
        if not length > 0.0:
            return Problem(f"the vector of {word!r} is zero")
        if not norm / FACTOR <= length * 1.001 or not length <= norm * FACTOR * 1.001:
            text = f"the vector of {word!r} has length {length:.3g}; an ordinary word's has {norm:.3g}"
            return Problem(text, misconception="vector far too long" if length > norm else "")
    return None


# --- attention --------------------------------------------------------------------------------------------


def shared_out(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every query's weights, the second of two results, sum to 1."""
    if not isinstance(seen.value, (tuple, list)) or len(seen.value) != len(expected.value):
        raise NotReached("no weights came back", *map(values.describe_kind, (seen.value, expected.value)))
    return shares.rows_sum_to_one(case, seen, expected)


def zeros_for_nothing(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Weights and output of each query that may look nowhere are 0; not reached where all are 0 for everybody."""
    common.require_same_kind(seen.value, expected.value)
    output, weights = (np.asarray(one, dtype=float) for one in seen.value)
    wanted = [np.asarray(one, dtype=float) for one in expected.value]
    nowhere = ~wanted[1].any(axis=-1)
    if not nowhere.all() and not weights.any():
        raise NotReached("no query gets anything")
    others_are_right = all(
        values.are_close(own[~nowhere], right[~nowhere], case.tolerance) for own,
            right in zip((output, weights), wanted)
    )
    name = "row with nothing to look at" if others_are_right else ""
    for what, rows in (("weights", weights[nowhere]), ("output", output[nowhere])):
        if not values.are_close(rows, np.zeros_like(rows), case.tolerance):
            text = f"{what} of a query that may look nowhere"
            return Problem(text, *values.format_difference(rows[0], np.zeros_like(rows[0])), misconception=name)
    return None


# --- the heatmap: `serialize.describe_axes` says what is known of it ------------------------------------------


def picture(case: Case, value: Any) -> Any:
    """The numbers of the heatmap; of all else, how it is written is free."""
    return _axes(value)["data"]


def same_picture(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The heatmap's numbers are the expected ones, and so are the words along its sides."""
    here, there = (
        {"picture": _axes(one.value)["data"], **{side: _labels(one.value, side) for side in ("y_labels", "x_labels")}}
        for one in (seen, expected)
    )
    found = values.describe_difference(here, there, case.tolerance)
    return Problem(*found) if found else None


def drew_axes(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A matplotlib Axes with something drawn on it came back."""
    axes, name = _described(seen.value), "nothing returned" if seen.value is None else ""
    if not axes:
        got = values.describe_kind(seen.value)
        return Problem("returned the wrong kind of thing", got, "the Axes", misconception=name)
    drawn = isinstance(axes.get("data"), np.ndarray)
    return None if drawn else Problem("the Axes that came back hold no heatmap")


def queries_in_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The picture's numbers are the weights: a row for each query, a column for each key."""
    data, weights = _axes(seen.value).get("data"), np.asarray(case.args[0], dtype=float)
    if not isinstance(data, np.ndarray):
        raise NotReached("there is no heatmap to look at")
    data = data.astype(float)
    if _pictured(data, weights):
        return None
    name = "heatmap transposed" if _pictured(data, weights.T) else ""
    return Problem("the heatmap's numbers", *values.format_difference(data, weights), misconception=name)


def _unless_other_numbers(case: Case, seen: Observation, problem: Problem) -> Problem:
    """The problem of a picture of the weights. Raises `NotReached` where it shows something else."""
    data = _axes(seen.value).get("data")
    if isinstance(data, np.ndarray) and _pictured(data, np.asarray(case.args[0], dtype=float)):
        return problem
    raise NotReached("the picture does not show the weights yet")


def _pictured(data: np.ndarray, weights: np.ndarray) -> bool:
    return data.shape == weights.shape and np.allclose(data, weights, rtol=0.0, atol=0.006)


def labelled_by_word(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each row carries its word of the first sentence, each column its word of the second."""
    queries, keys = map(_words, case.args[1:])
    rows, columns = _labels(seen.value, "y_labels"), _labels(seen.value, "x_labels")
    for which, labels, words in (("rows", rows, queries), ("columns", columns, keys)):
        if labels != words:
            exchanged = (rows, columns) == (keys, queries)
            name = "words along the wrong side" if exchanged else _why_not_words(labels, words)
            text = f"labels of the {which}"
            sides = " ".join(labels) or "none", " ".join(words)
            return _unless_other_numbers(case, seen, Problem(text, *sides, misconception=name))
    data, weights = _axes(seen.value).get("data"), np.asarray(case.args[0], dtype=float)
    if isinstance(data, np.ndarray) and data.shape != weights.shape:
        raise NotReached("the rows and columns of the picture are not the queries and keys yet")
    return None


def _labels(value: Any, side: str) -> list[str]:
    return [text for label in _listed(value, side) if (text := label.strip())]


def _why_not_words(labels: list[str], words: list[str]) -> str:
    letters = list("".join(" ".join(words).split()))
    if labels and labels[: len(words)] == letters[: len(labels)][: len(words)]:
        return "labelled letter by letter"
    return "" if any(map(str.isalpha, "".join(labels))) else "words along the sides missing"


def annotated(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every cell shows its weight as a number, rounded as one likes."""
    weights = np.asarray(case.args[0], dtype=float)
    written = np.array([_number(text) for text in _listed(seen.value, "texts")])
    numbers = written[np.isfinite(written)]
    if len(numbers) != weights.size:
        name = "" if len(numbers) else "weights not written into the cells"
        counts = str(len(numbers)), str(weights.size)
        problem = Problem("numbers written into the picture", *counts, misconception=name)
        return _unless_other_numbers(case, seen, problem)
    places = real([[*map(_number, place.split())] for place in _listed(seen.value, "places")])
    if places is not None and places.shape == (len(written), 2) and np.isfinite(places).all():
        numbers = _cell_by_cell(numbers, places[np.isfinite(written)], weights.shape)
    else:
        numbers, weights = np.sort(numbers), np.sort(weights, axis=None)
    if min(np.abs(numbers - weights).max(), np.abs(numbers / 100 - weights).max()) <= 0.051:
        return None
    text = "the numbers in the picture are not the weights"
    return _unless_other_numbers(case, seen, Problem(text, *values.format_difference(numbers, weights)))


def _cell_by_cell(numbers: np.ndarray, places: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers in the order of rows and columns, from the places (x, y) where they stand."""
    rows = places[:, 1].argsort(kind="stable").reshape(shape)
    columns = places[rows, 0].argsort(axis=1, kind="stable")
    return numbers[np.take_along_axis(rows, columns, axis=1)]


def _number(text: str) -> float:
    """The number that a text is, `45%` being 0.45; NaN when it is none."""
    plain = text.replace("\N{MINUS SIGN}", "-").replace("$", "")
    found = re.fullmatch(r"\s*([-+.\deE]+)\s*(%?)\s*", plain)
    try:
        return float(found[1]) / (100 if found[2] else 1) if found else math.nan
    except ValueError:
        return math.nan


def full_scale(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The lightest colour stands for 0, the darkest for 1."""
    limits, data = real(_axes(seen.value).get("limits")), real(_axes(seen.value).get("data"))
    if limits is None or data is None or limits.shape != (2,):
        raise NotReached("there is no heatmap to look at")
    if values.are_close(np.sort(limits), np.array([0.0, 1.0]), 1e-3):
        return None
    name = "colours stretched to the weights" if values.are_close(limits, np.array([data.min(), data.max()]),
        1e-3) else ""
    text = f"the colours run from {limits[0]:.3g} to {limits[1]:.3g}, not from 0 to 1"
    return _unless_other_numbers(case, seen, Problem(text, misconception=name))


def titled(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """There is a title."""
    if str(_axes(seen.value).get("title", "")).strip():
        return None
    return _unless_other_numbers(case, seen, Problem("the picture has no title"))


def sides_named(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The axis labels say which side is the query and which the key."""
    axes = _axes(seen.value)
    x_name, y_name = (str(axes.get(side, "")) for side in ("x_name", "y_name"))
    if "key" not in x_name.lower() or "quer" not in y_name.lower():
        text = "the axis labels should say which is the query and which is the key"
        found = f"{text}; found columns {x_name!r}, rows {y_name!r}"
        problem = Problem(found, misconception=_why_not_named(x_name.lower(), y_name.lower()))
        return _unless_other_numbers(case, seen, problem)
    return None


def _why_not_named(columns: str, rows: str) -> str:
    sides = [{name for name in ("key", "quer") if name in side} for side in (columns, rows)]
    if sides == [{"quer"}, {"key"}]:
        return "axis labels swapped"
    return "" if any(sides) else "axis labels without query and key"


def _axes(value: Any) -> Mapping[str, Any]:
    """The description of the Axes that came back. Raises `NotReached` where none did."""
    if axes := _described(value):
        return axes
    raise NotReached("no Axes came back", values.describe_kind(value), "the Axes")


def _described(value: Any) -> Mapping[str, Any]:
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


# --- words that come back -----------------------------------------------------------------------------------


def known_words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A list of as many words as expected, all of them in the vocabulary."""
    words, wanted = _texts(seen.value), expected.value
    if words is None or len(words) != len(wanted):
        numbers = values.as_numbers(seen.value)
        places = numbers is not None and numbers.dtype.kind in "iu" and numbers.shape == (len(wanted),)
        name = "places instead of words" if places else ""
        got = values.describe_kind(seen.value, show=True)
        return Problem("returned something else", got, f"a list of {len(wanted)} words", misconception=name)
    unknown = [word for word in words if word not in case.args[-1].words]
    return Problem(f"{unknown[0]!r} is not in the vocabulary") if unknown else None


def another_word(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """One word, and none of those asked with."""
    words = _texts(seen.value)
    if words is None or not isinstance(seen.value, str):
        return Problem("returned something else", values.describe_kind(seen.value, show=True), "one word")
    asked = words[0] in case.args
    name = "a word of the question is the answer" if asked else ""
    return Problem(f"{words[0]!r} is one of the three", misconception=name) if asked else None


def of_the_sentence(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """One word, and one of those in the list that is the first argument."""
    if not isinstance(seen.value, str):
        place = values.as_numbers(seen.value)
        name = "places instead of words" if place is not None and place.dtype.kind in "iu" and not place.ndim else ""
        return Problem("returned something else", values.describe_kind(seen.value, show=True), "one word",
            misconception=name)
    return None if seen.value in case.args[0] else Problem(f"{seen.value!r} is no word of the sentence")


def same_words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected word or words; not reached where it is no word, or another number of them."""
    words, wanted = _texts(seen.value), _texts(expected.value)
    if words is None or wanted is None or len(words) != len(wanted):
        raise NotReached("no such words came back", values.describe_kind(seen.value, show=True))
    if words == wanted:
        return None
    return Problem("other words", " ".join(words), " ".join(wanted))


def _texts(value: Any) -> list[str] | None:
    """A word, or the words of a list or an array."""
    found = [value] if isinstance(value, str) else value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(found, (list, tuple)) or not all(isinstance(word, str) for word in found):
        return None
    return list(found)


# --- predictions: a verdict says what to think about, never what comes out --------------------------------


def guessed_shares(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As many numbers as asked for, none negative, with sum 1."""
    for name, wanted in expected.value.items():
        numbers = real(common.read_prediction(seen, name))
        if numbers is None or numbers.size != wanted.size:
            return Problem(f"{name} should hold {wanted.size} numbers")
        if (numbers < 0).any():
            return Problem(f"{name} holds a negative number: can a share be less than nothing?")
        if not abs(numbers.sum() - 1.0) <= 0.015:
            text = f"what {name} shares out sums to {numbers.sum():.3g}: is that all there is to share?"
            return Problem(text)
    return None


def guessed_numbers(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted numbers, within the case's tolerance."""
    for name, wanted in expected.value.items():
        numbers = real(common.read_prediction(seen, name))
        if numbers is None or numbers.size != wanted.size:
            raise NotReached(f"{name} should hold {wanted.size} numbers")
        if not wanted.matches(numbers.reshape(wanted.shape)):
            return Problem(f"{name} comes out differently: who still shares, and what do their exponentials sum to?")
    return None


def guessed_rows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted row numbers, in any order."""
    for name, wanted in expected.value.items():
        numbers = values.as_numbers(common.read_prediction(seen, name))
        if numbers is None or numbers.ndim > 1 or numbers.dtype.kind not in "iuf":
            raise NotReached(f"{name} should hold row numbers")
        rows = sorted({float(number) for number in numbers.ravel()})
        if not wanted.matches(rows):
            return Problem(f"other rows than these in {name}: work through each of them", compared={name: rows})
    return None


def guessed_each(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Each of the predicted numbers and truths, within the case's tolerance."""
    found = {name: real(common.read_prediction(seen, name)) for name in expected.value}
    if missing := [name for name, said in found.items() if said is None or said.size != 1]:
        raise NotReached(f"not filled in with a number or a truth: {', '.join(missing)}")
    given = {name: said.item() for name, said in found.items() if said is not None}
    wrong = [name for name, wanted in expected.value.items() if not wanted.matches(given[name])]
    return Problem(f"it comes out differently for {', '.join(wrong)}") if wrong else None


def guessed_words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The predicted words, capitals and spaces aside; one that is filled in wrongly is wrong by itself."""
    given = seen.value if isinstance(seen.value, Mapping) else {}
    words = {name: str(given[name]).strip().lower() for name in expected.value if name in given}
    wrong = [name for name in words if not expected.value[name].matches(words[name])]
    if wrong:
        return Problem(f"not so for {', '.join(wrong)}: which word keeps similar company?")
    for name in expected.value:
        common.read_prediction(seen, name)
    return None
