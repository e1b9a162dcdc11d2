"""Grades a submission inside `nbgrader autograde`: run, ask, judge, and write the verdicts into the test cells."""

from __future__ import annotations

import base64
import dataclasses
import functools
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from nbformat import NotebookNode
from traitlets import Unicode

from autograder import judge
from autograder.courses import Lesson, open_course
from autograder.judge import stand_ins
from autograder.model import verdict
from autograder.model.exercise import Key
from autograder.model.notes import Kind, Note
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import kept, limited
from autograder.sandbox import warm
from autograder.sandbox.cells import grade_id_of, picture, result
from autograder.sandbox.notebook_runner import GARBLED, Attempts, Interview, Ran, Right, hash_seeds
from autograder.sandbox.passive import is_picture
from autograder.student import report
from autograder.student.probe import Answers, Question

SALT = "gradebook.salt"

MAX_PIXELS = 1_000_000
"""Of the picture that stands beside a verdict."""

JUDGING = 20
"""Seconds for all answers of a submission that are not `LIGHT`."""

LIGHT = 10_000
"""Entries of an answer that is judged at once, and whose mistake is named. Forged answers can have millions."""

PATIENCE = 120
"""Seconds for reading a submission, and again for judging and writing it: nothing in that may take so long."""

Judged = Verdict | str
"""A verdict, or in a word why there is none."""


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
        keys = self.keys(lesson, names["student"], kept.read(nb).work)
        questions = ask_for(lesson, keys)
        warm.start(
            self.course, hash_seeds(case for one in questions.values() for case in one.cases), [lesson.id]
        )
        ran = self.interview(
            nb, resources, questions, lesson.illustrations(), stand_ins.program(lesson), is_right(keys)
        )
        return self.judge(ran, nb, resources)

    def judge(
        self, ran: Ran, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Judge a notebook of whose run `ran` came; `resources` comes back with "points" and "max_points"."""
        names = resources["nbgrader"]
        keys = self.keys(self.lesson(names["assignment"]), names["student"], kept.read(nb).work)
        notes = list(ran.notes)
        failed = _failed_cells(nb)
        verdicts = {
            name: replace(found, cell_failed=failed.get(name, ""))
            for name, found in self._verdicts(keys, ran.answers, notes).items()
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

    def keys(self, lesson: Lesson, student: str, work: str) -> dict[str, Key]:
        """The keys by which a student's answers to a lesson's exercises are judged.

        work: the digest of what was handed in; other work is asked other cases, so that what was seen of these is of
        no use in it.
        """
        judge.prepare(lesson)
        salt = (self.salt or secret(Path(self.config.CourseDirectory.root))) + work
        return {one.id: judge.hidden_key(lesson, one.id, student, salt) for one in lesson.graded}

    def _verdicts(
        self, keys: Mapping[str, Key], answers: Mapping[str, Attempts], notes: list[Note]
    ) -> dict[str, Verdict]:
        given = {name: answers[f"test_{name}"] for name in keys}
        heavy = [name for name in keys if not is_light(given[name])]
        found = {name: _judged(key, given[name]) for name, key in keys.items() if name not in heavy}
        if heavy:
            found |= _judged_apart({name: (keys[name], given[name]) for name in heavy})
        for reason in dict.fromkeys(one for one in found.values() if isinstance(one, str)):
            names = [name for name in keys if found[name] == reason]
            self.log.error("judging %s failed: %s", ", ".join(names), reason)
            notes.append(Note.on(Kind.NOT_JUDGED, names, reason))
        garbled = (Answers(GARBLED),)
        return {
            name: one if isinstance(one := found[name], Verdict) else judge.judge(key, garbled)
            for name, key in keys.items()
        }


def is_right(keys: Mapping[str, Key]) -> Right:
    """Whether answers are right by these keys, without a doubt and at once."""

    def right(grade_id: str, answers: Answers) -> bool:
        key = replace(keys[grade_id.removeprefix("test_")], mistakes=())
        found = _judged(key, (answers,)) if is_light((answers,)) else ""
        return isinstance(found, Verdict) and found.state is State.RIGHT

    return right


def _judged(key: Key, attempts: Attempts) -> Judged:
    try:
        return judge.judge(key, attempts)
    except Exception as error:  # forged answers may be of any form; one must not cost the others theirs
        return type(error).__name__


def _judged_apart(questions: Mapping[str, tuple[Key, Attempts]]) -> dict[str, Judged]:
    """What is judged in a child that is ended when time is up; no mistakes are named."""

    def work() -> Iterator[list[Any]]:
        for name, (key, attempts) in questions.items():
            found = _judged(replace(key, mistakes=()), attempts)
            yield [name, found if isinstance(found, str) else verdict.write(found)]

    pieces = dict(limited.forked(work, JUDGING))
    read = {name: piece if isinstance(piece, str) else verdict.read(piece) for name, piece in pieces.items()}
    return {name: read.get(name) or "it took too long" for name in questions}


def is_light(attempts: Attempts) -> bool:
    """Whether no more than `LIGHT` entries are looked at one by one in judging it; a hundred of an array's are one."""
    room, waiting = LIGHT, list[Any](attempts)
    while waiting:
        one = waiting.pop()
        if isinstance(one, np.ndarray):
            room -= one.size // 100
        inner = list(vars(one).values()) if dataclasses.is_dataclass(one) else one
        inner = list(inner.values()) if isinstance(inner, dict) else inner
        if isinstance(inner, (list, tuple)):
            room -= len(inner)
            if room >= 0:
                waiting += inner
        if room < 0:
            return False
    return True


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
    return {f"test_{name}": judge.question(lesson, key) for name, key in keys.items()}


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
