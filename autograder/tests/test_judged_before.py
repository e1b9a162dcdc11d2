"""What was judged before is not judged again in the same clone, unless it or the judging has changed."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.author.corpus import answers
from autograder.nbgrader_plugin import fingerprint
from autograder.tests import judged_before, mutants, outcomes
from autograder.tests.this_course import find_lesson

LESSON, EXERCISE = "01_weighted_sums", "predict_lost_weight"
ANSWERS = tuple(answer for answer in answers(find_lesson(LESSON)) if answer.exercise == EXERCISE)


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The styles of the answers that were judged, in a clone in which nothing was before."""
    monkeypatch.setattr(judged_before, "FOLDER", tmp_path / "judged")
    judged, of = list[str](), outcomes.judged
    monkeypatch.setattr(outcomes, "judged", lambda lesson, one: judged.append(one.style) or of(lesson, one))
    return judged


def found() -> tuple[outcomes.Outcome, ...]:
    """As in a new process."""
    judged_before.judging.cache_clear()
    return outcomes.of_corpus.__wrapped__(LESSON, EXERCISE)


def test_a_second_run_judges_nothing(judged: list[str]) -> None:
    first = found()
    assert judged == [answer.style for answer in ANSWERS]
    assert found() == first
    assert len(judged) == len(ANSWERS)


def test_a_changed_answer_alone_is_judged_again(judged: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found()
    changed = (replace(ANSWERS[0], code=f"{ANSWERS[0].code}\n"), *ANSWERS[1:])
    monkeypatch.setattr(outcomes, "answers", lambda lesson: changed)
    assert [one.answer for one in found()] == [*changed]
    assert judged[len(ANSWERS) :] == [ANSWERS[0].style]


@pytest.mark.parametrize("part", ["lesson", "data", "grader", "libraries"])
def test_all_are_judged_again_by_another_judge(
    judged: list[str], monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """What these parts hold, and that a changed file is another one, is tested where grading uses them."""
    found()
    now = {**fingerprint.of_judging(find_lesson(LESSON)), part: "another"}
    monkeypatch.setattr(fingerprint, "of_judging", lambda lesson: now)
    found()
    assert len(judged) == 2 * len(ANSWERS)


def test_all_are_judged_again_where_they_may_cross_others(
    judged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found()
    monkeypatch.setattr(judged_before, "crosses", lambda lesson, exercise: {"a mistake": ("a part",)})
    found()
    assert len(judged) == 2 * len(ANSWERS)


def test_all_are_judged_again_by_other_tests(judged: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found()
    monkeypatch.setattr(judged_before, "OWN", judged_before.OWN[1:])
    found()
    assert len(judged) == 2 * len(ANSWERS)


@pytest.mark.parametrize("spoil", [b"", b"neither", b"\x80\x04cos\nnothing\n."])
def test_what_cannot_be_read_is_judged_again(judged: list[str], spoil: bytes) -> None:
    first = found()
    (path,) = judged_before.FOLDER.iterdir()
    path.write_bytes(spoil)
    assert found() == first
    assert len(judged) == 2 * len(ANSWERS)


def test_a_run_that_is_killed_while_it_writes_spoils_nothing(
    judged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = found()
    with monkeypatch.context() as patched:
        patched.setattr(outcomes, "answers", lambda lesson: [replace(ANSWERS[0], style="another")])
        patched.setattr(os, "replace", lambda *_: exec("raise KeyboardInterrupt"))
        with pytest.raises(KeyboardInterrupt):
            found()
    assert found() == first
    assert judged == [*(answer.style for answer in ANSWERS), "another"]


def test_several_at_once_keep_whole_files(judged: list[str]) -> None:
    def some(number: int) -> tuple[str, ...]:
        asked = ANSWERS[number % 4 :]
        return judged_before.judged("answers", LESSON, EXERCISE, asked, lambda one: one.style)

    with ThreadPoolExecutor(8) as several:
        found = [*several.map(some, range(80))]
    assert found == [tuple(one.style for one in ANSWERS[number % 4 :]) for number in range(80)]


def test_mutants_are_kept_as_well(judged: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    tried = mutants.trials.__wrapped__(LESSON, EXERCISE)
    monkeypatch.setattr(mutants, "_survives", lambda *_: pytest.fail("tried again"))
    assert mutants.trials.__wrapped__(LESSON, EXERCISE) == tried
