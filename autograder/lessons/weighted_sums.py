"""Lesson 01, words become numbers and numbers one vector: what it asks and how it is judged."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from scipy import special

from autograder import listening
from autograder.exercise import Case, Exercise, Lesson, Misconception, Part
from autograder.rules import common
from autograder.rules import weighted_sums as rules

Array = np.ndarray
Vectors = Sequence[Sequence[float]]

SENTENCE = ["The", "weather", "is", "beautiful", "today", "in", "Melbourne"]
CAT = ["the", "cat", "sat", "on", "the", "mat"]
LETTERS = list(string.ascii_lowercase)

CUT = "cut to the shortest"
LOST = "repeated word lost"
MEAN = "plain mean"
LEFT = "padded on the left"
WRITES = "writes into its input"


def _numbers_of(word: str) -> list[int]:
    return [ord(letter) - 96 for letter in word.lower()]


def _word(rng: np.random.Generator, length: int, letters: Sequence[str] = LETTERS) -> str:
    return "".join(rng.choice(letters, size=length).tolist())


def _words(rng: np.random.Generator, lengths: Iterable[int]) -> list[str]:
    return [_word(rng, int(length)) for length in lengths]


def _fractions(rng: np.random.Generator, *shape: int) -> Array:
    return rng.normal(scale=2, size=shape).round(2)


# --- letter_embedding -----------------------------------------------------------------------------


def _embedding_examples() -> tuple[Case, ...]:
    return (
        Case("lower", ("cat",), label="small letters"),
        Case("lower", ("az",), label="the first and the last letter"),
        Case("capitals", ("The",), label="a capital in front"),
        Case("capitals", ("MELBOURNE",), label="capitals only"),
        Case("repeats", ("banana",), label="letters that come again"),
    )


def _embedding_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        Case("lower", ("a",), label="one letter"),
        Case("lower", (_word(rng, 6),), label="a word of small letters"),
        Case("lower", ("".join(rng.permutation(LETTERS).tolist()),), label="all letters, shuffled"),
        Case("capitals", (_word(rng, 7).title(),), label="a capital in front"),
        Case("capitals", (_word(rng, 4).upper() + _word(rng, 4),), label="capitals and small letters"),
        Case("capitals", ("ZA",), label="the last and the first letter, as capitals"),
        Case("repeats", (_word(rng, 9, ["o", "q"]),), label="letters that come again"),
    )


def _from_97(word: str) -> list[int]:
    return [ord(letter) - 97 for letter in word.lower()]


def _from_97_case_kept(word: str) -> list[int]:
    return [ord(letter) - 97 for letter in word]


def _case_kept(word: str) -> list[int]:
    return [ord(letter) - 96 for letter in word]


def _code_points(word: str) -> list[int]:
    return [ord(letter) for letter in word]


def _code_points_lower(word: str) -> list[int]:
    return [ord(letter) for letter in word.lower()]


def _capitals_continue(word: str) -> list[int]:
    return [string.ascii_letters.index(letter) + 1 for letter in word]


def _capitals_raise(word: str) -> list[int]:
    return [string.ascii_lowercase.index(letter) + 1 for letter in word]


def _capitals_unknown(word: str) -> list[int]:
    places = {letter: place for place, letter in enumerate(LETTERS, start=1)}
    return [places[letter] for letter in word]


def _capitals_zero(word: str) -> list[int]:
    return [string.ascii_lowercase.find(letter) + 1 for letter in word]


def _capitals_dropped(word: str) -> list[int]:
    return [ord(letter) - 96 for letter in word if letter.islower()]


def _from_64(word: str) -> list[int]:
    return [ord(letter) - 64 for letter in word]


def _from_95(word: str) -> list[int]:
    return [ord(letter) - 95 for letter in word.lower()]


EMBEDDING = Exercise(
    id="letter_embedding",
    signature="letter_embedding(word)",
    examples=_embedding_examples,
    draw=_embedding_draw,
    parts=(
        Part("one number for each letter", rules.one_number_per_letter),
        Part("a is 1, z is 26", rules.right_numbers, ("lower",)),
        Part("capitals count like small letters", rules.right_numbers, ("capitals",)),
        Part("a letter that comes again gets its number again", rules.right_numbers, ("repeats",)),
    ),
    misconceptions=(
        Misconception(
            "case, off by one",
            "case, off by one: some letters get the number of another sign",
            "Print what you get for 'a', for 'T' and for 't': which numbers should they be?",
            (
                _from_97,
                _from_97_case_kept,
                _case_kept,
                _code_points,
                _code_points_lower,
                _capitals_continue,
                _capitals_raise,
                _capitals_unknown,
                _capitals_zero,
                _capitals_dropped,
                _from_64,
                _from_95,
            ),
        ),
    ),
)


# --- length_weights -------------------------------------------------------------------------------


def _weights_examples() -> tuple[Case, ...]:
    return (
        Case("unequal", (SENTENCE,), label="the lesson's sentence"),
        Case("unequal", (["I", "am"],), label="worked by hand above"),
        Case("repeats", (CAT,), label="one word occurs twice"),
        Case("unequal", (["attention"],), label="one word"),
        Case("repeats", (["to", "be", "or", "not", "to", "be"],), label="two words occur twice"),
    )


def _weights_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    lengths = rng.permutation(np.arange(1, 13))
    few = _words(rng, lengths[:4])
    return (
        Case("unequal", (_words(rng, lengths[:5]),), label="words of different lengths"),
        Case("unequal", (_words(rng, lengths),), label="a long sentence"),
        Case("unequal", (_words(rng, [4, 4, 4]),), label="words of one length"),
        Case("repeats", ([few[0], few[1], few[0], few[0], few[2]],), label="one word occurs three times"),
        Case("repeats", ([few[3], few[3]],), label="the same word twice"),
        Case("repeats", (["The", "hare", "and", "the", "tortoise"],), label="one The, one the"),
        Case("repeats", ([*few, *few[::-1]],), label="every word occurs twice"),
    )


def _once_each(words: list[str]) -> list[float]:
    total = sum(map(len, words))
    return [len(word) / total for word in dict.fromkeys(words)]


def _once_each_renormalised(words: list[str]) -> list[float]:
    return _once_each(list(dict.fromkeys(words)))


def _in_a_dictionary(words: list[str]) -> dict[str, float]:
    total = sum(map(len, words))
    return {word: len(word) / total for word in words}


def _total_of_distinct_words(words: list[str]) -> list[float]:
    total = sum(map(len, set(words)))
    return [len(word) / total for word in words]


def _merged(words: list[str]) -> list[float]:
    total = sum(map(len, words))
    return [count * len(word) / total for word, count in Counter(words).items()]


def _merged_and_repeated(words: list[str]) -> list[float]:
    total, counts = sum(map(len, words)), Counter(words)
    return [counts[word] * len(word) / total for word in words]


def _same_for_all(words: list[str]) -> list[float]:
    return [1 / len(words) for _ in words]


def _one_for_all(words: list[str]) -> list[float]:
    return [1.0 for _ in words]


WEIGHTS = Exercise(
    id="length_weights",
    signature="length_weights(words)",
    examples=_weights_examples,
    draw=_weights_draw,
    parts=(
        Part("one weight for every occurrence of a word", rules.one_weight_per_occurrence),
        Part("the weights of a sentence sum to 1", rules.weights_sum_to_one),
        Part("a weight is the word's share of the letters", common.agrees, ("unequal",)),
        Part("the shares are right when a word comes again", common.agrees, ("repeats",)),
        Part("leaves the list of words as it was", common.unchanged),
    ),
    misconceptions=(
        Misconception(
            LOST,
            "repeated word lost: two occurrences share one entry",
            "For 'the cat sat on the mat': how many weights are there, and do they still sum to 1?",
            (
                _once_each,
                _once_each_renormalised,
                _in_a_dictionary,
                _total_of_distinct_words,
                _merged,
                _merged_and_repeated,
            ),
        ),
        Misconception(
            MEAN,
            "plain mean: every word weighs the same",
            "Which word of the sentence should count most, and does it?",
            (_same_for_all, _one_for_all),
        ),
    ),
)


# --- pad_rows -------------------------------------------------------------------------------------


def _ragged(rng: np.random.Generator, lengths: Iterable[int]) -> list[list[int]]:
    return [rng.integers(1, 27, size=int(length)).tolist() for length in lengths]


def _pad_examples() -> tuple[Case, ...]:
    return (
        Case("whole", ([_numbers_of(word) for word in SENTENCE],), label="the lesson's sentence"),
        Case("whole", ([[9], [1, 13]],), label="worked by hand above"),
        Case("whole", ([[4, 5, 6], [7, 8, 9]],), label="nothing to pad"),
        Case("fractions", ([[0.5, -1.25, 3.0], [2.75], [-0.5, 0.25]],), label="fractions, two below zero"),
    )


def _pad_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    lengths = rng.permutation(np.arange(1, 8))
    zeros_inside = [[0, 3], [5, 0, 0, 2], [0, 0, 1]]
    return (
        Case("whole", (_ragged(rng, [2, 9]),), label="lengths 2 and 9"),
        Case("whole", (_ragged(rng, lengths),), label="seven lengths"),
        Case("whole", (_ragged(rng, [5, 3, 1]),), label="the longest first"),
        Case("whole", (_ragged(rng, [4, 4, 4]),), label="equal lengths"),
        Case("whole", (_ragged(rng, [6]),), label="one vector"),
        Case("whole", (_ragged(rng, [3, 5, 3, 5]),), label="two of the longest"),
        Case("whole", (zeros_inside,), label="zeros inside the vectors"),
        Case("fractions", ([_fractions(rng, n).tolist() for n in (4, 1, 7)],), label="fractions"),
    )


def _filled(vectors: Vectors, row: Callable[[Sequence[float], int], list[float]]) -> Array:
    longest = max(map(len, vectors))
    return np.array([row(vector, longest) for vector in vectors], dtype=float)


def _left(vectors: Vectors) -> Array:
    return _filled(vectors, lambda vector, longest: [0] * (longest - len(vector)) + list(vector))


def _right(vectors: Vectors) -> Array:
    return _filled(vectors, lambda vector, longest: list(vector) + [0] * (longest - len(vector)))


def _centred(vectors: Vectors) -> Array:
    def row(vector: Sequence[float], longest: int) -> list[float]:
        before = (longest - len(vector)) // 2
        return [0] * before + list(vector) + [0] * (longest - len(vector) - before)

    return _filled(vectors, row)


def _backwards(vectors: Vectors) -> Array:
    return _left([list(vector)[::-1] for vector in vectors])


def _cut(vectors: Vectors) -> Array:
    return np.array(list(zip(*vectors, strict=False)), dtype=float).T


def _cut_turned(vectors: Vectors) -> Array:
    return _cut(vectors).T


def _cut_then_filled(vectors: Vectors) -> Array:
    cut = _cut(vectors)
    return np.pad(cut, ((0, 0), (0, max(map(len, vectors)) - cut.shape[1])))


def _cut_to_first(vectors: Vectors) -> Array:
    return _right(vectors)[:, : len(vectors[0])]


def _extended(vectors: list[list[float]]) -> Array:
    longest = max(map(len, vectors))
    for vector in vectors:
        vector.extend([0] * (longest - len(vector)))
    return np.array(vectors)


PAD = Exercise(
    id="pad_rows",
    signature="pad_rows(vectors)",
    examples=_pad_examples,
    draw=_pad_draw,
    parts=(
        Part("one row for each vector, as many columns as the longest has numbers", common.shape),
        Part("each vector stands at the start of its row", rules.starts_its_row),
        Part("behind it come zeros", rules.zeros_on_the_right),
        Part("whole numbers arrive unharmed", common.agrees, ("whole",)),
        Part("so do fractions and negative numbers", common.agrees, ("fractions",)),
        Part("leaves its input as it was", common.unchanged),
    ),
    misconceptions=(
        Misconception(
            CUT,
            "cut to the shortest: the ends of the longer vectors are gone",
            "How long is the longest vector that goes in, and how many columns come out?",
            (_cut, _cut_turned, _cut_then_filled, _cut_to_first),
        ),
        Misconception(
            LEFT,
            "padded on the left: the zeros come first",
            "In which column does the first letter of each word land?",
            (_left, _backwards, _centred),
        ),
        Misconception(
            WRITES,
            "writes into its input: the vectors are longer afterwards",
            "Which list grows: yours, or the one you were handed?",
            (_extended,),
        ),
    ),
)


# --- weighted_sum ---------------------------------------------------------------------------------


def _sum_examples() -> tuple[Case, ...]:
    letters = [_numbers_of(word) for word in SENTENCE]
    shares = np.array([len(word) for word in SENTENCE]) / sum(map(len, SENTENCE))
    cat = [_numbers_of(word) for word in CAT]
    return (
        Case("ragged", (shares, letters), label="the lesson's sentence"),
        Case("ragged", (np.array([0.25, 0.75]), [[9], [1, 13]]), label="two short words"),
        Case("equal", (np.array([0.5, 0.2, 0.3]), [[1, 2], [10, 20], [4, 0]]), label="vectors of one length"),
        Case("repeats", (np.array([0.1, 0.2, 0.1, 0.1, 0.4, 0.1]), cat), label="one word occurs twice"),
        Case("ragged", (np.array([0.6, 0.4]), [[0.5, -1.25, 3.0], [2.75]]), label="fractions"),
    )


def _shares(rng: np.random.Generator, count: int) -> Array:
    """Weights no two of which are alike."""
    raw = rng.permutation(np.arange(1, count + 1)) + rng.uniform(0, 0.5, size=count)
    return raw / raw.sum()


def _sum_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    lengths = rng.permutation(np.arange(1, 8))
    twice = _ragged(rng, [5, 3])
    fractions = [_fractions(rng, n).tolist() for n in (3, 6, 2)]
    return (
        Case("ragged", (_shares(rng, 2), _ragged(rng, [2, 9])), label="lengths 2 and 9"),
        Case("ragged", (_shares(rng, 7), _ragged(rng, lengths)), label="seven lengths"),
        Case("ragged", (_shares(rng, 3), _ragged(rng, [6, 4, 1])), label="the longest first"),
        Case("ragged", (_shares(rng, 3), fractions), label="fractions"),
        Case("equal", (_shares(rng, 4), _ragged(rng, [4, 4, 4, 4])), label="a square of numbers"),
        Case("equal", (np.array([1.0]), _ragged(rng, [5])), label="one vector"),
        Case("repeats", (_shares(rng, 3), [twice[0], twice[1], twice[0]]), label="a vector that comes again"),
        Case("repeats", (np.array([0.3, 0.3, 0.4]), _ragged(rng, [5, 3, 4])), label="two equal weights"),
    )


def _accumulated_by_zip(weights: Array, vectors: Vectors) -> list[float]:
    total = [0.0] * max(map(len, vectors))
    for weight, vector in zip(weights, vectors, strict=True):
        total = [a + weight * b for a, b in zip(total, vector, strict=False)]
    return total


def _cut_then_summed(weights: Array, vectors: Vectors) -> Array:
    return weights @ _cut(vectors)


def _cut_filled_and_summed(weights: Array, vectors: Vectors) -> Array:
    return weights @ _cut_then_filled(vectors)


def _cut_to_first_and_summed(weights: Array, vectors: Vectors) -> Array:
    return weights @ _cut_to_first(vectors)


def _keyed_by_weight(weights: Array, vectors: Vectors) -> Array:
    table = dict(zip(weights.tolist(), vectors, strict=True))
    return _widened(np.array(list(table)) @ _right(list(table.values())), vectors)


def _keyed_by_vector(weights: Array, vectors: Vectors) -> Array:
    table = {tuple(vector): weight for vector, weight in zip(vectors, weights, strict=True)}
    return _widened(np.array(list(table.values())) @ _right(list(table)), vectors)


def _first_kept(weights: Array, vectors: Vectors) -> Array:
    table: dict[tuple[float, ...], float] = {}
    for vector, weight in zip(vectors, weights, strict=True):
        table.setdefault(tuple(vector), weight)
    return _widened(np.array(list(table.values())) @ _right(list(table)), vectors)


def _widened(total: Array, vectors: Vectors) -> Array:
    return np.pad(total, (0, max(map(len, vectors)) - len(total)))


def _mean(weights: Array, vectors: Vectors) -> Array:
    return _right(vectors).mean(axis=0)


def _unweighted(weights: Array, vectors: Vectors) -> Array:
    return _right(vectors).sum(axis=0)


def _weighted_and_averaged(weights: Array, vectors: Vectors) -> Array:
    return weights @ _right(vectors) / len(vectors)


def _mean_of_those_present(weights: Array, vectors: Vectors) -> Array:
    present = np.array([np.arange(max(map(len, vectors))) < len(vector) for vector in vectors])
    return _right(vectors).sum(axis=0) / present.sum(axis=0)


def _left_then_summed(weights: Array, vectors: Vectors) -> Array:
    return weights @ _left(vectors)


def _extended_then_summed(weights: Array, vectors: list[list[float]]) -> Array:
    return weights @ _extended(vectors)


SUM = Exercise(
    id="weighted_sum",
    signature="weighted_sum(weights, vectors)",
    examples=_sum_examples,
    draw=_sum_draw,
    builds_on=("pad_rows",),
    parts=(
        Part("as many numbers as the longest vector has", common.shape),
        Part("vectors of one length are weighed and added", common.agrees, ("equal",)),
        Part("vectors of unequal length lose nothing", common.agrees, ("ragged",)),
        Part("repeats count every time they occur", common.agrees, ("repeats",)),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception(
            CUT,
            "cut to the shortest: what stands behind the shortest vector's end is gone",
            "How long is the longest word, and how many numbers come out?",
            (_accumulated_by_zip, _cut_then_summed, _cut_filled_and_summed, _cut_to_first_and_summed),
        ),
        Misconception(
            LOST,
            "repeated word lost: a dictionary keeps one entry per key",
            "Which two things in the sentence have the same key, and do all the weights still arrive?",
            (_keyed_by_weight, _keyed_by_vector, _first_kept),
        ),
        Misconception(
            MEAN,
            "plain mean: the weights do not decide",
            "Give one word all the weight: does its own vector come out?",
            (_mean, _unweighted, _weighted_and_averaged, _mean_of_those_present),
        ),
        Misconception(
            LEFT,
            "padded on the left: last letters are added to last letters",
            "Where does the first letter of each word land?",
            (_left_then_summed,),
        ),
        Misconception(
            WRITES,
            "writes into its input: the vectors are longer afterwards",
            "Which list grows: yours, or the one you were handed?",
            (_extended_then_summed,),
        ),
    ),
)


# --- softmax --------------------------------------------------------------------------------------


def _softmax_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(1)
    return (
        Case("plain", (np.array([2.0, 1.0, 0.1]),), label="worked by hand above"),
        Case("plain", (_fractions(rng, 3, 4),), label="three rows of four"),
        Case("plain", (_fractions(rng, 3, 3),), label="as many rows as columns"),
        Case("axis", (_fractions(rng, 2, 3, 4),), {"axis": 1}, label="three axes, the middle one asked for"),
        Case("axis", (_fractions(rng, 2, 5),), {"axis": 0}, label="down the columns"),
        Case("lists", ([[1.5, 0.5, -1.0], [0.25, 0.0, 2.0]],), label="nested lists"),
        Case("ints", (np.array([[1, 2, 3], [2, 0, 1]]),), label="whole numbers"),
        Case("huge", (np.array([710.0, 709.0, 700.0]),), label="beyond the range of exp"),
        Case("huge", (np.array([20000.0, 0.0, 19999.0]),), label="far beyond it"),
        Case("far", (np.array([[0.0, 1.0, 2.0], [5000.0, 5001.0, 5000.0]]),), label="rows far apart"),
    )


def _softmax_draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (*_ordinary_scores(rng), *_scores_far_out(rng))


def _ordinary_scores(rng: np.random.Generator) -> tuple[Case, ...]:
    whole = rng.integers(-3, 4, size=(3, 2))
    return (
        Case("plain", (_fractions(rng, 7),), label="one row"),
        Case("plain", (_fractions(rng, 2, 5),), label="two rows"),
        Case("plain", (_fractions(rng, 4, 4),), label="as many rows as columns"),
        Case("plain", (_fractions(rng, 2, 3, 4),), label="a batch of two"),
        Case("plain", (_fractions(rng, 3, 3, 3),), label="three equal axes"),
        Case("plain", (_fractions(rng, 2, 3, 4, 5),), label="four axes"),
        Case("plain", (_fractions(rng, 3, 1),), label="one score in each row"),
        Case("plain", (_fractions(rng, 3, 6).astype(np.float32),), label="32-bit numbers"),
        Case("axis", (_fractions(rng, 5, 3),), {"axis": 0}, label="down the columns"),
        Case("axis", (_fractions(rng, 4, 4),), {"axis": 0}, label="down the columns of a square"),
        Case("axis", (_fractions(rng, 3, 4),), {"axis": 1}, label="axis 1 of two"),
        Case("axis", (_fractions(rng, 2, 3, 4),), {"axis": 2}, label="the last axis by its number"),
        Case("axis", (_fractions(rng, 2, 4, 3, 2),), {"axis": -2}, label="the last but one of four"),
        Case("axis", (_fractions(rng, 2, 3, 5),), {"axis": 0}, label="the first of three"),
        Case("axis", (_fractions(rng, 6),), {"axis": 0}, label="the only axis by its number"),
        Case("lists", (_fractions(rng, 5).tolist(),), label="a list"),
        Case("lists", (_fractions(rng, 2, 3, 2).tolist(),), label="nested lists, three deep"),
        Case("lists", (whole.tolist(),), label="nested lists of whole numbers"),
        Case("ints", (rng.permutation(np.arange(-3, 4)),), label="whole numbers"),
        Case("ints", (rng.permutation(12).reshape(3, 4),), label="rows of whole numbers"),
    )


def _scores_far_out(rng: np.random.Generator) -> tuple[Case, ...]:
    apart = np.array([[0.0], [20000.0], [-7000.0]]) + rng.integers(-3, 4, size=(3, 5)) / 2
    return (
        Case("huge", (1000 + rng.permutation(4) / 2,), label="scores near 1000"),
        Case("huge", (-1000 + rng.permutation(4) / 2,), label="scores near -1000"),
        Case("huge", (rng.permutation([0, 20000, -20000, 19999]),), label="tens of thousands, whole numbers"),
        Case("huge", (np.array([[3000.0, -3000.0, 2999.5]] * 2),), label="far apart within a row"),
        Case("huge", ((200 + rng.permutation(5) / 2).astype(np.float32),), label="32-bit numbers near 200"),
        Case("far", (apart,), label="rows thousands apart"),
        Case("far", (apart.T,), {"axis": 0}, label="columns thousands apart"),
        Case("far", (np.stack([apart, apart[::-1] - 9000]),), label="a batch, rows thousands apart"),
    )


def _share(e: Array, axis: int) -> Array:
    return e / e.sum(axis=axis, keepdims=True)


def _raised(x: Any, axis: int) -> Array:
    x = np.asarray(x, dtype=float)
    return np.exp(x - x.max(axis=axis, keepdims=True))


def _whole(x: Any, axis: int = -1) -> Array:
    e = np.exp(np.asarray(x) - np.max(x))
    return e / e.sum()


def _whole_unshifted(x: Any, axis: int = -1) -> Array:
    e = np.exp(x)
    return e / e.sum()


def _whole_shifted_by_row(x: Any, axis: int = -1) -> Array:
    e = _raised(x, axis)
    return e / e.sum()


def _always_first_axis(x: Any, axis: int = -1) -> Array:
    return special.softmax(x, axis=0)


def _always_first_axis_unshifted(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(x), 0)


def _first_axis_unless_told(x: Any, axis: int = 0) -> Array:
    return special.softmax(x, axis=axis)


def _always_last_axis(x: Any, axis: int = -1) -> Array:
    return special.softmax(x, axis=-1)


def _always_last_axis_unshifted(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(x), -1)


def _always_axis_1(x: Any, axis: int = -1) -> Array:
    return special.softmax(x, axis=1)


def _axis_1_unless_one_row(x: Any, axis: int = -1) -> Array:
    return special.softmax(x, axis=1 if np.ndim(x) > 1 else 0)


def _shift_ignores_axis(x: Any, axis: int = -1) -> Array:
    return _share(_raised(x, -1), axis)


def _sum_ignores_axis(x: Any, axis: int = -1) -> Array:
    return _share(_raised(x, axis), -1)


def _no_shift(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(x), axis)


def _no_shift_wide(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(np.asarray(x, dtype=np.longdouble)), axis).astype(float)


def _clipped(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(np.clip(x, -700, 700)), axis)


def _clipped_lower(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(np.clip(x, -500, 500)), axis)


def _patched(x: Any, axis: int = -1) -> Array:
    return np.nan_to_num(_no_shift(x, axis))


def _patched_with_ones(x: Any, axis: int = -1) -> Array:
    return np.nan_to_num(_no_shift(x, axis), nan=1.0)


def _infinity_patched(x: Any, axis: int = -1) -> Array:
    return _share(np.nan_to_num(np.exp(x)), axis)


def _shifted_by_mean(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(x - np.mean(x, axis=axis, keepdims=True)), axis)


def _shifted_by_minimum(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(x - np.min(x, axis=axis, keepdims=True)), axis)


def _shifted_upwards(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(x + np.max(x, axis=axis, keepdims=True)), axis)


def _global_shift(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(np.asarray(x) - np.max(x)), axis)


def _global_shift_and_epsilon(x: Any, axis: int = -1) -> Array:
    e = np.exp(np.asarray(x) - np.max(x))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-12)


def _no_keepdims(x: Any, axis: int = -1) -> Array:
    e = np.exp(x - np.max(x, axis=axis))
    return e / e.sum(axis=axis)


def _no_keepdims_in_sum(x: Any, axis: int = -1) -> Array:
    e = _raised(x, axis)
    return e / e.sum(axis=axis)


def _no_keepdims_in_maximum(x: Any, axis: int = -1) -> Array:
    return _share(np.exp(x - np.max(x, axis=axis)), axis)


def _no_keepdims_unshifted(x: Any, axis: int = -1) -> Array:
    e = np.exp(x)
    return e / e.sum(axis=axis)


def _no_keepdims_global_shift(x: Any, axis: int = -1) -> Array:
    e = np.exp(np.asarray(x) - np.max(x))
    return e / e.sum(axis=axis)


def _in_place(x: Any, axis: int = -1) -> Array:
    x = np.asarray(x)
    x -= x.max(axis=axis, keepdims=True)
    return _share(np.exp(x), axis)


def _in_place_arrays_only(x: Any, axis: int = -1) -> Array:
    x -= x.max(axis=axis, keepdims=True)
    return _share(np.exp(x), axis)


def _in_place_as_float(x: Any, axis: int = -1) -> Array:
    return _in_place(np.asarray(x, dtype=float), axis)


def _in_place_throughout(x: Any, axis: int = -1) -> Array:
    x = np.asarray(x)
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


def _in_place_throughout_as_float(x: Any, axis: int = -1) -> Array:
    return _in_place_throughout(np.asarray(x, dtype=float), axis)


def _assigned_in_place(x: Any, axis: int = -1) -> Array:
    x = np.asarray(x)
    x[...] = special.softmax(x, axis=axis)
    return x


def _into_an_array_like_x(x: Any, axis: int = -1) -> Array:
    result = np.zeros_like(x)
    result[...] = special.softmax(x, axis=axis)
    return result


SOFTMAX = Exercise(
    id="softmax",
    signature="softmax(x, axis=-1)",
    examples=_softmax_examples,
    draw=_softmax_draw,
    library=frozenset(listening.SOFTMAX.values()),
    parts=(
        Part("keeps the shape, and every row sums to 1", rules.slices_sum_to_one, ("plain",)),
        Part("the shares in each row are right", common.agrees, ("plain",)),
        Part("so they are along any other axis", common.agrees, ("axis",)),
        Part("takes lists and whole numbers", common.agrees, ("lists", "ints")),
        Part("huge scores do not overflow", common.agrees, ("huge",)),
        Part("rows thousands apart do not disturb each other", common.agrees, ("far",)),
        Part("leaves x as it was", common.unchanged, ("plain", "axis", "ints")),
    ),
    misconceptions=(
        Misconception(
            "whole matrix",
            "whole matrix: all rows share a single total",
            "What does each row sum to?",
            (_whole, _whole_unshifted, _whole_shifted_by_row),
        ),
        Misconception(
            "wrong axis",
            "wrong axis: it shares out down the columns unless told otherwise",
            "Which entries compete with each other when no axis is given?",
            (_always_first_axis, _always_first_axis_unshifted, _first_axis_unless_told),
        ),
        Misconception(
            "axis ignored",
            "axis ignored: some step always works along the same axis",
            "Call it on one matrix with axis=0 and with axis=1: which step noticed?",
            (
                _always_last_axis,
                _always_last_axis_unshifted,
                _always_axis_1,
                _axis_1_unless_one_row,
                _shift_ignores_axis,
                _sum_ignores_axis,
            ),
        ),
        Misconception(
            "overflow",
            "overflow: exp gets numbers it cannot hold, or numbers bent to fit",
            "What is exp(1000), and by what may you shift a row without changing its shares?",
            (
                _no_shift,
                _no_shift_wide,
                _clipped,
                _clipped_lower,
                _patched,
                _patched_with_ones,
                _infinity_patched,
                _shifted_by_mean,
                _shifted_by_minimum,
                _shifted_upwards,
            ),
        ),
        Misconception(
            "global shift",
            "global shift: one maximum for all rows",
            "The largest score sits in another row, 5000 higher: what is left of the smallest row after exp?",
            (_global_shift, _global_shift_and_epsilon),
        ),
        Misconception(
            "broadcast",
            "broadcast: the maxima or sums meet the wrong entries",
            "Print both shapes at the subtraction and at the division: which entry meets which?",
            (
                _no_keepdims,
                _no_keepdims_in_sum,
                _no_keepdims_in_maximum,
                _no_keepdims_unshifted,
                _no_keepdims_global_shift,
            ),
        ),
        Misconception(
            WRITES,
            "writes into its input, or into an array of the input's type",
            "Which array do you write into, whose is it, and can it hold fractions?",
            (
                _in_place,
                _in_place_arrays_only,
                _in_place_as_float,
                _in_place_throughout,
                _in_place_throughout_as_float,
                _assigned_in_place,
                _into_an_array_like_x,
            ),
        ),
    ),
)


# --- questions on the spot ------------------------------------------------------------------------


def _prediction(id: str, name: str, title: str, *misconceptions: Misconception) -> Exercise:
    guesses = [(m.name, guess()[0]) for m in misconceptions for guess in m.wrong]
    return Exercise(
        id=id,
        signature=name,
        values=(name,),
        graded=False,
        examples=lambda: (Case("values", facts={"mistaken": guesses}),),
        parts=(Part(title, rules.reconsider),),
        misconceptions=misconceptions,
    )


LOST_WEIGHT = _prediction(
    "predict_lost_weight",
    "weights_left",
    "the sum of the weights that are left",
    Misconception(
        LOST,
        "repeated word lost from sight",
        "The second 'the' arrives at a dictionary that has a key 'the' already: what happens to the first?",
        (lambda: (1.0,),),
    ),
    Misconception(
        "lost twice",
        "lost twice: as if both copies of the word were gone",
        "When a key is assigned a second time, is the entry deleted or replaced?",
        (lambda: (11 / 17,),),
    ),
)

SURVIVORS = _prediction(
    "predict_survivors",
    "numbers_left",
    "how many numbers are left",
    Misconception(
        CUT,
        "cut to the shortest, unnoticed: the list starts long but does not stay so",
        "Call list(zip([0, 0, 0], [9, 19])): how many pairs come out, and how long is the next total?",
        (lambda: (9,),),
    ),
    Misconception(
        "one per word",
        "one per word: these are the weights' count",
        "Position by position letters are added up: what does one number of the result belong to?",
        (lambda: (7,),),
    ),
    Misconception(
        "first word",
        "first word: as if the first word alone set the length",
        "The total may get shorter with every word: which word shortens it most?",
        (lambda: (3,),),
    ),
)

FAULTY_LINE = _prediction(
    "find_the_slip",
    "faulty_line",
    "the line at fault",
    Misconception(
        "whole matrix",
        "whole matrix, overlooked: this line works score by score",
        "How many rows are there, how many totals, and in which line are the totals made?",
        (lambda: (1,), lambda: (3,)),
    ),
)

SHIFTED = _prediction(
    "predict_shifted",
    "shifted_weights",
    "the two shares",
    Misconception(
        "ratio of scores",
        "ratio of scores: nearly equal numbers, nearly equal shares",
        "Softmax compares exp(710) with exp(709): by what factor do they differ?",
        (lambda: ([0.5, 0.5],),),
    ),
    Misconception(
        "winner takes all",
        "winner takes all: as if the size of the scores mattered",
        "What counts is how far the scores lie apart: how far is that?",
        (lambda: ([1.0, 0.0],),),
    ),
)

LESSON = Lesson(
    "01_weighted_sums",
    "Words become numbers, numbers become one vector",
    (EMBEDDING, LOST_WEIGHT, WEIGHTS, SURVIVORS, PAD, SUM, FAULTY_LINE, SHIFTED, SOFTMAX),
)
