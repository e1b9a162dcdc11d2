"""What a submission's digest depends on: all that could change its grade, and nothing else."""

from __future__ import annotations

import itertools
from copy import deepcopy
from pathlib import Path

import pytest
from traitlets.config import Config

from autograder.courses import open_course
from autograder.grading.grade_submission import GradeAnswers
from autograder.records import fingerprint
from autograder.submissions.submission_folder import copy_work
from autograder.tests.this_course import find_lesson

LESSON = "01_weighted_sums"
NOTEBOOK = f"{find_lesson(LESSON).notebook}.ipynb"
FIRST, SECOND = "01_first", "02_second"
LESSON_TEXT, JUDGED = f"solutions/{FIRST}/first.py", f"solutions/{FIRST}/judging/f.py"
DATA, LIBRARY = "data/words.csv", "solutions/tools/library.py"
JUDGE = (
    *(
        f"solutions/{FIRST}/judging/cases.py",
        f"solutions/{FIRST}/checks/rules.py",
        "solutions/judging/cases.py",
    ),
    *(JUDGED, DATA, LIBRARY, f"amy/{LESSON}/{NOTEBOOK}", f"amy/{LESSON}/own.csv"),
)
"""What is handed in, and what it is judged by."""
OTHERS = (
    *(f"solutions/{FIRST}/{name}" for name in ("answers/f.py", "samples/ada.py", "trained.py")),
    *(f"solutions/generated/{FIRST}/{name}" for name in ("first.ipynb", "examples.json")),
    *(f"solutions/{SECOND}/{name}" for name in ("judging/g.py", "second.py", "checks/rules.py")),
    f"solutions/generated/{SECOND}/examples.json",
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

    def of(
        *changed: str, lesson: str = FIRST, config: Config | None = None, text: str = CELLS
    ) -> dict[str, str]:
        root = tmp_path / f"checkout {next(numbers)}"
        files = dict.fromkeys((*JUDGE[:3], DATA, *OTHERS), "")
        files |= {LIBRARY: "x = 1", JUDGED: "from .cases import x", f"amy/{LESSON}/{NOTEBOOK}": "{}"}
        files["solutions/course.toml"] = 'name = "small"\ntitle = "Small"\nhelpers = "tools"'
        files |= dict.fromkeys(changed, "x = 2") | {LESSON_TEXT: text}
        for name, held in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(held)
        course = open_course(root)
        work = copy_work(root / "amy" / LESSON / NOTEBOOK, [])
        return fingerprint.grade_inputs(work.digest, course.lesson(lesson), config or Config())

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


def test_a_digest_depends_on_lesson_and_settings_of_any_form_and_not_on_where_all_lies(digest):
    added = Config()
    added.Execute.allow_error_names.append("ValueError")
    assert digest() == digest(config=Config(Exporter={"template_name": "x"}))
    settings = [
        Config(GradeAnswers={"salt": "x"}),
        Config(Execute={"allow_error_names": Path("x")}),
        deepcopy(added),
    ]
    digests = [digest(), digest(lesson=SECOND), *(digest(config=config) for config in settings)]
    assert all(one != other for one, other in itertools.combinations(digests, 2))
    GradeAnswers(config=added)  # it fills such a setting in
    assert digest(config=added) == digests[-1]


def test_a_digest_depends_on_the_version_of_what_judges(digest, monkeypatch):
    before = digest()
    monkeypatch.setattr(fingerprint, "JUDGING", fingerprint.JUDGING + 1)
    assert digest()["grader"] != before["grader"]
