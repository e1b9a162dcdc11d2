"""All visible checks of a notebook, without opening it.

`python -m autograder.notebook.check_all course/<lesson>/<notebook>.ipynb …` runs notebooks, prints each exercise's
verdict, and ends with exit code 1 unless every graded exercise is right.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from autograder.checks import answer_keys
from autograder.exercises import public_course
from autograder.exercises.errors import CourseError
from autograder.exercises.verdict import State
from autograder.views.verdict_view import MARKS

_SECONDS = 600
"""The time limit of a cell."""

HEAD = re.compile(rf"[{''.join(MARKS.values())}] (\w+) ")


def main(paths: Sequence[str]) -> None:
    """Check notebooks one after the other.

    Raises:
        SystemExit: Always, with code 0 only where all notebooks are right.
    """
    if not paths:
        sys.exit("✗ name the notebooks to check, as course/<lesson>/<notebook>.ipynb")
    try:
        right = [check_notebook(Path(path)) for path in paths]
    except CourseError as error:
        sys.exit(f"✗ {error}")
    sys.exit(0 if all(right) else 1)


def check_notebook(path: Path) -> bool:
    """Run a notebook in its folder and print its verdicts; return whether every graded exercise is right.

    Raises:
        CourseError: The notebook is missing, belongs to no lesson, or does not run to its end.
    """
    course = public_course.current_course()
    lesson = next((name for name in course.lessons if name.split("_", 1)[1] == path.stem), None)
    if lesson is None:
        raise CourseError(f"{path} is no lesson's notebook; there are {', '.join(course.lessons)}")
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:  # what is no notebook fails in many ways
        unread = f"{path} cannot be read as a notebook ({_first_line(error)})"
        raise CourseError(f"{unread}: save it again, or fetch a fresh one") from None
    resources = {"metadata": {"path": str(path.parent)}}
    try:
        NotebookClient(notebook, timeout=_SECONDS, allow_errors=True, resources=resources).execute()
    except (CellTimeoutError, DeadKernelError) as error:
        raise CourseError(f"{path} could not be run to its end: {_first_line(error)}") from None
    outputs = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    texts = [str(data.get("text/plain", "")) for data in outputs]
    shown = {head[1]: text for text in texts if (head := HEAD.match(text))}
    silent = "its check was not run, or ended in an error"
    graded = [name for name, key in answer_keys.load_keys(course, lesson).keys.items() if key.graded]
    verdicts = [shown.get(name, f"{MARKS[State.WRONG]} {name}: {silent}") for name in graded]
    right = sum(text.startswith(MARKS[State.RIGHT]) for text in verdicts)
    print(*verdicts, f"\n{path}: {right} of {len(graded)} exercises pass their visible checks", sep="\n")
    return right == len(graded)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


if __name__ == "__main__":
    main(sys.argv[1:])
