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
from zipfile import ZipFile

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_notebook, new_output
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from autograder.authoring import release
from autograder.commands.cli import main
from autograder.courses import lesson_source, release_files
from autograder.demo import samples
from autograder.distribution import kit
from autograder.exercises import public_course
from autograder.exercises.errors import CourseError
from autograder.exercises.hidden_values import unpacked
from autograder.exercises.public_course import HELP_DEFAULTS, HELP_FILES
from autograder.tests.fresh_environment import FreshEnvironment
from autograder.tests.leaks import corpus_lines, found_in, instructor_code, solution_lines
from autograder.tests.needed_cells import needed
from autograder.tests.this_course import COURSE, PROJECT, ROOT, find_lesson, lessons
from autograder.views import verdict_view

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
    return {name.removeprefix(f"{HOME}/"): readable(name, data.decode()) for name, data in raw.items()}


def readable(name, text):
    if not name.endswith(".ipynb"):
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def test_neither_kit_holds_a_solution_rubric_wrong_answer_or_hidden_case(texts, self_study_texts):
    own = {name: text for name, text in self_study_texts.items() if texts.get(name) != text}
    both = texts | {f"for self-study: {name}": text for name, text in own.items()}
    solutions, judging = solution_lines(), instructor_code()
    assert len(solutions) > 100
    assert len(judging) > 500
    assert found_in(both, solutions | judging | {"EXERCISE = Exercise(", "def draw(rng"}) == []


def test_that_for_self_study_holds_what_later_tries_open_but_no_model_answer(texts, self_study_texts):
    opened = "autograder/course/generated/"
    more = {name.removeprefix(opened) for name in self_study_texts.keys() - texts.keys()}
    names = [name for names in HELP_FILES.values() for name in names]
    assert more == {f"{lesson.id}/{name}" for lesson in lessons() for name in names}
    for kit_texts, helps in ((texts, HELP_DEFAULTS), (self_study_texts, dict.fromkeys(HELP_DEFAULTS, True))):
        assert tomllib.loads(kit_texts["autograder/course/course.toml"])["help"] == helps
    written = {line for line in solution_lines() if line.startswith(("- ", "# - ", "**Rubric"))}
    packed = [json.loads(self_study_texts[opened + name]) for name in more if name.endswith("answers.json")]
    answers = [unpacked(text) for one in packed for name, text in one.items() if name != "generated"]
    assert len(answers) > 60
    assert found_in({"opened": json.dumps(answers, ensure_ascii=False)}, written) == []


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
    assert [name for name in texts if name.endswith(public_course.BOXES)]


def without_base64(text):
    """What the longer runs of base64 in a text say."""
    runs = re.findall(r"[A-Za-z0-9+/_-]{60,}", text)
    whole = (run[: len(run) // 4 * 4].encode() for run in runs)
    return "\n".join(base64.b64decode(run, altchars=b"-_").decode(errors="replace") for run in whole)


def test_it_holds_every_lesson_as_it_was_released_and_always_the_same_bytes(
    kit_file, texts, tmp_path, capsys
):
    notebooks = {str(path.relative_to(ROOT)): path for path in release.notebooks(COURSE)}
    released = {name: readable(name, path.read_text()) for name, path in notebooks.items()}
    assert {name: text for name, text in texts.items() if name.endswith(".ipynb")} == released
    assert {name.split("/")[0] for name in texts} == {
        *("LICENSE", "README.md", "attention", "autograder", "constraints.txt", "course"),
        *("environment.yml", "pyproject.toml"),
    }
    main(["kit", "--to", str(tmp_path / "again" / "kit.zip")])
    assert (tmp_path / "again" / "kit.zip").read_bytes() == kit_file.read_bytes()
    assert "kit.zip: " in capsys.readouterr().out


def test_it_asks_for_versions_of_the_repository_only(texts, tmp_path):
    ours, theirs = (
        re.findall(r"Python \d[\d.]*(?: to [\d.]+\d| or \w+)?", page)
        for page in (texts["README.md"], (ROOT / "README.md").read_text())
    )
    assert ours == theirs
    assert texts["README.md"].endswith("What you may do with all this: see LICENSE.\n")
    project = tomllib.loads(texts["pyproject.toml"])["project"]
    assert SpecifierSet(project["requires-python"]) == SpecifierSet(PROJECT["requires-python"])
    ours = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["lessons"]]
    asked = {one.name: one.specifier for one in map(Requirement, project["dependencies"])}
    assert list(asked) == [*kit.STUDENTS_NEED, *COURSE.packages]
    assert asked.items() <= {one.name: one.specifier for one in map(Requirement, ours)}.items()
    locked = dict(line.split("==") for line in texts["constraints.txt"].split())
    for name in asked:
        conda = f"  - {kit.CONDA_NAMES.get(name, name)}={locked[name]}\n"
        if name in kit.NOT_ON_CONDA:
            conda = f"  - {name}=={locked[name]}\n"
        assert conda in texts["environment.yml"]
        assert conda in (ROOT / "environment.yml").read_text()
    kit.write_kit(dataclasses.replace(COURSE, packages=("polars",)), tmp_path / "kit.zip")
    another = texts_in(tmp_path / "kit.zip")
    assert '  "polars",\n' in another["pyproject.toml"]
    assert "  - polars\n" in another["environment.yml"]


def test_a_notebook_that_someone_worked_in_is_not_handed_on(tmp_path):
    lesson = lessons()[0]
    first, blank = lesson.exercises[0].id, lesson.released.read_text(encoding="utf-8")
    started = nbformat.read(COURSE.start, as_version=4)
    started.cells[-1].outputs = [new_output("stream", text="1 of 9")]
    ran = nbformat.reads(blank, as_version=4)
    next(cell for cell in ran.cells if cell.cell_type == "code").execution_count = 1
    worked = samples.filled(blank, {first: lesson.solution(first)})
    for name, text, problem in (
        ("worked.ipynb", worked, f"cell {first} is not as it was"),
        (COURSE.start.name, nbformat.writes(started), "has been run"),
        ("worked.ipynb", nbformat.writes(ran), "has been run"),
    ):
        notebook = tmp_path / name
        notebook.write_text(text, encoding="utf-8")
        with pytest.raises(CourseError, match=problem):
            release_files.read_released(COURSE, notebook)
    with pytest.raises(CourseError, match=r"nowhere\.ipynb is missing"):
        release_files.read_released(COURSE, tmp_path / "nowhere.ipynb")


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
        with tempfile.TemporaryDirectory(prefix="kernel-") as sockets:  # others may hold the ports
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
    a check are named `<lesson>/test_<exercise>` and `<lesson>/again_<exercise>` in the end.
    """
    cells = []
    for lesson in lessons():
        for cell in nbformat.read(student.course / lesson.id / lesson.released.name, as_version=4).cells:
            if cell.cell_type == "code":
                cells.append(new_code_cell(cell.source, metadata={"name": f"{lesson.id}/{cell.id}"}))
            if cell.id.startswith("test_"):
                exercise = cell.id.removeprefix("test_")
                text = f"{lesson_source.strip_solution_marks(lesson.solution(exercise))}\n{cell.source}"
                cells.append(new_code_cell(text, metadata={"name": f"{lesson.id}/again_{exercise}"}))
    wanted = needed(cells, lambda cell: "/cell_" not in cell.metadata.name or "load_" in cell.source)
    path = student.course / lessons()[0].id / "answered.ipynb"
    nbformat.write(new_notebook(cells=wanted), path)
    return {cell.metadata.name: cell for cell in student.run(path).cells}


def verdicts(shown, marker):
    """The first line of each verdict, by exercise, in the cells whose names begin with the marker."""
    lines = {}
    for name in (name for name in shown if name.startswith(marker)):
        for output in (output for output in shown[name].outputs if output.output_type == "display_data"):
            if output.data["text/plain"].startswith(tuple(verdict_view.MARKS.values())):
                lines[name.removeprefix(marker)] = output.data["text/plain"].splitlines()[0]
    return lines


def test_all_that_a_module_or_a_lesson_imports_is_there_and_nothing_of_the_instructors(student, texts):
    """Also what only cells import that no exercise needs, or a function that none of these tests calls."""
    line = re.compile(r"^ *(?:from ([a-zA-Z][\w.]*) import|import ([\w.]+))", re.MULTILINE)
    code = [text for name, text in texts.items() if name.endswith((".py", ".ipynb"))]
    names = {from_ or plain for text in code for from_, plain in line.findall(text)}
    assert names > {"autograder.views.figures", "torch", "gensim.models", "cryptography.fernet"}
    wanted = {name if name.startswith("autograder.") else name.split(".")[0] for name in names}
    folders = ["judging", "authoring", "sandbox", "grading", "classroom", "distribution", "demo", "tests"]
    kept_back = {f"autograder.{folder}" for folder in folders}
    modules = sorted(wanted | kept_back)
    look = f"import importlib.util as u; print(*[m for m in {modules} if not u.find_spec(m)])"
    assert {*student.python.run("-c", look).split()} == kept_back
    where = student.python.run("-c", "import autograder; print(autograder.__file__)")
    assert where.startswith(str(student.home))
    hidden = student.python.folder / "etc" / "jupyter" / "labconfig" / "page_config.json"
    assert "@jupyter/nbgrader:create-assignment" in hidden.read_text()


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_every_check_says_not_started_and_then_accepts_the_reference(worked_through, lesson):
    before, after = (verdicts(worked_through, f"{lesson.id}/{marker}_") for marker in ("test", "again"))
    assert list(before) == list(after) == [exercise.id for exercise in lesson.exercises]
    assert all(line.startswith("○") and line.endswith("not started") for line in before.values()), before
    assert all(line.startswith("✓") for line in after.values()), after


def test_github_classroom_s_workflow_checks_a_notebook_in_the_kit(student):
    workflow = yaml.safe_load((ROOT / "docs" / "classroom.yml").read_text())
    job = workflow["jobs"]["check"]
    *installs, check = (step["run"] for step in job["steps"] if "run" in step)
    page = (student.home / "README.md").read_text()
    assert len(installs) == 2
    assert all(line in page for line in installs)
    assert check == "python -m autograder.notebook.check_all $LESSONS"
    used = [step.get("with", {}).get("python-version") for step in job["steps"]]
    asked = tomllib.loads((student.home / "pyproject.toml").read_text())["project"]["requires-python"]
    assert [f"{python}.0" in SpecifierSet(asked) for python in used if python] == [True]

    pushed = student.home / workflow["env"]["LESSONS"]
    lesson = find_lesson(pushed.parent.name)
    graded = [exercise.id for exercise in lesson.graded]
    handed_in = student.home / "pushed" / pushed.name
    handed_in.parent.mkdir()
    blank = lesson.released.read_text(encoding="utf-8")
    answered = graded[:2]
    answers = {name: lesson.solution(name) for name in answered}
    handed_in.write_text(samples.filled(blank, answers), encoding="utf-8")
    with pytest.raises(AssertionError) as failed:
        student.python.run(*check.split()[1:-1], handed_in, cwd=student.home)
    assert f"2 of {len(graded)} exercises pass" in str(failed.value)
    assert all(f"✓ {name}" in str(failed.value) for name in answered)


def test_ci_s_trial_of_the_kit_accepts_a_solved_lesson(student, kit_file, tmp_path):
    for name in (".ci", "solutions"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "dist").mkdir()
    shutil.copy(kit_file, tmp_path / "dist")
    printed = student.python.run(student.python.python.parent, program=tmp_path / ".ci" / "try_kit")
    graded = len(list(lessons()[0].graded))
    assert f"{graded} of {graded} exercises pass" in printed


def test_the_recipe_for_colab_is_all_it_takes(kit_file, texts, tmp_path):
    """The lines that docs/platforms.md shows, then a lesson's own, where only the zip file lies."""
    needed = tomllib.loads(texts["pyproject.toml"])["project"]["dependencies"]
    colab = FreshEnvironment(tmp_path, ["pip", *needed])
    shutil.copy(kit_file, tmp_path)
    section = (ROOT / "docs" / "platforms.md").read_text().split("## Colab and Binder")[1]
    lesson = "04_gaussian_kernel"
    cells = [
        section.split("```")[1].strip(),
        *(cell.text for cell in find_lesson(lesson).cells if cell.marker == "setup"),
        "print(len(load_bodies()['waist']), 'people')",
        lesson_source.strip_solution_marks(find_lesson(lesson).solution("gaussian_weights")),
        "check(gaussian_weights)",
    ]
    (tmp_path / "notebook.ipy").write_text("\n".join(cells))
    printed = colab.run("-m", "IPython", "--colors=NoColor", "notebook.ipy")
    assert "160 people" in printed
    assert "✓ gaussian_weights" in printed


def test_pip_takes_its_part_of_the_environment_for_conda(kit_file, texts, tmp_path):
    """As conda hands it to pip: as a file of requirements, beside the environment's own file.

    All that it needs is there; `--no-deps` saves pip the time to see that.
    """
    ZipFile(kit_file).extractall(tmp_path)
    listed = texts["environment.yml"].split("- pip:\n")[1].splitlines()
    wanted = [line.strip().removeprefix("- ") for line in listed]
    (tmp_path / HOME / "requirements.txt").write_text("\n".join(wanted))
    python = FreshEnvironment(tmp_path / "environment", ["pip", "setuptools", *wanted[:-1]])
    install = ["-m", "pip", "install", "--dry-run", "--no-deps", "-r", "requirements.txt"]
    planned = python.run(*install, cwd=tmp_path / HOME)
    assert planned.splitlines()[-1] == f"Would install {HOME}-{version(HOME)}"
