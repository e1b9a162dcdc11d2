"""The house: who may import whom, and that the grader does not know what a course is about."""

from __future__ import annotations

import ast
import inspect
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
    inner = [PACKAGE / other for other in ROOMS if other.startswith(f"{room}/")]
    found = (PACKAGE / room).rglob("*.py")
    return [
        path
        for path in found
        if not any(path.is_relative_to(one) for one in (*inner, PACKAGE / "author/templates"))
    ]


def texts() -> list[Path]:
    """All files of the grader that people write, without its tests."""
    kinds = (".py", ".j2", ".md", ".toml", ".css", ".js", ".sh", ".yml")
    found = [path for path in PACKAGE.rglob("*") if path.suffix in kinds]
    return [path for path in found if not path.is_relative_to(PACKAGE / "tests")]


def imported(path: Path) -> Iterator[str]:
    """The names of the grader's modules that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("autograder"))
        if isinstance(node, ast.ImportFrom) and node.level:
            yield "a relative import"
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "autograder":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(module: str) -> str:
    """The room that a module lies in, by the module's name; empty for what lies above them."""
    path = module.removeprefix("autograder.").replace(".", "/")
    return max((room for room in ROOMS if f"{path}/".startswith(f"{room}/")), key=len, default="")


def test_every_room_is_in_the_picture() -> None:
    folders = {path.parent.relative_to(PACKAGE).as_posix() for path in PACKAGE.glob("*/__init__.py")}
    assert folders - {"tests"} == {room for room in ROOMS if "/" not in room}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_what_the_picture_says_and_nothing_else(room: str) -> None:
    found: dict[str, list[str]] = {}
    for path in modules(room):
        for name in imported(path):
            found.setdefault(room_of(name), []).append(f"{path.relative_to(ROOT)} imports {name}")
    used = {other: lines for other, lines in found.items() if other not in (room, "model")}
    assert {other: lines for other, lines in used.items() if other not in ROOMS[room]} == {}
    assert ROOMS[room] - {"model"} == {*used}, f"{room}/ does not use all that docs/architecture.md says"


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
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.split(".")[0] for name in names} <= known, path


def test_what_the_grader_says_names_the_course_s_own_command() -> None:
    """The name under which it is installed stands where that is looked up."""
    command = COURSE.command
    for path in texts():
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if command in line]
        assert all('GRADER = "' in line for line in lines), (path, lines)


NEEDED = {
    "hand-out": ["01"],
    "roster": ["people.csv"],
    "collect": ["all.zip", "01"],
    "grades": ["grades.csv", "01"],
    "feedback-zip": ["all.zip"],
    "new-class": ["class"],
    "new-course": ["own"],
    "new-lesson": ["wind"],
    "new-exercise": ["01", "gusts"],
}
"""What a verb wants to be given, by its name."""


@pytest.mark.parametrize("verb", cli.VERBS)
def test_a_verb_s_function_takes_what_the_command_line_gives(verb: str) -> None:
    options = vars(cli.parser().parse_args([verb, *NEEDED.get(verb, ())]))
    about = cli.VERBS[options.pop("verb")]
    if not about.get("anywhere"):
        options.setdefault("lesson" if "lesson" in options else "course")
    inspect.signature(cli.function(about["run"])).bind(**options)


@pytest.mark.parametrize("words", ["site", "demo", "gradescope", "new-course", "new-class"])
def test_a_file_in_a_folder_s_place_is_said_in_one_line(words: str, tmp_path: Path) -> None:
    file = tmp_path / "mine"
    file.touch()
    named = [str(file)] if words.startswith("new-") else ["--folder", str(file)]
    with pytest.raises(SystemExit, match=f"✗ .*{file}"):
        cli.main([*words.split(), *named])
    assert file.is_file()


def test_the_grader_does_not_say_what_the_course_is_about() -> None:
    for path in texts():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            assert not SUBJECT.search(line), (
                f"{path.relative_to(ROOT)}:{number} belongs into solutions/: {line.strip()}"
            )


def test_what_a_sandbox_shows_of_a_course_is_its_shown_folders_and_its_data(tmp_path: Path) -> None:
    files.copy_course(COURSE.visible, tmp_path)
    shown = {
        path.relative_to(tmp_path / "autograder" / "course") for path in tmp_path.rglob("*") if path.is_file()
    }
    assert Path("01_weighted_sums/shown/rules.py") in shown
    for path in shown:
        assert path == Path("course.toml") or "shown" in path.parts or path.parts[0] == "data", path


def test_what_a_sandbox_shows_of_the_grader_is_three_folders(tmp_path: Path) -> None:
    files.copy_grader(tmp_path)
    for path in tmp_path.rglob("*.py"):
        room = path.parent.relative_to(tmp_path / "autograder").as_posix()
        assert room in files.ROOMS or path.name == "__init__.py", path
