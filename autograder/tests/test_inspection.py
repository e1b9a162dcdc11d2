"""Nothing is missing in the lessons, which are those of the syllabus; and what is missing in a lesson is told."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.authoring import build, inspection, release, scaffold
from autograder.checks import diagnosis
from autograder.classroom.hand_out import TodoStubs
from autograder.courses import Lesson, open_course, release_files
from autograder.exercises.errors import CourseError
from autograder.judging import judge
from autograder.tests.this_course import COURSE, lessons

EVERY_LESSON = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)


# --- this course -----------------------------------------------------------------------------------------


@EVERY_LESSON
def test_nothing_is_missing(lesson: Lesson) -> None:
    assert list(inspection.inspect_lesson(lesson)) == []


@EVERY_LESSON
def test_no_processor_finds_right_what_another_finds_wrong(lesson: Lesson) -> None:
    for exercise in lesson.names("test"):
        key = judge.visible_key(lesson, exercise)
        for mistake in key.mistakes:
            for variant in mistake.observations:
                for case, seen, right in zip(key.cases, variant, key.expected, strict=True):
                    below, above = (
                        diagnosis.is_same(seen, right, case.tolerance * factor) for factor in (0.99, 1.01)
                    )
                    assert below == above, (
                        f"{exercise}: {mistake.name!r} is off by just the tolerance of the example "
                        f"{case.label!r}: change that"
                    )


@EVERY_LESSON
def test_credits_come_last(lesson: Lesson) -> None:
    assert "credit" in lesson.cells[-1].text.lower(), "end the lesson with its credits"


def test_the_start_page_is_fresh_and_true() -> None:
    page = COURSE.start
    assert page.is_file(), "run `make build`"
    text = page.read_text(encoding="utf-8")
    assert text == build.start_page(COURSE), "run `make build`: start_here.ipynb is stale"
    took = []
    for number, lesson in enumerate(lessons(), start=1):
        assert f"[{number}]: {lesson.id}/{lesson.notebook}.ipynb" in text
        opening = " ".join(lesson.cells[0].text.split())
        (minutes,) = map(int, re.findall(r"\b(\d+) minutes", opening))
        puzzles = re.search(r"(\d+) more for the puzzles", opening)
        more = puzzles[1] if puzzles else "–"
        assert re.search(rf"\[{number} · [^|]*\|[^|]*\| {minutes} \| {more} \|", text), (
            f"start_here.py: lesson {number} takes {minutes} minutes, and for its puzzles {more}"
        )
        took.append(minutes)
    assert f"about {round(sum(took) / 60)} hours" in text, f"start_here.py: all take {sum(took)} minutes"
    assert "two to three hours" in text
    assert 110 <= min(took) <= max(took) <= 195


def test_the_start_page_shows_its_picture_before_anything_is_run() -> None:
    cells = nbformat.read(COURSE.start, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert [set(output.data) & {"image/png"} for output in outputs] == [{"image/png"}]
    assert "Arrows from he to the words it weighs" in outputs[0].metadata["image/png"]["alt"]
    assert not any(cell.get("execution_count") for cell in cells)
    release_files.read_released(COURSE, COURSE.start)


def notebook(lesson: Lesson) -> NotebookNode:
    return nbformat.read(lesson.built, as_version=4)


# --- what is told of a lesson that is not whole ----------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small course in which nothing is missing; its notebook was not run."""
    folder = tmp_path_factory.mktemp("whole") / "weather"
    scaffold.new_course(folder)
    (lesson,) = open_course(folder).lessons
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "instructor_notebook", lambda lesson: nbformat.writes(build.assemble(lesson)))
        build.build_lesson(lesson)
    lesson.released.parent.mkdir(parents=True)
    stubbed, _ = TodoStubs(code_stub={"python": "# TODO"}).preprocess(notebook(lesson), {})
    nbformat.write(stubbed, lesson.released)
    assert [told for one in lesson.course.lessons for told in inspection.inspect_lesson(one)] == []
    return folder


@pytest.fixture
def lesson(whole: Path, tmp_path: Path) -> Lesson:
    """A copy of its lesson, to be broken before it is read."""
    shutil.copytree(whole, tmp_path / "weather")
    return open_course(tmp_path / "weather").lesson("01_temperatures")


def told(lesson: Lesson) -> list[str]:
    """What is told of a lesson, with paths as seen from its folder or the course's."""
    text = "\n".join(inspection.inspect_lesson(lesson))
    return text.replace(f"{lesson.folder}/", "").replace(f"{lesson.course.root}/", "").splitlines()


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


FORGOTTEN = r"""
temperatures.py | prompt="to_celsius" | | add a cell marked prompt='to_celsius'
temperatures.py | hint="warmest_days" | | add a cell marked hint='warmest_days'
temperatures.py |     ### BEGIN SOLUTION\n    return (fahr |     return (fahr
    | mark what students write in to_celsius with '### BEGIN SOLUTION' and '### END SOLUTION'
temperatures.py |     return (fahr |     if np.ndim(fahrenheit):\n        fahrenheit += 1\n    return (fahr
    | the solution of to_celsius fails its own checks: leaves its inputs as they were
temperatures.py | 10 minutes | ten minutes | say in the first cell about how many minutes the lesson takes
temperatures.py | # Water freezes | # TODO: freezes | , line 16: write the prompt: 'TODO: freezes at 32 °F
temperatures.py | The same temp | TODO: temp | , line 20: write the docstring: '
temperatures.py | # 100, and 180 | # TODO: 100, and 180 | , line 31: write the hint: 'TODO: 100, and 180
temperatures.py | # Two small | # TODO: two small | , line 4: write the text: 'TODO: two small
judging/to_celsius.py |     criteria=( |     criteria=() and ( | give EXERCISE at least one criterion, with points
judging/to_celsius.py | Misconception, common\n
    | Misconception, common\n\nCriterion = __import__('functools').partial(Criterion, points=0)\n
    | give EXERCISE at least one criterion, with points
judging/to_celsius.py |     misconceptions=( |     misconceptions=() and ( | list at least one misconception
judging/to_celsius.py |     examples= |     builds_on=('warmest_days',),\n    examples=
    | it builds on warmest_days: give that one's EXERCISE a function as reference_stub
judging/to_celsius.py | the two scales do not | TODO | say what the TODO stands for in 'freezing point forgotten'
answers/to_celsius.py | right= | unlisted= | write at least one right answer
answers/to_celsius.py | # %% right="one | # %% crosses="x"\n# ratio upside down -> right for a list\n\n# %% right="one
    | no part that 'ratio upside down' could break begins with 'right for a list'
answers/to_celsius.py | mistake="ratio upside down" style | unlisted
    | write an answer that makes the mistake 'ratio upside down'
"""
"""A line each, which may go on in a second one: a file, a text in it, what it is changed into, and what is told."""

REFUSED = r"""
temperatures.py | return (fahr | return fahr | : the solution of to_celsius is no Python: line 4: unmatched
temperatures.py | prompt="to_c | prompt="c | , line 13: no cell is marked test='celsius', as .* 'to_celsius' meant
temperatures.py | # %% [markdown]\n | # %%\n | : begin with a text cell
temperatures.py | solution="to_celsius" | | : add a cell marked solution='to_celsius'
temperatures.py | hint="to_celsius" | hnt="to_celsius" | , line 28: no marker is called 'hnt': is 'hint' meant
temperatures.py | hint="to_celsius" | hint="a" test="b" | , line 28: keep one of the markers hint, test
temperatures.py | hint="to_celsius" | hint="a" points="two" | , line 28: write points as a whole number, not 'two'
temperatures.py | test="to_celsius" | test="to_celcius" | , line 25: no solution is called 'to_celcius': is 'to_celsius'
temperatures.py | (fahrenheit - 32) * 5 / 9 | (fahrenheit - 32) / 1.8
    | the solution does not contain(.*\n)+.* the solution does not contain
temperatures.py | np.argsort | np.argsrt | the solution of warmest_days raises AttributeError: module 'numpy' has no
temperatures.py | return np.argsort | return b'', np.argsort | warmest_days gives a bytes, which cannot
judging/to_celsius.py | common.agrees | common.agres | , line 27: AttributeError: .*is 'agrees' meant
judging/to_celsius.py | (212.0,) | (212 + 0j,)
    | : case 'number', 'water boils', argument fahrenheit: a complex does not cross to the students' side
judging/to_celsius.py | ("number",)) | ("numbr",))
    | : no case has the tag 'numbr' of criterion 'right for a number': is 'number' meant
judging/to_celsius.py | rng.uniform(-60, 110, size=5) | np.random.uniform(size=5)
    | : draw gives other cases for the same seed
judging/warmest_days.py | -1.0]), 1) | -1.0]), 1), raises="ValueError" | raises no ValueError, which the case says
"""
"""Likewise, with what is said when a lesson is built of which nothing can be made, or that cannot be judged."""


def rows(table: str) -> list[list[str]]:
    """The cells of each line of a table."""
    lines = table.replace("\n    |", " |").replace("| |", "|  |").strip().splitlines()
    return [line.replace("\\n", "\n").split(" | ") for line in lines]


@pytest.mark.parametrize(("file", "old", "new", "sentence"), rows(FORGOTTEN))
def test_what_the_author_forgot_is_told(lesson: Lesson, file: str, old: str, new: str, sentence: str) -> None:
    changed(lesson.folder / file, old, new)
    (complaint,) = [one for one in told(lesson) if "is stale" not in one]
    assert complaint.startswith(f"{file}{sentence}" if sentence[0] == "," else f"{file}: {sentence}")


@pytest.mark.parametrize(("file", "old", "new", "sentence"), rows(REFUSED))
def test_a_lesson_of_which_nothing_can_be_made_is_refused(
    lesson: Lesson, file: str, old: str, new: str, sentence: str
) -> None:
    changed(lesson.folder / file, old, new)
    with pytest.raises(
        CourseError, match=f"{Path(file).name}{sentence}" if sentence[0] in ":," else sentence
    ):
        build.build_lesson(lesson)


def test_a_lesson_without_its_judging_says_which_file_is_missing(lesson: Lesson) -> None:
    lesson.judging("warmest_days").unlink()
    with pytest.raises(CourseError, match=r"warmest_days\.py is missing: it says how warmest_days is judged"):
        build.build_lesson(lesson)


def test_a_lesson_is_built_before_it_is_released(lesson: Lesson) -> None:
    lesson.built.unlink()
    with pytest.raises(CourseError, match=r"is missing: run `autograder build 01_temperatures` first"):
        release.release(lesson)


GENERATED = "solutions/generated/01_temperatures"
EXAMPLES, BUILT = f"{GENERATED}/examples.json", f"{GENERATED}/temperatures.ipynb"
RELEASED = "course/01_temperatures/temperatures.ipynb"
BOXES = f"{GENERATED}/boxes.json"
STALE = {
    BOXES: f"{BOXES} is stale: run `autograder build`",
    EXAMPLES: f"{EXAMPLES} is stale: run `autograder build`",
    BUILT: f"{BUILT} is stale: run `autograder build`",
    RELEASED: f"{RELEASED} is stale: run `autograder release`",
}


@pytest.mark.parametrize(("file", "command"), [(EXAMPLES, "build"), (BUILT, "build"), (RELEASED, "release")])
def test_a_derived_file_that_is_damaged_or_missing_is_named(lesson: Lesson, file: str, command: str) -> None:
    path = lesson.course.root / file
    if file != EXAMPLES:
        path.write_text("<<<<<<< HEAD\n" + path.read_text())
        assert told(lesson) == [f"{file} cannot be read: run `autograder {command}`"]
        with pytest.raises(CourseError, match=r"temperatures\.ipynb cannot be read\. Make it anew"):
            release_files.read_released(COURSE, path)
    path.unlink()
    assert told(lesson) == [f"{file} is missing: run `autograder {command}`"]


def test_examples_that_are_stale_are_told(lesson: Lesson) -> None:
    changed(lesson.judging("to_celsius"), "right for an array", "right for an array, too")
    assert told(lesson) == [STALE[BUILT], STALE[EXAMPLES], STALE[BOXES]]


EXERCISES, SHOW = ("to_celsius", "warmest_days"), "`figures.show(figure, alt=...)`"
HOLDS = "the release of 01_temperatures holds"


def with_a_figure(cells: list[NotebookNode]) -> None:
    code = next(cell for cell in cells if cell.cell_type == "code")
    code.outputs = [new_output("display_data", {"text/plain": ""}, metadata={"image/png": {"alt": "a line"}})]


def with_a_line_of_the_solution(cells: list[NotebookNode]) -> None:
    cells[-1].source += "\nreturn np.argsort(-temperatures)[:k]"


def one_less(cells: list[NotebookNode]) -> None:
    del cells[-1]


def solved(cells: list[NotebookNode]) -> None:
    for cell in cells:
        cell.source = cell.source.replace("# TODO", "return 0")


def run(cells: list[NotebookNode]) -> None:
    next(cell for cell in cells if cell.cell_type == "code").outputs = [new_output("stream", text="1")]


@pytest.mark.parametrize(
    ("which", "change", "sentences"),
    [
        ("built", one_less, [STALE[BUILT], STALE[RELEASED]]),
        ("built", with_a_figure, [f"{BUILT}: show the figure of cell setup_imports with {SHOW}"]),
        ("released", one_less, [STALE[RELEASED]]),
        ("released", solved, [f"{RELEASED}: cell {name} has no stub" for name in EXERCISES]),
        (
            "released",
            with_a_line_of_the_solution,
            [
                f"{RELEASED}: cell hint_warmest_days is stale: run `autograder release`",
                "temperatures.py: move these lines of warmest_days out of the lesson's other cells: "
                "{'return np.argsort(-temperatures)[:k]'}",
            ],
        ),
        ("released", run, [f"{HOLDS} outputs or marks of a solution: run `autograder release`"]),
    ],
)
def test_a_notebook_that_is_not_as_it_was_made_is_told(
    lesson: Lesson, which: str, change: Callable[[list[NotebookNode]], None], sentences: list[str]
) -> None:
    path = getattr(lesson, which)
    made = nbformat.read(path, as_version=4)
    change(made.cells)
    nbformat.write(made, path)
    assert told(lesson) == sentences
