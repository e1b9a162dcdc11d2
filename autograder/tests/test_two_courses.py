"""Several courses in one process, and one that changes under it: each answer is judged by the course that asked."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder import judge
from autograder.author import scaffold
from autograder.courses import Lesson, open_course
from autograder.model import kinds, wire
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import fingerprint, kept
from autograder.student import visible
from autograder.student.plain import plain
from autograder.tests import needs, small_course
from autograder.tests.commands import run_ours
from autograder.tests.grading import hand_in, right
from autograder.tests.small_course import LESSON

KIND = """
from dataclasses import dataclass
from autograder.model import kinds

class Box:
    def __init__(self, inside): self.inside = inside

@dataclass(frozen=True)
class Boxed:
    {field}: int

kinds.register(kinds.Kind(
    Boxed,
    make=lambda declared: Box(declared.{field}),
    recognise=lambda value: Boxed(value.inside + {more}) if hasattr(value, "inside") else None,
))
"""


def made(folder: Path, **kind: object) -> Path:
    """A small course, and a kind of argument of its own."""
    scaffold.new_course(folder)
    (folder / "solutions" / "shown").mkdir()
    (folder / "solutions" / "shown" / "__init__.py").write_text(KIND.format(**kind))
    return folder


def boxed(folder: Path) -> type:
    return next(
        kind.declared
        for (package, name), kind in kinds._KINDS.items()
        if package == open_course(folder).visible.package and name == "Boxed"
    )


def test_two_courses_may_give_one_name_to_different_kinds(tmp_path: Path) -> None:
    before = kinds.declared("Boxed")
    first, second = made(tmp_path / "a", field="left", more=0), made(tmp_path / "b", field="right", more=100)
    courses = [open_course(folder).visible for folder in (first, second)]
    assert kinds.declared("Boxed") is boxed(second) is not before
    declared = [boxed(first)(left=1), boxed(second)(right=1)]
    for course, argument in zip(courses, declared):
        kind = kinds.declared_kind(argument)
        assert kind is not None, "it is not mere data since another course has the name"
        with visible.using(course):
            assert wire.loads(wire.dumps(argument)) == argument
            assert type(plain(kind.make(argument))) is type(argument)
            assert type(wire.loads(wire.dumps(kinds.Tensor(np.ones(2))))) is kinds.Tensor


def verdict(lesson: Lesson, zero: int) -> Verdict:
    names: dict[str, object] = {}
    exec(f"def to_celsius(fahrenheit):\n    return (fahrenheit - {zero}) * 5 / 9", names)
    return judge.verdict(lesson, judge.hidden_key(lesson, "to_celsius", "amy"), names)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A small course's folder."""
    return small_course.make(tmp_path / "own").root


def test_a_lesson_that_is_edited_is_judged_as_it_is_now(own: Path) -> None:
    """As under a formgrader that runs; the files are as long as before, and were written in the same second."""
    before = open_course(own).lesson(LESSON)
    digest = fingerprint._lesson(before)
    assert (verdict(before, 32).state, verdict(before, 31).state) == (State.RIGHT, State.WRONG)
    edit(before)
    after = open_course(own).lesson(LESSON)
    assert (verdict(after, 32).state, verdict(after, 31).state) == (State.WRONG, State.RIGHT)
    assert "right for 1 number" in [line.title for line in verdict(after, 31).lines]
    assert fingerprint._lesson(after) != digest


def edit(lesson: Lesson) -> None:
    """Let another answer be right."""
    for path in (lesson.source, lesson.folder / "to_celsius.py"):
        stored = path.stat().st_mtime_ns
        text = path.read_text().replace("fahrenheit - 32", "fahrenheit - 31").replace('" - 32"', '" - 31"')
        path.write_text(text.replace("for a number", "for 1 number"))
        os.utime(path, ns=(stored + 1, stored + 1))


@needs.seal
def test_a_formgrader_that_runs_judges_by_a_lesson_that_was_edited_meanwhile(own: Path) -> None:
    """What its button calls, twice in one process; between the two the lesson changes."""
    run_ours("hand-out", LESSON, folder=own)
    lesson = open_course(own).lesson(LESSON)
    hand_in(own, "amy", lesson, right(lesson, ["to_celsius"]))
    config = PyFileConfigLoader("nbgrader_config.py", path=str(own)).load_config()
    formgrader = NbGraderAPI(CourseDirectory(config=config), config=config)
    for state in (State.RIGHT, State.WRONG):
        answer = formgrader.autograde(LESSON, "amy")
        assert answer["success"], answer
        assert kept.graded(lesson, "amy", own).verdicts["to_celsius"].state is state
        edit(lesson)


@pytest.mark.parametrize("file", ["solutions/course.toml", f"solutions/{LESSON}/temperatures.py"])
def test_a_file_that_was_only_touched_makes_no_other_course(tmp_path: Path, file: str) -> None:
    scaffold.new_course(tmp_path / "own")
    before = open_course(tmp_path / "own")
    os.utime(tmp_path / "own" / file)
    assert open_course(tmp_path / "own") is before


def test_what_was_undone_is_the_course_of_before(tmp_path: Path) -> None:
    scaffold.new_course(tmp_path / "own")
    before, file = open_course(tmp_path / "own"), tmp_path / "own" / "solutions" / "course.toml"
    text = file.read_text()
    file.write_text(text.replace('title = "', 'title = "Our '))
    assert open_course(tmp_path / "own").title == f"Our {before.title}"
    file.write_text(text)
    assert open_course(tmp_path / "own") is before
