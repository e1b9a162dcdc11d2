"""Notebooks run and asked without nbgrader, in a sandbox where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.calls.runner import Question
from autograder.execution.broker import Broker
from autograder.execution.kernel import SealedKernel
from autograder.execution.notebook_runner import AnswerSet, IsRight, NotebookExecutor, NotebookRun
from autograder.tests.this_course import COURSE

FIRST = COURSE.lessons[0].id


def executor(notebook: NotebookNode, lesson: str = FIRST, **settings: Any) -> NotebookExecutor:
    """A client for a notebook; lesson: whose libraries are there already."""
    client = NotebookExecutor(notebook, **settings)
    names = SealedKernel.class_own_traits(config=True)
    broker = Broker(COURSE.visible, [lesson], {name: getattr(client, name) for name in names}, None)
    broker.start()
    client.open_process = broker.open
    return client


def execute_and_ask(
    cells: Sequence[str | NotebookNode],
    questions: Sequence[Question],
    stubs: str = "",
    is_right: IsRight = lambda grade_id, answers: False,
    lesson: str = FIRST,
    **limits: float,
) -> NotebookRun:
    """Run cells, each one, a source or the name of a question that is asked there; stubs: what defines them."""
    asked = {f"test_{question.name}": question for question in questions}
    made = [
        new_code_cell("", metadata={"nbgrader": {"grade_id": f"test_{cell}", "grade": True, "points": 1}})
        if f"test_{cell}" in asked
        else (new_code_cell(cell) if isinstance(cell, str) else cell)
        for cell in cells
    ]
    client = executor(new_notebook(cells=made), lesson, allow_unsealed=True, **limits)
    return client.execute_and_ask(asked, stubs=stubs, is_right=is_right)


def answers_of(
    cells: Sequence[str], questions: Sequence[Question], program: str, seconds: float = 3, lesson: str = FIRST
) -> dict[str, AnswerSet]:
    """What comes back, by exercise; program: what defines the stand-ins."""
    run = execute_and_ask(cells, questions, program, lesson=lesson, timeout=30, question_timeout=seconds)
    return {name.removeprefix("test_"): given for name, given in run.answers.items()}


def values(attempts: AnswerSet) -> list[Any]:
    """What the first case gave in each attempt: at first, again, and elsewhere."""
    seen = [answers.observations[0] for answers in attempts if answers.observations]
    return [value for one in seen for value in (one.value, one.again, one.elsewhere)]


def names_of(*texts: str) -> dict[str, Any]:
    """What these texts define, run in this process."""
    names: dict[str, Any] = {}
    for text in texts:
        exec(text, names)
    return names
