"""Counts of right and wrong answers that unlock other solutions, over the whole corpus.

`python -m autograder.tests.solution_margins` prints, for each exercise and in all, how many right answers unlock the
solutions, with double and with single precision, and how many wrong ones do not, also on the other processors that this
one can pass for. It exits with 1 where a right answer fails to unlock them or a wrong one does. `--here` leaves the
other processors out, and prints failures and the sum.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from cryptography.fernet import InvalidToken

from autograder.answers import trials
from autograder.answers.corpus import Answer, answers
from autograder.answers.locked_solutions import in_single_precision
from autograder.calls import runner
from autograder.exercises import public_course
from autograder.exercises.verdict import State
from autograder.judging import judge, reference
from autograder.notebook import solutions_unlocked
from autograder.notebook.solutions_unlocked import LockedSolutions
from autograder.tests import processors
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, lessons

COUNTED = "right", "opened", "in_single", "wrong", "kept_out", "by_key"
"""Right answers, and those that open, also in single precision; wrong ones, those that stay out, by the key alone."""


def box_of(lesson: str, exercise: str) -> LockedSolutions | None:
    return solutions_unlocked.load_solutions(
        COURSE.visible, lesson, judge.visible_key(find_lesson(lesson), exercise)
    )


def content_of(lesson: str, exercise: str) -> dict[str, Any]:
    """What an exercise's box holds; nothing where there is none."""
    box, names = box_of(lesson, exercise), reference.load_namespace(find_lesson(lesson))
    if box is None:
        return {"cards": []}
    with public_course.use_course(COURSE.visible):
        return box.open_with_results(solutions_unlocked.answer_key_inputs(box.inputs, exercise, names))


def opens(box: LockedSolutions, exercise: str, names: dict[str, Any], in_single: bool = False) -> bool:
    """Whether an answer opens a box. in_single: the arrays go in so."""
    inputs = box.inputs
    if in_single:
        inputs = tuple(replace(asked, case=in_single_precision(asked.case)) for asked in inputs)
    with public_course.use_course(COURSE.visible):
        try:
            box.open_with_results(solutions_unlocked.answer_key_inputs(inputs, exercise, names))
        except InvalidToken:
            return False
    return True


def visibly_right(lesson: str, exercise: str, names: dict[str, Any]) -> bool:
    """Whether the visible cases, which a check asks, find nothing wrong."""
    key = replace(judge.visible_key(find_lesson(lesson), exercise), mistakes=())
    with public_course.use_course(COURSE.visible):
        asked = runner.ask_all(runner.Question(exercise, (), key.cases), names)
    return judge.judge(key, (asked,)).state is State.RIGHT


def listed(lesson: str, exercise: str) -> Iterator[tuple[str, bool, dict[str, Any]]]:
    """The wrong answers from which the judge names an exercise's mistakes, as `notebooks` gives answers."""
    of = find_lesson(lesson)
    for i, mistake in enumerate(of.exercise(exercise).misconceptions):
        for variant in range(len(mistake.wrong)):
            names = {**reference.load_mistaken(of, exercise, i, variant), "__name__": "__main__"}
            yield f"{mistake.name}, {variant + 1}", False, names


def notebooks(
    lesson: str, exercise: str, wanted: Iterable[Answer]
) -> Iterator[tuple[str, bool, dict[str, Any]]]:
    """Notebooks with these answers: what each is called, whether it is right, and its names."""
    for answer in wanted:
        names = trials.make_namespace(find_lesson(lesson), find_exercise(lesson, exercise))
        exec(compile(answer.code, exercise, "exec"), names)
        yield answer.style, answer.right, names


def counted(lesson: str, exercise: str, tried: Iterable[tuple[str, bool, dict[str, Any]]]) -> Counter[str]:
    """Count answers before their exercise's box, by the names in `COUNTED`, and print those that fail."""
    box, count = box_of(lesson, exercise), Counter[str](dict.fromkeys(COUNTED, 0))
    for style, right, names in tried if box else ():
        opened = opens(box, exercise, names)
        if right:
            in_single = opens(box, exercise, names, in_single=True)
            count.update(right=1, opened=opened, in_single=in_single)
            good = opened and in_single
        else:
            good = not opened or not visibly_right(lesson, exercise, names)
            count.update(wrong=1, kept_out=good, by_key=not opened)
        if not good:
            print(f"   {'right, but not let in' if right else 'wrong, but let in'}: {style}")
    return count


def good(count: Counter[str]) -> bool:
    """Whether each right answer gets in, and no wrong one."""
    return count["opened"] == count["in_single"] == count["right"] and count["kept_out"] == count["wrong"]


def main(here: bool) -> int:
    total, without = Counter[str](), []
    for lesson in lessons():
        for exercise in (one.id for one in lesson.exercises if not one.values):
            if box_of(lesson.id, exercise) is None:
                without.append(exercise)
            wanted = [answer for answer in answers(lesson) if answer.exercise == exercise]
            tried = [*notebooks(lesson.id, exercise, wanted), *listed(lesson.id, exercise)]
            count = counted(lesson.id, exercise, tried)
            if not here:
                print(f"{lesson.id} {exercise}: {dict(count)}", flush=True)
            total.update(count)
    print(f"in all: {dict(total)}; no box: {', '.join(without) or 'none'}", flush=True)
    others = 0 if here else processors.as_others(__spec__.name, "--here")
    return 0 if good(total) and not others else 1


if __name__ == "__main__":
    sys.exit(main("--here" in sys.argv))
