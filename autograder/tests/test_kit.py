"""The student kit: nothing of the instructor's is in it, and everything in it works where nothing else is."""

from __future__ import annotations

import base64
import dataclasses
import json
import re
import shutil
import tempfile
import tomllib
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_notebook, new_output
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from autograder.author import release
from autograder.cli import main
from autograder.courses import released, source
from autograder.demo import samples
from autograder.model.concealed import unpacked
from autograder.model.errors import CourseError
from autograder.publish import kit
from autograder.sandbox import files
from autograder.student import practice, report, visible
from autograder.student.visible import HELPS, OPENS
from autograder.tests.clones import make_clone
from autograder.tests.fresh_environment import FreshEnvironment
from autograder.tests.leaks import corpus_lines, found_in, instructor_code, solution_lines
from autograder.tests.needed_cells import needed
from autograder.tests.this_course import COURSE, PROJECT, ROOT, find_lesson, lessons

HOME = kit.kit_folder(COURSE)


@pytest.fixture(scope="module")
def kit_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("kit") / "student-kit.zip"
    kit.write_kit(COURSE, path)
    return path


@pytest.fixture(scope="module")
def texts(kit_file):
    """Every text in the kit by its name; of a notebook, its cells as they read."""
    return texts_in(kit_file)


@pytest.fixture(scope="module")
def self_study_texts(tmp_path_factory):
    path = tmp_path_factory.mktemp("kit") / "self-study.zip"
    kit.write_kit(COURSE, path, self_study=True)
    return texts_in(path)


def texts_in(kit_file):
    with ZipFile(kit_file) as file:
        raw = {name: file.read(name) for name in file.namelist() if not name.endswith((".gz", ".npz"))}
    return {name: readable(name, data.decode()) for name, data in raw.items()}


def readable(name, text):
    if not name.endswith(".ipynb"):
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


@pytest.fixture(scope="module")
def both(texts, self_study_texts):
    """The texts of both kits, each once."""
    own = {name: text for name, text in self_study_texts.items() if texts.get(name) != text}
    return texts | {f"for self-study: {name}": text for name, text in own.items()}


def test_no_solution_no_model_answer_and_no_rubric_can_be_read_in_them(both):
    lines = solution_lines()
    assert len(lines) > 100
    assert found_in(both, lines) == []


def test_no_wrong_answer_and_no_hidden_case_can_be_read_in_them(both):
    lines = instructor_code()
    assert len(lines) > 500
    assert found_in(both, lines) == []
    assert found_in(both, {"EXERCISE = Exercise(", "def draw(rng"}) == []


def test_that_for_self_study_holds_what_later_tries_open_but_no_model_answer(texts, self_study_texts):
    more = {
        name.removeprefix(f"{HOME}/autograder/course/opened/")
        for name in self_study_texts.keys() - texts.keys()
    }
    assert more == {f"{one.id}/{name}" for one in lessons() for names in OPENS.values() for name in names}
    settings = [
        tomllib.loads(of[f"{HOME}/autograder/course/course.toml"])["help"] for of in (texts, self_study_texts)
    ]
    assert settings == [HELPS, dict.fromkeys(HELPS, True)]
    written = {line for line in solution_lines() if line.startswith(("- ", "# - ", "**Rubric"))}
    opened = [
        unpacked(text)
        for name in more
        if name.endswith("answers.json")
        for text in json.loads(self_study_texts[f"{HOME}/autograder/course/opened/{name}"]).values()
    ]
    assert len(opened) > 60
    assert found_in({"opened": json.dumps(opened, ensure_ascii=False)}, written) == []


GIVEN = {
    'raise NotImplementedError("this is still a TODO")',
    "raised = np.exp(scores - scores.max(axis=1, keepdims=True))",
    "scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5",
    "self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))",
    "self.num_heads, self.d_k = num_heads, d_model // num_heads",
}
"""Lines of answers that lessons give themselves, in a stub, in later lessons, or in what comes from earlier ones."""


def test_no_answer_of_the_corpus_is_in_it_packed_or_not(texts):
    lines = corpus_lines()
    assert len(lines) > 1000
    assert {line for line, _ in found_in(texts, lines)} == GIVEN
    assert found_in({name: without_base64(text) for name, text in texts.items()}, lines) == []
    assert [name for name in texts if name.endswith(visible.BOXES)]


def without_base64(text):
    """What the longer runs of base64 in a text say."""
    runs = re.findall(r"[A-Za-z0-9+/_-]{60,}", text)
    whole = (run[: len(run) // 4 * 4].encode() for run in runs)
    return "\n".join(base64.b64decode(run, altchars=b"-_").decode(errors="replace") for run in whole)


def test_of_the_grader_and_the_course_it_holds_what_a_sandbox_shows(kit_file, tmp_path):
    files.copy_grader(tmp_path, kit.KIT_ROOMS)
    files.copy_course(COURSE.visible, tmp_path)
    shown = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    held = {name.removeprefix(f"{HOME}/") for name in ZipFile(kit_file).namelist()}
    assert {name for name in held if name.startswith("autograder/")} == shown
    assert {name.split("/")[0] for name in held - shown} == {
        *("LICENSE", "README.md", "constraints.txt", "course", "environment.yml", "pyproject.toml")
    }


def test_it_holds_every_lesson_as_it_was_released(texts):
    held = {name: text for name, text in texts.items() if name.endswith(".ipynb")}
    assert held == {
        f"{HOME}/{path.relative_to(ROOT)}": readable(path.name, path.read_text())
        for path in release.notebooks(COURSE)
    }


def test_the_same_contents_give_the_same_bytes(kit_file, tmp_path, capsys):
    main(["kit", "--to", str(tmp_path / "again" / "kit.zip")])
    assert (tmp_path / "again" / "kit.zip").read_bytes() == kit_file.read_bytes()
    assert "kit.zip: " in capsys.readouterr().out


def test_its_readme_names_the_same_pythons_and_points_to_the_licence(texts):
    pages = (texts[f"{HOME}/README.md"], (ROOT / "README.md").read_text())
    ours, theirs = (re.findall(r"Python \d[\d.]*(?: to [\d.]+\d| or \w+)?", page) for page in pages)
    assert ours == theirs
    assert texts[f"{HOME}/README.md"].endswith("What you may do with all this: see LICENSE.\n")
    assert "CC BY 4.0" in texts[f"{HOME}/LICENSE"]


def test_it_asks_for_versions_of_the_repository_only(texts):
    project = tomllib.loads(texts[f"{HOME}/pyproject.toml"])["project"]
    assert SpecifierSet(project["requires-python"]) == SpecifierSet(PROJECT["requires-python"])
    ours = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["lessons"]]
    asked = {one.name: one.specifier for one in map(Requirement, project["dependencies"])}
    assert list(asked) == [*kit.STUDENTS_NEED, *COURSE.packages]
    assert asked.items() <= {one.name: one.specifier for one in map(Requirement, ours)}.items()
    locked = dict(line.split("==") for line in texts[f"{HOME}/constraints.txt"].split())
    for name in asked:
        conda = f"  - {kit.CONDA_NAMES.get(name, name)}={locked[name]}\n"
        if name in kit.NOT_ON_CONDA:
            conda = f"  - {name}=={locked[name]}\n"
        assert conda in texts[f"{HOME}/environment.yml"]
        assert conda in (ROOT / "environment.yml").read_text()
    assert "pytest" not in texts[f"{HOME}/environment.yml"]


def test_a_course_may_ask_for_what_the_repository_has_no_version_of(tmp_path):
    kit.write_kit(dataclasses.replace(COURSE, packages=("polars",)), tmp_path / "kit.zip")
    with ZipFile(tmp_path / "kit.zip") as file:
        for name, line in (("pyproject.toml", '  "polars",\n'), ("environment.yml", "  - polars\n")):
            assert line in file.read(f"{HOME}/{name}").decode()


def test_a_notebook_that_someone_worked_in_is_not_handed_on(tmp_path):
    lesson = lessons()[0]
    blank = lesson.released.read_text(encoding="utf-8")
    worked = tmp_path / "worked.ipynb"
    first = lesson.exercises[0].id
    worked.write_text(samples.filled(blank, {first: find_lesson(lesson).solution(first)}), encoding="utf-8")
    with pytest.raises(CourseError, match=f"cell {first} is not as it was released"):
        released.read_released(COURSE, worked)
    started = nbformat.read(COURSE.start, as_version=4)
    started.cells[-1].outputs = [new_output("stream", text="1 of 9")]
    ran_page = tmp_path / COURSE.start.name
    nbformat.write(started, ran_page)
    with pytest.raises(CourseError, match="has been run"):
        released.read_released(COURSE, ran_page)
    ran = nbformat.reads(blank, as_version=4)
    next(cell for cell in ran.cells if cell.cell_type == "code").execution_count = 1
    nbformat.write(ran, worked)
    with pytest.raises(CourseError, match="has been run"):
        released.read_released(COURSE, worked)
    with pytest.raises(CourseError, match=r"nowhere\.ipynb is missing"):
        released.read_released(COURSE, tmp_path / "nowhere.ipynb")


class Student:
    """Someone who has unpacked the kit, has installed it as its README says, and has nothing else."""

    def __init__(self, kit_file, folder):
        with ZipFile(kit_file) as file:
            file.extractall(folder)
        self.home = folder / HOME
        self.course = self.home / "course"
        project = tomllib.loads((self.home / "pyproject.toml").read_text())
        self.python = FreshEnvironment(folder / "environment", ["pip", *project["project"]["dependencies"]])
        self.python.run("-m", "pip", "install", "-c", "constraints.txt", "-e", ".", cwd=self.home)
        self.python.run("-m", "jupyterlab.labextensions", "disable", "@jupyter/nbgrader:create-assignment")

    def run(self, path):
        """Run a notebook in its folder; it comes back with its outputs."""
        done = self.home / "done"
        run = ["-m", "nbconvert", "--execute", "--ExecutePreprocessor.shutdown_kernel=immediate"]
        with tempfile.TemporaryDirectory(
            prefix="kernel-"
        ) as sockets:  # a test beside this may hold the ports
            run += ["--KernelManager.transport=ipc", f"--KernelManager.ip={sockets}/socket"]
            self.python.run(*run, "--to", "notebook", "--output-dir", done, path)
        return nbformat.read(done / path.name, as_version=4)


@pytest.fixture(scope="module")
def student(kit_file, tmp_path_factory):
    return Student(kit_file, tmp_path_factory.mktemp("student"))


@pytest.fixture(scope="module")
def worked_through(student):
    """All lessons as they came, in one kernel; after each check the right answer is written, and checked again.

    Of the other cells those are run that read data, and what all these need; nbval runs every cell. The cells that show
    a check are named `<lesson>/test_<exercise>` and `<lesson>/again_<exercise>` in the end. Then the start page is run,
    and again once progress is forgotten: `start/<number>` and `forgotten/<number>`.
    """
    cells = []
    for lesson in lessons():
        for cell in nbformat.read(student.course / lesson.id / lesson.released.name, as_version=4).cells:
            if cell.cell_type == "code":
                cells.append(new_code_cell(cell.source, metadata={"name": f"{lesson.id}/{cell.id}"}))
            if cell.id.startswith("test_"):
                exercise = cell.id.removeprefix("test_")
                text = f"{source.without_marks(lesson.solution(exercise))}\n{cell.source}"
                cells.append(new_code_cell(text, metadata={"name": f"{lesson.id}/again_{exercise}"}))
    wanted = needed(cells, lambda cell: "/cell_" not in cell.metadata.name or "load_" in cell.source)
    start = nbformat.read(student.course / "start_here.ipynb", as_version=4).cells
    begins = {"start": "import os; os.chdir('..')", "forgotten": "import shutil; shutil.rmtree('.progress')"}
    for when, first in begins.items():
        for number, text in enumerate([first, *(cell.source for cell in start if cell.cell_type == "code")]):
            wanted.append(new_code_cell(text, metadata={"name": f"{when}/{number}"}))
    path = student.course / lessons()[0].id / "answered.ipynb"
    nbformat.write(new_notebook(cells=wanted), path)
    return {cell.metadata.name: cell for cell in student.run(path).cells}


def only_exercises(notebook):
    """The text of a lesson's notebook without the cells that no exercise needs."""
    short = nbformat.read(notebook, as_version=4)
    short.cells = needed(short.cells, lambda cell: not cell.id.startswith("cell_"))
    return nbformat.writes(short)


def verdicts(shown, marker):
    """The first line of each verdict, by exercise, in the cells whose names begin with the marker."""
    return {
        name.removeprefix(marker): output.data["text/plain"].splitlines()[0]
        for name, cell in shown.items()
        if name.startswith(marker)
        for output in cell.outputs
        if output.output_type == "display_data"
        and output.data["text/plain"].startswith(tuple(report.MARKS.values()))
    }


@pytest.mark.slow
def test_nothing_of_the_repository_can_be_imported_there(student):
    where = student.python.run("-c", "import autograder; print(autograder.__file__)")
    assert where.startswith(str(student.home))
    modules = ("judge", "author", "sandbox", "batch", "publish", "demo", "nbgrader_plugin", "tests")
    assert absent(student, {f"autograder.{name}" for name in modules}) == [
        f"autograder.{name}" for name in sorted(modules)
    ]


@pytest.mark.slow
def test_whatever_a_module_or_a_lesson_imports_is_there(student, texts):
    """Also what only cells import that no exercise needs, or a function that none of these tests calls."""
    line = re.compile(r"^ *(?:from ([a-zA-Z][\w.]*) import|import ([\w.]+))", re.MULTILINE)
    code = [text for name, text in texts.items() if name.endswith((".py", ".ipynb"))]
    named = {from_ or plain for text in code for from_, plain in line.findall(text)}
    assert named > {"autograder.student.figures", "torch", "gensim.models", "cryptography.fernet"}
    assert (
        absent(student, {one if one.startswith("autograder.") else one.split(".")[0] for one in named}) == []
    )


def absent(student, modules):
    """Which of some modules a student has not."""
    look = f"import importlib.util as u; print(*[m for m in {sorted(modules)} if not u.find_spec(m)])"
    return student.python.run("-c", look).split()


@pytest.mark.slow
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_every_check_says_not_started_and_then_accepts_the_reference(worked_through, lesson):
    before, after = (verdicts(worked_through, f"{lesson.id}/{marker}_") for marker in ("test", "again"))
    assert list(before) == list(after) == [exercise.id for exercise in lesson.exercises]
    assert all(line.startswith("○") and line.endswith("not started") for line in before.values()), before
    assert all(line.startswith("✓") for line in after.values()), after


@pytest.mark.slow
def test_the_tool_for_instructors_can_be_hidden(student):
    hidden = student.python.folder / "etc" / "jupyter" / "labconfig" / "page_config.json"
    assert "@jupyter/nbgrader:create-assignment" in hidden.read_text()


@pytest.mark.slow
def test_the_start_page_tells_how_far_one_is(worked_through):
    page, forgotten = (
        "".join(
            output["data"]["text/plain"]
            for name, cell in worked_through.items()
            if name.startswith(f"{when}/")
            for output in cell.outputs
        )
        for when in ("start", "forgotten")
    )
    for lesson in lessons():
        puzzles = sum(exercise.puzzle for exercise in lesson.exercises)
        told = f"{lesson.minutes} minutes; "
        told += f"{len(lesson.exercises) - puzzles} of {len(lesson.exercises) - puzzles} right"
        told += f"; puzzles: {puzzles} of {puzzles}" if puzzles else ""
        assert f"{lesson.title} ({told}; " in page
    assert "1 of 6 · " in page
    assert "open the first lesson" in forgotten
    assert practice.NOTHING_MET in forgotten
    assert page.count("Arrows from he") == forgotten.count("Arrows from he") == 1


@pytest.mark.slow
def test_validate_tells_what_is_missing_what_is_broken_and_what_is_done(student):
    lesson = lessons()[0]
    path = student.course / lesson.id / lesson.released.name
    right = {exercise.id: lesson.solution(exercise.id) for exercise in lesson.exercises}
    broken, done = path.with_name("broken.ipynb"), path.with_name("done.ipynb")
    blank = only_exercises(path)
    broken.write_text(samples.filled(blank, {**right, "pad_rows": "def pad_rows(vectors)\n    return 1"}))
    done.write_text(samples.filled(blank, right))
    said = student.python.run("-m", "nbgrader", "validate", path, broken, done)
    of_blank, of_broken = said.split("VALIDATION FAILED ON")[1:]
    assert "not started yet" in of_blank
    of_broken, _ = of_broken.split("Success! Your notebook passes")
    assert "pad_rows" in of_broken
    assert "not started yet" not in of_broken


@pytest.mark.slow
def test_github_classroom_s_workflow_checks_a_notebook_in_the_kit(student):
    workflow = yaml.safe_load((ROOT / "docs" / "classroom.yml").read_text())
    job = workflow["jobs"]["check"]
    *installs, check = (step["run"] for step in job["steps"] if "run" in step)
    page = (student.home / "README.md").read_text()
    assert len(installs) == 2
    assert all(line in page for line in installs)
    assert check == "python -m autograder.student.whole_notebook $LESSONS"
    used = [step.get("with", {}).get("python-version") for step in job["steps"]]
    asked = tomllib.loads((student.home / "pyproject.toml").read_text())["project"]["requires-python"]
    assert [f"{python}.0" in SpecifierSet(asked) for python in used if python] == [True]

    pushed = student.home / workflow["env"]["LESSONS"]
    lesson = find_lesson(pushed.parent.name)
    graded = [exercise.id for exercise in lesson.graded]
    handed_in = student.home / "pushed" / pushed.name
    handed_in.parent.mkdir()
    blank = only_exercises(lesson.released)
    for answered in (graded[:2], graded):
        given = {name: lesson.solution(name) for name in answered}
        handed_in.write_text(samples.filled(blank, given), encoding="utf-8")
        command = [*check.split()[1:-1], handed_in]
        if answered == graded:
            printed = student.python.run(*command, cwd=student.home)
        else:
            with pytest.raises(AssertionError) as failed:
                student.python.run(*command, cwd=student.home)
            printed = str(failed.value)
        assert f"{len(answered)} of {len(graded)} exercises pass" in printed
        assert all(f"✓ {name}" in printed for name in answered)


@pytest.mark.slow
def test_the_recipe_for_colab_is_all_it_takes(kit_file, texts, tmp_path):
    """The lines that docs/where-classes-live.md shows, then a lesson's own, where only the zip file lies."""
    needed = tomllib.loads(texts[f"{HOME}/pyproject.toml"])["project"]["dependencies"]
    colab = FreshEnvironment(tmp_path, ["pip", *needed])
    shutil.copy(kit_file, tmp_path)
    section = (ROOT / "docs" / "where-classes-live.md").read_text().split("## Colab and Binder")[1]
    lesson = "04_gaussian_kernel"
    cells = [
        section.split("```")[1].strip(),
        *(cell.text for cell in find_lesson(lesson).cells if cell.marker == "setup"),
        "print(len(load_bodies()['waist']), 'people')",
        source.without_marks(find_lesson(lesson).solution("gaussian_weights")),
        "check(gaussian_weights)",
    ]
    (tmp_path / "notebook.ipy").write_text("\n".join(cells))
    printed = colab.run("-m", "IPython", "--colors=NoColor", "notebook.ipy")
    assert "160 people" in printed
    assert "✓ gaussian_weights" in printed


@pytest.mark.slow
def test_the_repository_installs_plainly_too_the_grader_without_its_tests_and_this_course(tmp_path):
    clone = make_clone(tmp_path / "clone")
    python = FreshEnvironment(tmp_path / "environment", ["pip", "setuptools", "click", "numpy", "jupytext"])
    python.run("-m", "pip", "install", "--no-deps", clone)
    package = Path(python.run("-c", "import autograder; print(autograder.__file__)").strip()).parent
    assert not package.is_relative_to(clone)
    left_out = ("tests/", "demo/")
    assert below(package) == {name for name in below(clone / "autograder") if not name.startswith(left_out)}
    installed = {path.name for path in package.parent.iterdir() if not path.is_symlink()}
    assert installed == {"autograder", "attention_course-0.1.0.dist-info"}
    python.run("-m", "autograder.cli", "new-course", tmp_path / "own")
    assert below(tmp_path / "own") == below(package / "author" / "templates" / "course")
    with pytest.raises(AssertionError, match="✗ that is not installed: in a clone"):
        python.run("-m", "autograder.cli", "demo", cwd=tmp_path / "own")


def below(folder):
    """The names of all files in a folder, but for what Python leaves there."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if "__pycache__" not in name}


@pytest.mark.slow
@pytest.mark.parametrize("whose", ["student", "instructor"])
def test_pip_takes_its_part_of_the_environment_for_conda(whose, kit_file, tmp_path):
    """As conda hands it to pip: as a file of requirements, beside the environment's own file.

    All that it needs is there; `--no-deps` saves pip the time to see that.
    """
    if whose == "student":
        ZipFile(kit_file).extractall(tmp_path)
        home = tmp_path / HOME
    else:
        home = make_clone(tmp_path / "clone")
    listed = (home / "environment.yml").read_text().split("- pip:\n")[1].splitlines()
    wanted = [line.strip().removeprefix("- ") for line in listed]
    (home / "requirements.txt").write_text("\n".join(wanted))
    python = FreshEnvironment(tmp_path / "environment", ["pip", "setuptools", *wanted[:-1]])
    install = ["-m", "pip", "install", "--dry-run", "--no-deps", "-r", "requirements.txt"]
    planned = python.run(*install, cwd=home)
    assert planned.splitlines()[-1] == f"Would install {HOME}-{version(HOME)}"
