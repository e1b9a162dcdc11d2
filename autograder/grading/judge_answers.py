"""Judges what a notebook has answered, within the limits of one submission."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
from nbformat import NotebookNode

from autograder.checks import scoring
from autograder.checks.runner import Answers, Question
from autograder.courses import Lesson
from autograder.exercises.exercise import Key
from autograder.exercises.verdict import State, Verdict
from autograder.judging import behaviour, judge
from autograder.judging.behaviour import Behaviour
from autograder.notebook import verdict_view
from autograder.sandbox.notebook_cells import grade_id_of, picture_output, result_output
from autograder.sandbox.notebook_runner import GARBLED, TIMED_OUT, AnswerSet, IsRight
from autograder.sandbox.sanitize_outputs import is_picture
from autograder.submissions import limits


class Judged(msgspec.Struct, tag=True):
    """A verdict, and the outputs of the test's cell; not_judged: why it is not on the answers themselves, if so.

    behaviour: what the answer does, where its mistake has no name.
    """

    verdict: Verdict
    outputs: list[dict[str, Any]]
    not_judged: str
    behaviour: Behaviour | None = None


def not_judged(key: Key) -> Judged:
    """Return what an exercise comes to whose answer there was no time for."""
    return _as_judged(judge.judge(key, (Answers(TIMED_OUT),)), (), "it took too long")


def verdicts(
    lesson: Lesson, keys: Mapping[str, Key], answers: Mapping[str, AnswerSet], notebook: NotebookNode
) -> Iterator[Judged]:
    """Yield the verdicts on a notebook's answers: points for all, what is soon judged first; then names of mistakes.

    To name them takes longest, and must not cost points. A verdict that comes again takes the place of the first.

    Args:
        answers: By the test cells' grade ids.
    """
    failed = _failed_cells(notebook)
    answer_sets = {name: answers[f"test_{name}"] for name in keys}

    def judged(
        name: str, verdict: Verdict, reason: str = "", behaviour_shown: Behaviour | None = None
    ) -> Judged:
        pictures = _picture(keys[name], answer_sets[name][0]) if verdict.state is State.WRONG else []
        return _as_judged(
            replace(verdict, cell_failed=failed.get(name, "")), pictures, reason, behaviour_shown
        )

    unnamed = []
    for name in sorted(keys, key=lambda name: not is_light(answer_sets[name])):
        reason = ""
        try:
            verdict = judge.judge(replace(keys[name], mistakes=()), answer_sets[name])
        except Exception as error:  # forged answers may be of any form; one must not cost the others theirs
            verdict, reason = judge.judge(keys[name], (Answers(GARBLED),)), type(error).__name__
        if verdict.state is State.WRONG and not reason and is_light(answer_sets[name]):
            unnamed.append(name)
        yield judged(name, verdict, reason)
    for name in unnamed:
        with contextlib.suppress(Exception):  # as above
            verdict = judge.judge(keys[name], answer_sets[name])
            behaviour_shown = behaviour.of_answer(lesson, keys[name], answer_sets[name], verdict)
            yield judged(name, verdict, behaviour_shown=behaviour_shown)


def _as_judged(
    verdict: Verdict, pictures: Sequence[NotebookNode], reason: str, behaviour_shown: Behaviour | None = None
) -> Judged:
    score = {"text/plain": str(float(verdict.points)), "text/html": verdict_view.as_html(verdict)}
    return Judged(verdict, [result_output(score), *pictures], reason, behaviour_shown)


def right_by(keys: Mapping[str, Key]) -> IsRight:
    """Whether answers are right by these keys, without a doubt and at once."""

    def right(grade_id: str, answers: Answers) -> bool:
        key = scoring.first_part(keys[grade_id.removeprefix("test_")], len(answers.observations))
        with contextlib.suppress(Exception):  # forged answers may be of any form
            return bool(key.cases) and is_light((answers,)) and scoring.all_right(key, answers)
        return False

    return right


def is_light(attempts: AnswerSet) -> bool:
    """Return whether judging looks at few entries one by one; a hundred of an array's are one."""
    room, waiting = limits.MAX_LIGHT_ENTRIES, list[Any](attempts)
    while waiting:
        item = waiting.pop()
        if isinstance(item, np.ndarray):
            room -= item.size // 100
        inner = list(vars(item).values()) if dataclasses.is_dataclass(item) else item
        inner = list(inner.values()) if isinstance(inner, dict) else inner
        if isinstance(inner, (list, tuple)):
            room -= len(inner)
            if room >= 0:
                waiting += inner
        if room < 0:
            return False
    return True


def ask_for(lesson: Lesson, keys: Mapping[str, Key]) -> dict[str, Question]:
    """The questions that stand in the place of the test cells, by their grade ids."""
    return {f"test_{name}": judge.question(lesson, key) for name, key in keys.items()}


def _picture(key: Key, answers: Answers) -> list[NotebookNode]:
    """What an answer drew for its first case, where it came as a picture of a fair size."""
    data = "" if answers.picture is None else base64.b64encode(answers.picture.tobytes()).decode()
    if not data or not is_picture(data, limits.MAX_KEPT_PIXELS):
        return []
    return [picture_output(data, f"What {key.exercise} drew, for the example: {key.cases[0].label}")]


def _failed_cells(nb: NotebookNode) -> dict[str, str]:
    """The errors in which cells with a grade id ended."""
    return {
        grade_id_of(cell): f"{output.ename}: {output.evalue}"[:200]
        for cell in nb.cells
        if grade_id_of(cell) and cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "error"
    }
