"""What a check adds where an answer stays wrong: nothing, then hints, then the answer's own steps."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from autograder.author import build
from autograder.cli import main
from autograder.courses import Lesson, open_course
from autograder.judge import reference
from autograder.model.concealed import packed
from autograder.model.errors import CourseError
from autograder.model.verdict import State
from autograder.publish import kit
from autograder.student import checking, figures, keys, ladder, probe, progress, visible
from autograder.student.checking import Check
from autograder.tests.answering import card
from autograder.tests.commands import reopen
from autograder.tests.this_course import COURSE, lessons

WRONG = (
    "def softmax(x, axis=-1):\n    n = {}\n    e = np.exp(x)\n    weights = e / e.sum()\n    return weights"
)
RIGHT = (
    "def softmax(x, axis=-1):\n    x = np.asarray(x)\n    e = np.exp(x - x.max(axis, keepdims=True))\n"
    "    return e / e.sum(axis, keepdims=True)"
)
STEPS = "Your code line by line, on the case of the verdict: "


def test_each_other_wrong_answer_is_told_more(home: Path, capsys: pytest.CaptureFixture) -> None:
    first = card(WRONG.format(1.0), capsys)
    assert "Hint" not in first
    again = card(WRONG.format(1.0), capsys)
    assert again.startswith(first.rstrip())
    assert "\n  The same answer as before\n" in again
    second = card(WRONG.format(1.1), capsys)
    assert "\n  Hint 1: one total for each row\n      Make `x` an array first." in second
    assert STEPS not in second
    third = card(WRONG.format(1.2), capsys)
    assert "Hint 1: one total for each row" in third
    assert STEPS in third
    assert "    weights = e / e.sum()                     weights = [[" in third
    assert "◀ in the lesson weights is [[0.173 0.54 0.288]" in third
    assert re.search(r"first wrong at \[0, 0\]\n +got +expected\n +\[0\.028\].*\[0\.173\]", third)


def test_where_answers_are_free_nobody_is_told_another_s(home: Path, capsys: pytest.CaptureFixture) -> None:
    """What the lesson makes is one of many right answers, and would give the exercise away."""
    code = "def find_ming(word):\n    query = key = [{}, 0]\n    return query, key"
    told = [card(code.format(number), capsys, "find_ming") for number in range(3)][-1]
    steps = told.split(STEPS)[1]
    assert "expected" not in steps
    assert "in the lesson" not in steps


@pytest.mark.parametrize("where", [checking.VALIDATING, figures.STATIC, checking.TESTING])
def test_where_nobody_learns_nothing_of_it_shows(
    where: str, home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = card(WRONG.format(1.0), capsys)
    card(WRONG.format(1.1), capsys)
    monkeypatch.setenv(where, "1")
    assert card(WRONG.format(1.0), capsys) == first
    Check().answer(1)
    Check().twin("softmax_twin")
    assert not capsys.readouterr().out


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


def test_an_error_that_is_none_of_shape_opens_no_hint_on_shapes(
    home: Path, capsys: pytest.CaptureFixture
) -> None:
    code = "def simple_attention(Q, K, V):\n    return {} + {}"
    for wrong, opened in (("scores", False), ("Q @ K", True)):
        told = [card(code.format(wrong, number), capsys, "simple_attention") for number in (1, 2)][-1]
        assert ("Hint 1: the shapes" in told) == opened


def test_each_try_opens_one_hint_more(home: Path, capsys: pytest.CaptureFixture) -> None:
    code = (
        "def weighted_sum(weights, vectors):\n    return weights @ np.array([[v[0]] for v in vectors]) * {}"
    )
    told = [card(code.format(number), capsys, "weighted_sum").count("Hint ") for number in range(1, 4)]
    assert told == [0, 1, 2]


def test_an_answer_that_does_not_end_is_stepped_through(
    home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.student.checking.SECONDS", 0.2)
    code = "def softmax(x, axis=-1):\n    x = np.asarray(x)\n    while True:\n        x = x + {}"
    told = [card(code.format(number), capsys) for number in (1, 2, 3)]
    assert all(
        re.search("stopped after (0.2 seconds of computing|1.2 seconds) in the line", one) for one in told
    )
    assert "more turns, then the last one:" in told[2]


def test_the_first_step_that_the_lesson_names_and_that_differs_is_pointed_at(
    home: Path, capsys: pytest.CaptureFixture
) -> None:
    code = (
        "def dot_product_lookup(queries, keys, values):\n    n = {}\n    scores = queries @ keys.T{}\n"
        "    weights = np.exp(scores - scores.max(1, keepdims=True))\n"
        "    return weights / weights.sum({}, keepdims=True) @ values"
    )
    unscaled, wrong_axis = ("", 1), (" / np.sqrt(keys.shape[1])", 0)
    for end, told in ((unscaled, True), (wrong_axis, False)):
        third = [card(code.format(n, *end), capsys, "dot_product_lookup") for n in (1, 2, 3)][-1]
        assert "Your code line by line" in third
        assert ("    scores = queries @ keys.T   " in third) == told
        assert ("◀ in the lesson scores is [[" in third) == told


@pytest.fixture(scope="module")
def for_self_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked kit for self-study."""
    folder = tmp_path_factory.mktemp("self-study")
    main(["kit", "--self-study", "--to", str(folder / "kit.zip")])
    with ZipFile(folder / "kit.zip") as file:
        file.extractall(folder)
    return folder / kit.kit_folder(COURSE) / "autograder" / "course"


@pytest.fixture
def alone(for_self_study: Path, home: Path) -> Iterator[visible.Visible]:
    """The course of who studies alone."""
    course = visible.shown_half(for_self_study, for_self_study / "data")
    with visible.using(course):
        yield course


def cards(code: str, capsys: pytest.CaptureFixture, tries: int, exercise: str = "softmax") -> list[str]:
    """The texts of the checks of so many wrong answers; they differ in a number."""
    return [card(code.format(number / 10), capsys, exercise) for number in range(1, tries + 1)]


def judged(code: str, capsys: pytest.CaptureFixture, call: Callable[[Check, dict[str, Any]], None]) -> str:
    namespace = {"np": np, "__name__": "__main__"}
    exec(code, namespace)
    call(Check(), namespace)
    return capsys.readouterr().out


def test_the_fifth_try_opens_the_answer_with_a_twin_to_earn_it(
    alone: visible.Visible, capsys: pytest.CaptureFixture
) -> None:
    told = cards(WRONG, capsys, 5)
    assert "The answer of this course" not in told[3]
    assert "return powers / powers.sum(axis=axis, keepdims=True)" in told[4]
    assert "The shares are proportional to `2**x`, not to `e**x`." in told[4]
    twin = (
        "def softmax_twin(x, axis=-1):\n    x = np.asarray(x)\n"
        "    e = np.{}(x - x.max(axis=axis, keepdims=True))\n    return e / e.sum(axis=axis, keepdims=True)"
    )

    def of(power: str) -> str:
        return judged(twin.format(power), capsys, lambda check, names: check.twin(names["softmax_twin"]))

    assert of("exp2").startswith("✓ softmax_twin")
    assert "Looks like: the answer before the change" in of("exp")


@pytest.mark.parametrize(
    ("exercise", "name", "wrong", "told"),
    [
        ("predict_lost_weight", "weights_left", 2.5, "The next cell shows that: run it."),
        ("find_the_slip", "faulty_line", 2000, "faulty_line = 2"),
    ],
)
def test_of_a_prediction_the_fifth_try_shows_where_the_truth_is(
    exercise: str,
    name: str,
    wrong: float,
    told: str,
    alone: visible.Visible,
    capsys: pytest.CaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = Check()
    monkeypatch.setattr(checking, "_notebook", lambda: names)
    for number in range(1, 6):
        names = {name: wrong + number}
        capsys.readouterr()
        check(exercise)
        said = capsys.readouterr().out
        assert (told in said) == (number == 5)


def test_with_damaged_files_the_verdict_comes_all_the_same(
    alone: visible.Visible, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    root = tmp_path / "damaged"
    shutil.copytree(alone.root, root)
    for file in (*root.rglob("answers.json"), *root.rglob(visible.HINTS)):
        file.write_text('{"softmax": "no base64"', encoding="utf-8")
    (root / "opened" / "01_weighted_sums" / "twins.json").write_text("[")
    with visible.using(visible.shown_half(root, root / "data")):
        told = cards(WRONG, capsys, 5)
        assert told[4].startswith("✗ softmax")
        assert "Hint" not in told[4]
        with pytest.raises(CourseError, match="there is no exercise called 'softmax_twin' here"):
            judged("def softmax_twin(x): ...", capsys, lambda check, names: check.twin(names["softmax_twin"]))
    for file in root.rglob("answers.json"):
        file.write_text(json.dumps({"softmax": packed(["no answer"])}))
    again = root.rename(tmp_path / "again")
    with visible.using(visible.shown_half(again, again / "data")):
        assert card(WRONG.format(3), capsys).startswith("✗ softmax")


@pytest.mark.parametrize("lesson", lessons(), ids=lambda one: one.id)
def test_a_twin_wants_another_answer_than_its_exercise(lesson: Lesson) -> None:
    known = keys.load_twins(lesson.course.visible, lesson.id)
    assert known.keys() == {f"{one.id}_twin" for one in lesson.exercises if one.twin}
    for exercise in (one for one in lesson.exercises if one.twin):
        assert exercise.twin is not None
        key = known[f"{exercise.id}_twin"]
        right = reference.changed(lesson, exercise, exercise.twin.answer, "its twin")
        before = reference.namespace(lesson)
        for names, state in ((right, State.RIGHT), (before, State.WRONG)):
            asked = probe.Question(key.exercise, (), key.cases)
            with visible.using(lesson.course.visible):
                answers = probe.ask_all(asked, {**before, key.exercise: names[exercise.id]})
            verdict = ladder.best(key, answers)
            assert verdict.state is state, key.exercise
            assert bool(verdict.looks_like) == (state is State.WRONG), key.exercise


def test_where_several_answers_are_right_a_twin_takes_each(home: Path, capsys: pytest.CaptureFixture) -> None:
    code = "def copy_left_twin(n):\n    return 300 * np.eye(n), np.eye(n)[:, [{}]]"

    def told(order: str) -> str:
        return judged(code.format(order), capsys, lambda check, names: check.twin(names["copy_left_twin"]))

    assert told("*range(1, n), n - 1").startswith("✓ copy_left_twin")
    assert told("0, *range(n - 1)").startswith("✗ copy_left_twin")


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
    settings.write_text(re.sub(r"^(hint|step_through|box) = true$", r"\1 = false", on, flags=re.MULTILINE))
    assert settings.read_text() != on
    course = open_course(root)
    kit.write_kit(course, tmp_path / "kit.zip")
    with ZipFile(tmp_path / "kit.zip") as file:
        names = file.namelist()
    assert not [
        name
        for name in names
        if name.endswith((visible.HINTS, visible.BOXES)) or f"/{visible.OPENED}/" in name
    ]
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
        CourseError,
        match=rf"\[help\] wants true or false for hint, step_through, answer, box, not {line[:4]}",
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
        now = reopen(tmp_path / "weather").lessons[0]
        return json.loads(build.hints(now))[now.exercises[0].id]

    fold = "<details><summary>"
    assert [one["parts"] for one in hints(fold)] == [[]]
    with pytest.raises(CourseError, match="is one of several: say with data-part which part it is for"):
        hints(f"{fold}One</summary>a</details>\n#\n# {fold}")
    assert hints(folds[0]) == []
    with pytest.raises(CourseError, match="is for 'no such part', but no part begins so"):
        hints(folds[2])
    assert hints(f'<details data-part="{titles[0]}"><summary>')[0]["parts"] == titles[:1]
