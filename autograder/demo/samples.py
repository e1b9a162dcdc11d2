"""Sample submissions: answers of made-up students, filled into a release as a student would hand them in."""

from __future__ import annotations

from pathlib import Path

from nbformat import v4

from autograder.courses import Course, Lesson, lesson_source
from autograder.execution.notebook_cells import grade_id_of

SAMPLES = "samples"
"""Where a lesson's sample answers lie, one percent file a student."""


def lessons_with_samples(course: Course) -> list[Lesson]:
    """Return the lessons with sample submissions."""
    return [lesson for lesson in course.lessons if any((lesson.folder / SAMPLES).glob("*.py"))]


def hand_in(lesson: Lesson, release: Path, submitted: Path) -> list[str]:
    """Fill all sample answers of a lesson into its release and hand them in; return the students.

    Three more hand in the untouched notebook, the first one's cut off in the middle, and that from Windows, renamed.
    """
    blank = release.read_text(encoding="utf-8")
    paths = (lesson.folder / SAMPLES).glob("*.py")
    written = {path.stem: filled(blank, sample_answers(path)) for path in paths}
    files = {student: (release.name, text.encode()) for student, text in written.items()}
    files["dana"] = (release.name, blank.encode())
    first = written[min(written)]
    files["emil"] = (release.name, first.encode()[: len(first) // 2])
    from_windows = b"\xef\xbb\xbf" + first.replace("\n", "\r\n").encode()  # with a byte order mark
    files["fay"] = (f"{release.stem} (1).ipynb", from_windows)
    for student, (name, content) in files.items():
        put_file(submitted, student, lesson.id, name, content)
    return sorted(files)


def put_file(submitted: Path, student: str, lesson: str, name: str, content: bytes) -> None:
    """Hand a file in: `submitted/<student>/<lesson>/<name>`."""
    folder = submitted / student / lesson
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def sample_answers(path: Path) -> dict[str, str]:
    """Return a student's answers by grade id, from a percent file marked like a lesson."""
    return {cell.name: cell.text for cell in lesson_source.read_file(path) if cell.name}


def filled(blank: str, answers: dict[str, str]) -> str:
    """Return the notebook `blank` with answers in the cells of their grade ids."""
    notebook = v4.reads(blank)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id_of(cell), cell.source)
    return v4.writes(notebook) + "\n"
