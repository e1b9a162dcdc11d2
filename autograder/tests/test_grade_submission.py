"""Whatever a submission keeps the grader busy with costs that submission alone, and what was judged by then counts."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.calls import runner
from autograder.checks import scoring
from autograder.classroom import hand_out
from autograder.execution import skippable_cells
from autograder.grading import grade_submission, judge_answers
from autograder.grading.grade_submission import GradeAnswers, Job, Record
from autograder.judging import judge
from autograder.sandbox import limited_process, session
from autograder.submissions import sanitize_text
from autograder.tests import needs, small_course
from autograder.tests.grading import hand_in, right
from autograder.tests.small_course import CELSIUS, DAYS, LESSON
from autograder.tests.this_course import COURSE

pytestmark = pytest.mark.slow
ALL, CELSIUS_ALONE = 6, 3
GIVEN_UP = "grading it took more time or memory than there is for a submission; what was left was not judged"


def never_ends(*_: object) -> Any:
    """What comes to no end, in Python."""
    while True:
        pass


def never_looks_up(*_: object) -> Any:
    """What comes to no end, in a library that lets nothing interrupt it."""
    return sum(range(10**15))


def judge_first(*given: Any) -> Iterator[Any]:
    yield next(find_verdicts(*given))
    never_looks_up()


def hear_for_ever(line: bytes) -> Any:
    while b"and never again" in line:
        pass
    return hear(line)


find_verdicts, hear = judge_answers.verdicts, session._decode
STEPS: dict[str, tuple[ModuleType, str, Callable[..., Any]]] = {
    "reading": (grade_submission, "read_and_restore", never_ends),
    "reading in a library": (grade_submission, "read_and_restore", never_looks_up),
    "defusing": (sanitize_text, "sanitize_cells", never_looks_up),
    "finding pictures": (skippable_cells, "find_skippable", never_looks_up),
    "running": (grade_submission, "_run", never_looks_up),
    "hearing": (session, "_decode", hear_for_ever),
    "judging": (judge_answers, "verdicts", judge_first),
    "writing": (grade_submission, "_written", never_ends),
}


def grade_but(step: str, job: Job, is_sealed: bool, earlier: list[Record]) -> Iterator[Record]:
    """Grade, as `grading.grade` does, where a step comes to no end, in little time for each."""
    grade_submission.MAX_CALL_SECONDS, grade_submission.MAX_START_SECONDS = 1, 60 if step == "hearing" else 0
    for step_name in ("SANITIZING", "SEARCH", "RUNNING", "JUDGING", "WRITING"):
        setattr(grade_submission.limits, f"MAX_{step_name}_SECONDS", 1)
    grade_submission.limits.MAX_JUDGING_WAIT_SECONDS = 10
    setattr(*STEPS[step])
    yield from grade_submission.grade(job, is_sealed, earlier)


@pytest.fixture(scope="module")
def job(tmp_path_factory) -> Job:
    place = tmp_path_factory.mktemp("class")
    lesson = small_course.make(place / "course").lesson(LESSON)
    hand_in(place, "amy", lesson, right(lesson, [CELSIUS, DAYS]))
    path = place / "submitted" / "amy" / LESSON / lesson.released.name
    notebook = nbformat.read(path, as_version=4)
    place_of_test = [cell.source for cell in notebook.cells].index(f"check({CELSIUS})")
    notebook.cells.insert(place_of_test + 1, new_code_cell("print('and ' + 'never again')"))
    notebook.cells.append(new_markdown_cell("<b>mine</b>"))
    nbformat.write(notebook, path)
    settings = GradeAnswers(notebook_timeout=3, allow_unsealed=True).plain_settings()
    cells = hand_out.released_cells(lesson)
    work = (str(lesson.course.root), LESSON, "amy", "salt", settings, path, path.parent)
    master = {name: cell for name, cell in cells.items() if "nbgrader" in cell.metadata}
    return Job(*work, master, [cells], cells, [], [], {}, [], False)


def graded_but(step: str, job: Job, monkeypatch) -> Any:
    run = limited_process.run
    monkeypatch.setattr(
        limited_process,
        "run",
        lambda function, arguments, **how: run(grade_but, [step, *arguments], **how),
    )
    return grade_submission.grade_submission(job)


@pytest.mark.parametrize(
    ("step", "points", "told"),
    [
        (
            "reading",
            0,
            "takes more time or memory to read than there is for it: not graded; ask for the file again",
        ),
        (
            "reading in a library",
            0,
            "takes more time or memory to read than there is for it: not graded; ask for the",
        ),
        ("defusing", ALL, ""),
        ("finding pictures", ALL, ""),
        ("running", 0, GIVEN_UP),
        ("judging", CELSIUS_ALONE, "it took too long"),
        ("hearing", CELSIUS_ALONE, GIVEN_UP),
    ],
)
def test_what_a_step_takes_too_long_with_costs_no_more_than_that(job, monkeypatch, step, points, told):
    graded = graded_but(step, job, monkeypatch)
    assert sum(verdict.points for verdict in graded.verdicts.values()) == points
    notes = " ".join(note.instructor_message for note in graded.notes)
    assert told in notes if told else not notes
    assert ("&lt;b&gt;mine" in graded.text) == (step == "defusing")


def test_a_notebook_that_cannot_be_written_in_time_is_not_graded(job, monkeypatch):
    with pytest.raises(
        RuntimeError, match="what came of grading takes more time or memory than there is for it"
    ):
        graded_but("writing", job, monkeypatch)


def attempt(*_: object) -> Any:
    """Try what a process may do that has the grader's rights."""
    forbidden = (
        partial(subprocess.run, ["true"]),
        partial(os.listdir, "/home"),
        partial(os.mkdir, "/tmp/new"),
    )
    for act in forbidden:
        with pytest.raises(PermissionError):
            act()
    raise ValueError("none may be done")


def grade_and_attempt(job: Job, is_sealed: bool, earlier: list[Record]) -> Iterator[Record]:
    """Grade, as `grading.grade` does, and make attempts where a notebook is read."""
    grade_submission.read_and_restore = attempt
    yield from grade_submission.grade(job, is_sealed, earlier)


@needs.confinement
def test_all_of_it_is_done_without_the_grader_s_rights(job, monkeypatch):
    """Its sandboxes are opened by the process that waits."""
    run = limited_process.run
    monkeypatch.setattr(limited_process, "run", lambda _, job, **how: run(grade_and_attempt, job, **how))
    with pytest.raises(RuntimeError, match="none may be done"):
        grade_submission.grade_submission(job)


@pytest.mark.parametrize("trouble", [MemoryError, KeyError])
def test_all_points_are_there_before_a_mistake_is_named_and_stay_where_that_fails(monkeypatch, trouble):
    lesson = COURSE.lessons[0]
    keys = {exercise.id: judge.hidden_key(lesson, exercise.id, "amy") for exercise in lesson.graded}
    question = judge.make_question(lesson, keys["pad_rows"]).without_stubs()
    wrong = runner.ask_all(question, {"pad_rows": lambda vectors: np.ones(3)})
    answers = {f"test_{name}": (runner.Answers(runner.NOT_STARTED),) for name in keys}
    points, named = [], []

    def fails(key, *_):
        if key.mistakes:
            named.append(len(points))
            raise trouble

    monkeypatch.setattr(scoring, "name_mistake", fails)
    for piece in judge_answers.verdicts(lesson, keys, answers | {"test_pad_rows": (wrong,)}, new_notebook()):
        points.append((piece.verdict.exercise, piece.verdict.points, piece.not_judged))
    assert named == [len(lesson.graded)]
    assert sorted(points) == sorted((name, 0, "") for name in keys)
