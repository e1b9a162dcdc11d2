"""A course on something else, from an empty folder to graded feedback, by the commands of docs/own-course.md."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from traitlets.config import Config

from autograder.authoring import scaffold
from autograder.classroom.class_folder import directory_of
from autograder.commands.cli import main
from autograder.courses import open_course
from autograder.execution.notebook_cells import grade_id_of
from autograder.exercises.errors import CourseError
from autograder.nbgrader_plugin import settings
from autograder.records import record_store
from autograder.tests import needs
from autograder.tests.clones import make_clone
from autograder.tests.commands import run_ours
from autograder.tests.fresh_environment import FreshEnvironment
from autograder.tests.this_course import COURSE, PROJECT, ROOT

LESSON = "01_temperatures"
EXERCISES = {"to_celsius", "warmest_days"}


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
def test_the_page_leads_from_an_empty_folder_to_graded_feedback(tmp_path: Path) -> None:
    """Its commands in its order; before the round, its one student answers one exercise."""
    page = (ROOT / "docs" / "own-course.md").read_text()
    tutorial = page.split("## From an empty folder")[1].split("\n## ")[0]
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", tutorial, re.MULTILINE | re.DOTALL)
    lines = "".join(block for language, block in blocks if not language)
    before, behind = lines.replace(" --watch", " || true").split("autograder round", 1)
    shell = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["bash", "-ec", before], cwd=tmp_path, env=shell, check=True)
    work = tmp_path / "weather" / "class" / "submitted" / "amy" / LESSON / "temperatures.ipynb"
    notebook = nbformat.read(work, as_version=4)
    (cell,) = (cell for cell in notebook.cells if grade_id_of(cell) == "to_celsius")
    cell.source = "def to_celsius(fahrenheit):\n    return (fahrenheit - 32) * 9 / 5"
    nbformat.write(notebook, work)
    subprocess.run(
        ["bash", "-ec", f"autograder round{behind}"], cwd=tmp_path / "weather", env=shell, check=True
    )
    folder = tmp_path / "weather" / "class"
    own = open_course(tmp_path / "weather")
    (record,) = record_store.load_records(directory_of(own, folder), LESSON).values()
    assert record.sealed
    assert {*record.verdicts} == EXERCISES
    assert "ratio upside down" in (folder / "feedback" / "amy" / LESSON / "temperatures.html").read_text()
    assert len(list(csv.DictReader((folder / "reports" / f"{LESSON}.csv").open()))) == 2
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


def test_a_new_exercise_stands_behind_the_last_and_only_its_texts_are_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    main(["new-course", str(folder)])
    run_ours("new-lesson", "wind", folder=folder)
    source = folder / "solutions" / "02_wind" / "wind.py"
    run_ours("new-exercise", "2", "gusts", folder=folder)
    source.write_text(source.read_text() + "\n# %% [markdown]\n# Credits.\n")
    for words in ("new-exercise 02 calms", "build 02_w", "release 2"):
        run_ours(*words.split(), folder=folder)
    assert open_course(folder).lesson("02_wind").names("prompt") == ["gusts", "calms"]
    assert source.read_text().endswith("# </details>\n\n# %% [markdown]\n# Credits.\n")
    told = run_ours("inspect", "02_wind", folder=folder, fails=True).splitlines()
    assert [line for line in told if "TODO" not in line] == ["✗ 11 things to mend"]
    said = run_ours("try", "02_wind", "gusts", folder=folder, fails=True).splitlines()
    assert {line.split()[0] for line in said if "TODO" not in line} == {"gusts", "✓", "–", "A", "#", "✗"}


def test_try_tells_which_answers_are_judged_otherwise_than_declared(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    main(["new-course", str(folder)])
    said = run_ours("try", "1", folder=folder)
    assert "✓ accepted  through kelvin" in said
    assert "✓ named     ratio upside down [divided by five ninths]" in said
    assert "– unnamed   nothing returned" in said
    assert "# freezing point forgotten -> right for a number; right for an array" in said
    answers = open_course(folder).lesson("1").answers("to_celsius")
    wrong = answers.read_text().replace("/ 1.8", "/ 1.9").replace("return fahrenheit", "return fahrenheit !")
    answers.write_text(f'# %% crosses="x"\n# ratio upside down -> right for an array\n\n{wrong}')
    said = run_ours("try", "1", "to_celsius", folder=folder, fails=True)
    assert "✗ one line: right, but refused: right for a number" in said
    assert "✗ ratio upside down [times 1.8]: crossed, but not seen to fail: right for a number" in said
    assert "✗ freezing point forgotten [divided alone]: its cell raises SyntaxError" in said


def test_try_watches_and_tries_again(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    main(["new-course", str(folder)])
    words = [sys.executable, "-m", "autograder.commands.cli", "try", "1", "to_celsius", "--watch"]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as watching:
        try:
            assert watching.stdout
            lines = iter(watching.stdout)
            assert next(line for line in lines if "judged as declared" in line)
            judging = open_course(folder).lesson("1").judging("to_celsius")
            judging.write_text(judging.read_text().replace("right for a number", "right for one"))
            assert next(line for line in lines if "->" in line and "right for one" in line)
        finally:
            watching.terminate()


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
