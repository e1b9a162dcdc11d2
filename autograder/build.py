"""From a lesson's source to what is derived from it: the instructor's notebook and the visible examples.

    python -m autograder.build                  all lessons
    python -m autograder.build 03_word2vec_heatmap

A file is written only when its content changes, so a second run changes nothing.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder import judge, keys, source
from autograder.exercise import Exercise, Lesson
from autograder.kernels import PrivateSockets
from autograder.lessons import find_lesson, lessons
from autograder.source import SourceCell

KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
START = Path("course/start_here.ipynb")
LANGUAGE = {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"}


def notebook_path(lesson: str) -> Path:
    """Where a lesson's instructor notebook lies."""
    return source.path_of(lesson).with_suffix(".ipynb")


def build(lesson: Lesson) -> list[Path]:
    """Write what is derived from one lesson; the files that changed come back."""
    changed = _write(keys.FOLDER / f"{lesson.id}.json", examples(lesson))
    changed += _write(notebook_path(lesson.id), nbformat.writes(execute(assemble(lesson))) + "\n")
    return changed


def examples(lesson: Lesson) -> str:
    """The lesson's visible keys, as the text of their file."""
    visible = {exercise.id: judge.visible_key(lesson.id, exercise) for exercise in lesson.exercises}
    return keys.dumps(keys.LessonKeys(lesson.id, lesson.title, visible))


def assemble(lesson: Lesson) -> NotebookNode:
    """The instructor's notebook before it is run."""
    exercises = {exercise.id: exercise for exercise in lesson.exercises}
    taken: Counter[str] = Counter()
    cells = [_cell(cell, i, exercises, taken) for i, cell in enumerate(source.read(lesson.id))]
    return new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC, "language_info": LANGUAGE})


def execute(notebook: NotebookNode) -> NotebookNode:
    """The notebook with its outputs. Raises nbclient's `CellExecutionError` where a cell fails."""
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }
    client = PrivateSockets(
        notebook, timeout=300, kernel_name="python3", record_timing=False, shutdown_kernel="immediate"
    )
    client.execute(env=environment)
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


def _write(path: Path, text: str) -> list[Path]:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return []
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return [path]


def start_page() -> str:
    """The page that students open first, as the text of its notebook."""
    page = source.read_file(source.SOLUTIONS / START.with_suffix(".py").name)
    cells = [_cell(cell, i, {}, Counter()) for i, cell in enumerate(page)]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC, "language_info": LANGUAGE})
    return nbformat.writes(notebook) + "\n"


def main(wanted: list[str]) -> None:
    """Build the wanted lessons, all of them and the start page when none is named, and say what changed."""
    chosen = [find_lesson(lesson) for lesson in wanted] or list(lessons())
    for number, lesson in enumerate(chosen, start=1):
        print(f"[{number}/{len(chosen)}] building {lesson.id} …", end=" ", flush=True)
        print(_names(build(lesson)))
    if not wanted:
        print(f"{START.name} …", _names(_write(source.ROOT / START, start_page())))


def _names(changed: list[Path]) -> str:
    return ", ".join(path.name for path in changed) or "unchanged"


if __name__ == "__main__":
    main(sys.argv[1:])
