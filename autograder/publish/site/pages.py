"""The site's pages: released notebooks, with those pictures of the instructor's that give no answer away."""

from __future__ import annotations

import itertools
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from autograder.author import build, released
from autograder.author.course import Course, Lesson
from autograder.model.exercise import Exercise
from autograder.sandbox.notebook_runner import grade_id_of

KIT = "student-kit.zip"
"""The kit's name on the site."""

ABOUT_THE_SITE = f"""\
## Read here, write there

These pages are for reading: every lesson is here with its pictures, its exercises and their hints. To write the
answers and have them checked, [get the course](<path:{KIT}>), unpack it and follow its README.

A picture that shows what you are asked to predict is folded, and one that shows a graded answer is left out.
"""

LEFT_OUT = "*The picture is left out here, because it shows the answer. Run the cell in your own notebook.*"


def start_page(course: Course) -> NotebookNode:
    """The start page without the students' own progress, with a way to the kit and the table of contents."""
    path = released.start(course)
    page = released.read(path) if path else _plain_start(course)
    first, *others = itertools.takewhile(lambda cell: "How far you are" not in cell.source, page.cells)
    about = new_markdown_cell(ABOUT_THE_SITE, id="about-the-site")
    page.cells = [first, about, *others, new_markdown_cell(_contents(course), id="contents")]
    return page


def _plain_start(course: Course) -> NotebookNode:
    return new_notebook(cells=[new_markdown_cell(f"# {course.title}", id="title")])


def _contents(course: Course) -> str:
    entries = (f"{lesson.title} <{lesson.id}/{lesson.notebook}>" for lesson in course.lessons)
    numbered = (f"{number} · {entry}" for number, entry in enumerate(entries, start=1))
    return "\n".join(["```{toctree}", ":hidden:", "", *numbered, "```"])


def lesson_page(lesson: Lesson) -> NotebookNode:
    """The released notebook; below the course's own cells are their pictures.

    What a picture shows after a question that asks for values is what was to be predicted: there it is folded,
    and left out where the values are graded.
    """
    exercises = {exercise.id: exercise for exercise in lesson.exercises}
    pictures = _pictures(build.notebook_path(lesson))
    page = released.read(released.path_of(lesson))
    cells: list[NotebookNode] = []
    question: Exercise | None = None
    for cell in page.cells:
        question = exercises.get(grade_id_of(cell), question)
        picture = pictures.get(cell.id)
        cells += [cell] if picture is None else _with_picture(cell, picture, question)
    page.cells = cells
    return page


def _pictures(notebook: Path) -> dict[str, NotebookNode]:
    """The one picture of each cell that has one, by the cell's id."""
    cells = nbformat.read(notebook, as_version=4).cells
    outputs = ((cell.id, output) for cell in cells for output in cell.get("outputs", []))
    return {cell: output for cell, output in outputs if "image/png" in output.get("data", {})}


def _with_picture(cell: NotebookNode, picture: NotebookNode, question: Exercise | None) -> list[NotebookNode]:
    if question and question.values and question.graded:
        return [cell, new_markdown_cell(LEFT_OUT, id=f"{cell.id}-left-out")]
    cell.outputs = [picture]
    cell.metadata["mystnb"] = {
        "image": {"alt": picture.metadata["image/png"]["alt"]},
        "code_prompt_show": "Show the picture: it answers the question above",
        "code_prompt_hide": "Hide the picture",
    }
    if question and question.values:
        cell.metadata["tags"] = ["hide-output"]
    return [cell]
