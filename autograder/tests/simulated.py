"""A simulated class of any size: what made-up students hand in, drawn from the corpus of right and wrong answers.

The same seed gives the same class. A student's ability, and which misunderstandings they lean to, stay the same
from lesson to lesson.
"""

from __future__ import annotations

import functools
import math
import random
import sys
from pathlib import Path

from autograder.answers import corpus
from autograder.answers.corpus import Answer
from autograder.classroom.hand_out import hand_out
from autograder.courses import Lesson, open_course
from autograder.demo import samples
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Exercise

Given = dict[str, Answer | None]
"""A student's answers by exercise, in the lesson's order; None where the TODO was left as it is."""

UNTOUCHED, STOPPED, DAMAGED = 0.04, 0.12, 0.03
"""The shares of students who start nothing, who stop on the way, and whose file breaks on its way here."""

SKIPPED, UNLISTED = 0.1, 0.2
"""Of the exercises that a student fails, the shares left as a TODO, and failed in a way that no list foresaw."""

ABILITY_MEAN, ABILITY_SPREAD, LOGISTIC_SLOPE = 0.7, 1.0, 1.5
LEANING_SPREAD = 1.2
_WRITTEN = "It depends on what is asked, and on what there is to choose from."


def simulated_class(lesson: Lesson, students: int, seed: int) -> dict[str, Given]:
    """The answers of `students` students, `student_001` first, to the exercises of a lesson."""
    return {name: _given(lesson, name, seed) for name in names(students)}


def damaged(lesson: Lesson, student: str, seed: int) -> bool:
    """Whether the file that this student hands in is broken."""
    return _dice(seed, student, lesson.id, "file").random() < DAMAGED


def hand_in_class(lesson: Lesson, release: Path, submitted: Path, students: int, seed: int) -> list[str]:
    """Write the class's notebooks, filled into the released one, to `submitted/<student>/<lesson>/`.

    The students come back. Who answers the last exercise also answers what is asked in writing.
    """
    blank = release.read_text(encoding="utf-8")
    drawn = simulated_class(lesson, students, seed)
    for student, given in drawn.items():
        cells = {exercise: answer.code for exercise, answer in given.items() if answer}
        if not given or next(reversed(given)) in cells:
            cells |= dict.fromkeys(lesson.names("written"), _WRITTEN)
        content = samples.filled(blank, cells).encode()
        if damaged(lesson, student, seed):
            content = content[: len(content) // 2]
        samples.put_file(submitted, student, lesson.id, release.name, content)
    return list(drawn)


def simulate_class(lesson: Lesson, students: int, seed: int, folder: Path) -> None:
    """Hand a lesson out in `folder` and hand in the notebooks of a simulated class there.

    Raises `CourseError` where other submissions of it lie there.
    """
    submitted = folder / "submitted"
    others = {path.parent.name for path in submitted.glob(f"*/{lesson.id}")} - set(names(students))
    if others:
        raise CourseError(
            f"{submitted} already holds submissions of {lesson.id}, {min(others)}'s among them: "
            "choose another folder"
        )
    hand_in_class(lesson, hand_out(lesson, folder), submitted, students, seed)
    print(f"{students} simulated submissions of {lesson.id} lie in {submitted}")


def main(lesson: str, students: str, folder: str, seed: str = "1") -> None:
    """Run `python -m autograder.tests.simulated LESSON STUDENTS FOLDER [SEED]` in a course's folder."""
    try:
        simulate_class(open_course(".").lesson(lesson), int(students), int(seed), Path(folder).resolve())
    except CourseError as error:
        sys.exit(f"✗ {error}")


def names(students: int) -> list[str]:
    return [f"student_{number:03d}" for number in range(1, students + 1)]


def _given(lesson: Lesson, student: str, seed: int) -> Given:
    dice = _dice(seed, student, lesson.id)
    exercises = lesson.exercises
    fate, reached = dice.random(), len(exercises)
    if fate < UNTOUCHED:
        reached = 0
    elif fate < UNTOUCHED + STOPPED:
        reached = dice.randrange(1, max(2, len(exercises)))
    given = {one.id: _answer(dice, lesson, one, student, seed) for one in exercises[:reached]}
    return {one.id: given.get(one.id) for one in exercises}


def _answer(
    dice: random.Random, lesson: Lesson, exercise: Exercise, student: str, seed: int
) -> Answer | None:
    right, mistakes, unlisted = _answers(lesson, exercise.id)
    ability = _dice(seed, student, "ability").gauss(ABILITY_MEAN, ABILITY_SPREAD)
    if dice.random() < _chance(ability, exercise):
        return dice.choice(right)
    if dice.random() < SKIPPED:
        return None
    if unlisted and dice.random() < UNLISTED:
        return dice.choice(unlisted)
    names = list(mistakes)
    return dice.choice(mistakes[dice.choices(names, [_leaning(seed, student, name) for name in names])[0]])


def _leaning(seed: int, student: str, misconception: str) -> float:
    """How readily they fall for a misconception: some are widespread in the whole class."""
    common = _dice(seed, misconception).lognormvariate(0, LEANING_SPREAD)
    return common * _dice(seed, student, misconception).lognormvariate(0, LEANING_SPREAD)


@functools.cache
def _answers(lesson: Lesson, exercise: str) -> tuple[list[Answer], dict[str, list[Answer]], list[Answer]]:
    """The corpus's right answers to an exercise, the mistaken ones by misconception, and those of no list.

    Raises `CourseError` where there are none of the first or the second kind.
    """
    answers = corpus.answers_to(lesson, exercise)
    mistakes: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.misconception:
            mistakes.setdefault(answer.misconception, []).append(answer)
    right = [answer for answer in answers if answer.right]
    if not (right and mistakes):
        raise CourseError(
            f"{exercise}: no right or no mistaken answers are written: `{lesson.course.command} inspect`"
        )
    return right, mistakes, [answer for answer in answers if not (answer.right or answer.misconception)]


def _chance(ability: float, exercise: Exercise) -> float:
    """That an answer is right, by a logistic model of ability and difficulty; more parts are harder.

    Birnbaum's two-parameter model, in: Lord & Novick, Statistical Theories of Mental Test Scores (1968), ch. 17.
    """
    difficulty = (len(exercise.criteria) - 5) / 3
    return 1 / (1 + math.exp(-LOGISTIC_SLOPE * (ability - difficulty)))


def _dice(*seeds: int | str) -> random.Random:
    """Random numbers that depend on `seeds` alone: a text seeds alike in every process."""
    return random.Random("\0".join(map(str, seeds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
