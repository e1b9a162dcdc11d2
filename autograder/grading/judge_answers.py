"""Judges the answers of a notebook, within the limits of one submission."""

from __future__ import annotations

import contextlib
import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
from nbformat import NotebookNode

from autograder.calls.runner import Answers
from autograder.checks import scoring
from autograder.courses import Lesson
from autograder.execution.notebook_cells import grade_id_of, result_output
from autograder.execution.notebook_runner import AnswerSet, IsRight
from autograder.execution.notes import Note, NoteKind
from autograder.exercises import limits
from autograder.exercises.exercise import AnswerKey
from autograder.exercises.verdict import State, Verdict
from autograder.judging import judge, unnamed_mistakes
from autograder.judging.unnamed_mistakes import Behaviour
from autograder.sandbox.session import MalformedMessage, TimedOut
from autograder.submissions.cell_matching import Cells, trimmed_lines
from autograder.views import verdict_view


class Judged(msgspec.Struct, tag=True):
    """A verdict on an exercise.

    Attributes:
        verdict: The verdict.
        not_judged: The reason for which the answers could not be judged; empty where they were.
        behaviour: The answer's behaviour, where its mistake has no name.
    """

    verdict: Verdict
    not_judged: str = ""
    behaviour: Behaviour | None = None

    @property
    def outputs(self) -> list[dict[str, Any]]:
        """Return the outputs of the test cell."""
        verdict = self.verdict
        score = {"text/plain": str(float(verdict.points)), "text/html": verdict_view.as_html(verdict)}
        return [result_output(score)]


def not_judged(key: AnswerKey) -> Judged:
    """Return the verdict on an exercise that there was no time to judge."""
    return Judged(judge.judge(key, (Answers(TimedOut.state),)), "it took too long")


def verdicts(
    lesson: Lesson, keys: Mapping[str, AnswerKey], answers: Mapping[str, AnswerSet], notebook: NotebookNode
) -> Iterator[Judged]:
    """Yield the verdicts on a notebook's answers: first points for all, then verdicts with the names of mistakes.

    Answers that are quick to judge come first. The search for a mistake takes longest, and must not cost points. A
    second verdict on an exercise replaces the first.

    Args:
        lesson: The lesson that was handed in.
        keys: The answer keys by exercise.
        answers: The answers by the test cells' grade ids.
        notebook: The notebook as it was executed, which says in which cells errors were raised.
    """
    failed = _failed_cells(notebook)
    answer_sets = {name: answers[f"test_{name}"] for name in keys}

    def judged(name: str, verdict: Verdict, reason: str = "", behaviour: Behaviour | None = None) -> Judged:
        return Judged(replace(verdict, cell_failed=failed.get(name, "")), reason, behaviour)

    unnamed = []
    for name in sorted(keys, key=lambda name: not is_light(answer_sets[name])):
        reason = ""
        try:
            verdict = judge.judge(replace(keys[name], mistakes=()), answer_sets[name])
        except Exception as error:  # a forged answer must not cost the other answers their points
            verdict, reason = (
                judge.judge(keys[name], (Answers(MalformedMessage.state),)),
                type(error).__name__,
            )
        if verdict.state is State.WRONG and not reason and is_light(answer_sets[name]):
            unnamed.append(name)
        yield judged(name, verdict, reason)
    for name in unnamed:
        with contextlib.suppress(Exception):  # as above
            verdict = judge.judge(keys[name], answer_sets[name])
            behaviour = unnamed_mistakes.describe_behaviour(lesson, keys[name], answer_sets[name], verdict)
            yield judged(name, verdict, behaviour=behaviour)


def is_right_by(keys: Mapping[str, AnswerKey]) -> IsRight:
    """Return a function that tells whether answers are right by these keys; where it cannot tell soon, they are not."""

    def right(grade_id: str, answers: Answers) -> bool:
        key = scoring.restrict_to_first(keys[grade_id.removeprefix("test_")], len(answers.observations))
        with contextlib.suppress(Exception):  # forged answers may be of any form
            return bool(key.cases) and is_light((answers,)) and scoring.is_all_right(key, answers)
        return False

    return right


def is_light(attempts: AnswerSet) -> bool:
    """Return whether judging looks at few entries one by one; a hundred of an array's are one."""
    budget, waiting = limits.MAX_LIGHT_ENTRIES, list[Any](attempts)
    while waiting:
        item = waiting.pop()
        if isinstance(item, np.ndarray):
            budget -= item.size // 100
        inner = list(vars(item).values()) if dataclasses.is_dataclass(item) else item
        inner = list(inner.values()) if isinstance(inner, dict) else inner
        if isinstance(inner, (list, tuple)):
            budget -= len(inner)
            if budget >= 0:
                waiting += inner
        if budget < 0:
            return False
    return True


def _failed_cells(nb: NotebookNode) -> dict[str, str]:
    """Return the errors of cells with a grade id."""
    return {
        grade_id_of(cell): f"{output.ename}: {output.evalue}"[:200]
        for cell in nb.cells
        if grade_id_of(cell) and cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "error"
    }


def no_points_notes(
    notebook: NotebookNode, judged: Mapping[str, Judged], versions: Sequence[Cells]
) -> list[Note]:
    """Return a note on exercises whose cell is as in no version, but which earn nothing or count as not started."""
    names = []
    for cell in notebook.cells:
        name = grade_id_of(cell)
        verdict = judged[name].verdict if name in judged else None
        if verdict and (verdict.state is State.NOT_STARTED or verdict.max_points and not verdict.points):
            handed_out = {trimmed_lines(cells[name].source) for cells in versions if name in cells}
            if trimmed_lines(cell.source) not in handed_out:
                names.append(name)
    return [Note(NoteKind.NO_POINTS, tuple(names))] if names else []


def not_judged_notes(judged: Mapping[str, Judged]) -> list[Note]:
    """Return a note for each reason for which answers could not be judged."""
    by_reason = defaultdict[str, list[str]](list)
    for name, record in judged.items():
        by_reason[record.not_judged].append(name)
    return [Note.on(NoteKind.NOT_JUDGED, names, reason) for reason, names in by_reason.items() if reason]
