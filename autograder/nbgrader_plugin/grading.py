"""Grades a submission inside `nbgrader autograde`: run, ask, judge, and write the verdicts into the test cells."""

from __future__ import annotations

import dataclasses
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_output
from traitlets import Unicode

from autograder import judge, report
from autograder.exercise import Key, Verdict
from autograder.lessons import find_lesson
from autograder.nbgrader_plugin.reading import NOTES
from autograder.probe import Answers, Question
from autograder.runner import GARBLED, Attempts, Interview, grade_id_of


class GradeAnswers(Interview):
    """Takes the place of nbgrader's `Execute` among the autograde preprocessors.

    Each test cell's output becomes a bare number, which is nbgrader's way of saying a score, with the verdict as
    its HTML. The score is reached here, from plain data; nothing that a notebook prints can become one.
    """

    salt = Unicode("", help="Any text; another text draws other hidden cases.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        names = resources["nbgrader"]
        keys = self._keys(names["assignment"], names["student"])
        questions = {
            f"test_{name}": Question(name, key.values, key.cases, bool(key.library))
            for name, key in keys.items()
        }
        answers = self.interview(nb, resources, questions)
        verdicts = {name: self._judge(key, answers[f"test_{name}"]) for name, key in keys.items()}
        for cell in nb.cells:
            if grade_id_of(cell) in questions:
                _write_verdict(cell, verdicts[grade_id_of(cell).removeprefix("test_")])
        if not self.sealed:
            self.notes.append("graded UNSEALED: the notebook ran with your rights and your files")
        for note in self.notes:
            self.log.warning("%s: %s", names["student"], note)
        nb.metadata[NOTES]["notes"].extend(self.notes)
        nb.metadata[NOTES]["sealed"] = self.sealed
        nb.metadata[NOTES]["verdicts"] = {
            name: dataclasses.asdict(verdict) for name, verdict in verdicts.items()
        }
        return nb, resources

    def _judge(self, key: Key, attempts: Attempts) -> Verdict:
        try:
            return judge.judge(key, attempts)
        except Exception as error:  # forged answers may be of any form; one must not cost the others theirs
            self.log.error("judging %s failed", key.exercise, exc_info=True)
            self.notes.append(
                f"{key.exercise} could not be judged ({type(error).__name__}): look at it by hand"
            )
            return judge.judge(key, (Answers(GARBLED),))

    def _keys(self, lesson: str, student: str) -> dict[str, Key]:
        graded = [exercise.id for exercise in find_lesson(lesson).exercises if exercise.graded]
        return {name: judge.hidden_key(lesson, name, student, self.salt) for name in graded}


def _write_verdict(cell: NotebookNode, verdict: Verdict) -> None:
    data = {"text/plain": str(float(verdict.points)), "text/html": report.as_html(verdict)}
    cell.outputs = [new_output("execute_result", data=data, execution_count=None)]
