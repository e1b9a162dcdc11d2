"""Grades a submission inside `nbgrader autograde`: run, ask, judge, and write the verdicts into the test cells."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from nbformat import NotebookNode
from traitlets import Unicode

from autograder import judge, report, source
from autograder.cells import result
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
        """Run the notebook, unless `resources` brings along what came of it under "ran", and judge.

        `resources` comes back with "points" and "max_points".
        """
        names = resources["nbgrader"]
        keys = self.keys(names["assignment"], names["student"])
        ran = names.pop("ran", None)
        if ran is None:
            ran = self.interview(nb, resources, ask_for(keys), source.illustrations(names["assignment"]))
        notes = list(ran.notes)
        verdicts = {name: self._judge(key, ran.answers[f"test_{name}"], notes) for name, key in keys.items()}
        for cell in nb.cells:
            name = grade_id_of(cell).removeprefix("test_")
            if name in verdicts and grade_id_of(cell) != name:
                _write_verdict(cell, verdicts[name])
        if not ran.sealed:
            notes.append("graded UNSEALED: the notebook ran with your rights and your files")
        for note in notes:
            self.log.warning("%s: %s", names["student"], note)
        nb.metadata[NOTES]["notes"].extend(notes)
        nb.metadata[NOTES]["sealed"] = ran.sealed
        nb.metadata[NOTES]["verdicts"] = {
            name: dataclasses.asdict(verdict) for name, verdict in verdicts.items()
        }
        names["points"] = sum(verdict.points for verdict in verdicts.values())
        names["max_points"] = sum(verdict.max_points for verdict in verdicts.values())
        return nb, resources

    def keys(self, lesson: str, student: str) -> dict[str, Key]:
        """The keys by which a student's answers to a lesson's exercises are judged."""
        judge.prepare(lesson)
        graded = [exercise.id for exercise in find_lesson(lesson).exercises if exercise.graded]
        return {name: judge.hidden_key(lesson, name, student, self.salt) for name in graded}

    def _judge(self, key: Key, attempts: Attempts, notes: list[str]) -> Verdict:
        try:
            return judge.judge(key, attempts)
        except Exception as error:  # forged answers may be of any form; one must not cost the others theirs
            self.log.error("judging %s failed", key.exercise, exc_info=True)
            notes.append(f"{key.exercise} could not be judged ({type(error).__name__}): look at it by hand")
            return judge.judge(key, (Answers(GARBLED),))


def ask_for(keys: Mapping[str, Key]) -> dict[str, Question]:
    """The questions that stand in the place of the test cells, by their grade ids."""
    return {f"test_{name}": judge.question(key) for name, key in keys.items()}


def _write_verdict(cell: NotebookNode, verdict: Verdict) -> None:
    data = {"text/plain": str(float(verdict.points)), "text/html": report.as_html(verdict)}
    cell.outputs = [result(data)]
