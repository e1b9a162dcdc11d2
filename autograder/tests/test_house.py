"""Packages: which imports which, and that the grader does not know what a course is about."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.commands import cli
from autograder.distribution import kit
from autograder.sandbox import public_files
from autograder.tests.this_course import COURSE, ROOT

PACKAGE = ROOT / "autograder"
PICTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `([\w/]+)/` \| (.*) \|$", PICTURE, re.MULTILINE))
PACKAGES = list(ROWS)
"""The packages of the grader, each below those that it may import: the table of docs/architecture.md."""

SUBJECT = re.compile(
    r"softmax|attention(?![-_ ]course)|word.?vec|embedding|gensim|kernel regression|bandwidth|\bd_k\b|\bqueries\b",
    re.IGNORECASE,
)
"""Words that say what this course is about. The grader's own name holds one of them."""


def modules(package: str) -> list[Path]:
    inner = [
        PACKAGE / other for other in (*PACKAGES, "authoring/templates") if other.startswith(f"{package}/")
    ]
    paths = (PACKAGE / package).rglob("*.py")
    return [path for path in paths if not any(path.is_relative_to(other) for other in inner)]


def texts() -> list[Path]:
    """All files of the grader that people write, without its tests."""
    kinds = (".py", ".j2", ".md", ".toml", ".css", ".js", ".sh", ".yml")
    paths = [path for path in PACKAGE.rglob("*") if path.suffix in kinds]
    return [path for path in paths if not path.is_relative_to(PACKAGE / "tests")]


def imported(path: Path) -> Iterator[str]:
    """The names of what a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def package_of(module: str) -> str:
    """The package that a module lies in, by the module's name; empty for what lies above them."""
    path = module.removeprefix("autograder.").replace(".", "/")
    return max((package for package in PACKAGES if f"{path}/".startswith(f"{package}/")), key=len, default="")


def test_a_package_imports_only_those_above_it_and_none_that_is_optional() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders - {"tests"} == {package for package in PACKAGES if "/" not in package}
    required = [package for package in PACKAGES if not ROWS[package].startswith("optional")]
    for place, package in enumerate(PACKAGES):
        allowed = {package, *required} & {*PACKAGES[: place + 1]}
        for path in modules(package):
            used = {package_of(name) for name in imported(path) if "autograder" in name}
            assert used - {""} <= allowed, path


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_few_levels_of_imports(package: str) -> None:
    """A module on the first level imports no other one of its package."""
    imports = {
        f"autograder.{package}.{path.stem}".replace("/", "."): {*imported(path)} for path in modules(package)
    }

    def level(module: str) -> int:
        others = imports.keys() - {module}
        inner = [other for other in others for name in imports[module] if f"{name}.".startswith(f"{other}.")]
        return 1 + max(map(level, inner), default=0)

    assert max(map(level, imports)) <= 4


OF_COURSES = {
    "exercises/argument_kinds.py",
    "calls/call.py",
    "calls/reference_stub.py",
    "exercises/tables.py",
}
"""What deals with a course's tensors, modules and tables; it imports torch or pandas once one is there."""


def test_the_grader_does_without_what_only_this_course_s_lessons_need() -> None:
    names = "|".join([*COURSE.packages, "pandas"])
    early, late = (re.compile(rf"^{indent}(import|from) ({names})\b", re.MULTILINE) for indent in ("", " +"))
    for path in texts():
        name, text = path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")
        assert not early.search(text), name
        assert bool(late.search(text)) == (name in OF_COURSES), name


def test_a_student_s_part_of_the_grader_imports_only_what_students_install() -> None:
    """What reads records by their types, say, is the grader's alone."""
    known = {
        *sys.stdlib_module_names,
        "autograder",
        "IPython",
        *kit.STUDENTS_NEED,
        *COURSE.packages,
        "pandas",
    }
    for path in [path for package in kit.KIT_PACKAGES for path in modules(package)]:
        assert {name.split(".")[0] for name in imported(path)} <= known, path


@pytest.mark.parametrize("words", ["site", "demo", "gradescope", "new-course", "new-class"])
def test_a_file_in_a_folder_s_place_is_said_in_one_line(words: str, tmp_path: Path) -> None:
    file = tmp_path / "mine"
    file.touch()
    option = {"new-course": [], "new-class": ["--class"]}.get(words, ["--to"])
    with pytest.raises(SystemExit, match=f"✗ .*{file}"):
        cli.main([words, *option, str(file)])
    assert file.is_file()


def test_the_grader_says_neither_what_the_course_is_about_nor_its_command() -> None:
    """The name under which it is installed stands where that is looked up."""
    for path in texts():
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not SUBJECT.search(line), f"{path} belongs into solutions/: {line}"
            assert COURSE.command not in line or 'GRADER = "' in line, f"{path}: {line}"


DERIVED = ("boxes", "examples", "hints")
"""What students get of a lesson's derived files; the instructor's notebook and the answers lie beside them."""


def test_a_sandbox_shows_the_course_s_helpers_checks_and_data_and_some_of_the_grader(
    tmp_path: Path,
) -> None:
    public_files.copy_course(COURSE.visible, tmp_path)
    copied = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    course, helpers = Path("autograder/course"), Path(COURSE.visible.helpers)
    assert {
        helpers / "__init__.py",
        course / "course.toml",
        course / "01_weighted_sums/checks/rules.py",
    } < copied
    files = {f"generated/{lesson.id}/{name}.json" for lesson in COURSE.lessons for name in DERIVED}
    assert {course / name for name in files} < copied
    for path in copied - {course / "course.toml", *(course / name for name in files)}:
        folders = helpers, course / "data", *(course / lesson.id / "checks" for lesson in COURSE.lessons)
        assert any(map(path.is_relative_to, folders)), path
    public_files.copy_grader(tmp_path / "grader")
    for path in (tmp_path / "grader").rglob("*.py"):
        package = path.parent.relative_to(tmp_path / "grader" / "autograder").as_posix()
        assert package in public_files.PACKAGES or path.name == "__init__.py", path
