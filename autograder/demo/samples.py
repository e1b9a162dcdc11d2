"""Sample submissions: answers of made-up students, filled into a release as a student would hand them in."""

from __future__ import annotations

from pathlib import Path

from nbformat import v4

from autograder.author import source
from autograder.author.course import Course, Lesson
from autograder.sandbox.notebook_runner import grade_id_of

FOLDER = "samples"
"""Where a lesson's sample answers lie, one percent file a student."""


def lessons(course: Course) -> list[Lesson]:
    """The lessons with sample submissions."""
    return [lesson for lesson in course.lessons if (lesson.folder / FOLDER).is_dir()]


def hand_in(lesson: Lesson, release: Path, submitted: Path) -> list[str]:
    """Write all sample submissions of a lesson to `submitted/<student>/<lesson>/`; the students come back.

    release: the released notebook that they were filled into.
    """
    blank = release.read_text(encoding="utf-8")
    written = {
        path.stem: filled(blank, answers(path)) for path in sorted((lesson.folder / FOLDER).glob("*.py"))
    }
    files = {student: (release.name, text.encode()) for student, text in written.items()}
    files["dana"] = (release.name, blank.encode())
    files["emil"] = (release.name, written["ada"].encode()[: len(written["ada"]) // 2])
    files["fay"] = (f"{release.stem} (1).ipynb", _from_windows(written["ada"]))
    for student, (name, content) in files.items():
        write(submitted, student, lesson.id, name, content)
    return sorted(files)


def write(submitted: Path, student: str, lesson: str, name: str, content: bytes) -> None:
    """Hand a file in: `submitted/<student>/<lesson>/<name>`."""
    folder = submitted / student / lesson
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def answers(path: Path) -> dict[str, str]:
    """A student's answers by grade id, from a percent file marked like a lesson."""
    return {cell.name: cell.text for cell in source.read_file(path) if cell.name}


def filled(blank: str, given: dict[str, str]) -> str:
    """The notebook `blank` with answers in the cells of their grade ids."""
    notebook = v4.reads(blank)
    for cell in notebook.cells:
        cell.source = given.get(grade_id_of(cell), cell.source)
    return v4.writes(notebook) + "\n"


def _from_windows(text: str) -> bytes:
    """The same notebook with a byte order mark and carriage returns."""
    return b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
