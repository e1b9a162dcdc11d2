"""How far the judge can be trusted: every answer of the corpus and every mutant of a reference, judged.

`python -m autograder.tests.validity` writes docs/validity.md, with a table per exercise, prints each failure, and
exits with 1 when a right answer is refused, a wrong one gets full points, too few mistakes are named, or a verdict says
what is not so.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from autograder.tests import mutants, outcomes
from autograder.tests.outcomes import Outcome
from autograder.tests.this_course import ROOT, lessons

NAMED_AT_LEAST = 0.98
FALSELY_NAMED_AT_MOST = 0.01
FALSELY_GREEN_AT_MOST = 0.02
"""Of the answers that no row lists; of listed mistakes, none may be green."""

PAGE = ROOT / "docs" / "validity.md"


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
    "wrong refused",
    "named visible",
    "named hidden",
    "unlisted refused",
    "mutants refused",
    "false names",
    "false crosses",
    "false greens, listed",
    "false greens, others",
)
"""What is counted for each exercise. A wrong answer is a listed mistake; those of no row are counted apart."""


def counts(found: Sequence[Outcome], twice_wrong: Sequence[Outcome], killed: Count) -> tuple[Count, ...]:
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
    counted = outcomes.of_corpus, outcomes.of_pairs, killed
    return [
        (lesson.id, exercise.id, counts(*(of(lesson.id, exercise.id) for of in counted)))
        for lesson in lessons()
        for exercise in lesson.exercises
    ]


def totals(counted: Iterable[tuple[Count, ...]]) -> tuple[Count, ...]:
    """The sums, column by column."""
    return tuple(sum(column, Count()) for column in zip(*counted, strict=True))


def complaints() -> list[str]:
    """Every failure in a line: lesson, exercise, style and what the judge did wrong."""
    found = [
        f"{one.lesson}  {one.answer.exercise}  [{one.answer.style}]  {one.complaint}"
        for lesson in lessons()
        for exercise in lesson.exercises
        for one in (*outcomes.of_corpus(lesson.id, exercise.id), *_misjudged_pairs(lesson.id, exercise.id))
        if one.complaint
    ]
    return found + mutants.complaints()


def _misjudged_pairs(lesson: str, exercise: str) -> list[Outcome]:
    """Two mistakes may make up for each other; what is said of them must be true."""
    return [one for one in outcomes.of_pairs(lesson, exercise) if one.falsely_named or one.false_crosses]


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
    """Return the counts as a page of the documentation."""
    counted = rows()
    lines = [_line("exercise", *COLUMNS), _line("---", *("--:" for _ in COLUMNS))]
    for lesson, group in groupby(counted, key=lambda row: row[0]):
        lines.append(_line(f"**{lesson}**", *("" for _ in COLUMNS)))
        lines += [_line(f"`{exercise}`", *map(str, numbers)) for _, exercise, numbers in group]
    sums = totals(numbers for _, _, numbers in counted)
    lines.append(_line("**in all**", *(f"**{number}**" for number in sums)))
    wrong = sums[1].all + sums[4].all
    return TEMPLATE.format(
        answers=sums[0].all + wrong,
        right=sums[0].all,
        wrong=wrong,
        listed=sums[1].all,
        students=len(outcomes.STUDENTS),
        mutants=sums[5].all,
        pairs=sums[6].all - wrong,
        equivalent=len(mutants.SURVIVORS),
        table="\n".join(lines),
    )


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


TEMPLATE = """# Can the judge be trusted?

    make validity

judges {answers} answers, written out as students write them and independently of the judge's own wrong answers,
and writes this page. {right} of them are right, in many styles; {wrong} are wrong:
{listed} make a mistake that the course lists, one or more for each way to its name, the others one that no list
foresaw. Each is put to the visible cases, and to the hidden ones that a student would be graded with; a right one, to
those of {students} students. The answers lie in `solutions/<lesson>/<exercise>_answers.py`.

Besides, every reference solution is changed in one small place at a time: an operator or a constant, an axis, a
statement or an argument dropped or swapped. Such a mutant has to be refused on hidden cases. {equivalent} more
mutants behave like the reference on every legal input; `solutions/equivalent_mutants.toml` says of each why.

{table}

- **right accepted**: full points, on visible and hidden cases alike.
- **wrong refused**: less than full points on the hidden cases, for listed mistakes.
- **named visible, named hidden**: the verdict names the mistake by its name in the list.
- **unlisted refused**: less than full points, for mistakes that no list foresaw.
- **mutants refused**: less than full points, for changed references.
- **false names**: verdicts that give a name that is not true of the answer; over all wrong answers, listed or not, and
  over {pairs} more that are references with two of the listed mistakes at once.
- **false crosses**: verdicts with a ✗ on a line that nothing of what came back can have shown to fail, over the same;
  or, for listed mistakes, on one that the corpus does not say they break, unless numbers were seen to overflow there
  alone.
- **false greens**: wrong answers that all visible cases accept, and hidden ones refuse.

The command fails when a right answer is refused, when a wrong answer or a mutant gets full points, when fewer than
98 % of the listed mistakes are named, on visible or on hidden cases, when more than 1 % of the names are false, when
one cross is false, or when a listed mistake, or more than 2 % of the others, is green on the visible cases.

## Limits

- The answers were written by the people who wrote the course, not gathered in a class. A style or a mistake that
  nobody thought of is not counted here; add it to the corpus when a student shows it to you.
- A mistake counts as refused when it costs at least one point, not when it costs what a teacher would take off.
- An answer with two mistakes is named after one of them, or not at all.
- Values are compared with a tolerance that lets float32 pass; a slip smaller than about 1e-4 of the largest entry
  passes as well.
- The hidden cases are drawn anew for each student. `python -m autograder.tests.same_points` sees that every answer
  gets the same in twenty draws; that it does in all is not proved.
- Here the answers run in the judge's own process. That a notebook of a student's is sealed off, and how, is tested
  elsewhere.
"""


def main() -> int:
    PAGE.write_text(page(), encoding="utf-8")
    for complaint in complaints():
        print(f"✗ {complaint}")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0 if trusted() and not mutants.complaints() else 1


if __name__ == "__main__":
    sys.exit(main())
