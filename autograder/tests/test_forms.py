"""A listed mistake keeps its name when it is written with a branch of its own, or in a helper."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from typing import Any

import pytest

from autograder.answers import trials
from autograder.answers.corpus import answers_to
from autograder.calls import runner
from autograder.checks import diagnosis
from autograder.courses import lesson_source
from autograder.exercises import values
from autograder.exercises.exercise import AnswerKey, Exercise
from autograder.judging import judge
from autograder.tests.this_course import find_exercise, find_lesson

SPECIAL = (
    "{} is None",
    "{}.ndim == 1",
    "{}.ndim == 2",
    "{}.ndim == 3",
    "len({}) == 1",
    "{}.shape[-1] == 1",
    "{}.shape[-2] == 1",
    "{} == 0",
    "{} == 1",
)
"""What learners give a branch of its own, of an argument."""

GUARDED = """
{wrong}
_slip = {name}
{right}
_right = {name}

def _holds(test):
    try:
        return bool(test())
    except Exception:
        return False

def {name}({arguments}):
    if _holds(lambda: {test}):
        return _right({passed})
    return _slip({passed})
"""


def guarded(exercise: Exercise, wrong: str, right: str) -> Iterator[str]:
    """Yield a wrong function with a branch that is right, for each of what looks special."""
    (function,) = ast.parse(f"def {exercise.signature}:\n    pass").body
    assert isinstance(function, ast.FunctionDef)
    names = [argument.arg for argument in function.args.args]
    texts = {"wrong": wrong, "right": right, "name": exercise.id, "passed": ", ".join(names)}
    for name in names:
        for special in SPECIAL:
            test = special.format(name)
            yield GUARDED.format(**texts, test=test, arguments=ast.unparse(function.args))


def helped(exercise: Exercise, code: str) -> Iterator[str]:
    """Yield an answer with its body in a helper, where it is a function."""
    tree = ast.parse(code)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == exercise.id:
            passed = ", ".join(argument.arg for argument in node.args.args)
            outer = ast.parse(f"def {node.name}({ast.unparse(node.args)}):\n    return _work_out({passed})")
            node.name = "_work_out"
            yield f"{ast.unparse(tree)}\n{ast.unparse(outer)}\n"


def asked(lesson: str, code: str, key: AnswerKey) -> runner.Answers:
    names = trials.make_namespace(find_lesson(lesson), find_exercise(lesson, key.exercise))
    exec(compile(code, "an answer", "exec"), names)
    return runner.ask_all(judge.make_question(find_lesson(lesson), key).without_stubs(), names)


def wrong_in(answers: runner.Answers, key: AnswerKey) -> dict[int, Any]:
    """Return what is wrong in an answer, by the places of the cases."""
    triples = enumerate(zip(answers.observations, key.expected, key.cases))
    return {
        i: seen.value
        for i, (seen, right, case) in triples
        if not diagnosis.is_right(seen, right, case.tolerance)
    }


@pytest.mark.parametrize(
    ("lesson", "exercise"),
    [("02_toy_tensors", "simple_attention"), ("06_masks_and_heads", "additive_mask")],
)
def test_other_forms_of_a_mistake_keep_its_name(lesson: str, exercise: str) -> None:
    """A form with a branch counts where the mistake is still most of what is seen on the visible cases."""
    of, asked_for = find_lesson(lesson), find_exercise(lesson, exercise)
    key, right = judge.visible_key(of, exercise), lesson_source.strip_solution_marks(of.solution(exercise))
    names = list[tuple[str, bool]]()
    for answer in [answer for answer in answers_to(of, exercise) if answer.misconception]:
        mistake = wrong_in(asked(lesson, answer.code, key), key)
        with_branch = [*guarded(asked_for, answer.code, right)]
        for code in [
            *helped(asked_for, answer.code),
            *random.Random(answer.style).sample(with_branch, 3),
        ]:
            answers = asked(lesson, code, key)
            wrong = wrong_in(answers, key)
            same = set(wrong) <= set(mistake) and all(
                values.are_close(wrong[i], mistake[i], 1e-3) for i in wrong
            )
            if same and len(wrong) >= max(2, len(mistake) / 2):
                names.append((code, judge.judge(key, (answers,)).misconception in answer.true))
    assert len(names) > 10
    lost = [code for code, named in names if not named]
    assert len(lost) <= 0.02 * len(names), lost
