"""The student kit: nothing of the instructor's is in it, and everything in it works where nothing else is."""

from __future__ import annotations

import json
import shutil
import tempfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder import kit, released, samples, source, student_side
from autograder.cli import main
from autograder.lessons import lessons
from autograder.source import ROOT
from autograder.tests.clones import make_clone
from autograder.tests.fresh_environment import FreshEnvironment
from autograder.tests.leaks import found_in, instructor_code, solution_lines


@pytest.fixture(scope="module")
def kit_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("kit") / "student-kit.zip"
    kit.write(path)
    return path


@pytest.fixture(scope="module")
def texts(kit_file):
    """Every text in the kit by its name; of a notebook, its cells as they read."""
    with ZipFile(kit_file) as file:
        raw = {name: file.read(name) for name in file.namelist() if not name.endswith(".gz")}
    return {name: readable(name, data.decode()) for name, data in raw.items()}


def readable(name, text):
    if not name.endswith(".ipynb"):
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def test_no_solution_no_model_answer_and_no_rubric_is_in_it(texts):
    lines = solution_lines()
    assert len(lines) > 100
    assert found_in(texts, lines) == []


def test_no_wrong_answer_and_no_hidden_case_is_in_it(texts):
    lines = instructor_code()
    assert len(lines) > 500
    assert found_in(texts, lines) == []
    drawers = {exercise.draw.__name__ for lesson in lessons() for exercise in lesson.exercises}
    assert found_in(texts, {f"def {name}(" for name in drawers}) == []


def test_the_search_for_leaks_finds_them():
    instructor = {
        lesson.id: readable(
            "x.ipynb", (ROOT / "solutions" / lesson.id / f"{lesson.notebook}.ipynb").read_text()
        )
        for lesson in lessons()
    }
    assert {name for _, name in found_in(instructor, solution_lines())} == set(instructor)


def test_it_holds_the_students_half_and_no_other_module(kit_file):
    held = {name for name in ZipFile(kit_file).namelist() if name.startswith("attention-course/autograder/")}
    assert held == {f"attention-course/{path.relative_to(ROOT)}" for path in student_side.files()}


def test_it_holds_every_lesson_as_it_was_released(texts):
    held = {name: text for name, text in texts.items() if name.endswith(".ipynb")}
    assert held == {
        f"attention-course/{path.relative_to(ROOT)}": readable(path.name, path.read_text())
        for path in released.paths()
    }


def test_the_same_contents_give_the_same_bytes(kit_file, tmp_path, capsys):
    main(["kit", "--to", str(tmp_path / "again" / "kit.zip")])
    assert (tmp_path / "again" / "kit.zip").read_bytes() == kit_file.read_bytes()
    assert "kit.zip: " in capsys.readouterr().out


def test_it_asks_for_versions_of_the_repository_only(texts):
    theirs = tomllib.loads(texts["attention-course/pyproject.toml"])["project"]["dependencies"]
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [entry.split("==")[0] for entry in theirs] == list(kit.NEEDED)
    assert set(theirs) <= set(ours)
    for entry in theirs:
        name, version = entry.split("==")
        conda = f"  - {kit.CONDA_NAMES.get(name, name)}={version}\n"
        assert conda in texts["attention-course/environment.yml"]
        assert conda in (ROOT / "environment.yml").read_text()
    assert "pytest" not in texts["attention-course/environment.yml"]


def test_a_notebook_that_someone_worked_in_is_not_handed_on(tmp_path):
    lesson = lessons()[0]
    blank = released.path_of(lesson).read_text(encoding="utf-8")
    worked = tmp_path / "worked.ipynb"
    first = lesson.exercises[0].id
    worked.write_text(samples.filled(blank, {first: source.solution_of(lesson.id, first)}), encoding="utf-8")
    with pytest.raises(released.EditedNotebookError, match=f"cell {first} is not as it was released"):
        released.read(worked)
    ran = nbformat.reads(blank, as_version=4)
    next(cell for cell in ran.cells if cell.cell_type == "code").execution_count = 1
    nbformat.write(ran, worked)
    with pytest.raises(released.EditedNotebookError, match="has been run"):
        released.read(worked)
    with pytest.raises(released.EditedNotebookError, match=r"nowhere\.ipynb is missing"):
        released.read(tmp_path / "nowhere.ipynb")


class Student:
    """Someone who has unpacked the kit, has installed it as its README says, and has nothing else."""

    def __init__(self, kit_file, folder):
        with ZipFile(kit_file) as file:
            file.extractall(folder)
        self.home = folder / kit.FOLDER
        self.course = self.home / "course"
        project = tomllib.loads((self.home / "pyproject.toml").read_text())
        self.python = FreshEnvironment(folder / "environment", ["pip", *project["project"]["dependencies"]])
        self.python.run("-m", "pip", "install", "-c", "constraints.txt", "-e", ".", cwd=self.home)

    def run(self, *notebooks):
        """Run notebooks in their folders; they come back by name, with their outputs."""
        done = self.home / "done"
        run = ["-m", "nbconvert", "--execute", "--ExecutePreprocessor.shutdown_kernel=immediate"]
        with tempfile.TemporaryDirectory(
            prefix="kernel-"
        ) as sockets:  # ports may be taken by a test beside this one
            run += ["--KernelManager.transport=ipc", f"--KernelManager.ip={sockets}/socket"]
            self.python.run(*run, "--to", "notebook", "--output-dir", done, *notebooks)
        return {path.stem: nbformat.read(done / path.name, as_version=4) for path in notebooks}

    def start_page(self):
        """What the start page says about progress."""
        cells = self.run(self.course / "start_here.ipynb")["start_here"].cells
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        return "".join(output["data"]["text/plain"] for output in outputs)


@pytest.fixture(scope="module")
def student(kit_file, tmp_path_factory):
    return Student(kit_file, tmp_path_factory.mktemp("student"))


@pytest.fixture(scope="module")
def worked_through(student):
    """All lessons as they came, run by the student, who after each check writes the right answer and checks again."""
    paths = []
    for lesson in lessons():
        path = student.course / lesson.id / f"{lesson.notebook}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        for exercise in lesson.exercises:
            place = 1 + next(i for i, cell in enumerate(notebook.cells) if cell.id == f"test_{exercise.id}")
            answer = source.without_marks(source.solution_of(lesson.id, exercise.id))
            check = new_code_cell(notebook.cells[place - 1].source, id=f"again_{exercise.id}")
            notebook.cells[place:place] = [new_code_cell(answer), check]
        paths.append(path.with_stem(f"{path.stem}_answered"))
        nbformat.write(notebook, paths[-1])
    return student.run(*paths)


def verdicts(notebook, marker):
    """The first line of each verdict, by exercise, in the cells whose ids begin with the marker."""
    return {
        cell.id.removeprefix(marker): output.data["text/plain"].splitlines()[0]
        for cell in notebook.cells
        if cell.id.startswith(marker)
        for output in cell.outputs
        if output.output_type == "display_data"
    }


@pytest.mark.slow
def test_nothing_of_the_repository_can_be_imported_there(student):
    where = student.python.run("-c", "import autograder; print(autograder.__file__)")
    assert where.startswith(str(student.home))
    modules = ("judge", "lessons", "reference", "corpus", "runner", "nbgrader_plugin")
    look = f"import importlib.util as u; print([m for m in {modules} if u.find_spec('autograder.' + m)])"
    assert student.python.run("-c", look).strip() == "[]"


@pytest.mark.slow
@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_every_check_says_not_started_and_then_accepts_the_reference(worked_through, lesson):
    notebook = worked_through[f"{lesson.notebook}_answered"]
    before, after = verdicts(notebook, "test_"), verdicts(notebook, "again_")
    assert list(before) == list(after) == [exercise.id for exercise in lesson.exercises]
    assert all(line.startswith("○") and line.endswith("not started") for line in before.values()), before
    assert all(line.startswith("✓") for line in after.values()), after


@pytest.mark.slow
def test_the_start_page_tells_how_far_one_is(student, worked_through):
    page = student.start_page()
    for lesson in lessons():
        assert f"{lesson.title} ({len(lesson.exercises)} of {len(lesson.exercises)})" in page
    shutil.rmtree(student.course / ".progress")
    assert "open the first lesson" in student.start_page()


@pytest.mark.slow
def test_validate_tells_what_is_missing_and_what_is_done(student):
    lesson = lessons()[0]
    path = student.course / lesson.id / f"{lesson.notebook}.ipynb"
    blank = path.read_text(encoding="utf-8")
    assert "not started yet" in student.python.run("-m", "nbgrader", "validate", path)
    ids = [exercise.id for exercise in lesson.exercises]
    path.write_text(samples.filled(blank, {name: source.solution_of(lesson.id, name) for name in ids}))
    assert "Success! Your notebook passes" in student.python.run("-m", "nbgrader", "validate", path)


@pytest.mark.slow
def test_the_recipe_for_colab_is_all_it_takes(kit_file, tmp_path):
    """The recipe's lines as docs/instructors.md shows them, then a lesson's own, where only the zip file lies."""
    needed = tomllib.loads(kit.contents()["pyproject.toml"].decode())["project"]["dependencies"]
    colab = FreshEnvironment(tmp_path, ["pip", *needed])
    shutil.copy(kit_file, tmp_path)
    section = (ROOT / "docs" / "instructors.md").read_text().split("## Colab and Binder")[1]
    lesson = "03_word2vec_heatmap"
    cells = [
        section.split("```")[1].strip(),
        *(cell.text for cell in source.read(lesson) if cell.marker == "setup"),
        "print(len(load_vectors()), 'words')",
        source.without_marks(source.solution_of(lesson, "word_embedding")),
        "check(word_embedding)",
    ]
    (tmp_path / "notebook.ipy").write_text("\n".join(cells))
    printed = colab.run("-m", "IPython", "--colors=NoColor", "notebook.ipy")
    assert "985 words" in printed
    assert "✓ word_embedding" in printed


@pytest.mark.slow
def test_the_repository_installs_plainly_too_with_its_data_and_without_its_tests(tmp_path):
    python = FreshEnvironment(tmp_path, ["pip", "setuptools", "gensim"])
    python.run("-m", "pip", "install", "--no-deps", make_clone(tmp_path / "clone"))
    load = "import autograder.vectors as a; print(len(a.load_vectors()), a.__file__)"
    count, where = python.run("-c", load).split()
    assert count == "985"
    installed = Path(where).parent
    assert not installed.is_relative_to(tmp_path / "clone")
    assert not (installed / "tests").exists()


@pytest.mark.slow
@pytest.mark.parametrize("whose", ["student", "instructor"])
def test_pip_takes_its_part_of_the_environment_for_conda(whose, kit_file, tmp_path):
    """As conda hands it to pip: as a file of requirements, beside the environment's own file."""
    if whose == "student":
        ZipFile(kit_file).extractall(tmp_path)
        home = tmp_path / kit.FOLDER
    else:
        home = make_clone(tmp_path / "clone")
    listed = (home / "environment.yml").read_text().split("- pip:\n")[1].splitlines()
    wanted = [line.strip().removeprefix("- ") for line in listed]
    (home / "requirements.txt").write_text("\n".join(wanted))
    by_conda = tomllib.loads((home / "pyproject.toml").read_text())["project"]["dependencies"]
    python = FreshEnvironment(tmp_path / "environment", ["pip", *by_conda, *wanted[:-1]])
    python.run("-m", "pip", "install", "-U", "-r", "requirements.txt", "--exists-action=b", cwd=home)
    assert python.run("-c", "import autograder; print(autograder.__file__)").startswith(str(home))
