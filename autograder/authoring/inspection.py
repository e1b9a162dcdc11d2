"""Checks that a lesson is complete; each problem is a sentence that says what to do."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import nbformat
from nbformat import NotebookNode

from autograder.answers import corpus
from autograder.authoring import build, build_record, case_problems
from autograder.courses import Course, Lesson, lesson_source
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Exercise
from autograder.exercises.verdict import State
from autograder.judging import judge, reference

STUDENT = "amy"
"""The student for whom hidden cases are drawn."""

MIN_ALT_LENGTH = 30
"""Characters of the alternative text of a figure."""


def inspect_lessons(course: Course, wanted: list[str]) -> None:
    """Print the problems of the wanted lessons, or of all when none is named.

    Raises:
        CourseError: There are problems.
    """
    lessons = course.chosen(wanted)
    complaints = [complaint for lesson in lessons for complaint in inspect_lesson(lesson)]
    for complaint in complaints:
        print(f"✗ {complaint}")
    if complaints:
        raise CourseError(f"{len(complaints)} things to mend")
    print(f"✓ {', '.join(lesson.id for lesson in lessons)}: nothing is missing")


def inspect_lesson(lesson: Lesson) -> Iterator[str]:
    """Yield what is missing or stale in a lesson."""
    missing = [complaint for exercise in lesson.exercises for complaint in inspect_exercise(lesson, exercise)]
    missing += inspect_files(lesson)
    yield from missing
    if not lesson.minutes:
        yield f"{lesson.source}: say in the first cell about how many minutes the lesson takes"
    yield from _inspect_todos(lesson, "")
    if not missing:  # the reference is run as notebooks are, which read the examples
        for exercise in lesson.exercises:
            yield from inspect_reference(lesson, exercise)
        yield from inspect_derived(lesson)


def inspect_exercise(lesson: Lesson, exercise: Exercise) -> Iterator[str]:
    """Yield problems of an exercise's cells, of its judging module and of its answers in the corpus."""
    for marker in ("prompt", "hint") if exercise.graded else ():
        if exercise.id not in lesson.names(marker):
            yield f"{lesson.source}: add a cell marked {marker}={exercise.id!r}"
    if lesson_source.BEGIN not in lesson.solution(exercise.id):
        marks = f"{lesson_source.BEGIN!r} and {lesson_source.END!r}"
        yield f"{lesson.source}: mark what students write in {exercise.id} with {marks}"
    yield from _inspect_todos(lesson, exercise.id)
    where = str(lesson.judging(exercise.id))
    if not exercise.criteria or (exercise.graded and exercise.points < 1):
        yield f"{where}: give EXERCISE at least one criterion, with points"
    yield from case_problems.find_case_problems(lesson, exercise)
    if not exercise.misconceptions:
        yield f"{where}: list at least one misconception"
    for mistake in exercise.misconceptions:
        if "TODO" in mistake.name + mistake.detail + mistake.question:
            yield f"{where}: say what the TODO stands for in {mistake.name!r}"
    for name in exercise.builds_on:
        if not inspect.isfunction(lesson.exercise(name).reference_stub):
            yield f"{where}: it builds on {name}: give that one's EXERCISE a function as reference_stub"
    where = str(lesson.answers(exercise.id))
    answers = corpus.answers_to(lesson, exercise.id)
    if not any(answer.right for answer in answers):
        yield f"{where}: write at least one right answer"
    for name in (mistake.name for mistake in exercise.misconceptions):
        if name not in {answer.misconception for answer in answers}:
            yield f"{where}: write an answer that makes the mistake {name!r}"
    for name, titles in corpus.crosses(lesson, exercise.id).items():
        for title in titles:
            if not any(part.title.startswith(title) for part in exercise.criteria):
                yield f"{where}: no part that {name!r} could break begins with {title!r}"


def _inspect_todos(lesson: Lesson, name: str) -> Iterator[str]:
    """Yield the lines that are still to be written in the cells of an exercise, or in those of none."""
    parts = {"prompt": "prompt", "solution": "docstring", "hint": "hint", "": "text"}
    for cell in lesson.cells:
        if cell.name == name and cell.marker in parts:
            for number, line in enumerate(cell.text.splitlines(), start=cell.line + 1):
                if "TODO:" in line:
                    yield f"{lesson.source}, line {number}: write the {parts[cell.marker]}: {line.strip()!r}"


def inspect_reference(lesson: Lesson, exercise: Exercise) -> Iterator[str]:
    """Yield the checks, visible and hidden, that the solution fails."""
    key = judge.hidden_key(lesson, exercise.id, STUDENT)
    yield from case_problems.find_reference_problems(lesson, key)
    verdict = judge.judge_in_process(lesson, key, dict(reference.load_namespace(lesson)))
    if verdict.state is not State.RIGHT:
        failing = [line.title for line in verdict.lines if not line.passed]
        yield f"{lesson.source}: the solution of {exercise.id} fails its own checks: {', '.join(failing)}"


def inspect_files(lesson: Lesson) -> Iterator[str]:
    """Yield derived files that are missing, and notebooks that cannot be read."""
    for path in (*build.derived_paths(lesson), lesson.released):
        remedy = f"run `{lesson.course.command} {'release' if path == lesson.released else 'build'}`"
        if not path.is_file():
            yield f"{path} is missing: {remedy}"
        elif path.suffix == ".ipynb" and build.stored_notebook(path) is None:
            yield f"{path} cannot be read: {remedy}"


def inspect_derived(lesson: Lesson) -> Iterator[str]:
    """Yield derived files that are stale, figures without alternative text, and solutions that the release shows."""
    built_cells, released_cells = (
        nbformat.read(path, as_version=4).cells for path in (lesson.built, lesson.released)
    )
    record = build_record.take(lesson, build.derived_paths(lesson))
    if record != build_record.load(lesson.course, lesson.id):
        yield from _find_stale(lesson, built_cells)
    for cell in built_cells:
        for output in cell.get("outputs", []):
            picture = output.get("metadata", {}).get("image/png")
            if picture is not None and len(picture.get("alt", "")) < MIN_ALT_LENGTH:
                yield f"{lesson.built}: show the figure of cell {cell.id} with `figures.show(figure, alt=...)`"
    yield from _inspect_release(lesson, built_cells, released_cells)
    yield from _find_leaks(lesson, released_cells)


def _find_stale(lesson: Lesson, built_cells: list[NotebookNode]) -> Iterator[str]:
    remedy = f"is stale: run `{lesson.course.command} build`"
    fresh = build.assemble(lesson).cells
    if [(cell.id, cell.source) for cell in built_cells] != [(cell.id, cell.source) for cell in fresh]:
        yield f"{lesson.built} {remedy}"
    try:
        for path, text in build.derived_files(lesson):
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                yield f"{path} {remedy}"
    except CourseError as error:
        yield str(error)


def _inspect_release(
    lesson: Lesson, built_cells: list[NotebookNode], released_cells: list[NotebookNode]
) -> Iterator[str]:
    path = lesson.released
    if [cell.id for cell in released_cells] != [cell.id for cell in built_cells]:
        yield f"{path} is stale: run `{lesson.course.command} release`"
        return
    for built_cell, released_cell in zip(built_cells, released_cells):
        stub = "TODO" in released_cell.source or "Your answer here" in released_cell.source
        solution = built_cell.metadata.get("nbgrader", {}).get("solution")
        if solution and not stub:
            yield f"{path}: cell {built_cell.id} has no stub"
        elif not solution and released_cell.source != built_cell.source:
            yield f"{path}: cell {built_cell.id} is stale: run `{lesson.course.command} release`"


def _find_leaks(lesson: Lesson, released_cells: list[NotebookNode]) -> Iterator[str]:
    text = "\n".join(cell.source for cell in released_cells)
    for cell in lesson.cells:
        if cell.marker in ("solution", "written") and lesson_source.BEGIN in cell.text:
            region = cell.text.split(lesson_source.BEGIN, 1)[1].split(lesson_source.END, 1)[0]
            leaked = {line for line in map(str.strip, region.splitlines()) if len(line) > 25 and line in text}
            if leaked:
                yield f"{lesson.source}: move these lines of {cell.name} out of the lesson's other cells: {leaked}"
    if any(cell.get("outputs") for cell in released_cells) or "SOLUTION" in text:
        yield f"the release of {lesson.id} holds outputs or marks of a solution: run `{lesson.course.command} release`"
