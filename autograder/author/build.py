"""From a lesson's source to what is derived from it: the instructor's notebook and the visible examples.

A file is written only when its content changes, so a second run changes nothing; `settled` says what a change is.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.preprocessors import CoalesceStreamsPreprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder import judge
from autograder.author import settled, source
from autograder.author.course import Course, Lesson
from autograder.author.kernels import PrivateSockets
from autograder.author.source import SourceCell
from autograder.model.errors import CourseError
from autograder.model.exercise import Exercise
from autograder.student import keys, visible

KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
START = "start_here.ipynb"
LANGUAGE = {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"}


def notebook_path(lesson: Lesson) -> Path:
    """Where a lesson's instructor notebook lies."""
    return lesson.source.with_suffix(".ipynb")


def build(lesson: Lesson, check: bool = False) -> list[Path]:
    """Write what is derived from one lesson; the files that changed, or with `check` would change, come back.

    The examples come first, for the notebook's first cell reads them. The reference, of which they are made, begins
    with that cell too: for it, a new lesson has an empty file of them.
    """
    path = lesson.course.visible.examples(lesson.id)
    if _stored_examples(lesson) is None:
        if check:
            return [path]
        _renew(path, keys.dumps(keys.LessonKeys(lesson.id, lesson.title, {})), check)
    changed = _renew(path, examples(lesson), check)
    return changed + _renew(notebook_path(lesson), instructor_notebook(lesson), check)


def examples(lesson: Lesson) -> str:
    """The lesson's visible keys, as the text of their file."""
    shown = {exercise.id: judge.visible_key(lesson, exercise.id) for exercise in lesson.exercises}
    made = keys.dumps(keys.LessonKeys(lesson.id, lesson.title, shown))
    package = lesson.course.visible.package
    return keys.dumps(settled.data(keys.loads(made, package), _stored_examples(lesson)))


def _stored_examples(lesson: Lesson) -> Any:
    visible_half = lesson.course.visible
    return _stored(visible_half.examples(lesson.id), partial(keys.loads, package=visible_half.package))


def instructor_notebook(lesson: Lesson) -> str:
    """The lesson's notebook with its outputs, as the text of its file."""
    stored = _stored(notebook_path(lesson), partial(nbformat.reads, as_version=4))
    made = execute(assemble(lesson), lesson.course)
    return nbformat.writes(settled.notebook(made, stored) if stored else made) + "\n"


def _stored(path: Path, read: Callable[[str], Any]) -> Any:
    """What a file holds; None where there is none yet, or it cannot be read."""
    try:
        return read(path.read_text(encoding="utf-8"))
    except (OSError, LookupError, TypeError, ValueError):
        return None


def assemble(lesson: Lesson) -> NotebookNode:
    """The instructor's notebook before it is run."""
    exercises = {exercise.id: exercise for exercise in lesson.exercises}
    taken: Counter[str] = Counter()
    cells = [_cell(cell, i, exercises, taken) for i, cell in enumerate(lesson.cells)]
    return new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC, "language_info": LANGUAGE})


def execute(notebook: NotebookNode, course: Course) -> NotebookNode:
    """The notebook with its outputs, what is printed in a row as one of them.

    Raises nbclient's `CellExecutionError` where a cell fails.
    """
    environment = {
        **os.environ,
        visible.FOLDER: str(course.root),
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }
    client = PrivateSockets(
        notebook, timeout=300, kernel_name="python3", record_timing=False, shutdown_kernel="immediate"
    )
    client.execute(env=environment)
    notebook, _ = CoalesceStreamsPreprocessor().preprocess(notebook, {})
    notebook.metadata = {"kernelspec": KERNELSPEC, "language_info": LANGUAGE}
    return notebook


def _cell(cell: SourceCell, index: int, exercises: dict[str, Exercise], taken: Counter[str]) -> NotebookNode:
    grading = _nbgrader(cell, exercises)
    text = cell.text
    if cell.marker == "prompt":
        text += "\n\n" + credit(exercises[cell.name])
    name = (
        grading["grade_id"]
        if grading
        else f"{cell.marker}_{cell.name}"
        if cell.marker
        else f"cell_{index:02d}"
    )
    taken[name] += 1
    make = new_code_cell if cell.kind == "code" else new_markdown_cell
    made = make(text, id=name if taken[name] == 1 else f"{name}_{taken[name]}")
    if grading:
        made.metadata["nbgrader"] = grading
    return made


def _nbgrader(cell: SourceCell, exercises: dict[str, Exercise]) -> dict[str, Any]:
    """A cell's nbgrader metadata; empty for a cell that nbgrader need not know."""
    if cell.marker == "setup":
        return _metadata(f"setup_{cell.name}", locked=True)
    if cell.marker == "solution":
        return _metadata(cell.name, solution=True)
    if cell.marker == "test":
        exercise = exercises[cell.name]
        points = {"points": exercise.points} if exercise.graded else {}
        return _metadata(f"test_{cell.name}", locked=True, grade=exercise.graded, **points)
    if cell.marker == "written":
        return _metadata(cell.name, grade=True, solution=True, points=cell.points)
    return {}


def _metadata(grade_id: str, **settings: Any) -> dict[str, Any]:
    plain = {"grade": False, "locked": False, "solution": False, "task": False, "schema_version": 3}
    return dict(sorted({**plain, "grade_id": grade_id, **settings}.items()))


def credit(exercise: Exercise) -> str:
    """What each part of an exercise is worth, folded away."""
    if not exercise.graded:
        return "*Checked on the spot; no points.*"
    lines = [f"- {part.title}: {_points(part.points)}" for part in exercise.parts]
    return (
        f"<details><summary>Worth {_points(exercise.points)}</summary>\n\n"
        + "\n".join(lines)
        + "\n\n</details>"
    )


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _renew(path: Path, text: str, check: bool) -> list[Path]:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return []
    if not check:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [path]


def start_page(course: Course) -> str:
    """The page that students open first, as the text of its notebook; empty where the course has none."""
    path = (course.solutions / START).with_suffix(".py")
    if not path.is_file():
        return ""
    cells = [_cell(cell, i, {}, Counter()) for i, cell in enumerate(source.read_file(path))]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC, "language_info": LANGUAGE})
    return nbformat.writes(notebook) + "\n"


def main(course: Course, wanted: list[str], check: bool = False) -> None:
    """Build the wanted lessons, all of them and the start page when none is named, and say what changed.

    With `check` nothing is written; where something would change, `CourseError` is raised.
    """
    chosen = [course.lesson(name) for name in wanted] or list(course.lessons)
    changed: list[Path] = []
    for number, lesson in enumerate(chosen, start=1):
        print(f"[{number}/{len(chosen)}] building {lesson.id} …", end=" ", flush=True)
        changed += _told(build(lesson, check))
    page = start_page(course)
    if page and not wanted:
        print(f"{START} …", end=" ")
        changed += _told(_renew(course.released / START, page, check))
    if check and changed:
        names = ", ".join(path.relative_to(course.root).as_posix() for path in changed)
        raise CourseError(f"`attention-course build` would change {names}")


def _told(changed: list[Path]) -> list[Path]:
    print(", ".join(path.name for path in changed) or "unchanged", flush=True)
    return changed
