"""A course on something else, from an empty folder to graded feedback, by the commands of docs/own-course.md."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from traitlets.config import Config

from autograder.authoring import scaffold
from autograder.classroom.class_folder import directory_of
from autograder.commands.cli import main
from autograder.courses import open_course
from autograder.exercises.errors import CourseError
from autograder.nbgrader_plugin import settings
from autograder.records import record_store
from autograder.tests import needs
from autograder.tests.clones import make_clone
from autograder.tests.commands import run_ours
from autograder.tests.fresh_environment import FreshEnvironment
from autograder.tests.simulated import simulate_class
from autograder.tests.this_course import COURSE, PROJECT

LESSON = "01_temperatures"
EXERCISES = {"to_celsius", "warmest_days"}
STUDENTS = 6


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course that `new-course` writes, built and released."""
    folder = tmp_path_factory.mktemp("own") / "weather"
    main(["new-course", str(folder)])
    run_ours("build", folder=folder)
    run_ours("release", folder=folder)
    return folder


def test_nothing_is_missing_in_it_and_a_check_says_what_is_wrong(course: Path) -> None:
    assert "nothing is missing" in run_ours("inspect", folder=course)
    code = "from autograder import check\ncheck.lesson('01_temperatures')\n"
    code += "def to_celsius(fahrenheit): return (fahrenheit - 32) * 9 / 5\ncheck(to_celsius)"
    shown = subprocess.check_output([sys.executable, "-c", code], cwd=course / "course", text=True)
    assert "Looks like: ratio upside down: a degree Celsius is the larger one." in shown


@needs.seal
def test_a_class_is_graded_sealed_with_feedback_and_report(course: Path) -> None:
    folder = course / "class"
    simulate_class(open_course(course).lesson(LESSON), STUDENTS, 1, folder)
    run_ours("round", "--class", "class", "--jobs", "1", folder=course)
    own = open_course(course)
    records = [*record_store.load_records(directory_of(own, folder), LESSON).values()]
    assert [one.sealed for one in records] == [True] * STUDENTS
    assert {*records[0].verdicts} == EXERCISES
    pages = sorted(folder.glob(f"feedback/*/{LESSON}/temperatures.html"))
    assert ["Temperatures" in page.read_text() for page in pages] == [True] * STUDENTS
    assert len(list(csv.DictReader((folder / "reports" / f"{LESSON}.csv").open()))) == 2 * STUDENTS
    assert "to_celsius" in (folder / "reports" / f"{LESSON}.html").read_text()


@needs.seal
def test_its_demo_grades_its_sample_submissions(course: Path) -> None:
    wrong = "def to_celsius(fahrenheit):\n    return (fahrenheit - 32) * 9 / 5\n"
    sample = course / "solutions" / LESSON / "samples" / "zoe.py"
    sample.parent.mkdir()
    sample.write_text(f'# %% solution="to_celsius"\n{wrong}')
    said = run_ours("demo", "--to", "demo", folder=course)
    shutil.rmtree(sample.parent)
    assert re.search(r"│ zoe +│ \d+ +│ to_celsius: ratio upside down", said)
    assert "emil: temperatures.ipynb is not JSON" in said
    assert "demo/feedback/fay/01_temperatures/temperatures.html" in said


def test_a_wheel_is_all_that_it_takes_to_make_and_grade_one(tmp_path: Path) -> None:
    """In an environment with nothing that only our lessons need.

    Unsealed: a sandbox would show the links of this environment without what they lead to.
    """
    clone = make_clone(tmp_path / "clone")
    empty = FreshEnvironment(tmp_path / "environment", [*PROJECT["dependencies"], "pip", "setuptools"])
    empty.add_program("bwrap", "#!/bin/sh\nexit 1\n")
    empty.run("-m", "pip", "wheel", "--no-deps", "--wheel-dir", tmp_path, clone)
    (wheel,) = tmp_path.glob(f"attention_course-{PROJECT['version']}-*.whl")
    empty.run("-m", "pip", "install", "--no-deps", wheel)
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == {
        *(f"attention/{name}" for name in files_below(clone / "solutions" / "attention")),
        *(f"autograder/{name}" for name in files_below(clone / "autograder", "tests/", "demo/")),
    }
    allowed = "c.SealedKernel.allow_unsealed = True"
    printed = empty.run(empty.python.parent, allowed, program=clone / ".ci" / "try_wheel")
    header, *rows = csv.reader(printed[printed.index("assignment,") :].splitlines())
    table = [dict(zip(header, row, strict=True)) for row in rows]
    assert [(row["student_id"], row["score"] == row["max_score"]) for row in table] == [
        ("amy", True),
        ("ben", False),
    ]
    with pytest.raises(AssertionError) as refused:
        empty.run("-m", "autograder.commands.cli", "round", cwd=clone)
    assert "need scipy, torch, gensim, seaborn, anywidget, not installed here: `pip install" in str(
        refused.value
    )
    assert "[lessons]" in str(refused.value)


def files_below(folder: Path, *left_out: str) -> set[str]:
    """The names of all files in a folder, but for what Python leaves there."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if "__pycache__" not in name and not name.startswith(left_out)}


def test_what_its_lessons_need_is_asked_for_before_anything_is_done(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    scaffold.new_course(folder)
    file = folder / "solutions" / "course.toml"
    text = file.read_text()
    for install, remedy in (("", "pip install no-such-thing"), ('install = "make all"', "make all")):
        file.write_text(text.replace("packages = []", f'packages = ["numpy", "no-such-thing"]\n{install}'))
        said = f"need no-such-thing, not installed here: `{remedy}` in {folder}"
        for words in (["build"], ["grade"], ["round", LESSON]):
            assert said in run_ours(*words, folder=folder, fails=True)
    line = f"✗ lessons      what they import is installed\n    Own: its lessons {said}"
    assert line in run_ours("doctor", folder=folder)
    with pytest.raises(SystemExit, match="no-such-thing"):  # else nbgrader would go on, unsealed
        settings.apply(Config(), folder)


def test_what_is_said_of_it_names_its_own_command(course: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(course, tmp_path / "own", ignore=shutil.ignore_patterns("class", "build"))
    file = folder / "solutions" / "course.toml"
    file.write_text('command = "weather"\n' + file.read_text())
    assert "Next: weather hand-out" in run_ours(
        "new-class", "--class", str(tmp_path / "class"), folder=folder
    )


def test_its_kit_and_its_site_hold_it_and_nothing_of_ours(course: Path) -> None:
    run_ours("kit", "--to", "kit.zip", folder=course)
    with ZipFile(course / "kit.zip") as kit:
        names = kit.namelist()
        examples = json.loads(kit.read(f"weather-course/autograder/course/generated/{LESSON}/examples.json"))
        readme = kit.read("weather-course/README.md").decode()
        assert "LICENSE" not in readme  # the course has none
        assert "PyTorch" not in readme + kit.read("weather-course/pyproject.toml").decode()
    assert f"weather-course/course/{LESSON}/temperatures.ipynb" in names
    assert [one["exercise"] for one in examples["exercises"]] == ["to_celsius", "warmest_days"]
    assert not [name for name in names for lesson in COURSE.lessons if lesson.id in name]
    run_ours("site", folder=course)
    page = (course / "build" / "site" / LESSON / "temperatures.html").read_text()
    assert "Water freezes at 32 °F" in page
    assert "argsort(-" not in page


def test_a_new_lesson_and_a_new_exercise_say_what_is_still_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    main(["new-course", str(folder)])
    for words in ("new-lesson wind", "new-exercise 02_wind gusts", "build 02_wind", "release 02_wind"):
        run_ours(*words.split(), folder=folder)
    told = run_ours("inspect", "02_wind", folder=folder, fails=True)
    assert told.split(": ", 1)[1] == "say what the TODO stands for in 'TODO: its name'\n✗ 1 things to mend"


def test_what_is_there_already_is_not_written_over(course: Path) -> None:
    for taken in (course, course / "nbgrader_config.py"):
        with pytest.raises(CourseError, match="is not empty"):
            scaffold.new_course(taken)
    with pytest.raises(CourseError, match="a lesson is called temperatures already"):
        scaffold.new_lesson(open_course(course), "temperatures")
    lesson = open_course(course).lesson(LESSON)
    with pytest.raises(CourseError, match="has an exercise to_celsius already"):
        scaffold.new_exercise(lesson, "to_celsius")
    for name in ("to celsius", "class"):
        with pytest.raises(CourseError, match="is no name for Python"):
            scaffold.new_exercise(lesson, name)


def test_a_lesson_without_its_judging_says_which_file_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    scaffold.new_course(folder)
    (folder / "solutions" / LESSON / "judging" / "warmest_days.py").unlink()
    with pytest.raises(CourseError, match=r"warmest_days\.py is missing: it says how warmest_days is judged"):
        _ = open_course(folder).lesson(LESSON).exercises
