"""Lesson 01: its reference, its numbers, its judging."""

from __future__ import annotations

import functools
import importlib
import itertools
import math
import re
import string
from collections.abc import Callable
from typing import Any
from unittest import mock

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.special
import torch
from torch.nn.utils.rnn import pad_sequence

from autograder.exercises.verdict import Verdict
from autograder.judging import judge, reference
from autograder.tests import texts
from autograder.tests.this_course import find_lesson, verdict_by
from autograder.views import figures, verdict_view

LESSON = find_lesson("01_weighted_sums")
LETTERS = ("predict_lost_weight", "length_weights", "predict_survivors", "pad_rows", "weighted_sum")
verdict = functools.partial(verdict_by, LESSON)
SENTENCE = ["The", "weather", "is", "beautiful", "today", "in", "Melbourne"]
CAT = ["the", "cat", "sat", "on", "the", "mat"]

own = reference.load_namespace(LESSON)
looks = importlib.import_module("attention.looks")


def slip(name: str) -> Callable[..., Any]:
    """A function of the notes with its slip, as the lesson's text shows it."""
    names = {**own, "sentence": SENTENCE}
    exec(next(cell.text for cell in LESSON.cells if f"def {name}(" in cell.text), names)
    return names[name]


# --- the reference --------------------------------------------------------------------------------------


def test_letters_are_places_in_the_alphabet() -> None:
    for word in ("abcxyz", "Melbourne", "ZA"):
        assert own["letter_embedding"](word) == [string.ascii_lowercase.find(c) + 1 for c in word.lower()]


def test_padding_is_torchs() -> None:
    vectors = [[1.5, 2.0], [-3.0], [4.0, 0.0, 6.25]]
    other = pad_sequence([torch.tensor(vector) for vector in vectors], batch_first=True)
    np.testing.assert_array_equal(own["pad_rows"](vectors), other.numpy())


def test_a_weighted_sum_is_numpys_average() -> None:
    weights, vectors = np.array([0.2, 0.3, 0.5]), [[1.5, 2.0], [-3.0], [4.0, 0.0, 6.25]]
    padded = list(itertools.zip_longest(*vectors, fillvalue=0))
    other = np.average(padded, axis=1, weights=weights)
    np.testing.assert_allclose(own["weighted_sum"](weights, vectors), other)


@pytest.mark.parametrize(("shape", "axis"), [((4,), 0), ((3, 5), -1), ((3, 5), 0), ((2, 3, 4), 1)])
def test_softmax_is_scipys(shape: tuple[int, ...], axis: int) -> None:
    x = np.random.default_rng(0).normal(scale=2000, size=shape)
    other = scipy.special.softmax(x, axis=axis)
    np.testing.assert_allclose(own["softmax"](x, axis=axis), other, atol=1e-12)
    np.testing.assert_allclose(own["softmax"](x.tolist(), axis=axis), other, atol=1e-12)


# --- every number in the text ---------------------------------------------------------------------------


def test_the_example_by_hand() -> None:
    letters = [own["letter_embedding"](word) for word in ("I", "am")]
    assert letters == [[9], [1, 13]]
    np.testing.assert_allclose(own["length_weights"](["I", "am"]), [1 / 3, 2 / 3])
    np.testing.assert_allclose(np.array([1, 13]) * 2 / 3, [0.67, 8.67], atol=0.005)
    together = own["weighted_sum"](np.array([1 / 3, 2 / 3]), letters)
    np.testing.assert_allclose(together, [3.67, 8.67], atol=0.005)


def test_nine_numbers_and_two() -> None:
    vectors = [own["letter_embedding"](word) for word in SENTENCE]
    weights = own["length_weights"](SENTENCE)
    assert [len(word) for word in SENTENCE] == [3, 7, 2, 9, 5, 2, 9]
    assert sum(map(len, SENTENCE)) == 37
    np.testing.assert_allclose(weights, [0.081, 0.189, 0.054, 0.243, 0.135, 0.054, 0.243], atol=0.0005)
    whole = own["weighted_sum"](weights, vectors)
    shown = [13.30, 7.84, 4.30, 9.51, 13.41, 8.24, 9.24, 8.51, 4.14]
    np.testing.assert_allclose(whole, shown, atol=0.005)
    assert round(whole.sum(), 2) == 78.49
    assert round(whole[:2].sum(), 2) == 21.14
    assert own["length_weights"](SENTENCE)[2] == min(weights)  # *is*
    assert 0.72 < whole[2:].sum() / whole.sum() < 0.75
    cut = slip("first_attempt")(SENTENCE)
    assert len(cut) == own["numbers_left"]
    np.testing.assert_allclose(cut, whole[:2])


def test_the_dictionary_loses_three_letters_of_seventeen() -> None:
    kept = slip("weights_by_word")(CAT)
    assert sum(map(len, CAT)) == 17
    assert len(kept) == 5
    weights = [0.176, 0.176, 0.176, 0.118, 0.176, 0.176]
    np.testing.assert_allclose(own["length_weights"](CAT), weights, atol=0.0005)
    assert sum(kept.values()) == pytest.approx(own["weights_left"]) == pytest.approx(14 / 17)


def test_softmax_by_hand() -> None:
    powers = np.exp([2.0, 1.0, 0.1])
    np.testing.assert_allclose(powers, [7.39, 2.72, 1.11], atol=0.005)
    assert round(powers.sum(), 2) == 11.21
    assert "**11.21** (from unrounded powers)" in " ".join(cell.text for cell in LESSON.cells)
    np.testing.assert_allclose(own["softmax"]([2.0, 1.0, 0.1]), [0.659, 0.242, 0.099], atol=0.0005)


def opening() -> dict[str, Any]:
    """Return the names of the cells before the first exercise, with the word vectors and the scores of *he*."""
    names = {**own, "looks": mock.Mock()}
    for cell in LESSON.cells:
        if cell.name == "find_the_slip":
            return names
        if cell.kind == "code" and not cell.marker and "turn_score" not in cell.text:
            exec(cell.text, names)
    raise AssertionError("the first exercise is not find_the_slip")


def test_the_word_vectors_by_hand() -> None:
    names = opening()
    vectors = dict(zip(names["words"], names["word_vectors"], strict=True))
    by_hand = 0.6 * vectors["Ming"] + 0.3 * vectors["went"] + 0.1 * vectors["home"]
    np.testing.assert_allclose(by_hand, [0.6, 0.4, 0.3])
    np.testing.assert_allclose(names["weights"] @ names["word_vectors"], by_hand)
    scores = dict(zip(names["words"], names["scores_of_he"], strict=True))
    assert (scores["Ming"], scores["he"], scores["home"]) == (1, 1, 0)
    assert names["weights_of_he"][names["he"]] == names["weights_of_he"].max() == names["weights_of_he"][0]
    assert (names["scores_of_he"] == 0).sum() == 5
    assert 0.45 < names["weights_of_he"][names["scores_of_he"] == 0].sum() < 0.5, "nearly half"
    assert not np.isclose(names["faulty"].sum(axis=1), 1).any()


def test_710_overflows_and_709_does_not() -> None:
    with np.errstate(over="ignore"):
        assert np.isfinite(np.exp(709.0))
        assert np.isinf(np.exp(710.0))
    np.testing.assert_allclose(own["softmax"]([710, 709]), own["shifted_weights"], atol=0.0005)
    np.testing.assert_allclose(own["softmax"]([1, 0]), own["shifted_weights"], atol=0.0005)


def test_of_the_four_slips_overflow_alone_warns_and_none_raises(recwarn: pytest.WarningsRecorder) -> None:
    slip("weights_by_word")(CAT)
    slip("first_attempt")(SENTENCE)
    slip("softmax_first_draft")(np.eye(7))
    assert not recwarn.list
    slip("softmax_first_draft")([710.0, 709.0])
    assert {one.category for one in recwarn.list} == {RuntimeWarning}


def test_the_opening_can_be_turned_to_nine_tenths_for_ming() -> None:
    with mock.patch.object(figures, "explore") as explore:
        looks.turn_score()
    turned, stills = (explore.call_args.kwargs[name] for name in ("turn", "stills"))
    at = [own["softmax"]([score, *looks.SCORES[1:]])[0] for score in turned]
    assert min(at) < 0.1 < 0.9 < at[-3]
    assert own["softmax"]([stills[-1], *looks.SCORES[1:]])[0] >= 0.9, "paper shows it, too"


def test_weights_that_would_read_zero_are_not_written() -> None:
    figure, pair = plt.subplots(1, 2)
    looks.draw_arrows(pair[0], ["he", "saw", "Ming"], [0.004, 0.006, 0.99], asking=0, fontsize=8)
    assert [text.get_text() for text in pair[0].texts] == ["he", "saw", "0.01", "Ming", "0.99"]
    plt.close(figure)
    with mock.patch.object(figures, "show") as show:
        looks.two_maps(["a", "b"], np.array([[1, 0], [0.004, 0.996]]), np.eye(2))
    (figure,) = show.call_args.args
    written = [text.get_text() for text in figure.axes[0].texts if text.get_visible()]
    assert written == ["1.00", "1.00", "= 1.00", "= 1.00"]
    plt.close(figure)


def test_the_mean_of_the_words_so_far_is_one_number_three_ways() -> None:
    names = {**own, "word_vectors": np.random.default_rng(0).normal(size=(7, 3))}
    exec(next(text for text in LESSON.illustrations() if "so_far" in text), names)
    loop, *others = names["ways"].values()
    for other in others:
        np.testing.assert_allclose(other, loop)


def test_he_finds_the_man_in_sentences_that_the_text_shows_and_in_one_that_it_does_not() -> None:
    shown = [case for case in LESSON.exercise("find_ming").examples() if case.tag == "sentence"]
    (other,) = (case for case in LESSON.exercise("find_ming").examples() if case.tag == "another man")
    for case, man in [*((case, "Ming") for case in shown), (other, "Omar")]:
        (words,) = case.args
        queries, keys = (
            np.array(rows, dtype=float) for rows in zip(*map(own["find_ming"], words), strict=True)
        )
        weights = scipy.special.softmax(keys @ queries[words.index("he")])
        assert weights[words.index(man)] >= 0.9
    text = " ".join(cell.text for cell in LESSON.cells)
    assert all(case.label in text for case in shown)
    assert "Omar" not in text
    assert "Kofi" not in text
    longest = max((case.label.split() for case in shown), key=len)
    assert len(longest) - 1 == 8, "so many other words has the hint"
    assert 4.2 < math.log(0.9 * 8 / 0.1) < 4.3, "the gap of the hint"
    hints = " ".join(cell.text for cell in LESSON.cells if cell.marker == "hint")
    assert "e^s / (e^s + 8)" in " ".join(hints.split())


def test_at_the_end_he_takes_in_letters_that_spell_the_man_s_name() -> None:
    names = opening()
    with mock.patch.object(figures, "show") as show:
        exec(
            next(text for text in LESSON.illustrations() if "unseen_sentence" in text),
            {**names, "looks": looks},
        )
    spelled = [call.kwargs["alt"].split("They spell ")[1] for call in show.call_args_list]
    assert spelled == ["'ming'.", "'kofi'."]
    plt.close("all")


# --- puzzles --------------------------------------------------------------------------------------------


def test_shuffled_rows_and_weights() -> None:
    weights, rows = np.array([0.5, 0.25, 0.25]), np.array([[8, 0], [0, 4], [4, 4]])
    order = [2, 0, 1]
    assert (weights @ rows).tolist() == [5, 2]
    assert (weights[order] @ rows[order]).tolist() == own["both_shuffled"]
    assert (weights @ rows[order]).tolist() == own["vectors_shuffled"]


def test_a_batch_is_torchs_product() -> None:
    weights, values = torch.rand(3, 2, 5, dtype=torch.float64), torch.rand(3, 5, 4, dtype=torch.float64)
    np.testing.assert_allclose(
        own["batched_sums"](weights.numpy(), values.numpy()), torch.bmm(weights, values)
    )


@pytest.mark.parametrize("far", [0.0, 700.0, 9000.0])
def test_joined_halves_are_the_whole_row(far: float) -> None:
    rng = np.random.default_rng(0)
    halves = [
        (rng.normal(size=4), rng.normal(size=(4, 3))),
        (rng.normal(size=6) + far, rng.normal(size=(6, 3))),
    ]
    kept = []
    for scores, values in halves:
        total = np.exp(scores - scores.max()).sum()
        kept.append((scores.max(), total, scipy.special.softmax(scores) @ values))
    whole = scipy.special.softmax(np.concatenate([halves[0][0], halves[1][0]]))
    wanted = whole @ np.concatenate([halves[0][1], halves[1][1]])
    np.testing.assert_allclose(own["join_halves"](*kept), wanted)
    np.testing.assert_allclose(own["join_halves"](*kept[::-1]), wanted)


def test_what_is_asked_is_not_answered_where_nothing_is_folded() -> None:
    given = [cell for cell in LESSON.cells if cell.marker not in ("solution", "written")]
    text = "\n".join(re.sub(r"<details.*?</details>", "", cell.text, flags=re.DOTALL) for cell in given)
    for answer in (
        "14/17",
        "14 / 17",
        "3/17",
        "0.82",
        "two numbers are left",
        "0.731",
        "0.27",
        "line 2 ",
        "one total for all",
    ):
        assert answer not in text.lower()


def test_letters_and_lists_take_a_quarter_of_the_lesson() -> None:
    letters = [one for one in LESSON.exercises if "letter" in one.id or one.id in LETTERS]
    minutes = sum(effort.minutes for one in letters if (effort := texts.effort(LESSON, one.id)))
    assert minutes <= texts.whole(LESSON)[0] / 4


# --- answers ----------------------------------------------------------------------------------------------

POINTS = [
    ("letter_embedding", "return ['abcdefghijklmnopqrstuvwxyz'.find(letter) + 1 for letter in word]", 3),
    ("length_weights", "return [len(word) / sum(map(len, set(words))) for word in words]", 3),
    (
        "pad_rows",
        "longest = max(map(len, vectors)); return [[0] * (longest - len(v)) + list(v) for v in vectors]",
        2,
    ),
    (
        "weighted_sum",
        "last = {tuple(v): w for v, w in zip(vectors, weights)}; rows = pad_rows([*last, *vectors])\n"
        "    return np.array([*last.values()]) @ rows[: len(last)]",
        4,
    ),
    ("softmax", "return scipy.special.softmax(x, axis=-1)", 7),
    ("softmax", "return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)", 7),
    (
        "softmax",
        "powers = np.exp(np.asarray(x) - np.max(x)); return powers / powers.sum(axis=axis, keepdims=True)",
        8,
    ),
    (
        "softmax",
        "x = np.asarray(x, dtype=float); x -= x.max(axis=axis, keepdims=True)\n"
        "    return scipy.special.softmax(x, axis=axis)",
        8,
    ),
]
"""For an exercise, the body of an answer that is wrong in one point, and what the rest of it earns."""


@pytest.mark.parametrize(("exercise", "body", "points"), POINTS)
def test_what_is_right_earns_its_points(exercise: str, body: str, points: int) -> None:
    names = {**own, "scipy": scipy}
    exec(f"def {LESSON.exercise(exercise).signature}:\n    {body}", names)
    judged = verdict(judge.hidden_key(LESSON, exercise, "amy"), names)
    assert judged.points == points < judged.max_points


@pytest.mark.parametrize("exercise", [exercise.id for exercise in LESSON.exercises if exercise.values])
@pytest.mark.parametrize("value", [None, "two", [], [1, "b"], math.nan, {"a": 1}, 0.4, [0.1, 0.9]])
def test_no_verdict_on_a_guess_gives_the_answer_away(exercise: str, value: Any) -> None:
    key = judge.visible_key(LESSON, exercise)
    judged = verdict(key, dict.fromkeys(key.values, value))
    text = verdict_view.as_text(judged)
    assert judged.state == "wrong"
    assert not any(right in text for right in ("0.82", "14", "0.73", "0.27", "expected"))


def told(exercise: str, body: str) -> Verdict:
    """The verdict on the visible cases of a function with this body."""
    names = {**own, "scipy": scipy}
    exec(f"def {LESSON.exercise(exercise).signature}:\n    {body}", names)
    return verdict(judge.visible_key(LESSON, exercise), names)


TOLD = [
    (
        "letter_embedding",
        "return [ord(c) - 97 for c in word.lower()]",
        "letters counted from the wrong number",
    ),
    ("letter_embedding", "return [ord(c) - 96 for c in word]", "capitals not counted like small letters"),
    ("letter_embedding", "return [1 for c in word]", ""),
    ("length_weights", "return {len(w) / len(''.join(words)) for w in words}", ""),
    ("length_weights", "return [1 / len(words)]", ""),
    ("length_weights", "return {w: 1 for w in words}", "repeated word lost"),
    ("length_weights", "return {i: 1 for i, w in enumerate(words)}", ""),
    (
        "pad_rows",
        "n = len(vectors[0]); return [v[:n] + [0] * (n - len(v)) for v in vectors]",
        "cut to the first vector",
    ),
    ("weighted_sum", "return weights @ pad_rows(vectors) / len(weights)", "weighted sum divided once more"),
    (
        "weighted_sum",
        "n = np.array([len(v) for v in vectors]); return n / n.sum() @ pad_rows(vectors)",
        "weights that were given not used",
    ),
    (
        "softmax",
        "e = np.zeros_like(x); e[...] = scipy.special.softmax(x, axis); return e",
        "fractions cut off",
    ),
    (
        "softmax",
        "x = np.asarray(x); return scipy.special.softmax(x, axis).astype(x.dtype)",
        "fractions cut off",
    ),
]
"""For an exercise, the body of a wrong answer, and the name it gets; none where no name is certain."""


@pytest.mark.parametrize(("exercise", "body", "name"), TOLD)
def test_a_name_is_given_where_it_is_true(exercise: str, body: str, name: str) -> None:
    judged = told(exercise, body)
    assert (judged.state, judged.misconception) == ("wrong", name)


@pytest.mark.parametrize("default", [0, 1, None])
def test_a_wrong_default_is_not_an_ignored_argument(default: int | None) -> None:
    names = {**own, "scipy": scipy}
    exec(f"def softmax(x, axis={default}): return scipy.special.softmax(x, axis=axis)", names)
    assert verdict(judge.visible_key(LESSON, "softmax"), names).misconception == "wrong default for the axis"


@pytest.mark.parametrize("exercise", [exercise.id for exercise in LESSON.exercises if exercise.graded])
@pytest.mark.parametrize(
    "body", ["return missing_name", "return None", "raise NotImplementedError('torch says no')"]
)
def test_what_never_came_back_is_not_said_to_fail(exercise: str, body: str) -> None:
    judged = told(exercise, body)
    reached = [line.sight for line in judged.lines if line.sight != "not reached"]
    assert judged.state == "wrong"
    assert judged.points == 0
    assert judged.misconception == ""
    assert reached == (["failed"] if body == "return None" else [])


def test_which_argument_was_written_into_and_how() -> None:
    body = "rows = pad_rows(vectors); [v.extend([0]) for v in vectors]; return weights @ rows"
    text = verdict_view.as_text(told("weighted_sum", body))
    assert "about vectors:" in text
    assert "writes into its input" in text
