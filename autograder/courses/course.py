"""A course as its instructors have it: its folders, its lessons, and how their exercises are judged.

A course is a folder with `solutions/course.toml`. Each folder in `solutions/` whose name begins with a number is a
lesson: its percent source, and for each exercise that the source checks, `judging/<exercise>.py`, which says how it is
judged. All that is built from these files lies in `solutions/generated/`.
A class lies elsewhere, in a folder whose `class.toml` says where its course is, or in the course's own.
"""

from __future__ import annotations

import ast
import functools
import importlib
import os
import re
import subprocess
import tomllib
import traceback
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder.calls.reference_stub import replace_names
from autograder.courses import changed_files
from autograder.courses import lesson_source as source
from autograder.courses.lesson_source import SourceCell
from autograder.exercises import common
from autograder.exercises import public_course as visible
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Exercise
from autograder.exercises.public_course import PublicCourse

SETTINGS = "course.toml"
CLASS = "class.toml"
"""The file in a class's folder that names its course."""

START = "start_here"


class UnknownName(CourseError):
    """No lesson, or no exercise of a lesson, has that id."""


class CourseChanged(CourseError):
    """A course's files are no longer as they were when this process opened it."""


class NotInstalled(CourseError):
    """Packages that a course's lessons need are missing from this environment."""


@dataclass(frozen=True)
class Course:
    """A course; root: its folder; packages: the distributions that its students install."""

    root: Path
    name: str
    title: str
    packages: tuple[str, ...] = ()

    @property
    def solutions(self) -> Path:
        """Return the folder of the lessons' sources and answers."""
        return self.root / "solutions"

    @property
    def generated(self) -> Path:
        """The folder of the instructors' notebooks, and of all else that is built."""
        return self.solutions / visible.GENERATED

    @property
    def released(self) -> Path:
        """The folder of the students' notebooks."""
        return self.root / "course"

    @property
    def start(self) -> Path:
        """The page that students open first, which a course may lack."""
        return self.released / f"{START}.ipynb"

    @functools.cached_property
    def visible(self) -> PublicCourse:
        """The part of the course that a student's process gets."""
        return visible.open_public_course(self.solutions, self.root / "data")

    @functools.cached_property
    def revision(self) -> str:
        """The tag or commit of the course's git repository; empty where there is none."""
        command = ("git", "-C", str(self.root), "describe", "--tags", "--always", "--abbrev=12")
        with suppress(OSError, subprocess.SubprocessError):
            return subprocess.check_output(command, stderr=subprocess.DEVNULL, text=True, timeout=10).strip()
        return ""

    @property
    def command(self) -> str:
        """The command that messages name."""
        return self.visible.command

    @functools.cached_property
    def lessons(self) -> tuple[Lesson, ...]:
        """All lessons in order."""
        folders = sorted(self.solutions.glob("[0-9]*_*"))
        return tuple(Lesson(self, folder.name) for folder in folders if folder.is_dir())

    def chosen(self, wanted: Sequence[str]) -> list[Lesson]:
        """Return the lessons of these ids, or all when none is named."""
        return [self.lesson(name) for name in wanted] or list(self.lessons)

    def lesson(self, name: str) -> Lesson:
        """Return the lesson of that id, number or beginning of an id.

        Raises:
            UnknownName: There is no such lesson, or more than one.
        """
        lessons = {lesson.id: lesson for lesson in self.lessons}
        number = f"{int(name):02d}_" if name.isdecimal() else name
        matches = (
            [name]
            if name in lessons
            else [lesson_id for lesson_id in lessons if name and lesson_id.startswith(number)]
        )
        if len(matches) == 1:
            return lessons[matches[0]]
        problem = f"{name!r} may be {' or '.join(matches)}" if matches else f"no lesson is called {name!r}"
        raise UnknownName(f"{problem}; there are {', '.join(lessons)}")


@dataclass(frozen=True)
class Lesson:
    """A lesson of a course; `id` is as `01_first_steps`."""

    course: Course
    id: str

    @property
    def folder(self) -> Path:
        """Return the folder of the lesson's source and answers."""
        return self.course.solutions / self.id

    def judging(self, exercise: str) -> Path:
        """Return the module that says how an exercise is judged."""
        return self.folder / "judging" / f"{exercise}.py"

    def answers(self, exercise: str) -> Path:
        """Return the file of right and wrong answers to an exercise."""
        return self.folder / "answers" / f"{exercise}.py"

    @property
    def notebook(self) -> str:
        """The notebook's name without suffix: the id without its number."""
        return self.id.split("_", 1)[1]

    @property
    def source(self) -> Path:
        """The lesson's percent file."""
        return self.folder / f"{self.notebook}.py"

    @property
    def built(self) -> Path:
        """The instructor's notebook."""
        return self.course.generated / self.id / f"{self.notebook}.ipynb"

    @property
    def released(self) -> Path:
        """The students' notebook."""
        return self.course.released / self.id / f"{self.notebook}.ipynb"

    @functools.cached_property
    def cells(self) -> tuple[SourceCell, ...]:
        """The cells of the lesson's source."""
        if not self.source.is_file():
            raise CourseError(f"{self.source} is missing: it is the lesson's text")
        return source.read_file(self.source)

    @functools.cached_property
    def title(self) -> str:
        """The heading of the first cell."""
        if not (self.cells and self.cells[0].kind == "markdown" and self.cells[0].text.startswith("# ")):
            raise CourseError(
                f"{self.source}: begin with a text cell whose first line is the lesson's `# title`"
            )
        return self.cells[0].text.splitlines()[0].removeprefix("# ")

    @property
    def minutes(self) -> int:
        """The duration without puzzles that the first cell states, as "about 60 minutes"; 0 where it states none."""
        match = re.search(r"\b(\d+)\s+minutes", self.cells[0].text if self.cells else "")
        return int(match[1]) if match else 0

    @functools.cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises that the lesson's test cells check, in order."""
        return tuple(_exercise(self, name) for name in self.names("test"))

    @property
    def graded(self) -> tuple[Exercise, ...]:
        """The exercises that carry points."""
        return tuple(exercise for exercise in self.exercises if exercise.graded)

    def exercise(self, name: str) -> Exercise:
        """Return the exercise of that id.

        Raises:
            UnknownName: There is no such exercise.
        """
        names = self.names("test")
        if name not in names:
            raise UnknownName(f"{self.id} has no exercise {name!r}; it has {', '.join(names)}")
        return _exercise(self, name)

    def names(self, marker: str) -> list[str]:
        """Return the names of the cells with this marker, in order."""
        return [cell.name for cell in self.cells if cell.marker == marker]

    def illustrations(self) -> frozenset[str]:
        """Return the texts of the unmarked code cells, which belong to no exercise."""
        return frozenset(cell.text.strip() for cell in self.cells if cell.kind == "code" and not cell.marker)

    def solution(self, exercise: str) -> str:
        """Return the text of the cell with an exercise's reference solution.

        Raises:
            UnknownName: There is no such cell.
        """
        for cell in self.cells:
            if cell.marker == "solution" and cell.name == exercise:
                return cell.text
        raise UnknownName(f"{self.source}: add a cell marked solution={exercise!r}")


def open_course(folder: Path | str) -> Course:
    """Open the course of a folder: the one in it, in the nearest folder above it, or the one that its class names.

    Raises:
        CourseError: There is no course.
        NotInstalled: Packages that the lessons need are missing.
    """
    start = Path(folder).resolve()
    for root in (start, *start.parents):
        if (root / "solutions" / SETTINGS).is_file():
            break
        if (root / CLASS).is_file():
            root = _root_in(root / CLASS)
            break
    else:
        raise CourseError(
            f"{folder} is not in a course: no solutions/{SETTINGS} there, nor in a folder above it"
        )
    return _open((root / "solutions").resolve().parent)


def _root_in(file: Path) -> Path:
    """Return the folder that a class's `class.toml` names as its course's."""
    try:
        root = file.parent / tomllib.loads(file.read_text(encoding="utf-8"))["course"]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise CourseError(f'{file}: {error}; it wants a line as course = "/home/me/course"') from None
    if not (root / "solutions" / SETTINGS).is_file():
        remedy = "mend that line, or call the command from the course's folder"
        raise CourseError(f"{file}: there is no course in {root}; {remedy}")
    return root


def course_settings(course: Course) -> AbstractContextManager[None]:
    """Let a class's settings build on this course's, whatever course its `class.toml` names."""
    return replace_names({visible.COURSE_VARIABLE: str(course.root)}, os.environ)


def refuse_changed_course(course: Course) -> None:
    """Raise `CourseChanged` where a file changed since this process opened the course, whose old code it still runs."""
    if changed_files.stat_files(course.root) != _opened[course.root]:
        remedy = "start it again (formgrader: JupyterLab)"
        raise CourseChanged(f"{course.root} has changed since this program was started: {remedy}")


_opened: dict[Path, changed_files.FileTimes] = {}
"""The files' times when a course was opened, by its folder."""


@functools.cache
def _open(root: Path) -> Course:
    _opened[root] = changed_files.stat_files(root)
    path = root / "solutions" / SETTINGS
    try:
        about = tomllib.loads(path.read_text(encoding="utf-8"))
        packages = tuple(map(str, about.get("packages", ())))
        course = Course(root, str(about["name"]), str(about["title"]), packages)
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise CourseError(f"{path}: {error}; it wants a name and a title") from None
    if missing := [package for package in packages if not any(metadata.distributions(name=package))]:
        names, remedy = ", ".join(missing), about.get("install") or f"pip install {' '.join(missing)}"
        raise NotInstalled(
            f"{course.title}: its lessons need {names}, not installed here: `{remedy}` in {root}"
        )
    return course


@functools.cache
def _exercise(lesson: Lesson, name: str) -> Exercise:
    judging = lesson.judging(name)
    if not judging.is_file():
        line = next(cell.line for cell in lesson.cells if cell.marker == "test" and cell.name == name)
        solutions = lesson.names("solution")
        if name not in solutions and (question := source.suggest(name, solutions)):
            raise CourseError(f"{lesson.source}, line {line}: no solution is called {name!r}{question}")
        raise CourseError(f"{judging} is missing: it says how {name} is judged; `new-exercise` writes one")
    module_name = f"{lesson.course.visible.package}.{lesson.id}.judging.{name}"
    try:
        declared: Exercise = importlib.import_module(module_name).EXERCISE
    except CourseError:
        raise
    except Exception as error:  # an author's own code, which may fail in any way
        raise CourseError(_import_failure(error, judging)) from error
    try:
        contract = _contract(lesson.solution(name), name, _classes(lesson))
    except SyntaxError as error:
        where = f"{lesson.source}: the solution of {name} is no Python: line {error.lineno}"
        raise CourseError(f"{where}: {error.msg}") from None
    return common.with_default_criterion(replace(declared, id=name, **contract))


def _import_failure(error: Exception, judging: Path) -> str:
    """Return the file and line of an author's code that failed, why, and which name may be meant."""
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        frames.append((error.filename or "", error.lineno))
    of_course = [place for place in frames if Path(place[0]).is_relative_to(judging.parents[1])]
    file, line = of_course[-1] if of_course else (judging, 1)
    text = f"{file}, line {line}: {type(error).__name__}: {error}"
    names = dir(error.obj) if isinstance(error, AttributeError) else []
    return f"{text}{source.suggest(str(getattr(error, 'name', '')), names) or '; mend that line'}"


def _classes(lesson: Lesson) -> dict[str, ast.ClassDef]:
    """Return the classes that the lesson's own locked cells define, from which an answer may be made."""
    nodes = (node for cell in lesson.cells if cell.marker == "setup" for node in ast.parse(cell.text).body)
    return {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}


def _contract(solution: str, name: str, classes: Mapping[str, ast.ClassDef]) -> dict[str, Any]:
    """Return how the reference is called, or which names an exercise that asks for values assigns.

    classes: of the lesson; an answer that is made from one has its methods as well.
    """
    for node in ast.parse(solution).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return {"signature": _call(node)}
        if isinstance(node, ast.ClassDef) and node.name == name:
            bases = [
                classes[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in classes
            ]
            methods = (method for definition in (*bases, node) for method in definition.body)
            calls = {method.name: _call(method) for method in methods if isinstance(method, ast.FunctionDef)}
            constructor = calls.get("__init__", "__init__()").replace("__init__", name, 1)
            return {
                "signature": f"{calls['forward']} of {constructor}" if "forward" in calls else constructor
            }
    values = source.assigned(solution)
    return {"signature": ", ".join(values), "values": values}


def _call(function: ast.FunctionDef) -> str:
    arguments = function.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    arguments.args = [argument for argument in arguments.args if argument.arg != "self"]
    return f"{function.name}({ast.unparse(arguments)})"
