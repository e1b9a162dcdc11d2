"""Whether the same answer gives the same points to every student, and the name that the check gives it.

`python -m autograder.tests.same_points [lesson …]` judges the corpus on the visible cases and on the hidden ones of
twenty students, prints the answers whose points or names vary, and exits with 1 when there are any.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable

from autograder.answers import trials
from autograder.answers.corpus import Answer, answers
from autograder.tests.this_course import find_lesson, lessons

STUDENTS = tuple(f"student {number}" for number in range(20))


def varying(lesson: str, answer: Answer) -> str:
    """Return what varies of what the students get for an answer, and check and grader say; empty where nothing does."""
    outcome = trials.judge_answer(find_lesson(lesson), answer, STUDENTS, alone=True)
    points = Counter(verdict.points for verdict in outcome.hidden)
    names = Counter(verdict.misconception or "nothing" for verdict in outcome.verdicts)
    said = []
    if len(points) > 1:
        rows = zip(*(verdict.lines for verdict in outcome.hidden))
        titles = [row[0].title for row in rows if len({line.passed for line in row}) > 1]
        said.append(f"{_counts(points)}: {'; '.join(titles)}")
    if len(names) > 1:
        said.append(f"named {_counts(names)}")
    return f"{lesson}  {answer.exercise}  [{answer.style}]  {'; '.join(said)}" if said else ""


def _counts(counts: Counter[int] | Counter[str]) -> str:
    return ", ".join(f"{many} get {what}" for what, many in counts.most_common())


def main(wanted: Iterable[str]) -> int:
    """Print a line for each answer of which something varies, and counts by lesson; 1 where there is one."""
    count = 0
    for lesson in [*wanted] or [lesson.id for lesson in lessons()]:
        asked = answers(find_lesson(lesson))
        lines = [line for answer in asked if (line := varying(lesson, answer))]
        total = f"{lesson}: {len(asked)} answers, {len(lines)} vary"
        print(*(f"✗ {line}" for line in lines), total, sep="\n", flush=True)
        count += len(lines)
    print(f"{len(STUDENTS)} students: what {count} answers get varies.")
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
