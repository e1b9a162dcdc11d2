"""What a check adds where an answer stays wrong: nothing, then hints, then the answer's own steps."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

import autograder
from autograder.authoring import build
from autograder.calls import runner
from autograder.checks import answer_keys, scoring
from autograder.commands.cli import main
from autograder.courses import Lesson, open_course
from autograder.distribution import kit
from autograder.exercises import public_course
from autograder.exercises.errors import CourseError
from autograder.exercises.hidden_values import packed
from autograder.exercises.verdict import State
from autograder.judging import reference
from autograder.notebook import attempt_log, checker
from autograder.notebook.checker import Checker
from autograder.tests.commands import reopen
from autograder.tests.this_course import COURSE, lessons
from autograder.views import display, figures

FIRST = "01_weighted_sums"
WRONG = (
    "def softmax(x, axis=-1):\n    n = {}\n    e = np.exp(x)\n    weights = e / e.sum()\n    return weights"
)
RIGHT = (
    "def softmax(x, axis=-1):\n    x = np.asarray(x)\n    e = np.exp(x - x.max(axis, keepdims=True))\n"
    "    return e / e.sum(axis, keepdims=True)"
)
LOOKUP = (
    "def dot_product_lookup(queries, keys, values):\n    n = {}\n    scores = queries @ keys.T{}\n"
    "    weights = np.exp(scores - scores.max(1, keepdims=True))\n"
    "    return weights / weights.sum({}, keepdims=True) @ values"
)
TWIN = (
    "def softmax_twin(x, axis=-1):\n    x = np.asarray(x)\n"
    "    e = np.{}(x - x.max(axis=axis, keepdims=True))\n    return e / e.sum(axis=axis, keepdims=True)"
)
STEPS = "Your code line by line, on the case of the verdict: "


Attempt = Callable[..., list[str]]


@pytest.fixture
def attempt(card) -> Attempt:
    """A function: what a check says of an answer, written with each of these numbers."""

    def attempt(code: str, *numbers: object, **options: object) -> list[str]:
        return [card(code.format(number), **options) for number in numbers]

    return attempt


def test_each_other_wrong_answer_is_told_more(attempt: Attempt) -> None:
    first, again, second, third = attempt(WRONG, 1.0, 1.0, 1.1, 1.2)
    assert "Hint" not in first
    assert again.startswith(first.rstrip())
    assert "\n  The same answer as before\n" in again
    assert "\n  Hint 1: one total for each row\n      Make `x` an array first." in second
    assert STEPS not in second
    assert "Hint 1: one total for each row" in third
    assert STEPS in third
    assert "    weights = e / e.sum()                     weights = [[" in third
    assert "◀ in the lesson weights is [[0.173 0.54 0.288]" in third
    assert re.search(r"\n +values differ\n +got\n +\[\[0\.028.*\n( +\[.*\n)* +expected\n +\[\[0\.173", third)


@pytest.mark.parametrize("where", [display.VALIDATING, figures.STATIC, display.TESTING])
def test_where_nobody_learns_nothing_of_it_shows_and_no_try_is_counted(
    where: str, attempt: Attempt, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = attempt(WRONG, 1.0, 1.1)[0]
    monkeypatch.setenv(where, "1")
    assert attempt(WRONG, 1.0, 1.2) == [first, first]
    assert attempt_log.count_attempts(FIRST, "softmax") == 2
    assert attempt_log.last_states(FIRST) == {"softmax": "wrong"}
    Checker().answer(1)
    Checker().twin("softmax_twin")
    autograder.practice()
    autograder.practice.answer(1)
    assert not capsys.readouterr().out


def test_a_hint_fits_what_fails_and_each_try_opens_one_more(attempt: Attempt) -> None:
    body = "    e = np.exp(np.asarray(x){})\n    return e / e.sum(axis=axis, keepdims=True)"
    overflow = attempt(f"def softmax(x, axis=-1):\n{body}", "", " + 0.0")[1]
    assert "Hint 3: one maximum for each row" in overflow
    assert "Hint 1" not in overflow
    for wrong, about_shapes in (("scores", False), ("Q @ K", True)):
        code = f"def simple_attention(Q, K, V):\n    return {wrong} + {{}}"
        assert ("Hint 1: the shapes" in attempt(code, 1, 2, exercise="simple_attention")[1]) == about_shapes
    body = "    return weights @ np.array([[v[0]] for v in vectors]) * {}"
    tries = attempt(f"def weighted_sum(weights, vectors):\n{body}", 1, 2, 3, exercise="weighted_sum")
    assert [text.count("Hint ") for text in tries] == [0, 1, 2]


@pytest.mark.parametrize(
    ("scale", "axis", "differs"), [("", 1, True), (" / np.sqrt(keys.shape[1])", 0, False)]
)
def test_the_first_step_that_the_lesson_names_and_that_differs_is_pointed_at(
    scale: str, axis: int, differs: bool, attempt: Attempt
) -> None:
    code = LOOKUP.format("{}", scale, axis)
    third = attempt(code, 1, 2, 3, exercise="dot_product_lookup")[2]
    assert "Your code line by line" in third
    assert ("    scores = queries @ keys.T   " in third) == differs
    assert ("◀ in the lesson scores is [[" in third) == differs


def test_where_answers_are_free_nobody_is_told_another_s(attempt: Attempt) -> None:
    """What the lesson makes is one of many right answers, and would give the exercise away."""
    code = "def find_ming(word):\n    query = key = [{}, 0]\n    return query, key"
    steps = attempt(code, 0, 1, 2, exercise="find_ming")[2].split(STEPS)[1]
    assert "expected" not in steps
    assert "in the lesson" not in steps


# --- the answer and its twin ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def self_study_kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked kit for self-study."""
    folder = tmp_path_factory.mktemp("self-study")
    main(["kit", "--self-study", "--to", str(folder / "kit.zip")])
    with ZipFile(folder / "kit.zip") as file:
        file.extractall(folder)
    return folder / kit.kit_folder(COURSE) / "autograder" / "course"


@pytest.fixture
def alone(self_study_kit: Path, home: Path) -> Iterator[public_course.PublicCourse]:
    """The course in a kit for self-study."""
    course = public_course.open_public_course(self_study_kit, self_study_kit / "data")
    with public_course.use_course(course):
        yield course


def test_the_fifth_try_opens_the_answer_with_a_twin_to_earn_it(
    alone: public_course.PublicCourse, attempt: Attempt
) -> None:
    *_, fourth, fifth = attempt(WRONG, *range(5))
    assert "The answer of this course" not in fourth
    assert "return powers / powers.sum(axis=axis, keepdims=True)" in fifth
    assert "The shares are proportional to `2**x`, not to `e**x`." in fifth
    right, unchanged = attempt(TWIN, "exp2", "exp", exercise="softmax_twin", check=Checker().twin)
    assert right.startswith("✓ softmax_twin")
    assert "Looks like: the answer before the change" in unchanged


@pytest.mark.parametrize(
    ("exercise", "name", "told"),
    [
        ("predict_lost_weight", "weights_left", "The next cell shows that: run it."),
        ("find_the_slip", "faulty_line", "faulty_line = 2"),
    ],
)
@pytest.mark.usefixtures("alone")
def test_of_a_prediction_the_fifth_try_shows_where_the_truth_is(
    exercise: str, name: str, told: str, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = dict[str, int]()
    monkeypatch.setattr(checker, "_notebook", lambda: names)
    for number in range(1, 6):
        names[name] = 2000 + number
        Checker()(exercise)
        assert (told in capsys.readouterr().out) == (number == 5)


def test_with_damaged_files_the_verdict_comes_all_the_same(
    alone: public_course.PublicCourse, attempt: Attempt, tmp_path: Path
) -> None:
    for folder, content in (("text", '{"softmax": "no base64"'), ("json", f'{{"softmax": "{packed([1])}"}}')):
        root = tmp_path / folder
        shutil.copytree(alone.root, root)
        for file in (*root.rglob("answers.json"), *root.rglob(public_course.HINTS)):
            file.write_text(content, encoding="utf-8")
        (root / "generated" / FIRST / "twins.json").write_text("[")
        with public_course.use_course(public_course.open_public_course(root, root / "data")):
            last = attempt(WRONG, *range(5))[-1]
            assert last.startswith("✗ softmax")
            assert "Hint" not in last
            with pytest.raises(CourseError, match="there is no exercise called 'softmax_twin' here"):
                attempt(TWIN, "exp2", exercise="softmax_twin", check=Checker().twin)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_a_twin_wants_another_answer_than_its_exercise(lesson: Lesson) -> None:
    twins = answer_keys.load_variants(lesson.course.visible, lesson.id)
    assert twins.keys() == {f"{exercise.id}_twin" for exercise in lesson.exercises if exercise.variant}
    before = reference.load_namespace(lesson)
    for exercise in [exercise for exercise in lesson.exercises if exercise.variant]:
        key = twins[f"{exercise.id}_twin"]
        right = reference.change_reference(lesson, exercise, exercise.variant.answer, "its twin")
        for names, state in ((right, State.RIGHT), (before, State.WRONG)):
            with public_course.use_course(lesson.course.visible):
                answers = runner.ask_all(
                    runner.Question(key.exercise, (), key.cases), {**before, key.exercise: names[exercise.id]}
                )
            verdict = scoring.judge_best(key, answers)
            assert verdict.state is state, key.exercise
            assert bool(verdict.looks_like) == (state is State.WRONG), key.exercise


def test_where_several_answers_are_right_a_twin_takes_each(attempt: Attempt) -> None:
    code = "def copy_left_twin(n):\n    return 300 * np.eye(n), np.eye(n)[:, [{}]]"
    orders = "*range(1, n), n - 1", "0, *range(n - 1)"
    right, wrong = attempt(code, *orders, exercise="copy_left_twin", check=Checker().twin)
    assert right.startswith("✓ copy_left_twin")
    assert wrong.startswith("✗ copy_left_twin")


# --- what a course sets --------------------------------------------------------------------------------------


def test_what_is_off_is_not_shown_and_its_content_not_in_the_kit(home: Path, attempt: Attempt) -> None:
    root, ignored = home / "course", shutil.ignore_patterns("__pycache__", ".*")
    for folder in ("solutions", "data", "course"):
        shutil.copytree(COURSE.root / folder, root / folder, ignore=ignored)
    settings = root / "solutions" / "course.toml"
    on = settings.read_text(encoding="utf-8")
    settings.write_text(re.sub(r"^(hint|step_through|box) = true$", r"\1 = false", on, flags=re.MULTILINE))
    assert settings.read_text() != on
    course = open_course(root)
    kit.write_kit(course, home / "kit.zip")
    spared = (public_course.HINTS, public_course.BOXES, *public_course.HELP_FILES["answer"])
    with ZipFile(home / "kit.zip") as file:
        assert not [name for name in file.namelist() if name.endswith(spared)]
    assert course.visible.hints(FIRST).is_file()
    with public_course.use_course(course.visible):
        first, *others = attempt(WRONG, 1, 2, 3)
        [right] = attempt(RIGHT, "")
    assert others == [first, first]
    assert right.endswith("Visible checks pass. Grading tries more inputs.\n")


@pytest.mark.parametrize("line", ["hint = 3", "hnt = true"])
def test_a_switch_that_is_none_is_told(line: str, tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(f"[help]\n{line}\n")
    told = rf"\[help\] takes true or false for hint, step_through, answer, box, not {line[:4]}"
    with pytest.raises(CourseError, match=told):
        _ = public_course.PublicCourse(tmp_path, tmp_path).enabled_help


def test_a_hint_is_for_parts_that_there_are(tmp_path: Path) -> None:
    main(["new-course", str(tmp_path / "weather")])
    lesson = open_course(tmp_path / "weather").lessons[0]
    text = lesson.source.read_text(encoding="utf-8")
    title = lesson.exercises[0].criteria[0].title
    fold, named = "<details><summary>", '<details data-part="{}"><summary>'

    def parts(instead: str) -> list[list[str]]:
        lesson.source.write_text(text.replace(fold, instead, 1), encoding="utf-8")
        now = reopen(tmp_path / "weather").lessons[0]
        return [hint["parts"] for hint in json.loads(build.hints(now))[now.exercises[0].id]]

    assert parts(fold) == [[]]
    assert parts(named.format("never")) == []
    assert parts(named.format(title)) == [[title]]
    with pytest.raises(CourseError, match="is one of several: say with data-part which part it is for"):
        parts(f"{fold}One</summary>a</details>\n#\n# {fold}")
    with pytest.raises(CourseError, match="is for 'no such part', but no part begins so"):
        parts(named.format("no such part"))
