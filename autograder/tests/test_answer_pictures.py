"""Grading keeps the picture that a wrong answer drew beside its verdict, if it is one to show."""

from __future__ import annotations

import base64
import io

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from PIL import Image

from autograder.calls import runner
from autograder.calls.runner import Answers
from autograder.checks import protocol, scoring
from autograder.grading import judge_answers
from autograder.judging import judge
from autograder.tests.this_course import find_lesson

LESSON = find_lesson("03_word2vec_heatmap")
EXERCISE = "plot_attention_weights"


def transposed(attention_weights, sentence_1, sentence_2):
    _, axes = plt.subplots()
    axes.imshow(attention_weights.T)
    return axes


def none_stands_in(name, call):
    raise AssertionError(f"{name} was called")


def asked(exercise, answer, sent=None):
    """What grading puts together of a notebook with one answer; `sent`: the picture that comes in place of its own."""
    keys = {one.id: judge.hidden_key(LESSON, one.id, "amy", "salt") for one in LESSON.graded}
    question = judge.make_question(LESSON, keys[exercise])
    reply = protocol.answer_request(protocol.write_request(question), {exercise: answer}, none_stands_in)
    found = protocol.read_reply(reply, question)
    if sent is not None:
        found = Answers(found.state, found.observations, picture=sent)
    answers = {f"test_{name}": (Answers(runner.NOT_STARTED),) for name in keys}
    answers[f"test_{exercise}"] = (found,)
    return LESSON, keys, answers, nbformat.read(LESSON.released, as_version=4)


def kept(answer, sent=None):
    """The pictures that grading keeps of an answer; `sent`: what comes in their place."""
    shown = {
        piece.verdict.exercise: piece.pictures
        for piece in judge_answers.verdicts(*asked(EXERCISE, answer, sent))
    }
    assert not any(pictures for name, pictures in shown.items() if name != EXERCISE)
    return shown[EXERCISE]


def png(width, height):
    file = io.BytesIO()
    Image.new("1", (width, height)).save(file, format="PNG")
    return np.frombuffer(file.getvalue(), dtype=np.uint8)


def test_a_wrong_picture_is_kept_with_a_text_for_those_who_do_not_see_it():
    (output,) = kept(transposed)
    assert output.metadata["image/png"]["alt"] == f"What {EXERCISE} drew, for the example: lists of words"
    with Image.open(io.BytesIO(base64.b64decode(output.data["image/png"]))) as picture:
        assert picture.format == "PNG"


def test_a_right_picture_is_not_repeated():
    names = {}
    exec("import matplotlib.pyplot as plt\nimport seaborn as sns\nfrom autograder import figures", names)
    exec("from numpy import ndarray\nfrom matplotlib.axes import Axes", names)
    exec(LESSON.solution(EXERCISE), names)
    assert kept(names[EXERCISE]) == []


def test_a_picture_that_a_browser_would_need_much_memory_for_is_left_out():
    assert len(kept(transposed, sent=png(1000, 1000))) == 1
    assert kept(transposed, sent=png(1001, 1000)) == []


@pytest.mark.parametrize("trouble", [MemoryError, KeyError])
def test_all_points_are_there_before_a_mistake_is_named_and_stay_where_that_fails(monkeypatch, trouble):
    given = asked("sentence_matrix", lambda *_: np.ones(3))
    points, named = [], []

    def fails(key, *_):
        if key.mistakes:
            named.append(len(points))
            raise trouble

    monkeypatch.setattr(scoring, "name_mistake", fails)
    for piece in judge_answers.verdicts(*given):
        points.append((piece.verdict.exercise, piece.verdict.points, piece.not_judged))
    assert named == [len(LESSON.graded)]
    assert sorted(points) == sorted((one.id, 0, "") for one in LESSON.graded)
