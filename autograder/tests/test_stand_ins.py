"""An earlier mistake is not counted twice, and what prevents it gives nothing away."""

from __future__ import annotations

import ast
import functools
import importlib
from pathlib import Path

import numpy as np
import pytest

from autograder import WordVectors, judge
from autograder.judge import reference, stand_ins
from autograder.model import wire
from autograder.model.exercise import Case
from autograder.model.verdict import Verdict
from autograder.sandbox import files
from autograder.student import probe
from autograder.student.probe import Question
from autograder.tests import interviews
from autograder.tests.this_course import COURSE, ROOT, find_exercise, find_lesson, lessons, nameless_key

EXERCISES = {(lesson.id, exercise.id): exercise for lesson in lessons() for exercise in lesson.exercises}
BUILDING = [name for name, exercise in EXERCISES.items() if exercise.builds_on]
STAND_INS = sorted(
    {(lesson, name) for lesson, exercise in BUILDING for name in EXERCISES[lesson, exercise].builds_on}
)
GRADED = [name for name, exercise in EXERCISES.items() if exercise.graded and not exercise.values]

DOUBLE = {"double": "def double(x):\n    return 2 * x"}
CASE = Case("a", (20,))
SENTENCES, KERNEL = "03_word2vec_heatmap", "04_gaussian_kernel"


def names_of(*texts):
    names = {}
    for text in texts:
        exec(text, names)
    return names


def given_for(*exercises, lesson=SENTENCES):
    return stand_ins.texts(find_lesson(lesson), exercises)


# --- what a stand-in does ---------------------------------------------------------------------------------


def test_it_serves_while_it_is_asked_and_no_longer():
    names = names_of("def double(x):\n    return 0\ndef f(x):\n    return double(x) + 1")
    own, aided = probe.ask_all(Question("f", (), (CASE,), stand_ins=DOUBLE), names)
    assert (own.observations[0].value, aided.observations[0].value) == (1, 41)
    assert names["double"](3) == 0


def test_where_nothing_stood_nothing_is_left():
    names = names_of("def f(x):\n    return double(x) + 1")
    own, aided = probe.ask_all(Question("f", (), (CASE,), stand_ins=DOUBLE), names)
    assert own.observations[0].error
    assert aided.observations[0].value == 41
    assert "double" not in names


def test_where_it_makes_no_difference_there_is_one_answer():
    names = names_of("def double(x):\n    return 2 * x\ndef f(x):\n    return double(x) + 1")
    (own,) = probe.ask_all(Question("f", (), (CASE,), stand_ins=DOUBLE), names)
    assert (own.observations[0].value, own.observations[0].again) == (41, 41)


@pytest.mark.parametrize(("earlier", "attempts"), [("2 * x", 1), ("0", 2)])
def test_where_it_raises_the_same_error_either_way_that_is_no_difference(earlier, attempts):
    text = "    if x < 0:\n        raise ValueError(x)\n    return double(x) + 1"
    names = names_of(f"def double(x):\n    return {earlier}\ndef f(x):\n{text}")
    cases = (CASE, Case("a", (-1,)))
    found = probe.ask_all(Question("f", (), cases, stand_ins=DOUBLE), names)
    assert len(found) == attempts
    assert [answers.observations[1].error.kind for answers in found] == ["ValueError"] * attempts


def test_an_earlier_answer_that_wavers_is_stood_in_for():
    """Right the first time, and wrong from then on."""
    double = "seen = []\ndef double(x):\n    seen.append(x)\n    return 2 * x if len(seen) == 1 else 0"
    names = names_of(double + "\ndef f(x):\n    return double(x) + 1")
    *_, last = probe.ask_all(Question("f", (), (CASE,), stand_ins=DOUBLE), names)
    assert (last.observations[0].value, last.observations[0].again) == (41, 41)


def test_an_answer_that_wavers_itself_is_seen_to():
    names = names_of("seen = []\ndef f(x):\n    seen.append(x)\n    return double(x) + len(seen)")
    for answers in probe.ask_all(Question("f", (), (CASE,), stand_ins=DOUBLE), names):
        assert answers.observations[0].again != answers.observations[0].value or answers.observations[0].error


def test_it_wants_its_arguments_as_they_should_be():
    names = names_of("def f(word, vectors):\n    return word_embedding(vectors, word)")
    case = Case("a", ("a", WordVectors(("a", "b"), np.eye(2))))
    question = Question("f", (), (case,), stand_ins=given_for("word_embedding"))
    assert probe.ask_all(question, names)[1].observations[0].error


def test_what_it_calls_is_not_the_students_doing():
    names = names_of(
        "def f(x):\n    return gaussian_weights(x, x)\ndef gaussian_weights(q, k):\n    return q"
    )
    case = Case("a", (np.eye(2),))
    library = find_exercise("01_weighted_sums", "softmax").library
    question = Question("f", (), (case,), library, given_for("gaussian_weights", lesson=KERNEL))
    assert library
    assert [answers.library for answers in probe.ask_all(question, names)] == [(), ()]


@pytest.mark.parametrize(("lesson", "exercise"), BUILDING)
def test_it_serves_for_the_lessons_own(lesson, exercise):
    """With every earlier answer broken, the reference keeps its points."""
    key = nameless_key(lesson, exercise, "amy")
    broken = {name: f"def {name}(*args, **kwargs):\n    raise ValueError" for name in key.builds_on}
    names = dict(reference.namespace(find_lesson(lesson)))
    exec("\n".join([*broken.values(), find_lesson(lesson).solution(exercise)]), names)
    verdict = judge.judge(key, probe.ask_all(judge.question(find_lesson(lesson), key), names))
    assert verdict.points == verdict.max_points, verdict


def test_it_is_short_enough_to_travel_whole():
    for lesson, name in STAND_INS:
        assert len(given_for(name, lesson=lesson)[name]) < wire.MAX_TEXT


# --- what it gives away -----------------------------------------------------------------------------------


def test_only_an_earlier_exercise_of_the_lesson_is_stood_in_for():
    for lesson in lessons():
        order = [exercise.id for exercise in lesson.exercises]
        for position, exercise in enumerate(lesson.exercises):
            assert set(exercise.builds_on) <= set(order[:position]), f"{exercise.id} in {lesson.id}"


@pytest.mark.parametrize(("lesson", "name"), STAND_INS)
def test_it_brings_no_other_along(lesson, name):
    """Of the lesson's answers it calls only those that its own exercise builds on."""
    nodes = list(ast.walk(ast.parse(given_for(name, lesson=lesson)[name])))
    imported = {one.name for node in nodes if isinstance(node, ast.ImportFrom) for one in node.names}
    used = {node.id for node in nodes if isinstance(node, ast.Name)} - imported
    assert used & {of for where, of in EXERCISES if where == lesson} <= set(EXERCISES[lesson, name].builds_on)


@pytest.mark.parametrize(("lesson", "name"), STAND_INS)
def test_it_solves_no_other_exercise_of_its_lesson(lesson, name):
    texts = given_for(*EXERCISES[lesson, name].builds_on, name, lesson=lesson)
    stand_in = names_of(*texts.values())[name]
    for exercise in [exercise for where, exercise in GRADED if where == lesson and exercise != name]:
        assert verdict_on(lesson, exercise, stand_in).state == "wrong", exercise


def test_no_line_of_it_is_given_to_students():
    given = "\n".join(
        path.read_text(encoding="utf-8") for path in [*modules(), *ROOT.glob("course/**/*.ipynb")]
    )
    lines = {line.strip() for lesson, name in STAND_INS for line in body_of(lesson, name)}
    telling = [line for line in lines if len(line) > 25]
    assert len(telling) > len(STAND_INS)
    assert not [line for line in telling if line in given]


def test_no_function_of_it_is_given_to_students():
    given = {
        node.name for path in modules() for node in ast.parse(path.read_text()).body if hasattr(node, "name")
    }
    assert not given & {name for _, name in STAND_INS}


def modules() -> list[Path]:
    """What a student's process can import of the grader and of the course."""
    found = sorted(files.folder(COURSE.visible).rglob("*.py"))
    assert len(found) > 20
    return found


def body_of(lesson: str, name: str) -> list[str]:
    """The lines of a stand-in behind its docstring, without its imports."""
    text = given_for(name, lesson=lesson)[name].split('"""', 2)[2]
    return [line for line in text.splitlines() if " import " not in line]


def verdict_on(lesson: str, exercise: str, answer: object) -> Verdict:
    key = nameless_key(lesson, exercise, "amy")
    names = {**reference.namespace(find_lesson(lesson)), exercise: answer}
    return judge.judge(key, probe.ask_all(judge.question(find_lesson(lesson), key), names))


# --- what can be had by importing -------------------------------------------------------------------------

WRAPPERS = {
    ("01_weighted_sums", "softmax"): "softmax",
    ("02_toy_tensors", "scaled_dot_product_attention"): "attention",
    ("06_masks_and_heads", "MultiHeadAttention"): "MultiHeadAttention",
}
"""What calls a library, as anyone may; the verdict says that it does."""


@functools.cache
def importable() -> dict[str, object]:
    """All that these modules define, by name."""
    found: dict[str, object] = {}
    for path in modules():
        inside = path.relative_to(files.folder(COURSE.visible)).with_suffix("")
        name = ".".join(inside.parts).removesuffix(".__init__")
        module = importlib.import_module(name.replace("autograder.course", COURSE.visible.package))
        found |= {name: thing for name, thing in vars(module).items() if callable(thing)}
    assert set(WRAPPERS.values()) <= set(found)
    return found


@pytest.mark.parametrize(("lesson", "exercise"), GRADED)
def test_nothing_that_can_be_imported_is_an_answer(lesson, exercise):
    found = importable()
    for name in {"softmax", "attention", exercise} & set(found):
        verdict = verdict_on(lesson, exercise, found[name])
        if WRAPPERS.get((lesson, exercise)) == name:
            assert verdict.library
        else:
            assert verdict.state == "wrong", name


# --- what hostile code makes of it ------------------------------------------------------------------------

KEEP = """
import builtins, marshal, os
from pathlib import Path
def second(x):
    kept = marshal.dumps(double.__code__) if x else b""
    for place in ("/tmp/kept", "kept"):
        try:
            Path(place).write_bytes(kept)
        except OSError:
            pass
    builtins.kept = globals()["kept"] = double
    return double(x) + 1
"""
USE = """
import builtins, marshal
from pathlib import Path
from types import FunctionType
def double(x):
    try:
        return builtins.kept(x)
    except AttributeError:
        code = next(path.read_bytes() for path in map(Path, ("/tmp/kept", "kept")) if path.exists())
        return FunctionType(marshal.loads(code), globals())(x)
"""


def interview(*cells):
    """Ask `double` and `second`, which builds on it, where cells bear their names; the answers come back."""
    cases = (Case("a", (20,), elsewhere=True),)
    questions = [Question("double", (), cases), Question("second", (), cases, stand_ins=DOUBLE)]
    ran = interviews.interview(cells, questions, timeout=5, question_timeout=5)
    return {name.removeprefix("test_"): given for name, given in ran.answers.items()}


def values(attempts):
    seen = [answers.observations[0] for answers in attempts if answers.observations]
    return [value for one in seen for value in (one.value, one.again, one.elsewhere)]


@pytest.mark.slow
def test_kept_it_is_of_no_use_for_its_own_exercise():
    answers = interview(KEEP, USE, "double", "second")
    assert 41 in values(answers["second"])
    assert 40 not in values(answers["double"])


@pytest.mark.slow
def test_in_another_order_it_is_not_handed_out():
    answers = interview(KEEP, USE, "second", "double")
    assert 41 not in values(answers["second"])
    assert 40 not in values(answers["double"])


@pytest.mark.slow
def test_a_new_kernel_asks_for_nothing_again():
    """The first answer that was asked with a stand-in keeps it on file and ends the program."""
    answers = interview(KEEP.replace("return", "os._exit(1)\n    return"), USE, "double", "second", "x = 1")
    assert answers["second"][0].state == "kernel died"
    assert 40 not in values(answers["double"])
