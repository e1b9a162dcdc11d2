"""Whom a box lets in: every answer of the corpus, and every wrong one that the judge has, before every box.

`python -m autograder.tests.boxes` prints, for each exercise and in all, how many right answers open its box and how
many wrong ones do not. Right ones are tried as they stand and with their work in a helper: with the inputs in the
precision that they have, all in single precision, and with every number that comes back moved by most of its tolerance;
and all of it again on the other processors that this one can pass for. It exits with 1 where a right answer stays out
or a wrong one gets in. `--here` leaves the other processors out, and says what went wrong and the sum.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from cryptography.fernet import InvalidToken

from autograder import judge
from autograder.author.boxes import arrays_changed, single
from autograder.author.corpus import Answer, answers
from autograder.judge import reference
from autograder.model.exercise import Observation
from autograder.model.verdict import State
from autograder.student import boxes, probe, visible
from autograder.student.boxes import Box, KeyInput
from autograder.tests import forms, outcomes, processors
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, lessons

Change = Callable[[Any], Any]


@functools.cache
def box_of(lesson: str, exercise: str) -> Box | None:
    key = judge.visible_key(find_lesson(lesson), exercise)
    return boxes.stored_box(COURSE.visible, lesson, key)


def names_with(lesson: str, exercise: str, code: str) -> dict[str, Any]:
    """A notebook in which an exercise has this answer."""
    names = outcomes.notebook(lesson, find_exercise(lesson, exercise))
    exec(compile(code, exercise, "exec"), names)
    return names


def opens(
    box: Box, exercise: str, names: dict[str, Any], in_single: bool = False, all_moved: bool = False
) -> bool:
    """Whether an answer opens a box. in_single: the arrays go in so; all_moved: what comes out is moved."""
    inputs = box.inputs
    if in_single:
        inputs = tuple(
            dataclasses.replace(asked, case=arrays_changed(asked.case, single)) for asked in inputs
        )
    with visible.using(COURSE.visible):
        came = boxes.results_on(inputs, exercise, names)
        if all_moved:
            came = tuple(_moved(asked, one) for asked, one in zip(inputs, came, strict=True))
        try:
            box.opened_by(came)
        except InvalidToken:
            return False
    return True


def _moved(asked: KeyInput, seen: Observation) -> Observation:
    """An observation with its numbers moved, but where right answers are free in them, together."""
    move = functools.partial(moved, tolerance=asked.case.tolerance)
    return seen if asked.settled else dataclasses.replace(seen, value=arrays_changed(seen.value, move))


def moved(array: np.ndarray, tolerance: float) -> np.ndarray:
    """Every number moved up or down by most of its tolerance."""
    finite = array[np.isfinite(array)]
    scale = max(1.0, float(np.abs(finite).max(initial=0.0)))
    return array + 0.9 * tolerance * scale * np.random.default_rng(0).choice([-1, 1], size=array.shape)


def visibly_right(lesson: str, exercise: str, names: dict[str, Any]) -> bool:
    """Whether the visible cases, which a check asks, find nothing wrong."""
    key = dataclasses.replace(judge.visible_key(find_lesson(lesson), exercise), mistakes=())
    with visible.using(COURSE.visible):
        asked = probe.ask_all(probe.Question(exercise, (), key.cases), names)
    return judge.judge(key, (asked,)).state is State.RIGHT


@dataclasses.dataclass
class Count:
    """Of an exercise: right answers that open, in three ways; wrong ones that a check, or the key alone, keeps out."""

    right: int = 0
    opened: int = 0
    in_single: int = 0
    when_moved: int = 0
    wrong: int = 0
    kept_out: int = 0
    without_key: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(*map(sum, zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)))

    @property
    def good(self) -> bool:
        return self.opened == self.in_single == self.when_moved == self.right and self.kept_out == self.wrong

    def __str__(self) -> str:
        return (
            f"right {self.opened}/{self.right}, float32 {self.in_single}/{self.right}, "
            f"moved {self.when_moved}/{self.right}; wrong kept out {self.kept_out}/{self.wrong}, "
            f"by the key alone {self.without_key}/{self.wrong}"
        )


def listed(lesson: str, exercise: str) -> list[tuple[str, dict[str, Any]]]:
    """The wrong answers from which the judge names an exercise's mistakes: names, and notebooks with them."""
    of = find_lesson(lesson)
    return [
        (
            f"{one.name}, {variant + 1}",
            {**reference.mistaken(of, exercise, i, variant), "__name__": "__main__"},
        )
        for i, one in enumerate(of.exercise(exercise).misconceptions)
        for variant in range(len(one.wrong))
    ]


def counted(lesson: str, exercise: str, wanted: Sequence[Answer], say: bool = False) -> Count:
    """The answers before their exercise's box; where it is said, those too from which the judge names mistakes."""
    box, count = box_of(lesson, exercise), Count()
    if box is None:
        return count
    if say:
        asked = find_exercise(lesson, exercise)
        helped = ((one, code) for one in wanted if one.right for code in forms.helped(asked, one.code, ""))
        wanted = [
            *wanted,
            *(dataclasses.replace(one, style=f"{one.style}, in a helper", code=code) for one, code in helped),
        ]
    notebooks = [(one.style, one.right, names_with(lesson, exercise, one.code)) for one in wanted]
    notebooks += [(name, False, names) for name, names in (listed(lesson, exercise) if say else ())]
    for style, right, names in notebooks:
        opened = opens(box, exercise, names)
        if right:
            ways = (
                opened,
                opens(box, exercise, names, in_single=True),
                opens(box, exercise, names, all_moved=True),
            )
            count += Count(1, *ways)
            if say and not all(ways):
                print(f"   right, but not in all ways: {style} {ways}")
        else:
            kept_out = not opened or not visibly_right(lesson, exercise, names)
            count += Count(wrong=1, kept_out=kept_out, without_key=not opened)
            if say and not kept_out:
                print(f"   wrong, but let in: {style}")
    return count


def main(here: bool) -> int:
    total, without = Count(), []
    for lesson in lessons():
        for exercise in lesson.exercises:
            if exercise.values:
                continue
            if box_of(lesson.id, exercise.id) is None:
                without.append(exercise.id)
            wanted = [answer for answer in answers(lesson) if answer.exercise == exercise.id]
            count = counted(lesson.id, exercise.id, wanted, say=True)
            if not here:
                print(f"{lesson.id} {exercise.id}: {count}", flush=True)
            total += count
    print(f"in all: {total}; no box: {', '.join(without) or 'none'}", flush=True)
    others = 0 if here else processors.as_others(__spec__.name, "--here")
    return 0 if total.good and not others else 1


if __name__ == "__main__":
    from autograder.tests import boxes as own

    sys.exit(own.main("--here" in sys.argv))
