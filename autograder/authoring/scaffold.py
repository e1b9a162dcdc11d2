"""Scaffolds of a course, a class, a lesson and an exercise."""

from __future__ import annotations

import json
import keyword
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from string import Template

from autograder.courses import Course, Lesson
from autograder.exercises.errors import CourseError
from autograder.exercises.public_course import DEFAULT_COMMAND

TEMPLATES = Path(__file__).parent / "templates"

EXERCISE_CELL = re.compile(r"\b(prompt|solution|test|hint|written)=")
"""The marker of a cell that belongs to an exercise."""


def remove_made(folder: Path, sign: str) -> None:
    """Remove a folder that an earlier run made, which a file of this name in it shows.

    Raises:
        CourseError: The folder holds other things.
    """
    if _is_taken(folder) and not (folder / sign).exists():
        raise CourseError(f"{folder} would be made anew, and holds other things: name another folder")
    shutil.rmtree(folder, ignore_errors=True)


def new_course(folder: Path) -> None:
    """Write a small course to a folder.

    Raises:
        CourseError: The folder is not empty.
    """
    if _is_taken(folder):
        raise CourseError(f"{folder} is not empty: name a folder that is not there yet")
    name = re.sub(r"\W+", "-", folder.resolve().name).strip("-").lower() or "course"
    words = {"name": name, "title": name.replace("-", " ").capitalize()}
    for file, template in _files_below(TEMPLATES / "course"):
        _write(folder / file, template, words)
    print(f"Next: cd {folder}, then {DEFAULT_COMMAND} build, {DEFAULT_COMMAND} release")


def new_class(course: Course, folder: Path) -> None:
    """Write a class's folder: settings, an empty list of students, and `submitted/`.

    Existing files stay, because the folder may hold submissions already.

    Raises:
        CourseError: The folder lies among the lessons.
    """
    if folder.resolve().is_relative_to(course.solutions):
        raise CourseError(f"{folder} is the course's own: name a folder elsewhere")
    for subfolder in ("", "submitted"):
        (folder / subfolder).mkdir(mode=0o700, parents=True, exist_ok=True)
    lesson = course.lessons[0].id if course.lessons else "01_lesson"
    words = {"course": json.dumps(str(course.root), ensure_ascii=False), "lesson": lesson}
    for file, template in _files_below(TEMPLATES / "class"):
        if not (folder / file).exists():
            _write(folder / file, template, words)
    print(f"Next: {course.command} hand-out <lesson> --class {folder}")


def _files_below(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield each template's name and path, but not what pip compiles beside it."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder), path


def _is_taken(folder: Path) -> bool:
    return folder.is_file() or (folder.is_dir() and any(folder.iterdir()))


def new_lesson(course: Course, name: str) -> None:
    """Write a new last lesson without exercises.

    Raises:
        CourseError: The name is taken, or is no Python name.
    """
    _check_name(name)
    if any(lesson.notebook == name for lesson in course.lessons):
        raise CourseError(f"a lesson is called {name} already")
    last = max((int(lesson.id.split("_")[0]) for lesson in course.lessons), default=0)
    lesson = Lesson(course, f"{last + 1:02d}_{name}")
    words = {"lesson": lesson.id, "title": name.replace("_", " ").capitalize()}
    _write(lesson.source, TEMPLATES / "exercise" / "lesson.py", words)


def new_exercise(lesson: Lesson, name: str) -> None:
    """Write a new last exercise of a lesson: its cells, its judging module and its answers.

    Its cells come behind those of the exercise that was last, or else behind all cells.

    Raises:
        CourseError: The name is taken, or is no Python name.
    """
    _check_name(name)
    if name in lesson.names("solution"):
        raise CourseError(f"{lesson.id} has an exercise {name} already")
    text = lesson.source.read_text(encoding="utf-8").rstrip() + "\n"
    headers = [*re.finditer(r"^# %%.*$", text, re.MULTILINE)]
    of_exercises = [i for i, header in enumerate(headers) if EXERCISE_CELL.search(header[0])]
    following = headers[of_exercises[-1] + 1 :] if of_exercises else []
    end = following[0].start() if following else len(text)
    words, template = {"name": name}, TEMPLATES / "exercise"
    _write(
        lesson.source,
        template / "cells.py",
        words,
        text[:end].rstrip() + "\n",
        text[end:] and f"\n{text[end:]}",
    )
    _write(lesson.judging(name), template / "judging.py", words)
    _write(lesson.answers(name), template / "answers.py", words)


def _check_name(name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name):
        raise CourseError(f"{name!r} is no name for Python: use letters, digits and underscores, no keyword")


def _write(target: Path, template: Path, words: dict[str, str], head: str = "", tail: str = "") -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    text = Template(template.read_text(encoding="utf-8")).safe_substitute(words)
    target.write_text(head + text + tail, encoding="utf-8")
    print(f"wrote {target}")
