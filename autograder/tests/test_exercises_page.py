"""Each example of docs/exercises.md is an exercise whose own answers are judged as it says."""

from __future__ import annotations

import re

import pytest

from autograder.answers import trials
from autograder.answers.corpus import Answer
from autograder.authoring import build, scaffold
from autograder.checks import answer_keys
from autograder.courses import Lesson, lesson_source, open_course
from autograder.tests.this_course import ROOT

BLOCKS = re.findall(
    r"^```python\n(.*?)^```", (ROOT / "docs" / "exercises.md").read_text(), re.MULTILINE | re.DOTALL
)
CELLS = [block for block in BLOCKS if re.match(r"# %% (solution|\[markdown\] written)", block)]
JUDGING = [block for block in BLOCKS if "EXERCISE = " in block]
(ANSWERS,) = (block for block in BLOCKS if block.startswith("# %% right"))
IMPORTS = "import matplotlib.pyplot as plt\nimport pandas as pd\nimport torch\nfrom torch import nn\n"
LANGUAGE = """
import numpy as np
import pandas as pd
from autograder.exercises import *

AGREES = (Criterion("right", common.agrees),)
"""
NAMES = [name for block in CELLS for name in re.findall('solution="(.*)"', block)]


def with_check(cells: str) -> str:
    """A form's cells, and behind them the cell with its check, which the page leaves out but once."""
    names = [] if "# %% test=" in cells else re.findall('# %% solution="(.*)"', cells)
    of = {
        name: name if re.search(rf"^(def|class) {name}\b", cells, re.MULTILINE) else repr(name)
        for name in names
    }
    return cells + "".join(f'\n# %% test="{name}"\ncheck({answer})\n' for name, answer in of.items())


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    """A lesson of all examples, whose visible cases are built."""
    folder = tmp_path_factory.mktemp("page") / "own"
    scaffold.new_course(folder)
    scaffold.new_lesson(open_course(folder), "wind")
    lesson = Lesson(open_course(folder), "02_wind")
    text = lesson.source.read_text().replace("import numpy as np\n", f"import numpy as np\n{IMPORTS}")
    lesson.source.write_text("\n".join([text, *map(with_check, CELLS)]))
    for name, judging in zip(NAMES, JUDGING, strict=True):
        lesson.judging(name).parent.mkdir(exist_ok=True)
        lesson.judging(name).write_text(LANGUAGE + judging)
    lesson.answers(NAMES[0]).parent.mkdir(exist_ok=True)
    lesson.answers(NAMES[0]).write_text(ANSWERS)
    build.prepare_examples(lesson)
    return lesson


@pytest.mark.parametrize("name", NAMES)
def test_its_right_answer_is_accepted_and_its_mistakes_are_named(lesson: Lesson, name: str) -> None:
    solution = lesson_source.strip_solution_marks(lesson.solution(name))
    assert trials.judge_answer(lesson, Answer(name, "the solution", solution, right=True)).complaint == ""
    outcomes = (*trials.judge_listed(lesson, name), *trials.judge_corpus(lesson, name))
    assert [outcome.complaint for outcome in outcomes if outcome.complaint] == []
    assert outcomes


def test_they_are_built(lesson: Lesson) -> None:
    files = dict(build.derived_files(lesson))
    keys = answer_keys.parse_keys(files[lesson.course.visible.examples(lesson.id)], lesson.course.visible)
    assert list(keys.keys) == NAMES
    assert [
        cell.metadata.nbgrader.points for cell in build.assemble(lesson).cells if cell.id == "why_gusts"
    ] == [4]
