"""Makes releases, and hands them out: into a class's gradebook, with a copy of all that students were handed.

By the copies grading can tell what a student changed from what a new release changed.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearSolutions, SaveCells
from sqlalchemy import Column, MetaData, String, Table, insert, select

from autograder.classroom import roster
from autograder.classroom.class_folder import directory_of
from autograder.classroom.dates import read_dates, with_dates
from autograder.classroom.gradebook import check_lesson, make_gradebook, record_revision
from autograder.courses import CLASS, Course, Lesson, open_course, refuse_changed_course, release_files
from autograder.courses.lesson_source import BEGIN, END, assigned
from autograder.execution.notebook_cells import grade_id_of, new_cell
from autograder.exercises.errors import CourseError
from autograder.files import atomic_files
from autograder.submissions.cell_matching import Cells
from autograder.submissions.read_submission import Unreadable, read_notebook

HANDED_OUT = Table(
    "attention_course_handed_out",
    MetaData(),
    Column("lesson", String(128), primary_key=True),
)
"""In the gradebook, beside nbgrader's tables: lessons that students were given, whether they have handed in or not."""

_REGION = re.compile(rf"^{BEGIN}\n(.*?)^{END}(?:\n|\Z)", re.MULTILINE | re.DOTALL)


def read_handed_out(gradebook: Gradebook) -> set[str]:
    """Return the lessons that were handed out. What was only released, as by `nbgrader generate_assignment`, is not."""
    HANDED_OUT.create(gradebook.engine, checkfirst=True)
    return set(gradebook.db.scalars(select(HANDED_OUT.c.lesson)))


def record_hand_out(gradebook: Gradebook, lesson: str) -> None:
    """Write down that a lesson is handed out."""
    if lesson not in read_handed_out(gradebook):
        gradebook.db.execute(insert(HANDED_OUT).values(lesson=lesson))
        gradebook.db.commit()


def releases(course: CourseDirectory, lesson: str) -> list[Cells]:
    """Return every release of a lesson that students may have; empty where none was kept.

    Raises `CourseError` for a file that is no notebook.
    """
    return [_cells(path) for path in sorted(Path(course.root, "handed_out", lesson).glob("*.ipynb"))]


def released_cells(lesson: Lesson) -> Cells:
    """Return all cells of a lesson in order, as it is released now; none where its file is missing or damaged."""
    try:
        return _cells(lesson.released)
    except CourseError:
        return {}


def master_cells(gradebook: Gradebook, lesson: Lesson) -> Cells:
    """Return the released cells that nbgrader knows, in the lesson's order."""
    stored = gradebook.find_notebook(lesson.notebook, lesson.id)
    cells = {cell.name: cell for cell in stored.source_cells}
    points = {cell.name: cell.max_score for cell in stored.grade_cells}
    solutions = {cell.name for cell in stored.solution_cells}
    order = [cell.grade_id for cell in lesson.cells if cell.grade_id in cells]
    master = {}
    for name in dict.fromkeys([*order, *cells]):
        cell = cells[name]
        master[name] = new_cell(cell.cell_type, cell.source, name)
        master[name].metadata["nbgrader"] = {
            "grade_id": name,
            "grade": name in points,
            "solution": name in solutions,
            "locked": cell.locked,
            "task": False,
            "schema_version": 3,
            "cell_type": cell.cell_type,
            "checksum": cell.checksum,
            **({"points": points[name]} if name in points else {}),
        }
    return master


def _cells(path: Path) -> Cells:
    try:
        cells = read_notebook(path).cells
    except Unreadable as reason:
        raise CourseError(
            f"{path} {reason}: put a copy of the notebook in its place that students were handed; without one, "
            "remove it: then who worked on that release may be told of cells and settings that they did not change"
        ) from None
    return {name: cell for cell in cells if (name := grade_id_of(cell) or str(cell.id))}


def hand_out_lessons(course: Course, wanted: list[str], folder: Path) -> None:
    """Hand out lessons: store the notebooks that students get, and enter them into the class's gradebook.

    Raises `CourseError` where one is not released.
    """
    for lesson in course.chosen(wanted):
        print(f"{lesson.id} is handed out: give students {hand_out(lesson, folder)}")
        if not read_dates(folder).told(lesson.id):
            where = f"{folder / CLASS}, below [lessons.{lesson.id}]"
            print(f"  It says no dates: write them into {where}, and hand it out again")


def hand_out(lesson: Lesson, folder: Path) -> Path:
    """Hand a lesson out as it is released now; return the notebook to give to students.

    Where the class lies elsewhere, what is released is copied to its folder, as nbgrader's exchange wants it. Raises
    `CourseError` where it is not released, or somebody has worked in the release.
    """
    folder.mkdir(parents=True, exist_ok=True)
    release_files.read_released(lesson.course, lesson.released)
    update_gradebook(lesson, folder)
    notebook = folder / lesson.released.relative_to(lesson.course.root)
    if not (notebook.exists() and notebook.samefile(lesson.released)):
        ignored = shutil.ignore_patterns(".ipynb_checkpoints")
        shutil.copytree(lesson.released.parent, notebook.parent, dirs_exist_ok=True, ignore=ignored)
        atomic_files.atomic_write(notebook, add_dates(lesson, folder).encode(), mode=0o644)
    _store_release(lesson.released.read_bytes(), folder, lesson.id)
    directory = directory_of(lesson.course, folder)
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        record_hand_out(gradebook, lesson.id)
        record_revision(gradebook, lesson)
    return notebook


def add_dates(lesson: Lesson, folder: Path) -> str:
    """Return a lesson's released notebook as a class's students get it: with the dates that its file gives, if any."""
    notebook = release_files.read_released(lesson.course, lesson.released)
    dates = read_dates(folder)
    dates.expect_sound([each.id for each in lesson.course.lessons])
    if lines := dates.told(lesson.id):
        return with_dates(notebook, f"**{'. '.join(lines)}.**")
    return lesson.released.read_text(encoding="utf-8")


def update_gradebook(lesson: Lesson, folder: Path) -> bool:
    """Enter a lesson as it is released, and all who are on the class's list, into a class's gradebook.

    Returns whether that changed anything of the lesson. What the gradebook knows stays where somebody has worked in
    the release, or where it was answered and other cells, ungraded, came or went. Raises `CourseError` where there is
    no release of a lesson that is new to it, or where it was answered and other cells are graded now.
    """
    directory = directory_of(lesson.course, folder)
    make_gradebook(directory.db_url, directory.course_id)
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        for about in roster.read_roster(folder / roster.ROSTER):
            gradebook.update_or_create_student(about.pop("id"), **about)
        notebooks = gradebook.update_or_create_assignment(lesson.id).notebooks
        answered = any(stored.submissions for stored in notebooks)
        if answered:
            check_lesson(gradebook, lesson, points=False)
        try:
            notebook = release_files.read_released(lesson.course, lesson.released)
        except CourseError:
            if notebooks:
                return False
            raise
        cells = master_cells(gradebook, lesson) if notebooks else {}
    stored = {name: _cell_key(cell) for name, cell in cells.items()}
    current = {grade_id_of(cell): _cell_key(cell) for cell in notebook.cells if grade_id_of(cell)}
    if answered and stored.keys() != current.keys():
        return False
    if stored != current:
        names = {"notebook": lesson.notebook, "assignment": lesson.id, "db_url": directory.db_url}
        SaveCells().preprocess(notebook, {"nbgrader": names})
        with Gradebook(directory.db_url, directory.course_id) as gradebook:
            record_revision(gradebook, lesson)
    return stored != current


def _cell_key(cell: NotebookNode) -> tuple[str, object, float]:
    settings = cell.metadata.nbgrader
    return cell.source, settings.get("checksum"), float(settings.get("points", 0))


def _store_release(release: bytes, root: Path, lesson: str) -> None:
    """Store a release of a lesson beside `submitted/`, under a name by its digest."""
    folder = root / "handed_out" / lesson
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{hashlib.sha256(release).hexdigest()[:12]}.ipynb"
    atomic_files.atomic_write(folder / name, release, mode=0o644)


class ReleaseExporter(NotebookExporter):
    """Makes a release, and keeps a copy where the gradebook gets to know it."""

    def __init__(self, **kwargs: Any) -> None:
        """Check the lesson here, because nbgrader makes an exporter before it removes the earlier release."""
        super().__init__(**kwargs)
        assert self.parent is not None, "only a converter of nbgrader's has a release to make"
        self._course: CourseDirectory = self.parent.coursedir
        if "TheCourse" in self.config:  # as `settings` has it
            _expect_lesson_of_course(open_course(self.config.TheCourse.folder), self._course)

    def from_filename(self, filename: str, resources: dict[str, Any] | None = None, **kw: Any) -> Any:
        """Return the release and the resources as the base class does, and store a copy of the release."""
        output, resources = super().from_filename(filename, resources=resources, **kw)
        if not getattr(self.parent, "no_database", False):
            _store_release(output.encode(), Path(self._course.root), self._course.assignment_id)
        return output, resources


def _expect_lesson_of_course(course: Course, directory: CourseDirectory) -> None:
    """End nbgrader's command where what it is to release could not be graded, or lies in a class's folder."""
    root, lesson = Path(directory.root), directory.assignment_id
    try:
        course.lesson(lesson)
    except CourseError as error:
        refuse_changed_course(course)
        problem = f"{error}. A lesson's folder begins with a number and has a text source"
        sys.exit(f"✗ {problem}: `{course.command} new-lesson` makes one")
    if (root / CLASS).is_file() and not root.samefile(course.root):
        remedy = f"`{course.command} hand-out {lesson}` there"
        sys.exit(f"✗ {root} is a class's folder, where nothing is made: {remedy}")


class TodoStubs(ClearSolutions):
    """nbgrader's `ClearSolutions`, but a solution at the top level of a cell leaves its names behind.

    `weights = [0.4, 0.2, 0.4]` becomes `weights = ...  # TODO`, so that the cell still runs; inside a function
    the configured stub is used.
    """

    def _replace_solution_region(self, cell: NotebookNode, language: str) -> bool:
        if cell.cell_type == "code" and f"\n{BEGIN}\n" in f"\n{cell.source}\n":
            cell.source = stub_assignments(cell.source)
            return True
        return bool(super()._replace_solution_region(cell, language))


def stub_assignments(text: str) -> str:
    """Return the text with each top-level solution region replaced by `name = ...` for the names it assigns."""

    def stub(region: re.Match[str]) -> str:
        return "".join(f"{name} = ...  # TODO\n" for name in assigned(region[1]))

    return _REGION.sub(stub, text).rstrip("\n")
