"""Tells whether a submission has to be graded again: a digest of all that its grade depends on."""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from traitlets.config import Config, LazyConfigValue

from autograder.courses import Course, Lesson
from autograder.courses.source import BEGIN, DOCUMENTED, SourceCell
from autograder.student.visible import SHOWN

DECIDE = ("judge/__init__.py", "nbgrader_plugin/intake.py", "nbgrader_plugin/restoring.py")
"""The modules of the grader that decide what an answer is and what it earns, with all that these import."""

NOT_DECIDING = ("courses", "model/errors.py", "model/notes.py", "model/text.py")
"""What of that does not: how a course is read, whose own files count, and mere words."""

LIBRARIES = ("ipython", "matplotlib", "nbgrader", "numpy")
"""What every grade depends on; a course names what its own exercises use."""

_SETTINGS = ("Execute", "SealedKernel", "GradeAnswers")
"""The parts of the configuration that a grade depends on."""


def parts(files: str, lesson: Lesson, config: Config, when: str = "", salt: str = "") -> dict[str, str]:
    """Digests of what a grade depends on: a submission's files, its time and due date, its lesson, the course's data,
    the grader, its settings, and the libraries.

    files: the digest of the first; salt: of the class's secret, a part as well.
    """
    found = {name: config[name] for name in _SETTINGS if name in config}
    settings = json.dumps(found, sort_keys=True, default=_plain)
    of_settings = hashlib.sha256(settings.encode()).hexdigest()
    of_work = {"files": files, "time": when, "secret": salt}
    return {**of_work, **of_judging(lesson), "settings": of_settings}


def of_judging(lesson: Lesson) -> dict[str, str]:
    """Digests of what decides how any answer to a lesson is judged: the lesson, the course's data, the grader, the
    libraries.
    """
    return {
        "lesson": _lesson(lesson),
        "data": _data(lesson.course),
        "grader": _grader(),
        "libraries": library_versions(lesson.course),
    }


def together(found: Mapping[str, str]) -> str:
    """One digest of all parts."""
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()


def _plain(setting: Any) -> Any:
    """What JSON can hold of a setting, such as one that only adds to a list."""
    return setting.to_dict() if isinstance(setting, LazyConfigValue) else repr(setting)


@functools.cache
def _lesson(lesson: Lesson) -> str:
    """What a lesson's answers are judged by: its code but for illustrations, its rubrics, the judging of its exercises
    with all that this imports of the course, and what notebooks may import. Not its texts, nor another lesson.
    """
    judged = [cell for cell in lesson.cells if cell.marker in ("setup", "solution", "test", "written")]
    cells = [(cell.marker, cell.name, cell.points, _judged(cell)) for cell in judged]
    roots = [lesson.folder / f"{name}.py" for name in lesson.names("test")]
    for folder in (lesson.course.solutions / SHOWN, lesson.folder / SHOWN):
        roots += folder.rglob("*.py")
    modules = imported(roots, _of_course).items()
    code = {str(path.relative_to(lesson.course.solutions)): _bare(tree) for path, tree in modules}
    return hashlib.sha256(json.dumps([lesson.id, cells, code], sort_keys=True).encode()).hexdigest()


@functools.cache
def _data(course: Course) -> str:
    digests = (hashlib.sha256(path.read_bytes()).digest() for path in course.visible.data_files())
    return hashlib.sha256(b"".join(digests)).hexdigest()


@functools.cache
def _grader() -> str:
    return of_grader(Path(__file__).parents[1])


def of_grader(package: Path) -> str:
    """The digest of what decides a grade in a grader, wherever the package lies, with the words beside its modules."""
    modules = grading_files(package)
    words = (path.with_suffix(".toml") for path in modules)
    found = [*map(_bare, modules.values()), *(path.read_text("utf-8") for path in words if path.is_file())]
    return hashlib.sha256("\0".join(found).encode()).hexdigest()


@functools.cache
def library_versions(course: Course) -> str:
    """The versions of Python and of the libraries that a course's grades depend on."""
    libraries = (*LIBRARIES, *course.packages)
    return " ".join([platform.python_version(), *(f"{name} {version(name)}" for name in libraries)])


def grading_files(package: Path) -> dict[Path, ast.Module]:
    """The grader's modules that decide a grade, wherever the package lies, as `imported` has them."""
    left_out = tuple(package / name for name in NOT_DECIDING)
    found = imported([package / name for name in DECIDE], functools.partial(_of_grader, package))
    return {
        path: tree for path, tree in found.items() if not any(path.is_relative_to(one) for one in left_out)
    }


def imported(
    files: Iterable[Path], named: Callable[[Path, ast.AST], Iterator[Path]]
) -> dict[Path, ast.Module]:
    """These modules and all that they import, in order, each as Python reads it, which is slow.

    named: the paths, without suffix, that an import may mean.
    """
    waiting, found = [path for path in files if path.is_file()], dict[Path, ast.Module]()
    while waiting:
        path = waiting.pop()
        if path not in found:
            tree = found[path] = ast.parse(path.read_text(encoding="utf-8"))
            tried = (one for node in _statements(tree.body) for one in named(path, node))
            modules = (file for one in tried for file in (one.with_suffix(".py"), one / "__init__.py"))
            waiting += [file for file in modules if file.is_file()]
    return dict(sorted(found.items()))


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """These statements and all that stand in them: a hundredth of what `ast.walk` visits."""
    for node in body:
        yield node
        for field in ("body", "handlers", "orelse", "finalbody", "cases"):
            yield from _statements(getattr(node, field, ()))


def _of_course(path: Path, node: ast.AST) -> Iterator[Path]:
    """A course's modules import each other by relative names."""
    if isinstance(node, ast.ImportFrom) and node.level:
        base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
        yield from (base, *(base / alias.name for alias in node.names))


def _of_grader(package: Path, path: Path, node: ast.AST) -> Iterator[Path]:
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "autograder":
        base = package.joinpath(*str(node.module).split(".")[1:])
        yield from (base, *(base / alias.name for alias in node.names))


def _judged(cell: SourceCell) -> str:
    return cell.text.partition(BEGIN)[2] if cell.marker == "written" else _code(cell.text)


def _code(text: str) -> str:
    """What Python makes of a text, see `_bare`. The text, where that is no Python."""
    try:
        return _bare(ast.parse(text))
    except SyntaxError:
        return text


def _bare(tree: ast.Module) -> str:
    """A module without its layout, comments and docstrings, which are taken from the tree."""
    for node in (tree, *_statements(tree.body)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)
