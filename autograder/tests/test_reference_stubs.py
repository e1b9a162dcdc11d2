"""An earlier mistake is not counted twice, and what prevents it gives nothing away."""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib

import numpy as np
import pytest
import torch

from autograder.calls import runner
from autograder.calls.reference_stub import answer_call, make_stubs
from autograder.calls.runner import Question
from autograder.exercises import public_course, wire
from autograder.exercises.exercise import Case
from autograder.exercises.verdict import Verdict
from autograder.judging import judge, reference, reference_stubs
from autograder.sandbox import public_files
from autograder.tests.notebook_runs import answers_of, names_of
from autograder.tests.this_course import (
    COURSE,
    find_exercise,
    find_lesson,
    lessons,
    nameless_key,
    verdict_by,
)
from attention import WordVectors, load_vectors
from attention.library import EARLIER

EXERCISES = {(lesson.id, exercise.id): exercise for lesson in lessons() for exercise in lesson.exercises}
BUILDING = [name for name, exercise in EXERCISES.items() if exercise.builds_on]
BROUGHT = {origin.split(":")[1] for origin in EARLIER}
"""Earlier answers of which the course has a version for those who bring none along."""

STAND_INS = sorted(
    {(lesson, name) for lesson, exercise in BUILDING for name in EXERCISES[lesson, exercise].builds_on}
)
GRADED = [name for name, exercise in EXERCISES.items() if exercise.graded and not exercise.values]

TENSORS, KERNEL = "02_toy_tensors", "04_gaussian_kernel"


@pytest.fixture(autouse=True)
def _this_course():
    """Other tests of the same process may have brought another course's kinds of argument."""
    with public_course.use_course(COURSE.visible):
        yield


def sent_to(program):
    """Send calls, as a sandbox does, to what a program defines."""
    names = names_of(program)
    return lambda name, call: answer_call(call, names[name])


# --- what a stand-in does ---------------------------------------------------------------------------------


def test_what_it_calls_is_not_the_students_doing():
    lesson, key = find_lesson(KERNEL), nameless_key(KERNEL, "kernel_regression")
    wrong = "def gaussian_weights(queries, keys, bandwidth=1.0):\n    return queries\n"
    names = names_of("import numpy as np\n" + wrong + lesson.solution("kernel_regression"))
    library = find_exercise("01_weighted_sums", "softmax").library
    question = dataclasses.replace(judge.make_question(lesson, key), library=library)
    assert library
    found = judge.ask_in_process(lesson, question, names, lambda own: False)
    assert [answers.library for answers in found] == [(), ()]


@pytest.mark.parametrize(("lesson", "exercise"), BUILDING)
def test_it_serves_for_the_lessons_own(lesson, exercise):
    """With every earlier answer broken, the reference keeps its points; afterwards the broken ones are back."""
    key, lesson = nameless_key(lesson, exercise, "amy"), find_lesson(lesson)
    broken = [f"def {name}(*args, **kwargs):\n    raise ArithmeticError" for name in key.builds_on]
    names = dict(reference.load_namespace(lesson))
    exec("\n".join([*broken, lesson.solution(exercise)]), names)
    verdict = judge.judge_in_process(lesson, key, names)
    assert verdict.points == verdict.max_points, verdict
    with pytest.raises(ArithmeticError):
        names[key.builds_on[0]]()


@pytest.mark.parametrize("lesson", sorted({lesson for lesson, _ in BUILDING}))
def test_a_mistake_counts_once_where_a_notebook_is_run(lesson):
    """Each exercise that others build on gives nothing; those have their points all the same."""
    lesson = find_lesson(lesson)
    building = [exercise.id for exercise in lesson.graded if exercise.builds_on]
    keys = {name: nameless_key(lesson, name, "amy") for name in building}
    cells = [cell.text for cell in lesson.cells if cell.marker == "setup"]
    for name in lesson.names("test"):
        broken = f"def {name}(*args, **kwargs):\n    pass"
        cells += [
            broken
            if name in reference_stubs.load_sources(lesson) and name not in keys
            else lesson.solution(name)
        ]
        cells += [name] if name in keys else []
        cells += [broken] if name in reference_stubs.load_sources(lesson) else []
    questions = [judge.make_question(lesson, key) for key in keys.values()]
    answers = answers_of(cells, questions, reference_stubs.build_program(lesson), 30, TENSORS)
    for name, key in keys.items():
        own, aided = (judge.judge(key, (one,)) for one in answers[name])
        assert own.points < aided.points == aided.max_points, aided


# --- how it is called -------------------------------------------------------------------------------------

CALLED = """
import numpy as np
def same(x, *more, scale=1.0):
    return x
def tell(*args, **kwargs):
    return repr((args, kwargs))
def refuse(x):
    raise KeyError(f"no {x}")
def odd():
    class Odd(Exception): pass
    raise Odd("not known elsewhere")
def split(x):
    return x.sum(), {"twice": [2 * x, x.argmax()]}, "text"
def worth(words):
    return float(words.vectors.sum())
"""
NAMES = ("same", "tell", "refuse", "odd", "split", "worth")


@pytest.fixture(scope="module")
def called():
    return make_stubs(NAMES, sent_to(CALLED))


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 3, 2.5, "text", [1, (2, "a")], {"a": [1.0]}, np.float32(1.5), np.inf),
        *(np.arange(6).reshape(2, 3), np.ones((2, 0), dtype="float32"), np.array([True, False])),
        [np.array([1.0, np.nan]), np.array([2])],
    ],
    ids=repr,
)
def test_what_it_is_given_comes_back_as_it_was(called, value):
    back = called["same"](value)
    assert type(back) is type(value)
    np.testing.assert_equal(back, value)


def test_tensors_are_tensors_of_the_same_type_on_both_sides(called):
    for tensor in (torch.ones(2, 3), torch.tensor(2), torch.eye(2, dtype=torch.float64) > 0):
        back = called["same"]([tensor])[0]
        assert torch.equal(back, tensor)
        assert back.dtype == tensor.dtype
    assert called["tell"](torch.ones(1), scale=2) == "((tensor([1.]),), {'scale': 2})"


@pytest.mark.parametrize(
    ("name", "arguments", "error", "message"),
    [
        ("refuse", (3,), KeyError, "no 3"),
        ("refuse", (), TypeError, "missing 1 required positional argument"),
        ("odd", (), RuntimeError, "not known elsewhere"),
        ("same", ({1, 2},), TypeError, "no set"),
        ("same", (np.zeros(10**6),), TypeError, "no ndarray"),
    ],
)
def test_what_it_raises_is_raised_where_it_was_called(called, name, arguments, error, message):
    with pytest.raises(error, match=message):
        called[name](*arguments)


def test_gradients_flow_through_it(called):
    x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
    total, more, text = called["split"](3 * x)
    twice, largest = more["twice"]
    assert (total.item(), largest.item(), text) == (21, 2, "text")
    (2 * total + (twice * torch.tensor([0.0, 1.0, 0.0])).sum()).backward()
    assert x.grad.tolist() == [6, 12, 6]
    with torch.no_grad():
        assert not called["same"](x).requires_grad
    assert not called["same"](x.detach()).requires_grad


def test_what_a_case_declares_is_handed_on_by_its_declaration(called):
    sent = []
    send = sent_to(CALLED)
    worth = make_stubs(NAMES, lambda name, call: sent.append(call) or send(name, call))["worth"]
    bundled, own = WordVectors(), WordVectors(("a", "b"), np.eye(2))
    cases = [Case("a", (declared,)) for declared in (bundled, own)]
    (seen, other) = runner.ask(Question("worth", (), tuple(cases)), {"worth": worth}).observations
    assert (seen.value, other.value) == (pytest.approx(float(load_vectors().vectors.sum())), 2)
    assert len(sent[0]) < 200
    vectors = importlib.import_module("attention.vectors")
    assert worth(vectors.make_vectors(("c",), np.array([[5.0]]))) == 5


@pytest.mark.parametrize("call", ["", "[]", "5", wire.dumps([1, 2, 3]), wire.dumps([[(), {}], [], [1]])])
def test_a_forged_call_costs_nobody_anything(call):
    assert wire.loads(answer_call(call, names_of(CALLED)["same"]))[0] == "raised"


# --- what it gives away -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("lesson", "name"), BUILDING)
def test_only_an_earlier_exercise_of_the_lesson_is_stood_in_for(lesson, name):
    order = [exercise.id for exercise in find_lesson(lesson).exercises]
    assert set(EXERCISES[lesson, name].builds_on) <= set(order[: order.index(name)])


@pytest.mark.parametrize(("lesson", "name"), STAND_INS)
def test_it_brings_no_other_along_and_solves_no_other_exercise_of_its_lesson(lesson, name):
    """Of the lesson's answers it calls only those that its own exercise builds on."""
    nodes = list(ast.walk(ast.parse(reference_stubs.load_sources(find_lesson(lesson))[name])))
    imported = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    used = {node.id for node in nodes if isinstance(node, ast.Name)} - imported
    assert used & {of for where, of in EXERCISES if where == lesson} <= set(EXERCISES[lesson, name].builds_on)
    stand_in = reference_stubs.load_stubs(find_lesson(lesson))[name]
    for exercise in [exercise for where, exercise in GRADED if where == lesson and exercise != name]:
        assert verdict_on(lesson, exercise, stand_in).state == "wrong", exercise


def verdict_on(lesson: str, exercise: str, answer: object) -> Verdict:
    names = {**reference.load_namespace(find_lesson(lesson)), exercise: answer}
    return verdict_by(lesson, nameless_key(lesson, exercise, "amy"), names)


# --- what can be had by importing -------------------------------------------------------------------------


@functools.cache
def importable() -> dict[str, object]:
    """All that a student's process can import of the grader and of the course, by name."""
    names, folder = dict[str, object](), public_files.public_folder(COURSE.visible)
    for path in folder.rglob("*.py"):
        inside = path.relative_to(folder).with_suffix("")
        name = ".".join(inside.parts).removesuffix(".__init__")
        module = importlib.import_module(name.replace("autograder.course", COURSE.visible.package))
        names |= {name: thing for name, thing in vars(module).items() if callable(thing)}
    assert {"softmax", "attention", *BROUGHT} <= set(names)
    return names


@pytest.mark.parametrize(("lesson", "exercise"), GRADED)
def test_nothing_that_can_be_imported_is_an_answer_without_a_word(lesson, exercise):
    """Anyone may call a library, and the course's version of an earlier answer: the verdict says which."""
    found = importable()
    for name in {"softmax", "attention", exercise} & set(found):
        verdict = verdict_on(lesson, exercise, found[name])
        assert verdict.state == "wrong" or verdict.library, name
