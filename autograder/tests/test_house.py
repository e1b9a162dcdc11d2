"""The house: who may import whom, and that the grader does not know what a course is about."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder import cli
from autograder.publish import kit
from autograder.sandbox import files
from autograder.tests.this_course import COURSE, ROOT

PACKAGE = ROOT / "autograder"
PICTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOMS = {
    room: {"model", *re.findall("`([^`]+)/`", uses)} - {room}
    for room, uses in re.findall(r"^\| `([\w/]+)/` \|.*\|(.*)\|$", PICTURE, re.MULTILINE)
}
"""What each room of the grader imports, beside itself: the table of docs/architecture.md."""

SUBJECT = re.compile(
    r"softmax|attention(?![-_ ]course)|word.?vec|embedding|gensim|kernel regression|bandwidth|\bd_k\b|\bqueries\b",
    re.IGNORECASE,
)
"""Words that say what this course is about. The grader's own name holds one of them."""


def modules(room: str) -> list[Path]:
    inner = [PACKAGE / other for other in (*ROOMS, "author/templates") if other.startswith(f"{room}/")]
    paths = (PACKAGE / room).rglob("*.py")
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


def room_of(module: str) -> str:
    """The room that a module lies in, by the module's name; empty for what lies above them."""
    path = module.removeprefix("autograder.").replace(".", "/")
    return max((room for room in ROOMS if f"{path}/".startswith(f"{room}/")), key=len, default="")


def test_a_room_imports_what_the_picture_says_and_nothing_else() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders - {"tests"} == {room for room in ROOMS if "/" not in room}
    for room, allowed in ROOMS.items():
        imports = {
            (room_of(name), path) for path in modules(room) for name in imported(path) if "autograder" in name
        }
        used = {(other, path) for other, path in imports if other not in (room, "model")}
        assert [(path, other) for other, path in used if other not in allowed] == []
        assert allowed - {"model"} == {other for other, _ in used}, (
            f"{room}/ does not use all that the page says"
        )


OF_TENSORS = {"model/kinds.py", "student/calling.py", "student/stand_ins.py"}
"""What deals with a course's tensors and modules; it imports torch once one is there."""


def test_the_grader_does_without_what_only_this_course_s_lessons_need() -> None:
    names = "|".join(COURSE.packages)
    early, late = (re.compile(rf"^{indent}(import|from) ({names})\b", re.MULTILINE) for indent in ("", " +"))
    for path in texts():
        name, text = path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")
        assert not early.search(text), name
        assert bool(late.search(text)) == (name in OF_TENSORS), name


def test_a_student_s_part_of_the_grader_imports_only_what_students_install() -> None:
    """What reads records by their types, say, is the grader's alone."""
    known = {*sys.stdlib_module_names, "autograder", "IPython", *kit.STUDENTS_NEED, *COURSE.packages}
    for path in [path for room in kit.KIT_ROOMS for path in modules(room)]:
        assert {name.split(".")[0] for name in imported(path)} <= known, path


@pytest.mark.parametrize("words", ["site", "demo", "gradescope", "new-course", "new-class"])
def test_a_file_in_a_folder_s_place_is_said_in_one_line(words: str, tmp_path: Path) -> None:
    file = tmp_path / "mine"
    file.touch()
    named = [str(file)] if words.startswith("new-") else ["--folder", str(file)]
    with pytest.raises(SystemExit, match=f"✗ .*{file}"):
        cli.main([*words.split(), *named])
    assert file.is_file()


def test_the_grader_says_neither_what_the_course_is_about_nor_its_command() -> None:
    """The name under which it is installed stands where that is looked up."""
    for path in texts():
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not SUBJECT.search(line), f"{path} belongs into solutions/: {line}"
            assert COURSE.command not in line or 'GRADER = "' in line, f"{path}: {line}"


def test_what_a_sandbox_shows_is_the_course_s_shown_folders_its_data_and_three_of_the_grader_s(
    tmp_path: Path,
) -> None:
    course = tmp_path / "autograder" / "course"
    files.copy_course(COURSE.visible, tmp_path)
    shown = {path.relative_to(course) for path in tmp_path.rglob("*") if path.is_file()}
    assert Path("01_weighted_sums/shown/rules.py") in shown
    for path in shown:
        assert path == Path("course.toml") or "shown" in path.parts or path.parts[0] == "data", path
    files.copy_grader(tmp_path / "grader")
    for path in (tmp_path / "grader").rglob("*.py"):
        room = path.parent.relative_to(tmp_path / "grader" / "autograder").as_posix()
        assert room in files.ROOMS or path.name == "__init__.py", path
