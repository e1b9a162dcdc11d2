"""What a right answer opens: its box, which nobody else can read."""

from __future__ import annotations

import json
import re
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograder.author import boxes as making
from autograder.author.corpus import answers
from autograder.courses import open_course
from autograder.judge import reference
from autograder.student import boxes, keys, visible
from autograder.tests import boxes as before_boxes
from autograder.tests.answering import card
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


def known() -> list[tuple[Any, Any, Any]]:
    """The visible inputs of `softmax`, the axis, and the right results, as the kit holds them."""
    key = keys.load(COURSE.visible, FIRST).keys["softmax"]
    return [
        (case.args[0], case.kwargs.get("axis", -1), seen.value) for case, seen in zip(key.cases, key.expected)
    ]


def test_a_right_answer_opens_its_box(home: Path, capsys: pytest.CaptureFixture) -> None:
    told = card(RIGHT, capsys)
    assert told.startswith("✓ softmax")
    titles = re.findall(r"^  (\S.*)$", told.split("Grading tries more inputs.\n")[1], re.MULTILINE)
    first, *ways, one, other, asked, answered = titles
    assert first == "Your answer opens its box: the course's own answer"
    assert len(ways) == 3
    assert all(way.startswith("Another way: ") for way in ways)
    assert [one[:12], other[:12]] == ["Near miss 1:", "Near miss 2:"]
    assert asked.startswith("What if: Every number is doubled")
    assert answered == "To check what you said"
    assert "Say what you expect before you look at what is below." in told
    assert re.search(r"\n\n +# prints\n.*\n +\[0.016 0.117 0.867\]", told)
    assert "axis argument ignored" in told.split(answered)[1]


def test_in_a_notebook_all_of_it_is_folded(home: Path, capsys: pytest.CaptureFixture) -> None:
    shell = InteractiveShell.instance()
    shown: list[dict[str, str]] = []
    try:
        shell.display_pub.publish = lambda data, *args, **kwargs: shown.append(data)
        card(RIGHT, capsys)
    finally:
        InteractiveShell.clear_instance()
    [html] = [data["text/html"] for data in shown]
    assert html.count("<details>") == 8
    assert "<details open>" not in html
    assert "<pre>def softmax(x, axis=-1):" in html


def test_who_knows_only_the_visible_results_is_told_kindly(home: Path, capsys: pytest.CaptureFixture) -> None:
    told = card(VISIBLE_ONLY, capsys, KNOWN=known())
    right = card(RIGHT, capsys)
    verdict, _, added = told.partition("  One more input differs\n")
    assert verdict == right[: len(verdict)]
    assert "that verdict stays" in added
    everything = told + "".join(path.read_text() for path in home.rglob("*") if path.is_file())
    assert found_in({"what was told and kept": everything}, corpus_lines()) == []


SUMS, ATTENTION = "def batched_sums(weights, values):\n    ", "def simple_attention(Q, K, V):\n    "
SHARES = "\n    e = np.exp(scores - scores.max(1, keepdims=True))\n    return e / e.sum(1, keepdims=True) @ V"
ONE_LINE = "`return np.einsum('bqk,bkd->bqd', weights, values)`"
SCORES = "`scores = Q @ K.T / np.sqrt(K.shape[-1])`"


@pytest.mark.parametrize(
    ("code", "word"),
    [
        (SUMS + "return np.array([w @ v for w, v in zip(weights, values)])", ("`weights`", ONE_LINE)),
        (SUMS + "w = weights.copy()\n    return [w[i] @ values[i] for i in range(len(w))]", ("`values`", ONE_LINE)),
        (ATTENTION + "scores = np.array([K @ q for q in Q]) / np.sqrt(Q.shape[1])" + SHARES, ("`Q`", SCORES)),
        (SUMS + "w = weights.copy()\n    return w @ values", ("`weights.copy()`", "`weights`")),
        (ATTENTION + "scores = (K @ Q.T).T / np.sqrt(Q.shape[1])" + SHARES, ("`(K @ Q.T).T`", "`Q @ K.T`")),
        (ATTENTION + "scores = np.einsum('id,jd->ji', Q, K).T / np.sqrt(Q.shape[1])" + SHARES,
            ("`np.einsum('id,jd->ji', Q, K).T`", "`np.einsum('id,jd->ij', Q, K)`")),
    ],
)  # fmt: skip
def test_at_most_one_word_says_what_was_seen_in_a_right_answer(
    code: str, word: tuple[str, str], home: Path, capsys: pytest.CaptureFixture
) -> None:
    told = card(code, capsys, re.findall(r"\w+", code)[1])
    lines = told.partition("  A word on your answer\n")[2].partition("  Your answer opens")[0].splitlines()
    assert max(map(len, lines)) <= 90
    said = " ".join(map(str.strip, lines))
    assert said.startswith("Right as it stands. ")
    assert re.findall("`.*?`", said) == [*word]
    assert told.count("A word on") == told.count("Right as it stands") == 1
    assert told.index("A word on") < told.index("opens its box")


@pytest.mark.parametrize(
    "code",
    [
        RIGHT,
        SUMS + "return weights @ values",
        SUMS + "w = weights.copy()\n    w *= 2\n    return w @ values / 2",
        "def roll(kept, width):\n    if width < 1:\n        raise ValueError\n    keys, values = kept\n"
        "    return keys[:, -width:].clone(), values[:, -width:].clone()",
        "def pad_rows(vectors):\n    n = max(len(v) for v in vectors)\n"
        "    return np.array([[*v] + [0] * (n - len(v)) for v in vectors])",
    ],
)
def test_where_nothing_is_worth_a_word_none_is_said(
    code: str, home: Path, capsys: pytest.CaptureFixture
) -> None:
    import_module("torch")  # as a lesson's first cell does: a check's seconds are not for that
    told = card(code, capsys, re.findall(r"def (\w+)", code)[0])
    assert "opens its box" in told
    assert "A word on" not in told


def in_another_course(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what students get of the first lesson, which this process is in; its file of boxes."""
    root = home / "course"
    for folder in ("shown", f"{FIRST}/shown"):
        shutil.copytree(COURSE.solutions / folder, root / "solutions" / folder)
    shutil.copy(COURSE.solutions / "course.toml", root / "solutions")
    monkeypatch.setenv(visible.FOLDER, str(root))
    return root / "solutions" / FIRST / "shown" / visible.BOXES


@pytest.mark.parametrize(
    "how", ["cut off", "no JSON object", "a letter changed", "another lesson's", "not text"]
)
def test_the_verdict_comes_whatever_became_of_the_boxes(
    how: str, home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = in_another_course(home, monkeypatch)
    text = path.read_text()
    entries = json.loads(text)
    entries["softmax"]["sealed"] = "A" + entries["softmax"]["sealed"][1:][::-1]
    spoilt = {
        "cut off": text[: len(text) // 2].encode(),
        "no JSON object": b"[1, 2]",
        "a letter changed": json.dumps(entries).encode(),
        "another lesson's": json.dumps({"softmax": json.loads(text)["pad_rows"]}).encode(),
        "not text": b"\xff\xfe\x00",
    }
    path.write_bytes(spoilt[how])
    told = card(RIGHT, capsys)
    assert told.startswith("✓ softmax")
    assert "Its box cannot be read" in told
    path.unlink()
    assert card(RIGHT, capsys).endswith("Grading tries more inputs.\n")


def test_without_cryptography_a_line_says_what_to_install(
    home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    told = card(RIGHT, capsys)
    assert told.startswith("✓ softmax")
    assert told.endswith("      To open it: pip install cryptography\n")


def test_an_answer_that_does_not_end_on_more_inputs_is_stopped(
    home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes, "OPENED_WITHIN", 0.2)
    endless = VISIBLE_ONLY.replace(
        "    return", "    while not any(np.array_equal(x, z) for z, a, y in KNOWN): pass\n    return"
    )
    assert "One more input takes too long" in card(endless, capsys, KNOWN=known())


@pytest.mark.parametrize(("lesson", "exercise"), BOXED)
def test_every_function_and_module_has_a_box_with_something_in_it(lesson: str, exercise: str) -> None:
    box = before_boxes.box_of(lesson, exercise)
    assert box is not None
    names = reference.namespace(find_lesson(lesson))
    with visible.using(COURSE.visible):
        seen = boxes.results_on(box.inputs, exercise, names)
    titles = [title.partition(":")[0] for title, _, _ in box.opened_by(seen)["sections"]]
    ways = titles.count("Another way")
    right = [one for one in answers(find_lesson(lesson)) if one.exercise == exercise and one.right]
    assert min(2, len(right)) <= ways + (lesson == "05_additive_vs_dot_product") <= 4
    assert titles[-4:] == ["Near miss 1", "Near miss 2", "What if", "To check what you said"]
    too_near = [asked for asked, one in zip(box.inputs, seen, strict=True) if not making.clear(asked, one)]
    assert not too_near, "a number lies less than ten tolerances from where it is rounded to another one"


@pytest.mark.parametrize(
    ("lesson", "exercise"),
    [
        (FIRST, "pad_rows"),
        ("05_additive_vs_dot_product", "masked_softmax"),
        ("07_tiny_transformer", "TransformerBlock"),
    ],
)
def test_right_answers_of_all_forms_open_it_and_wrong_ones_do_not(lesson: str, exercise: str) -> None:
    """Of all exercises: `python -m autograder.tests.boxes`."""
    own = [one for one in answers(find_lesson(lesson)) if one.exercise == exercise]
    few = [one for one in own if one.right] + [one for one in own if not one.right][::4]
    count = before_boxes.counted(lesson, exercise, few)
    assert count.right >= 3
    assert count.wrong >= 3
    assert count.good, str(count)


def test_a_mistake_in_an_earlier_exercise_locks_no_right_answer_out() -> None:
    lesson = find_lesson("02_toy_tensors")
    exercise = lesson.exercise("self_attention")
    unseen = [*making.beside_mistakes(lesson, exercise)]
    assert unseen, "choose an exercise whose visible cases do not tell all mistakes of an earlier one"
    box = before_boxes.box_of(lesson.id, exercise.id)
    assert box is not None
    assert all(before_boxes.opens(box, exercise.id, names) for names in unseen)


def test_a_build_makes_the_box_of_a_changed_source_anew_and_leaves_the_others_as_they_are(
    tmp_path: Path,
) -> None:
    stored = COURSE.visible.boxes(FIRST).read_text(encoding="utf-8")
    root = tmp_path / "course"
    shutil.copytree(
        COURSE.solutions, root / "solutions", ignore=shutil.ignore_patterns("__pycache__", "0[2-9]_*")
    )
    (root / "data").symlink_to(COURSE.root / "data")
    answer = root / "solutions" / FIRST / "pad_rows_answers.py"
    answer.write_text(answer.read_text().replace(' buys="the standard library pads', ' buys="It pads'))
    made = json.loads(making.boxes(open_course(root).lesson(FIRST)))
    changed = [name for name, entry in json.loads(stored).items() if made[name] != entry]
    assert changed == ["pad_rows"]
