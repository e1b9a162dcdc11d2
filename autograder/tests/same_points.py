"""Whether the same answer gives the same points to every student, and the name that the check gives it.

`python -m autograder.tests.same_points [lesson …]` judges the corpus on the visible cases and on the hidden ones of
twenty students, prints the answers whose points or names vary, and exits with 1 when there are any.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence

from autograder.author.corpus import Answer, answers
from autograder.model.verdict import Line
from autograder.tests.outcomes import judged
from autograder.tests.this_course import find_lesson, lessons

STUDENTS = tuple(f"student {number}" for number in range(20))


def varying(lesson: str, answer: Answer) -> str:
    """What varies of what the students get for an answer, and check and grader say; empty where nothing does."""
    outcome = judged(lesson, answer, STUDENTS, hasty=True)
    points = Counter(verdict.points for verdict in outcome.hidden)
    names = Counter(verdict.misconception or "nothing" for verdict in outcome.verdicts)
    titles = [lines[0].title for lines in zip(*(one.lines for one in outcome.hidden)) if _vary(lines)]
    said = [f"{_said(points)}: {'; '.join(titles)}"] if len(points) > 1 else []
    said += [f"named {_said(names)}"] if len(names) > 1 else []
    return f"{lesson}  {answer.exercise}  [{answer.style}]  {'; '.join(said)}" if said else ""


def _said(counts: Counter[int] | Counter[str]) -> str:
    return ", ".join(f"{many} get {what}" for what, many in counts.most_common())


def _vary(lines: Sequence[Line]) -> bool:
    return len({line.passed for line in lines}) > 1


def main(wanted: Iterable[str]) -> int:
    """Print a line for each answer of which something varies, and counts by lesson; 1 where there is one."""
    count = 0
    for lesson in [*wanted] or [lesson.id for lesson in lessons()]:
        began, asked = time.monotonic(), answers(find_lesson(lesson))
        found = [said for answer in asked if (said := varying(lesson, answer))]
        print(*(f"✗ {said}" for said in found), sep="\n", end="\n" if found else "")
        minutes = (time.monotonic() - began) / 60
        print(f"{lesson}: {len(asked)} answers, {len(found)} vary, {minutes:.1f} minutes", flush=True)
        count += len(found)
    print(f"{len(STUDENTS)} students: what {count} answers get varies.")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
