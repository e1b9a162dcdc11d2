"""What a submission's digest depends on: all that could change its grade, and nothing else."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import nbformat
import pytest
from traitlets.config import Config

from autograder.courses import open_course
from autograder.nbgrader_plugin import fingerprint
from autograder.nbgrader_plugin.grading import GradeAnswers
from autograder.nbgrader_plugin.kept import NOTES
from autograder.tests.test_house import imported
from autograder.tests.this_course import ROOT, find_lesson

LESSON = "01_weighted_sums"
NOTEBOOK = f"{find_lesson(LESSON).notebook}.ipynb"
FIRST, SECOND = "01_first", "02_second"
SHARED, JUDGED, TOLD = (
    f"solutions/{FIRST}/cases.py",
    f"solutions/{FIRST}/f.py",
    f"solutions/{FIRST}/first.ipynb",
)
RULES, DATA, LIBRARY = f"solutions/{SECOND}/shown/rules.py", "data/words.csv", "solutions/shown/library.py"
OTHERS = (f"solutions/{FIRST}/f_answers.py", f"solutions/{FIRST}/samples/ada.py", f"solutions/{SECOND}/g.py")


@pytest.fixture
def digest(tmp_path):
    """A function: the digest of a submission to a small course, once some files hold something else."""
    numbers = itertools.count()

    def of(*changed: str, lesson: str = FIRST, config: Config | None = None) -> str:
        root = tmp_path / f"checkout {next(numbers)}"
        files = {name: "" for name in (SHARED, JUDGED, TOLD, RULES, DATA, *OTHERS)}
        files |= {LIBRARY: "x = 1", f"solutions/{SECOND}/second.ipynb": "", f"amy/{LESSON}/{NOTEBOOK}": "{}"}
        files |= {"solutions/course.toml": 'name = "small"\ntitle = "Small"'} | dict.fromkeys(
            changed, "x = 2"
        )
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        course = open_course(root)
        return fingerprint.of_submission(root / "amy" / LESSON, course.lesson(lesson), config or Config())

    return of


@pytest.mark.parametrize(
    "changed",
    [SHARED, JUDGED, TOLD, RULES, DATA, LIBRARY, f"amy/{LESSON}/{NOTEBOOK}", f"amy/{LESSON}/own.csv"],
)
def test_a_digest_depends_on_the_submission_and_on_what_judges_it(digest, changed):
    assert digest(changed) != digest()


@pytest.mark.parametrize("changed", OTHERS)
def test_a_digest_depends_neither_on_what_other_lessons_ask_nor_on_the_corpus(digest, changed):
    assert digest(changed) == digest()


def test_a_digest_depends_on_lesson_and_settings_and_not_on_where_all_lies(digest):
    salted = Config(GradeAnswers={"salt": "x"})
    other = Config(Exporter={"template_name": "x"})
    assert digest() == digest(config=other)
    assert len({digest(), digest(lesson=SECOND), digest(config=salted)}) == 3


def test_a_digest_depends_on_settings_of_any_form(digest):
    added = Config()
    added.Execute.allow_error_names.append("ValueError")
    found = {digest(config=added), digest(config=Config(Execute={"allow_error_names": Path("x")}))}
    assert len(found | {digest()}) == 3
    GradeAnswers(config=added)  # it fills such a setting in
    assert digest(config=added) in found


def test_a_digest_covers_what_grades_wherever_the_package_lies(tmp_path):
    package = tmp_path / "tests" / "bench" / "autograder"
    grading = [
        "__init__.py",
        "judge/reference.py",
        "model/common.py",
        "nbgrader_plugin/grading.py",
        "sandbox/inside/worker.py",
    ]
    others = ["cli.py", "tests/toy.py", "bench/meter.py", "publish/site.py", "nbgrader_plugin/prose.py"]
    for name in grading + others:
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).touch()
    assert fingerprint.grading_files(package) == [package / name for name in grading]


def test_what_a_digest_leaves_out_is_there_and_nothing_that_grades_imports_it():
    package = ROOT / "autograder"
    grading = fingerprint.grading_files(package)
    left_out = {package / "nbgrader_plugin" / f"{name}.py" for name in fingerprint.NOT_GRADING}
    assert [path for path in left_out if not path.exists()] == []
    names_all = package / "nbgrader_plugin" / "settings.py"  # tells nbgrader what there is
    files = [path for path in grading if path != names_all and "templates" not in path.parts]
    needed = {module for path in files for module in modules_imported(path)}
    assert sorted(needed - set(grading)) == []


def modules_imported(path: Path) -> set[Path]:
    """The grader's own modules that a file imports, with the packages that they are in."""
    files = [ROOT.joinpath(*name.split(".")) for name in imported(path)]
    tried = [
        file
        for found in files
        for file in (found, *found.parents)
        if file.is_relative_to(ROOT / "autograder")
    ]
    return {one for file in tried for one in (file.with_suffix(".py"), file / "__init__.py") if one.exists()}


def test_a_digest_that_a_student_writes_into_the_notebook_is_not_taken_for_ours(tmp_path):
    path = tmp_path / "graded.ipynb"
    forged = json.dumps({"fingerprint": "0" * 64, "verdicts": {}})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(forged)])
    nbformat.write(notebook, path)
    assert fingerprint.of_graded(path) == ""
    notebook.metadata[NOTES] = {"fingerprint": "a" * 64, "verdicts": {}}
    nbformat.write(notebook, path)
    assert fingerprint.of_graded(path) == "a" * 64
