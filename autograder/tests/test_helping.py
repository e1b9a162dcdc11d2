"""What a check adds where an answer stays wrong: nothing, then hints, then the answer's own steps."""

from __future__ import annotations

import json
import linecache
import re
import shutil
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from autograder.author import build
from autograder.cli import main
from autograder.courses import open_course
from autograder.model.errors import CourseError
from autograder.publish import kit
from autograder.student import checking, figures, progress, tries, visible
from autograder.student.checking import Check
from autograder.tests.this_course import COURSE

WRONG = (
    "def softmax(x, axis=-1):\n    n = {}\n    e = np.exp(x)\n    weights = e / e.sum()\n    return weights"
)
RIGHT = (
    "def softmax(x, axis=-1):\n    x = np.asarray(x)\n    e = np.exp(x - x.max(axis, keepdims=True))\n"
    "    return e / e.sum(axis, keepdims=True)"
)
STEPS = "Your code line by line, on the smallest case that fails: "


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's folder, in which this process is."""
    (tmp_path / progress.START_PAGE).touch()
    monkeypatch.setenv(visible.FOLDER, str(COURSE.root))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tries, "_unwritten", {})
    for name in (figures.STATIC, checking.TESTING):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def card(code: str, capsys: pytest.CaptureFixture, exercise: str = "softmax") -> str:
    """The text of the check of an answer that a cell's code defines."""
    linecache.cache["<cell>"] = (len(code), None, code.splitlines(keepends=True), "<cell>")
    namespace = {"np": np, "__name__": "__main__"}
    exec(compile(code, "<cell>", "exec"), namespace)
    Check()(namespace[exercise])
    return capsys.readouterr().out


def test_each_other_wrong_answer_is_told_more(home: Path, capsys: pytest.CaptureFixture) -> None:
    first = card(WRONG.format(1.0), capsys)
    assert "Hint" not in first
    assert card(WRONG.format(1.0), capsys) == first
    second = card(WRONG.format(1.1), capsys)
    assert "\n  Hint 1: one total for each row\n      Make `x` an array first." in second
    assert STEPS not in second
    third = card(WRONG.format(1.2), capsys)
    assert "Hint 1: one total for each row" in third
    assert STEPS in third
    assert "    weights = e / e.sum()                     weights = [[" in third
    assert "◀ in the lesson weights is [[0.173 0.54 0.288]" in third
    assert re.search(r"first wrong at \[0, 0\]\n +got +expected\n +\[0\.028\].*\[0\.173\]", third)


@pytest.mark.parametrize("where", [checking.VALIDATING, figures.STATIC, checking.TESTING])
def test_where_nobody_learns_nothing_of_it_shows(
    where: str, home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = card(WRONG.format(1.0), capsys)
    card(WRONG.format(1.1), capsys)
    monkeypatch.setenv(where, "1")
    assert card(WRONG.format(1.0), capsys) == first


def test_another_part_has_another_hint_and_one_without_has_none_that_is_not_for_it(
    home: Path, capsys: pytest.CaptureFixture
) -> None:
    code = (
        "def softmax(x, axis=-1):\n    e = np.exp(np.asarray(x){})\n"
        "    return e / e.sum(axis=axis, keepdims=True)"
    )
    card(code.format(""), capsys)
    told = card(code.format(" + 0.0"), capsys)
    assert "Hint 3: one maximum for each row" in told
    assert "Hint 1" not in told


def test_each_try_opens_one_hint_more(home: Path, capsys: pytest.CaptureFixture) -> None:
    code = (
        "def weighted_sum(weights, vectors):\n    return weights @ np.array([[v[0]] for v in vectors]) * {}"
    )
    told = [card(code.format(number), capsys, "weighted_sum").count("Hint ") for number in range(1, 4)]
    assert told == [0, 1, 1]


def test_an_answer_that_does_not_end_is_stepped_through(
    home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.student.checking.SECONDS", 0.2)
    code = "def softmax(x, axis=-1):\n    x = np.asarray(x)\n    while True:\n        x = x + {}"
    told = [card(code.format(number), capsys) for number in (1, 2, 3)]
    assert all("stopped after 0.2 seconds in the line" in one for one in told)
    assert "more turns, then the last one:" in told[2]


def test_what_is_off_is_not_shown_and_its_content_not_in_the_kit(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "course"
    for folder in ("solutions", "data", "course"):
        shutil.copytree(
            COURSE.root / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", ".*")
        )
    settings = root / "solutions" / "course.toml"
    on = settings.read_text(encoding="utf-8")
    settings.write_text(
        on.replace(
            "\nhint = true\nstep_through = true\nbox = true",
            "\nhint = false\nstep_through = false\nbox = false",
        )
    )
    assert settings.read_text() != on
    course = open_course(root)
    kit.write_kit(course, tmp_path / "kit.zip")
    with ZipFile(tmp_path / "kit.zip") as file:
        assert not [name for name in file.namelist() if name.endswith((visible.HINTS, visible.BOXES))]
    assert course.visible.hints("01_weighted_sums").is_file()

    (tmp_path / progress.START_PAGE).touch()
    monkeypatch.chdir(tmp_path)
    for name in (figures.STATIC, checking.TESTING):
        monkeypatch.delenv(name, raising=False)
    with visible.using(course.visible):
        told = [card(WRONG.format(number), capsys) for number in (1, 2, 3)]
        right = card(f"{RIGHT}\n", capsys)
    assert told[0] == told[1] == told[2]
    assert right.endswith("Visible checks pass. Grading tries more inputs.\n")


@pytest.mark.parametrize("line", ["hint = 3", "hnt = true"])
def test_a_switch_that_is_none_is_told(line: str, tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(f"[help]\n{line}\n")
    with pytest.raises(
        CourseError, match=rf"\[help\] wants true or false for hint, step_through and box, not {line[:4]}"
    ):
        _ = visible.Visible(tmp_path, tmp_path).helps


def test_a_hint_is_for_parts_that_there_are(tmp_path: Path) -> None:
    main(["new-course", str(tmp_path / "weather")])
    lesson = open_course(tmp_path / "weather").lessons[0]
    text = lesson.source.read_text(encoding="utf-8")
    folds = [f'<details data-part="{part}"><summary>' for part in ("never", "the; leaves", "no such part")]
    titles = [part.title for part in lesson.exercises[0].parts]

    def hints(fold: str) -> list[dict[str, object]]:
        lesson.source.write_text(text.replace("<details><summary>", fold, 1), encoding="utf-8")
        now = open_course(tmp_path / "weather").lessons[0]
        return json.loads(build.hints(now))[now.exercises[0].id]

    assert [one["parts"] for one in hints("<details><summary>")] == [[]]
    assert hints(folds[0]) == []
    with pytest.raises(CourseError, match="is for 'no such part', but no part begins so"):
        hints(folds[2])
    assert hints(f'<details data-part="{titles[0]}"><summary>')[0]["parts"] == titles[:1]
