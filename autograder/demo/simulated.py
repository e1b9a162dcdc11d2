"""A simulated class of any size: what made-up students hand in, drawn from the corpus of right and wrong answers.

The same seed gives the same class. A student's ability, and which misunderstandings they lean to, stay the same
from lesson to lesson.
"""

from __future__ import annotations

import functools
import math
import random
from dataclasses import dataclass
from pathlib import Path

from autograder.author import corpus
from autograder.author.corpus import Answer
from autograder.author.course import Lesson
from autograder.author.release import link_solutions, release
from autograder.demo import samples
from autograder.model.errors import CourseError
from autograder.model.exercise import Exercise

Given = dict[str, Answer | None]
"""A student's answers by exercise, in the lesson's order; None where the TODO was left as it is."""

UNTOUCHED, STOPPED, DAMAGED = 0.04, 0.12, 0.03
"""The shares of students who start nothing, who stop on the way, and whose file breaks on its way here."""

SKIPPED, UNLISTED = 0.1, 0.2
"""Of the exercises that a student fails, the shares left as a TODO, and failed in a way that no list foresaw."""

ABILITY_MEAN, ABILITY_SPREAD, LOGISTIC_SLOPE = 0.7, 1.0, 1.5
LEANING_SPREAD = 1.2
WRITTEN = "It depends on what is asked, and on what there is to choose from."


def simulated_class(lesson: Lesson, students: int, seed: int) -> dict[str, Given]:
    """The answers of `students` students, `student_001` first, to the exercises of a lesson."""
    return {name: _given(lesson, _Student(name, seed)) for name in names(students)}


def damaged(lesson: Lesson, student: str, seed: int) -> bool:
    """Whether the file that this student hands in is broken."""
    return _dice(seed, student, lesson.id, "file").random() < DAMAGED


def hand_in_class(lesson: Lesson, release: Path, submitted: Path, students: int, seed: int) -> list[str]:
    """Write the class's notebooks to `submitted/<student>/<lesson>/`; the students come back.

    release: the released notebook that they are filled into.
    """
    blank = release.read_text(encoding="utf-8")
    drawn = simulated_class(lesson, students, seed)
    for student, given in drawn.items():
        content = samples.filled(blank, _cells(lesson, given)).encode()
        if damaged(lesson, student, seed):
            content = content[: len(content) // 2]
        samples.write(submitted, student, lesson.id, release.name, content)
    return list(drawn)


def main(lesson: Lesson, students: int, seed: int, folder: Path) -> None:
    """Release a lesson in `folder` and hand in the notebooks of a simulated class there."""
    _refuse_to_mix(lesson, students, folder)
    folder.mkdir(parents=True, exist_ok=True)
    link_solutions(lesson.course, folder)
    hand_in_class(lesson, release(lesson, folder), folder / "submitted", students, seed)
    print(f"{students} simulated submissions of {lesson.id} lie in {folder / 'submitted'}")


def _refuse_to_mix(lesson: Lesson, students: int, folder: Path) -> None:
    if students < 1:
        raise CourseError(f"a class of {students} students cannot be simulated: ask for at least one")
    others = {path.parent.name for path in folder.glob(f"submitted/*/{lesson.id}")} - set(names(students))
    if others:
        raise CourseError(
            f"{folder / 'submitted'} already holds submissions of {lesson.id}, {min(others)}'s among them: "
            "choose another --folder"
        )


def names(students: int) -> list[str]:
    return [f"student_{number:03d}" for number in range(1, students + 1)]


@dataclass(frozen=True)
class _Student:
    name: str
    seed: int

    @functools.cached_property
    def ability(self) -> float:
        return _dice(self.seed, self.name, "ability").gauss(ABILITY_MEAN, ABILITY_SPREAD)

    def leaning(self, misconception: str) -> float:
        """How readily they fall for a misconception: some are widespread in the whole class."""
        common = _dice(self.seed, misconception).lognormvariate(0, LEANING_SPREAD)
        return common * _dice(self.seed, self.name, misconception).lognormvariate(0, LEANING_SPREAD)


def _given(lesson: Lesson, student: _Student) -> Given:
    dice = _dice(student.seed, student.name, lesson.id)
    exercises = lesson.exercises
    reached = _reached(dice, len(exercises))
    given = {exercise.id: _answer(dice, lesson, exercise, student) for exercise in exercises[:reached]}
    return {exercise.id: given.get(exercise.id) for exercise in exercises}


def _reached(dice: random.Random, exercises: int) -> int:
    """How many exercises of a lesson a student gets to."""
    fate = dice.random()
    if fate < UNTOUCHED:
        return 0
    if fate < UNTOUCHED + STOPPED:
        return dice.randrange(1, exercises)
    return exercises


def _answer(dice: random.Random, lesson: Lesson, exercise: Exercise, student: _Student) -> Answer | None:
    right, mistakes, unlisted = _answers(lesson, exercise.id)
    if dice.random() < _chance(student.ability, exercise):
        return dice.choice(right)
    if dice.random() < SKIPPED:
        return None
    if dice.random() < UNLISTED:
        return dice.choice(unlisted)
    names = list(mistakes)
    name = dice.choices(names, [student.leaning(name) for name in names])[0]
    return dice.choice(mistakes[name])


@functools.cache
def _answers(lesson: Lesson, exercise: str) -> tuple[list[Answer], dict[str, list[Answer]], list[Answer]]:
    """The corpus's right answers to an exercise, the mistaken ones by misconception, and those of no list."""
    answers = [answer for answer in corpus.answers(lesson) if answer.exercise == exercise]
    mistakes: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.misconception:
            mistakes.setdefault(answer.misconception, []).append(answer)
    right = [answer for answer in answers if answer.right]
    return right, mistakes, [answer for answer in answers if not (answer.right or answer.misconception)]


def _chance(ability: float, exercise: Exercise) -> float:
    """That an answer is right, by a logistic model of ability and difficulty; more parts are harder.

    Birnbaum's two-parameter model, in: Lord & Novick, Statistical Theories of Mental Test Scores (1968), ch. 17.
    """
    difficulty = (len(exercise.parts) - 5) / 3
    return 1 / (1 + math.exp(-LOGISTIC_SLOPE * (ability - difficulty)))


def _dice(*seeds: int | str) -> random.Random:
    """Random numbers that depend on `seeds` alone: a text seeds alike in every process."""
    return random.Random("\0".join(map(str, seeds)))


def _cells(lesson: Lesson, given: Given) -> dict[str, str]:
    """The cells' texts by grade id; who answers the last exercise also answers what is asked in writing."""
    cells = {exercise: answer.code for exercise, answer in given.items() if answer}
    last = next(reversed(given))
    written = lesson.names("written") if last in cells else []
    return {**cells, **dict.fromkeys(written, WRITTEN)}
