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


Counts = dict[str, Count]
"""Counts by column of the table: right answers, mistakes listed or not, mutants, and what verdicts say falsely."""


def counts(found: Sequence[JudgedAnswer], twice_wrong: Sequence[JudgedAnswer], killed: Count) -> Counts:
    """The counts of an exercise's answers, those with two mistakes, and its mutants. What is false should be 0."""
    right = [one for one in found if one.answer.right]
    listed = [one for one in found if one.answer.misconception]
    unlisted = [one for one in found if not one.answer.right and not one.answer.misconception]
    wrong = [*listed, *unlisted, *twice_wrong]
    return {
        "right accepted": _count(right, "accepted"),
        "listed refused": _count(listed, "refused"),
        "named visible": _count(listed, "named_visible"),
        "named hidden": _count(listed, "named_hidden"),
        "others refused": _count(unlisted, "refused"),
        "mutants refused": killed,
        "false names": _count(wrong, "falsely_named"),
        "false crosses": _count(wrong, "false_crosses"),
        "false greens, listed": _count(listed, "falsely_green"),
        "false greens, others": _count(unlisted, "falsely_green"),
    }


def _count(answers: Sequence[JudgedAnswer], what: str) -> Count:
    return Count(sum(bool(getattr(one, what)) for one in answers), len(answers))


def killed(lesson: str, exercise: str) -> Count:
    """Of the mutants of a reference that are not equivalent to it, how many are refused."""
    survived = mutants.survived(lesson, exercise)
    unequal = survived.keys() - mutants.SURVIVORS.keys()
    return Count(sum(not survives for survives in survived.values()), len(unequal))


def rows() -> Iterator[tuple[str, str, Counts]]:
    """Yield lesson, exercise and counts, for every exercise in order."""
    for lesson in lessons():
        for name in lesson.names("test"):
            answers = trials.judge_corpus(lesson, name), pairs.judged(lesson.id, name)
            yield lesson.id, name, counts(*answers, killed(lesson.id, name))


def totals(counted: Iterable[Counts]) -> Counts:
    """The sums, column by column."""
    each = [*counted]
    return {column: sum((one[column] for one in each), Count()) for column in each[0]}


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
    total = totals(counted for _, _, counted in rows())
    named = [total["named visible"], total["named hidden"]]
    refused = [count for column, count in total.items() if column.endswith(("accepted", "refused"))]
    others = total["false greens, others"]
    return (
        all(count.good == count.all for count in refused)
        and all(count.good >= NAMED_AT_LEAST * count.all for count in named)
        and total["false names"].good <= FALSELY_NAMED_AT_MOST * total["false names"].all
        and total["false crosses"].good == total["false greens, listed"].good == 0
        and others.good <= FALSELY_GREEN_AT_MOST * others.all
    )


def page() -> str:
    """Return the counts as a page of the documentation: a row for each lesson, and a line where one is not perfect."""
    counted = [*rows()]
    sums = totals(numbers for _, _, numbers in counted)
    lines = [_line("lesson", *sums), _line("---", *("--:" for _ in sums))]
    for lesson, group in groupby(counted, key=lambda row: row[0]):
        of_lesson = totals(numbers for _, _, numbers in group)
        lines.append(_line(lesson[:2], *map(str, of_lesson.values())))
    lines.append(_line("**all**", *(f"**{number}**" for number in sums.values())))
    wrong = sums["listed refused"].all + sums["others refused"].all
    return TEMPLATE.read_text(encoding="utf-8").format(
        answers=sums["right accepted"].all + wrong,
        right=sums["right accepted"].all,
        wrong=wrong,
        listed=sums["listed refused"].all,
        students=len(trials.STUDENTS),
        mutants=sums["mutants refused"].all,
        pairs=sums["false names"].all - wrong,
        equivalent=len(mutants.SURVIVORS),
        table="\n".join(lines),
        exceptions="\n".join(_exceptions(counted)),
    )


def _exceptions(counted: Iterable[tuple[str, str, Counts]]) -> Iterator[str]:
    """Yield a line for each exercise and count that is not perfect."""
    yield "Exercises where a count is not perfect:\n"
    for lesson, exercise, numbers in counted:
        for column, number in numbers.items():
            if number.good != (0 if column.startswith("false") else number.all):
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
