"""Builds the files that are derived from a lesson's source: the instructor's notebook, examples, hints and more.

A file is written only when its content changes, so a second run changes nothing; `stable_output` says what counts as a
change.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbconvert.preprocessors import CoalesceStreamsPreprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from traitlets.config import Config

from autograder.answers.locked_solutions import locked_solutions
from autograder.authoring import build_record, case_problems, stable_output
from autograder.authoring.hints import hints, opened_answers
from autograder.checks import answer_keys
from autograder.checks.answer_keys import LessonKeys
from autograder.courses import START, Course, Lesson, lesson_source
from autograder.courses.lesson_source import SourceCell
from autograder.exercises import public_course
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import AnswerKey, Exercise
from autograder.judging import judge, reference
from autograder.views import figures

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}


def build_lesson(lesson: Lesson, check: bool = False) -> list[Path]:
    """Write a lesson's derived files; return those that changed, or with `check` would change.

    The examples come first, because the notebook's first cell reads them. They are made from the reference, which
    begins with that cell too, so a new lesson gets an empty file of examples first. With `check`, everything is made
    again; else, where nothing but texts changed since the last build, keys and outputs stay.

    Raises:
        CourseError: Listed mistakes no longer apply to the solution.
    """
    course, paths = lesson.course, derived_paths(lesson)
    if check and _stored_keys(lesson, course.visible.examples(lesson.id)) is None:
        return [course.visible.examples(lesson.id)]
    last, now = build_record.load(course, lesson.id), build_record.take(lesson, paths)
    if now == last and not check:
        return []
    prepare_examples(lesson)
    only_texts = not check and (last.inputs, last.outputs) == (now.inputs, now.outputs)
    if not only_texts:
        case_problems.refuse_problems(lesson)
        problems = [
            text for name in lesson.names("test") for text in reference.find_inapplicable(lesson, name)
        ]
        if problems:
            raise CourseError("\n✗ ".join(problems))
    files = derived_files(lesson, only_texts)
    changed = [path for path, text in files if _write_if_changed(path, text, check)]
    text = _with_stored_outputs(lesson) if only_texts else instructor_notebook(lesson)
    if _write_if_changed(lesson.built, text, check):
        changed.append(lesson.built)
    if not check:
        build_record.save(course, lesson.id, build_record.take(lesson, paths))
    return changed


def derived_paths(lesson: Lesson) -> list[Path]:
    """Return the paths of all files that are derived from a lesson's source."""
    shown = lesson.course.visible
    opened = [shown.help_file(lesson.id, name) for name in ("answers.json", "twins.json")]
    files = [find(lesson.id) for find in (shown.examples, shown.hints, shown.other_solutions)]
    return [*files, *opened, lesson.built]


def prepare_examples(lesson: Lesson) -> None:
    """Write an empty file of examples where there is none that can be read, since a lesson's first cell reads it."""
    path = lesson.course.visible.examples(lesson.id)
    if _stored_keys(lesson, path) is None:
        _write_if_changed(path, answer_keys.format_keys(LessonKeys(lesson.id, lesson.title, {})), check=False)


def derived_files(lesson: Lesson, only_texts: bool = False) -> Iterator[tuple[Path, str]]:
    """Yield each file of visible keys and of help below verdicts, with its new text, which names its origin.

    only_texts: whether the stored keys and locked solutions are those that would be made.
    """
    folder = lesson.folder.relative_to(lesson.course.root).as_posix()
    for path, text in _derived_texts(lesson, only_texts):
        comma = "," if ":" in text else ""
        note = f"by `{lesson.course.command} build` from {folder}/; do not edit"
        yield path, text.replace("{", f'{{\n "generated": {json.dumps(note)}{comma}', 1)


def _derived_texts(lesson: Lesson, only_texts: bool) -> Iterator[tuple[Path, str]]:
    examples, hints_file, locked_file, answers_file, variants_file, _ = derived_paths(lesson)
    yield _keys(lesson, examples, judge.visible_key, only_texts, lesson.minutes)
    yield hints_file, hints(lesson)
    yield locked_file, locked_solutions(lesson, lesson.names("test") if only_texts else ())
    yield answers_file, opened_answers(lesson)
    yield _keys(lesson, variants_file, judge.variant_key, only_texts)


def _keys(
    lesson: Lesson,
    path: Path,
    make_key: Callable[[Lesson, str], AnswerKey | None],
    only_texts: bool,
    minutes: int = 0,
) -> tuple[Path, str]:
    stored = _stored_keys(lesson, path)
    if only_texts and stored:
        return path, answer_keys.format_keys(replace(stored, title=lesson.title, minutes=minutes))
    new_keys = filter(None, (make_key(lesson, name) for name in lesson.names("test")))
    keys = LessonKeys(lesson.id, lesson.title, {key.exercise: key for key in new_keys}, minutes)
    read = answer_keys.parse_keys(answer_keys.format_keys(keys), lesson.course.visible)
    return path, answer_keys.format_keys(stable_output.data(read, stored))


def _stored_keys(lesson: Lesson, path: Path) -> LessonKeys | None:
    return _read_or_none(path, answer_keys.parse_keys, course=lesson.course.visible)


def stored_notebook(path: Path) -> NotebookNode | None:
    """Return the notebook in a file; None where it is missing or cannot be read."""
    return _read_or_none(path, nbformat.reads, as_version=4)


def _read_or_none(path: Path, read: Callable[..., Any], **options: Any) -> Any:
    try:
        return read(path.read_text(encoding="utf-8"), **options)
    except Exception:  # a damaged file fails in many ways, and is made anew
        return None


def instructor_notebook(lesson: Lesson) -> str:
    """Return the lesson's notebook as the text of its file: with its outputs, but for the data of pictures.

    Pictures are most of a notebook's bytes. Their alternative texts stay; to see them, run the notebook.
    """
    notebook = execute(assemble(lesson), lesson.course)
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if output.get("data", {}).pop("image/png", None):
            output.metadata.setdefault("image/png", {})
    return _write_stable(lesson.built, notebook)


def _with_stored_outputs(lesson: Lesson) -> str:
    """Return the notebook's text with its stored outputs; it is run where its code is not as it is stored."""
    notebook, stored = assemble(lesson), stored_notebook(lesson.built)
    cells, stored_cells = _code_cells(notebook), _code_cells(stored) if stored else []
    if [cell.source for cell in cells] != [cell.source for cell in stored_cells]:
        return instructor_notebook(lesson)
    for cell, stored_cell in zip(cells, stored_cells):
        cell.outputs, cell.execution_count = stored_cell.outputs, stored_cell.execution_count
    return nbformat.writes(notebook) + "\n"


def _code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _write_stable(path: Path, notebook: NotebookNode) -> str:
    """Return the text of a notebook's file, with the stored outputs where they have not changed."""
    stored = stored_notebook(path)
    return nbformat.writes(stable_output.notebook(notebook, stored) if stored else notebook) + "\n"


def assemble(lesson: Lesson) -> NotebookNode:
    """Return the instructor's notebook without outputs."""
    exercises = {exercise.id: exercise for exercise in lesson.exercises}
    for cell in lesson.cells:
        if cell.marker == "prompt" and cell.name not in exercises:
            problem = f"no cell is marked test={cell.name!r}, as this prompt is"
            similar = lesson_source.suggest(cell.name, exercises)
            raise CourseError(f"{lesson.source}, line {cell.line}: {problem}{similar}")
    return _make_notebook(lesson.cells, exercises)


def _make_notebook(sources: Sequence[SourceCell], exercises: Mapping[str, Exercise]) -> NotebookNode:
    uses: Counter[str] = Counter()
    cells = []
    for index, source_cell in enumerate(sources):
        name, marker, text = source_cell.name, source_cell.marker, source_cell.text
        if marker == "prompt":
            text += "\n\n" + points_note(exercises[name])
        cell_id = source_cell.grade_id or (f"{marker}_{name}" if marker else f"cell_{index:02d}")
        uses[cell_id] += 1
        make = new_code_cell if source_cell.kind == "code" else new_markdown_cell
        cell = make(text, id=cell_id if uses[cell_id] == 1 else f"{cell_id}_{uses[cell_id]}")
        if source_cell.varies:
            cell.metadata["tags"] = [stable_output.VARIES]
        if source_cell.grade_id:
            cell.metadata["nbgrader"] = _nbgrader_metadata(source_cell, exercises)
        cells.append(cell)
    return new_notebook(cells=cells, metadata=METADATA)


def execute(notebook: NotebookNode, course: Course) -> NotebookNode:
    """Return the notebook with its outputs.

    Raises:
        nbclient.exceptions.CellExecutionError: A cell fails.
    """
    environment = {
        public_course.COURSE_VARIABLE: str(course.root),
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }
    run_notebook(notebook, environment, timeout=300, kernel_name="python3", record_timing=False)
    notebook, _ = CoalesceStreamsPreprocessor().preprocess(notebook, {})
    notebook.metadata = METADATA
    return notebook


def run_notebook(notebook: NotebookNode, environment: Mapping[str, str], **settings: Any) -> None:
    """Run a notebook in place, without sliders.

    The kernel listens on a socket in a private folder, because any user could connect to a port.

    Args:
        notebook: The notebook; its outputs are replaced.
        environment: Environment variables of the kernel, besides those of this process.
        settings: Options of `NotebookClient`.
    """
    with TemporaryDirectory(prefix="kernel-", ignore_cleanup_errors=True) as sockets:
        private = Config(KernelManager={"transport": "ipc", "ip": f"{sockets}/socket"})
        client = NotebookClient(notebook, config=private, shutdown_kernel="immediate", **settings)
        client.execute(env={**os.environ, figures.STATIC: "1", **environment})


def _nbgrader_metadata(cell: SourceCell, exercises: Mapping[str, Exercise]) -> dict[str, Any]:
    """Return the nbgrader metadata of a cell with a grade id."""
    exercise = exercises.get(cell.name) if cell.marker == "test" else None
    has_points = cell.marker == "written" or bool(exercise and exercise.graded)
    return {
        "grade": has_points,
        "grade_id": cell.grade_id,
        "locked": cell.marker in ("setup", "test"),
        **({"points": exercise.points if exercise else cell.points} if has_points else {}),
        "schema_version": 3,
        "solution": cell.marker in ("solution", "written"),
        "task": False,
    }


def points_note(exercise: Exercise) -> str:
    """Return a folded list of the points of each part of an exercise."""
    if not exercise.graded:
        return "*Checked on the spot; no points.*"
    lines = "\n".join(f"- {part.title}: {_points(part.points)}" for part in exercise.criteria if part.points)
    return f"<details><summary>Worth {_points(exercise.points)}</summary>\n\n{lines}\n\n</details>"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _write_if_changed(path: Path, text: str, check: bool) -> bool:
    """Return whether a file's text changes, and write it unless this is a check."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    if not check:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return True


def start_page(course: Course) -> str:
    """Return the text of the start page's notebook; empty where the course has no start page.

    Only pictures are kept as outputs, because all else is shown when a student runs the cells.
    """
    path = course.solutions / f"{START}.py"
    if not path.is_file():
        return ""
    page = execute(_make_notebook(lesson_source.read_file(path), {}), course)
    for cell in page.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [output for output in cell.outputs if "image/png" in output.get("data", {})]
    return _write_stable(course.start, page)


def build_start_page(course: Course, check: bool = False) -> bool:
    """Return whether the start page's notebook changes, and write it unless this is a check."""
    if not check and build_record.take_start_page(course) == build_record.load(course, START):
        return False
    changed = _write_if_changed(course.start, start_page(course), check)
    if not check:
        build_record.save(course, START, build_record.take_start_page(course))
    return changed


def build_lessons(course: Course, wanted: list[str], check: bool = False) -> None:
    """Build the wanted lessons, or all of them and the start page when none is named, and print what changed.

    Args:
        course: The course that the lessons belong to.
        wanted: The lessons' ids, beginnings of ids, or numbers; empty for all lessons.
        check: Write nothing.

    Raises:
        CourseError: With `check`, where a file would change.
    """
    chosen = course.chosen(wanted)
    changed: list[Path] = []
    for number, lesson in enumerate(chosen, start=1):
        print(f"[{number}/{len(chosen)}] building {lesson.id} …", end=" ", flush=True)
        renewed = build_lesson(lesson, check)
        print(", ".join(path.name for path in renewed) or "unchanged", flush=True)
        changed += renewed
    if not wanted and (course.solutions / f"{START}.py").is_file():
        renewed = [course.start] if build_start_page(course, check) else []
        print(f"{course.start.name} … {course.start.name if renewed else 'unchanged'}")
        changed += renewed
    if check and changed:
        names = ", ".join(path.relative_to(course.root).as_posix() for path in changed)
        raise CourseError(f"`{course.command} build` would change {names}")
