"""Whether the same wrong answer gives the same points to every student.

`python -m autograder.tests.same_points [lesson …]` judges the corpus under the hidden cases of thirty students, prints
the answers whose points vary, and exits with 1 when there are any.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections import Counter
from collections.abc import Iterable, Sequence

from autograder import judge
from autograder.author.corpus import Answer, answers
from autograder.model.exercise import Key
from autograder.model.verdict import Line, Verdict
from autograder.tests.this_course import find_exercise, find_lesson, lessons
from autograder.tests.validity import notebook

STUDENTS = tuple(f"student {number}" for number in range(30))


@functools.cache
def key_of(lesson: str, exercise: str, student: str) -> Key:
    """A student's hidden key, by which mistakes are not named: that costs most, and no points."""
    return dataclasses.replace(judge.hidden_key(find_lesson(lesson), exercise, student), mistakes=())


def verdicts(lesson: str, answer: Answer) -> list[Verdict]:
    """The verdicts that the students get for an answer."""
    names = notebook(lesson, find_exercise(lesson, answer.exercise))
    exec(compile(answer.code, f"{answer.exercise}: {answer.style}", "exec"), names)
    keys = [key_of(lesson, answer.exercise, student) for student in STUDENTS]
    return [judge.verdict(find_lesson(lesson), key, names) for key in keys]


def varying(lesson: str, answer: Answer) -> str:
    """How many of the students get how many points for an answer, and which lines vary; empty where none do."""
    found = verdicts(lesson, answer)
    points = Counter(verdict.points for verdict in found)
    if len(points) == 1:
        return ""
    titles = [lines[0].title for lines in zip(*(verdict.lines for verdict in found)) if _vary(lines)]
    said = ", ".join(f"{many} get {worth}" for worth, many in sorted(points.items()))
    return f"{lesson}  {answer.exercise}  [{answer.style}]  {said}: {'; '.join(titles)}"


def _vary(lines: Sequence[Line]) -> bool:
    return len({line.passed for line in lines}) > 1


def main(wanted: Iterable[str]) -> int:
    """Print a line for each answer whose points vary, and a count; 1 where there is one."""
    ids = [*wanted] or [lesson.id for lesson in lessons()]
    asked = [(lesson, answer) for lesson in ids for answer in answers(find_lesson(lesson))]
    count = 0
    for lesson, answer in asked:
        if said := varying(lesson, answer):
            count += 1
            print(f"✗ {said}", flush=True)
    print(f"{len(asked)} answers, {len(STUDENTS)} students: the points of {count} vary.")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
