"""How far the judge can be trusted: every answer of the corpus and every mutant of a reference, judged.

`python -m autograder.tests.validity` writes docs/validity.md, with a row per lesson, prints each failure, and
exits with 1 when a right answer is refused, a wrong one gets full points, too few mistakes are named, or a verdict says
what is not so.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from autograder.answers import trials
from autograder.answers.trials import JudgedAnswer
from autograder.courses import Lesson
from autograder.tests import mutants, pairs
from autograder.tests.this_course import ROOT, lessons

NAMED_AT_LEAST = 0.98
FALSELY_NAMED_AT_MOST = 0.01
FALSELY_GREEN_AT_MOST = 0.02
"""Of the answers that no row lists; of listed mistakes, none may be green."""

PAGE = ROOT / "docs" / "validity.md"
TEMPLATE = Path(__file__).with_suffix(".txt")


@dataclass(frozen=True)
class Count:
    """How many of how many."""

    good: int = 0
    all: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.good + other.good, self.all + other.all)

    def __str__(self) -> str:
        return f"{self.good}/{self.all}" if self.all else "–"


COLUMNS = (
    "right accepted",
    "listed refused",
    "named visible",
    "named hidden",
    "others refused",
    "mutants refused",
    "false names",
    "false crosses",
    "false greens, listed",
    "false greens, others",
)
"""What is counted: right answers, listed mistakes, mistakes of no list, mutants, and what verdicts say falsely."""

FALSE = [column for column in COLUMNS if column.startswith("false")]
"""What should be 0."""


def counts(
    found: Sequence[JudgedAnswer], twice_wrong: Sequence[JudgedAnswer], killed: Count
) -> tuple[Count, ...]:
    """The counts of an exercise's answers, those with two mistakes, and its mutants, in the order of `COLUMNS`."""
    right = [one for one in found if one.answer.right]
    listed = [one for one in found if one.answer.misconception]
    unlisted = [one for one in found if not one.answer.right and not one.answer.misconception]
    wrong = [*listed, *unlisted, *twice_wrong]
    return (
        Count(sum(one.accepted for one in right), len(right)),
        Count(sum(one.refused for one in listed), len(listed)),
        Count(sum(one.named_visible for one in listed), len(listed)),
        Count(sum(one.named_hidden for one in listed), len(listed)),
        Count(sum(one.refused for one in unlisted), len(unlisted)),
        killed,
        Count(sum(one.falsely_named for one in wrong), len(wrong)),
        Count(sum(bool(one.false_crosses) for one in wrong), len(wrong)),
        Count(sum(one.falsely_green for one in listed), len(listed)),
        Count(sum(one.falsely_green for one in unlisted), len(unlisted)),
    )


def killed(lesson: str, exercise: str) -> Count:
    """Of the mutants of a reference that are not equivalent to it, how many are refused."""
    trials = mutants.trials(lesson, exercise)
    return Count(sum(not trial.survived for trial in trials), sum(not trial.explained for trial in trials))


def rows() -> list[tuple[str, str, tuple[Count, ...]]]:
    """Lesson, exercise and counts, for every exercise in order."""
    return [(lesson.id, name, _row(lesson, name)) for lesson in lessons() for name in lesson.names("test")]


def _row(lesson: Lesson, exercise: str) -> tuple[Count, ...]:
    twice_wrong = pairs.judged(lesson.id, exercise)
    return counts(trials.judge_corpus(lesson, exercise), twice_wrong, killed(lesson.id, exercise))


def totals(counted: Iterable[tuple[Count, ...]]) -> tuple[Count, ...]:
    """The sums, column by column."""
    return tuple(sum(column, Count()) for column in zip(*counted, strict=True))


def complaints() -> list[str]:
    """Every failure in a line: lesson, exercise, style and what the judge did wrong."""
    found = [
        f"{one.lesson}  {one.answer.exercise}  [{one.answer.style}]  {one.complaint}"
        for lesson in lessons()
        for exercise in lesson.exercises
        for one in (*trials.judge_corpus(lesson, exercise.id), *_misjudged_pairs(lesson.id, exercise.id))
        if one.complaint
    ]
    return found + mutants.complaints()


def _misjudged_pairs(lesson: str, exercise: str) -> list[JudgedAnswer]:
    """Two mistakes may make up for each other; what is said of them must be true."""
    return [one for one in pairs.judged(lesson, exercise) if one.falsely_named or one.false_crosses]


def trusted() -> bool:
    """Whether all goals are reached."""
    right, wrong, visible, hidden, unlisted, mutant, names, crosses, green, others = totals(
        counted for _, _, counted in rows()
    )
    return (
        all(count.good == count.all for count in (right, wrong, unlisted, mutant))
        and all(count.good >= NAMED_AT_LEAST * count.all for count in (visible, hidden))
        and names.good <= FALSELY_NAMED_AT_MOST * names.all
        and crosses.good == green.good == 0
        and others.good <= FALSELY_GREEN_AT_MOST * others.all
    )


def page() -> str:
    """Return the counts as a page of the documentation: a row for each lesson, and a line where one is not perfect."""
    counted = rows()
    lines = [_line("lesson", *COLUMNS), _line("---", *("--:" for _ in COLUMNS))]
    for lesson, group in groupby(counted, key=lambda row: row[0]):
        lines.append(_line(lesson[:2], *map(str, totals(numbers for _, _, numbers in group))))
    sums = totals(numbers for _, _, numbers in counted)
    lines.append(_line("**all**", *(f"**{number}**" for number in sums)))
    wrong = sums[1].all + sums[4].all
    return TEMPLATE.read_text(encoding="utf-8").format(
        answers=sums[0].all + wrong,
        right=sums[0].all,
        wrong=wrong,
        listed=sums[1].all,
        students=len(trials.STUDENTS),
        mutants=sums[5].all,
        pairs=sums[6].all - wrong,
        equivalent=len(mutants.SURVIVORS),
        table="\n".join(lines),
        exceptions="\n".join(_exceptions(counted)),
    )


def _exceptions(counted: Iterable[tuple[str, str, tuple[Count, ...]]]) -> Iterator[str]:
    """Yield a line for each exercise and count that is not perfect."""
    yield "Exercises where a count is not perfect:\n"
    for lesson, exercise, numbers in counted:
        for column, number in zip(COLUMNS, numbers, strict=True):
            if number.good != (0 if column in FALSE else number.all):
                yield f"- `{exercise}` of lesson {lesson[:2]}, {column}: {number}"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> int:
    PAGE.write_text(page(), encoding="utf-8")
    for complaint in complaints():
        print(f"✗ {complaint}")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0 if trusted() and not mutants.complaints() else 1


if __name__ == "__main__":
    sys.exit(main())
