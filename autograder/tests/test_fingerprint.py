"""What a submission's digest depends on: all that could change its grade, and nothing else."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import nbformat
import pytest
from traitlets.config import Config

from autograder.courses import open_course
from autograder.nbgrader_plugin import fingerprint, kept
from autograder.nbgrader_plugin.folders import copy_work
from autograder.nbgrader_plugin.grading import GradeAnswers
from autograder.nbgrader_plugin.kept import NOTES
from autograder.tests.this_course import ROOT, find_lesson

LESSON = "01_weighted_sums"
NOTEBOOK = f"{find_lesson(LESSON).notebook}.ipynb"
FIRST, SECOND = "01_first", "02_second"
SHARED, JUDGED, RULES, LESSON_TEXT = (
    f"solutions/{FIRST}/cases.py",
    f"solutions/{FIRST}/f.py",
    f"solutions/{FIRST}/shown/rules.py",
    f"solutions/{FIRST}/first.py",
)
DATA, LIBRARY = "data/words.csv", "solutions/shown/library.py"
JUDGE = (SHARED, JUDGED, RULES, DATA, LIBRARY, f"amy/{LESSON}/{NOTEBOOK}", f"amy/{LESSON}/own.csv")
"""What is handed in, and what it is judged by."""
OTHERS = (
    f"solutions/{FIRST}/f_answers.py",
    f"solutions/{FIRST}/samples/ada.py",
    f"solutions/{FIRST}/first.ipynb",
    f"solutions/{FIRST}/shown/examples.json",
    f"solutions/{SECOND}/g.py",
    f"solutions/{SECOND}/second.py",
    f"solutions/{SECOND}/shown/rules.py",
    f"solutions/{SECOND}/shown/examples.json",
)
CELLS = """# %% [markdown]
# # First

# %% solution="f"
def f():
    ### BEGIN SOLUTION
    return 1
    ### END SOLUTION

# %% test="f"
check(f)

# %% [markdown] written="why" points=2
# Why?
#
# ### BEGIN SOLUTION
# Two points for a reason.
# ### END SOLUTION
"""


@pytest.fixture
def digest(tmp_path):
    """A function: the digest of a submission to a small course, once some files hold something else."""
    numbers = itertools.count()

    def of(*changed: str, lesson: str = FIRST, config: Config | None = None, text: str = CELLS) -> str:
        root = tmp_path / f"checkout {next(numbers)}"
        files = {name: "" for name in (SHARED, RULES, DATA, *OTHERS)}
        files |= {LIBRARY: "x = 1", JUDGED: "from .cases import x", f"amy/{LESSON}/{NOTEBOOK}": "{}"}
        files["solutions/course.toml"] = 'name = "small"\ntitle = "Small"'
        files |= dict.fromkeys(changed, "x = 2") | {LESSON_TEXT: text}
        for name, held in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(held)
        course = open_course(root)
        work = copy_work(root / "amy" / LESSON / NOTEBOOK, [])
        parts = fingerprint.parts(work.digest, course.lesson(lesson), config or Config())
        return fingerprint.together(parts)

    return of


@pytest.mark.parametrize("changed", [*JUDGE, *OTHERS])
def test_a_digest_depends_on_the_submission_and_on_what_judges_it_and_on_no_other_file(digest, changed):
    assert (digest(changed) == digest()) is (changed in OTHERS)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("return 1", "return 2", False),
        ('test="f"', 'test="g"', False),
        ("points=2", "points=3", False),
        ("# Two points for a reason.", "# Two points for an example.", False),
        ("check(f)", "check(f, strictly=True)", False),
        ("# # First", "# # The first", True),
        ("# Why?", "# Why, in a sentence?", True),
        ("return 1", "return 1  # as ever", True),
        ("def f():", 'def f():\n    """What it does."""', True),
        ("# %% test", "# %% hint='f'\n# Think.\n\n# %% test", True),
    ],
)
def test_a_digest_depends_on_code_and_points_of_a_lesson_not_on_words_nor_on_layout(digest, old, new, same):
    assert (digest(text=CELLS.replace(old, new)) == digest()) is same


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


def test_a_digest_covers_what_decides_a_grade_and_no_more_of_the_grader():
    package = ROOT / "autograder"
    found = {str(path.relative_to(package)) for path in fingerprint.grading_files(package)}
    assert {
        "judge/reference.py",
        "model/common.py",
        "student/ladder.py",
        "nbgrader_plugin/intake.py",
    } <= found
    others = ("round.py", "model/notes.py", "student/report.py", "student/progress.py", "sandbox/room.py")
    assert [name for name in others if name in found or not (package / name).is_file()] == []
    assert [name for name in found if name.split("/")[0] in ("author", "batch", "publish", "courses")] == []
    for name in (*fingerprint.DECIDE, *fingerprint.NOT_DECIDING):
        assert (package / name).exists()


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        (("judge/__init__.py", "x = 1"), False),
        (("model/rules.py", "x = 2"), False),
        (("model/rules.toml", "x = 2"), False),
        (("judge/__init__.py", "from autograder.model import rules  # the rules"), True),
        (("model/rules.py", '"""More words."""\nx = 1'), True),
        (("model/notes.py", "x = 2"), True),
        (("model/notes.toml", "x = 2"), True),
        (("publish/site.py", "x = 2"), True),
        (("sandbox/room.py", "x = 2"), True),
    ],
)
def test_an_update_of_the_grader_counts_where_it_decides_otherwise(tmp_path, changed, same):
    """In a grader of a few lines."""
    package, name, text = tmp_path / "autograder", *changed
    files = {
        **dict.fromkeys([*fingerprint.DECIDE, "model/__init__.py", "publish/site.py", "sandbox/room.py"], ""),
        "model/rules.py": "x = 1",
        "model/notes.py": "x = 1",
        "judge/__init__.py": "from autograder.model import rules",
        "nbgrader_plugin/intake.py": "from autograder.model import notes",
    }
    found = []
    for held in (files, {**files, name: text}):
        for file, lines in held.items():
            (package / file).parent.mkdir(parents=True, exist_ok=True)
            (package / file).write_text(lines)
        found.append(fingerprint.of_grader(package))
    assert (found[0] == found[1]) is same


def test_a_digest_that_a_student_writes_into_the_notebook_is_not_taken_for_ours(tmp_path):
    path = tmp_path / "graded.ipynb"
    forged = json.dumps({"fingerprint": "0" * 64, "verdicts": {}})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(forged)])
    nbformat.write(notebook, path)
    assert not kept.glance(path)
    notebook.metadata[NOTES] = {"fingerprint": "a" * 64, "verdicts": {}}
    nbformat.write(notebook, path)
    assert kept.glance(path).fingerprint == "a" * 64


NAN = nbformat.v4.new_output("display_data", {"application/json": float("nan")})


@pytest.mark.parametrize(
    "odd",
    [nbformat.v4.new_code_cell("", outputs=[NAN]), nbformat.v4.new_code_cell("'half a pair: \ud83d'")],
    ids=["NaN in an output", "a surrogate in a source"],
)
def test_what_only_python_s_json_can_read_hides_no_grade(tmp_path, odd):
    path = tmp_path / "graded.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[odd])
    notebook.metadata[NOTES] = {"fingerprint": "a" * 64, "verdicts": {}}
    path.write_bytes(nbformat.v4.writes(notebook).encode(errors="surrogatepass"))
    assert kept.glance(path).fingerprint == "a" * 64
