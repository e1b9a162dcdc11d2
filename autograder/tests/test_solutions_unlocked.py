"""What a right answer opens: its box, which nobody else can read."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from autograder.answers import locked_solutions as making
from autograder.answers.corpus import answers_to
from autograder.checks import answer_keys
from autograder.courses import open_course
from autograder.exercises import public_course
from autograder.judging import reference
from autograder.notebook import solutions_unlocked
from autograder.notebook.checker import Checker
from autograder.tests import solution_margins
from autograder.tests.leaks import corpus_lines, found_in
from autograder.tests.this_course import COURSE, find_lesson, lessons

FIRST = "01_weighted_sums"
FREE = "keep_or_redraw"
"""The exercise that has no box: what it gives is up to chance."""
BOXED = [(of.id, one.id) for of in lessons() for one in of.exercises if not one.values and one.id != FREE]
RIGHT = """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
"""
VISIBLE_ONLY = """
def softmax(x, axis=-1):
    return next((np.array(y) for z, a, y in KNOWN if a == axis and np.shape(x) == np.shape(z) and np.all(x == z)), 0)
"""
"""It knows the right results on the visible inputs, and nothing else."""
TITLES = ["A near miss", "The course's own answer", "Other ways, and a question to think about"]


def test_a_right_answer_opens_a_question_that_is_checked_then_two_folds(card, capsys) -> None:
    def told(number: int, check: Checker) -> str:
        check.answer(number)
        return capsys.readouterr().out

    check = Checker()
    verdict, _, opened = card(RIGHT, check=check).partition("Grading tries more inputs.\n")
    assert verdict.startswith("✓ softmax")
    assert re.findall(r"^  (\S.*)$", opened, re.MULTILINE) == TITLES
    assert "check.answer(n)" in opened
    choices = [*map(int, re.findall(r"^      (\d)  ", opened, re.MULTILINE))]
    replies = sorted(told(number, check) for number in choices)
    assert replies.pop(0).startswith("✓ Right: ")
    assert all(reply.startswith("✗ It passes that one. It makes this mistake: ") for reply in replies)
    assert f"a number from 1 to {len(choices)}" in told(9, check)
    assert "No question is open" in told(1, Checker())
    others = opened.split(TITLES[2])[1]
    assert others.count("Another way: ") == 3
    assert "What if: Every number is doubled" in others
    assert re.search(r"\n\n +# prints\n.*\n +\[0.016 0.117 0.867\]", others)


def test_in_a_notebook_the_question_is_open_with_buttons_and_the_rest_folded(card, published) -> None:
    card(RIGHT)
    verdict, buttons, rest = published
    folds = re.findall(r"<details( open)?><summary>(.*?)</summary>", verdict["text/html"] + rest["text/html"])
    titles = [title.replace("&#x27;", "'") for _, title in folds]
    assert titles == [*TITLES, "The answer to that"]
    assert [opened for opened, _ in folds] == [" open", "", "", ""]
    assert "<pre>def softmax(x, axis=-1):" in rest["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in buttons


def test_who_knows_only_the_visible_results_is_told_kindly(
    home: Path, card, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = answer_keys.load_keys(COURSE.visible, FIRST).keys["softmax"]
    pairs = zip(key.cases, key.expected)
    results = [(case.args[0], case.kwargs.get("axis", -1), right.value) for case, right in pairs]
    told = card(VISIBLE_ONLY, KNOWN=results)
    verdict, _, added = told.partition("  One more input differs\n")
    assert card(RIGHT).startswith(verdict)
    assert "that verdict stays" in added
    everything = told + "".join(path.read_text() for path in home.rglob("*") if path.is_file())
    assert found_in({"what was told and kept": everything}, corpus_lines()) == []

    monkeypatch.setattr(solutions_unlocked, "MAX_SECONDS", 0.2)
    endless = "    while not any(np.array_equal(x, z) for z, a, y in KNOWN): pass\n    return"
    told = card(VISIBLE_ONLY.replace("    return", endless), KNOWN=results)
    assert "One more input takes too long" in told


@pytest.mark.parametrize("how", ["cut off", "no object", "a letter changed", "another lesson's", "not text"])
def test_the_verdict_comes_whatever_became_of_the_boxes(
    how: str, home: Path, card, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = home / "course"
    for folder in (COURSE.visible.helpers, f"{FIRST}/checks", f"generated/{FIRST}"):
        shutil.copytree(COURSE.solutions / folder, root / "solutions" / folder)
    shutil.copy(COURSE.solutions / "course.toml", root / "solutions")
    monkeypatch.setenv(public_course.COURSE_VARIABLE, str(root))
    path = root / "solutions" / "generated" / FIRST / public_course.BOXES
    entries = json.loads(text := path.read_text())
    entries["softmax"]["sealed"] = "A" + entries["softmax"]["sealed"][1:][::-1]
    spoilt = {
        "cut off": text[: len(text) // 2].encode(),
        "no object": b"[1, 2]",
        "a letter changed": json.dumps(entries).encode(),
        "another lesson's": json.dumps({"softmax": entries["pad_rows"]}).encode(),
        "not text": b"\xff\xfe\x00",
    }
    path.write_bytes(spoilt[how])
    told = card(RIGHT)
    assert told.startswith("✓ softmax")
    assert "Other solutions cannot be read" in told
    path.unlink()
    assert card(RIGHT).endswith("Grading tries more inputs.\n")


def test_without_cryptography_a_line_says_what_to_install(card, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    told = card(RIGHT)
    assert told.startswith("✓ softmax")
    assert told.endswith("      To open them: pip install cryptography\n")


@pytest.mark.parametrize(("lesson", "exercise"), BOXED)
def test_every_function_and_module_has_a_box_with_something_in_it(lesson: str, exercise: str) -> None:
    content = solution_margins.content_of(lesson, exercise)
    assert [title for title, _, _ in content["sections"]] == TITLES[1:]
    others = content["sections"][1][1]
    right = [answer for answer in answers_to(find_lesson(lesson), exercise) if answer.right]
    ways = others.count("Another way: ")
    assert min(2, len(right)) <= ways + (lesson == "05_additive_vs_dot_product") <= 4
    assert "What if: " in others
    assert content["near_miss"]["choices"]
    inputs = solution_margins.box_of(lesson, exercise).inputs
    names = reference.load_namespace(find_lesson(lesson))
    with public_course.use_course(COURSE.visible):
        results = solutions_unlocked.answer_key_inputs(inputs, exercise, names)
    for key_input, result in zip(inputs, results, strict=True):
        message = "a number lies less than ten tolerances from where it is rounded to another one"
        assert making.is_clear_of_edges(key_input, result), message


@pytest.mark.parametrize(
    ("lesson", "exercise"),
    [
        (FIRST, "pad_rows"),
        ("05_additive_vs_dot_product", "masked_softmax"),
        ("07_tiny_transformer", "TransformerBlock"),
    ],
)
def test_right_answers_of_all_forms_open_it_and_wrong_ones_do_not(lesson: str, exercise: str) -> None:
    """Of all exercises: `python -m autograder.tests.solution_margins`."""
    corpus = answers_to(find_lesson(lesson), exercise)
    right, wrong = ([answer for answer in corpus if answer.right is state] for state in (True, False))
    few = [*right, *wrong[::4]]
    count = solution_margins.counted(lesson, exercise, solution_margins.notebooks(lesson, exercise, few))
    assert min(count["right"], count["wrong"]) >= 3
    assert solution_margins.good(count), count


def test_a_mistake_in_an_earlier_exercise_locks_no_right_answer_out() -> None:
    lesson = find_lesson("02_toy_tensors")
    exercise = lesson.exercise("self_attention")
    with public_course.use_course(COURSE.visible):
        unseen = [*making.namespaces_with_mistakes(lesson, exercise)]
    assert unseen, "choose an exercise whose visible cases do not tell all mistakes of an earlier one"
    box = solution_margins.box_of(lesson.id, exercise.id)
    assert all(solution_margins.opens(box, exercise.id, names) for names in unseen)


def test_a_build_makes_the_box_of_a_changed_source_anew_and_leaves_the_others_as_they_are(
    tmp_path: Path,
) -> None:
    stored = json.loads(COURSE.visible.other_solutions(FIRST).read_text(encoding="utf-8"))
    root = tmp_path / "course"
    shutil.copytree(
        COURSE.solutions, root / "solutions", ignore=shutil.ignore_patterns("__pycache__", "0[2-9]_*")
    )
    (root / "data").symlink_to(COURSE.root / "data")
    answer = root / "solutions" / FIRST / "answers" / "pad_rows.py"
    answer.write_text(answer.read_text().replace(' buys="the standard library pads', ' buys="It pads'))
    made = json.loads(making.locked_solutions(open_course(root).lesson(FIRST)))
    assert [name for name, entry in made.items() if stored[name] != entry] == ["pad_rows"]
