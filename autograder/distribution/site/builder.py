"""The lessons as a static web site, for reading: made with Sphinx, and whole without a network.

Its pages are released notebooks, with those of the instructor's pictures and prints that give no answer away.
"""

from __future__ import annotations

import itertools
import re
import shutil
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook, new_output

from autograder.authoring import build
from autograder.authoring.scaffold import remove_made
from autograder.courses import Course, Lesson, release_files
from autograder.distribution import kit
from autograder.execution.notebook_cells import grade_id_of
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Exercise

_SETTINGS = Path(__file__).parent / "sphinx"
"""Sphinx's `conf.py` and the site's own style."""

ABOUT_THE_SITE = Path(__file__).with_name("about.md").read_text(encoding="utf-8")
LEFT_OUT = "*This output tells the answer, and is left out here. Run the cell in your own notebook.*"


def build_site(course: Course, folder: Path) -> Path:
    """Write the site to `folder`, which is made anew; the start page's path comes back.

    Raises `CourseError` when Sphinx is missing or has anything to complain about, as a link that leads nowhere, when a
    notebook in `course/` holds someone's work, or when the folder holds anything but an earlier site.
    """
    try:
        from sphinx.cmd.build import build_main
    except ImportError:
        raise CourseError("there is no Sphinx: pip install -e '.[site]', where the grader lies") from None
    remove_made(folder, ".buildinfo")  # Sphinx leaves one in each site
    with TemporaryDirectory() as scratch:
        source, warnings = Path(scratch, "source"), Path(scratch, "warnings.txt")
        _write_source(course, source)
        titles = [f"-D{name}={course.title}" for name in ("project", "html_title")]
        options = [*titles, "-q", "-W", "--keep-going", "-d", f"{scratch}/doctrees", "-w", str(warnings)]
        if build_main([*options, str(source), f"{scratch}/site"]):
            message = warnings.read_text(encoding="utf-8")
            raise CourseError(f"the site could not be made; Sphinx says:\n{message}")
        shutil.copytree(f"{scratch}/site", folder)
    return folder / "index.html"


def _write_source(course: Course, source: Path) -> None:
    """Write the files that Sphinx reads: a notebook a page, in folders named as in `course/`, so that links hold."""
    shutil.copytree(_SETTINGS, source)
    for lesson in course.lessons:
        page = source / lesson.released.relative_to(course.released)
        page.parent.mkdir(parents=True)
        nbformat.write(lesson_page(lesson), page)
    nbformat.write(site_start_page(course), source / "index.ipynb")
    kit.write_kit(course, source / "student-kit.zip")


def site_start_page(course: Course) -> NotebookNode:
    """The start page without the students' own progress, with a way to the kit and the table of contents.

    What stands before its first section opens the site as well.
    """
    page = new_notebook(cells=[new_markdown_cell(f"# {course.title}", id="title")])
    if course.start.is_file():
        page = release_files.read_released(course, course.start)
    cells = list(itertools.takewhile(lambda cell: "How far you are" not in cell.source, page.cells))
    for cell in cells:
        if cell.cell_type == "code":
            cell.outputs = [_with_its_text(output) for output in cell.outputs]
    first_section = next((i for i, cell in enumerate(cells) if cell.source.startswith("## ")), len(cells))
    cells.insert(first_section, new_markdown_cell(ABOUT_THE_SITE, id="about-the-site"))
    numbered = enumerate(course.lessons, start=1)
    contents = [f"{number} · {cell.title} <{cell.id}/{cell.notebook}>" for number, cell in numbered]
    tree = "\n".join(["```{toctree}", ":hidden:", "", *contents, "```"])
    page.cells = [*cells, new_markdown_cell(tree, id="contents")]
    return page


def lesson_page(lesson: Lesson) -> NotebookNode:
    """The released notebook; below the course's own cells is what they show when they are run here.

    After a question that asks for values, up to the next heading, this is what was to be predicted: there it is folded,
    and left out where the values are graded.
    """
    exercises = {exercise.id: exercise for exercise in lesson.exercises}
    outputs = dict[str, list[NotebookNode]]()
    for cell in build.execute(build.assemble(lesson), lesson.course).cells:
        if not grade_id_of(cell):
            outputs[cell.id] = [*map(_with_its_text, filter(_is_for_reading, cell.get("outputs", [])))]
    page = release_files.read_released(lesson.course, lesson.released)
    cells: list[NotebookNode] = []
    question: Exercise | None = None
    for cell in page.cells:
        if cell.cell_type == "markdown" and re.search("^## ", cell.source, re.MULTILINE):
            question = None
        question = exercises.get(grade_id_of(cell), question)
        cells.append(cell)
        if outputs.get(cell.id) and question and question.values and question.graded:
            cells.append(new_markdown_cell(LEFT_OUT, id=f"{cell.id}-left-out"))
        elif outputs.get(cell.id):
            cell.outputs = outputs[cell.id]
            cell.metadata["tags"] = ["hide-output"] if question and question.values else []
    page.cells = cells
    return page


def _is_for_reading(output: NotebookNode) -> bool:
    """A picture or a text, not what only a live notebook shows."""
    return output.output_type == "stream" or bool({"image/png", "text/plain"} & set(output.get("data", {})))


def _with_its_text(output: NotebookNode) -> NotebookNode:
    """A picture as HTML with its alt text: Sphinx knows one such text for all pictures of a cell."""
    data = output.get("data", {}).get("image/png")
    if data is None:
        return output
    alt = escape(output.metadata.get("image/png", {}).get("alt", ""))
    source = f"data:image/png;base64,{''.join(data.split())}"
    return new_output("display_data", data={"text/html": f'<img src="{source}" alt="{alt}">'})
