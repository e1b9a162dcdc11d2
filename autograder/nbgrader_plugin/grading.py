"""Grades a submission inside `nbgrader autograde`: run, ask, judge, and write the verdicts into the test cells."""

from __future__ import annotations

import base64
import functools
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from traitlets import Unicode

from autograder import judge
from autograder.courses import Lesson, open_course
from autograder.model.exercise import Key
from autograder.model.notes import Kind, Note
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import kept, limited
from autograder.sandbox.cells import picture, result
from autograder.sandbox.notebook_runner import GARBLED, Attempts, Interview, Ran, grade_id_of
from autograder.sandbox.passive import is_picture
from autograder.student import report
from autograder.student.probe import Answers, Question

SALT = "gradebook.salt"

MAX_PIXELS = 1_000_000
"""Of the picture that stands beside a verdict."""

JUDGING = 20
"""Seconds of processor time for an exercise: forged answers can be large, and hard to tell from mistakes."""


class GradeAnswers(Interview):
    """Takes the place of nbgrader's `Execute` among the autograde preprocessors.

    Each test cell's output becomes a bare number, which is nbgrader's way of saying a score, with the verdict as
    its HTML. The score is reached here, from plain data; nothing that a notebook prints can become one.
    """

    salt = Unicode(
        "", help="Any text; another text draws other hidden cases. Empty: the secret beside the gradebook."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Run the notebook, and judge it."""
        names = resources["nbgrader"]
        lesson = self.lesson(names["assignment"])
        questions = ask_for(lesson, self.keys(lesson, names["student"]))
        return self.judge(self.interview(nb, resources, questions, lesson.illustrations()), nb, resources)

    def judge(
        self, ran: Ran, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Judge a notebook of whose run `ran` came; `resources` comes back with "points" and "max_points"."""
        names = resources["nbgrader"]
        keys = self.keys(self.lesson(names["assignment"]), names["student"])
        notes = list(ran.notes)
        failed = _failed_cells(nb)
        verdicts = {
            name: replace(
                self._judge(key, ran.answers[f"test_{name}"], notes), cell_failed=failed.get(name, "")
            )
            for name, key in keys.items()
        }
        for cell in nb.cells:
            test, _, name = grade_id_of(cell).partition("test_")
            if name in verdicts and not test:
                points, card = str(float(verdicts[name].points)), report.as_html(verdicts[name])
                cell.outputs = [result({"text/plain": points, "text/html": card})]
                if verdicts[name].state is State.WRONG:
                    cell.outputs += _picture(keys[name], ran.answers[f"test_{name}"][0])
        if not ran.sealed:
            notes.append(Note(Kind.UNSEALED))
        kept.note(nb, names["student"], notes, self.log)
        kept.judge(nb, ran.sealed, verdicts)
        names["points"] = sum(found.points for found in verdicts.values())
        names["max_points"] = sum(found.max_points for found in verdicts.values())
        return nb, resources

    def lesson(self, name: str) -> Lesson:
        """The lesson of that id, in the course that nbgrader's settings are for."""
        course = open_course(self.config.TheCourse.folder)
        self.course = course.visible
        return course.lesson(name)

    def keys(self, lesson: Lesson, student: str) -> dict[str, Key]:
        """The keys by which a student's answers to a lesson's exercises are judged."""
        judge.prepare(lesson)
        salt = self.salt or secret(Path(self.config.CourseDirectory.root))
        return {one.id: judge.hidden_key(lesson, one.id, student, salt) for one in lesson.graded}

    def _judge(self, key: Key, attempts: Attempts, notes: list[Note]) -> Verdict:
        try:
            with limited.processor_time(JUDGING):
                return judge.judge(key, attempts)
        except Exception as error:  # forged answers may be of any form; one must not cost the others theirs
            self.log.error("judging %s failed", key.exercise, exc_info=True)
            notes.append(Note(Kind.NOT_JUDGED, (key.exercise,), type(error).__name__))
            return judge.judge(key, (Answers(GARBLED),))


@functools.cache
def secret(folder: Path) -> str:
    """What nobody can know who has this repository: made at the first grading, and kept beside the gradebook."""
    path = folder / SALT
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(16), encoding="utf-8")
    return path.read_text(encoding="utf-8")


def ask_for(lesson: Lesson, keys: Mapping[str, Key]) -> dict[str, Question]:
    """The questions that stand in the place of the test cells, by their grade ids."""
    asked = {f"test_{name}": judge.question(lesson, key) for name, key in keys.items()}
    return {name: replace(question, pictured=True) for name, question in asked.items()}


def _picture(key: Key, answers: Answers) -> list[NotebookNode]:
    """What an answer drew for its first case, where it came as a picture of a fair size."""
    data = "" if answers.picture is None else base64.b64encode(answers.picture.tobytes()).decode()
    if not data or not is_picture(data, MAX_PIXELS):
        return []
    return [picture(data, f"What {key.exercise} drew, for the example: {key.cases[0].label}")]


def _failed_cells(nb: NotebookNode) -> dict[str, str]:
    """The errors in which cells with a grade id ended."""
    return {
        grade_id_of(cell): f"{output.ename}: {output.evalue}"[:200]
        for cell in nb.cells
        if grade_id_of(cell) and cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "error"
    }
