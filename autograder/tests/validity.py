"""How far the judge can be trusted: every answer of the corpus and every mutant of a reference, judged.

`python -m autograder.tests.validity` prints a table per exercise and each failure, writes docs/validity.md, and
exits with 1 when a right answer is refused, a wrong one gets full points, or too few mistakes are named.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from autograder import judge
from autograder.author.corpus import Answer, answers
from autograder.judge import reference
from autograder.model.exercise import Exercise, Key
from autograder.model.verdict import Verdict
from autograder.student import probe
from autograder.tests import mutants
from autograder.tests.this_course import ROOT, find_exercise, find_lesson, lessons

STUDENTS = ("amy", "bo")
"""Whose hidden cases are used; every student's are drawn anew."""

NAMED_AT_LEAST = 0.98
PAGE = ROOT / "docs" / "validity.md"


@dataclass(frozen=True)
class Outcome:
    """What the judge made of an answer: on the visible cases, and on the hidden ones of each student."""

    lesson: str
    answer: Answer
    visible: Verdict
    hidden: tuple[Verdict, ...]

    @property
    def accepted(self) -> bool:
        """Full marks everywhere."""
        return all(verdict.state == "right" for verdict in (self.visible, *self.hidden))

    @property
    def refused(self) -> bool:
        """Not everybody's full points: what may look right on the visible cases fails on the hidden ones."""
        return all(verdict.state == "wrong" and _costs(verdict) for verdict in self.hidden)

    @property
    def named_visible(self) -> bool:
        return self.visible.misconception == self.answer.misconception

    @property
    def named_hidden(self) -> bool:
        return all(verdict.misconception == self.answer.misconception for verdict in self.hidden)

    @property
    def complaint(self) -> str:
        """What the judge did wrong, in a line; empty when it did nothing wrong."""
        if self.answer.right:
            return "" if self.accepted else f"right, but refused: {self._trouble()}"
        if not self.refused:
            return "wrong, but not refused"
        if not self.answer.misconception or (self.named_visible and self.named_hidden):
            return ""
        names = (self.visible.misconception, *(verdict.misconception for verdict in self.hidden))
        return f"{self.answer.misconception}, but named {', '.join(name or 'nothing' for name in names)}"

    def _trouble(self) -> str:
        broken = next(verdict for verdict in (self.visible, *self.hidden) if verdict.state != "right")
        failing = next((line for line in broken.lines if not line.passed), None)
        return " / ".join((*broken.problem, *((failing.title, *failing.details) if failing else ())))


def _costs(verdict: Verdict) -> bool:
    return verdict.points < verdict.max_points


@functools.cache
def keys_of(lesson: str, exercise: str) -> tuple[Key, ...]:
    """The visible key, and each student's hidden one."""
    visible = judge.visible_key(find_lesson(lesson), exercise)
    return visible, *(judge.hidden_key(find_lesson(lesson), exercise, student) for student in STUDENTS)


def notebook(lesson: str, exercise: Exercise) -> dict[str, Any]:
    """A notebook's names with all exercises answered but this one."""
    own = {exercise.id, *exercise.values}
    names = {
        name: value for name, value in reference.namespace(find_lesson(lesson)).items() if name not in own
    }
    return {**names, "__name__": "__main__"}


def judged(lesson: str, answer: Answer) -> Outcome:
    """Run the cell, put the cases to it, and judge what comes back."""
    exercise = find_exercise(lesson, answer.exercise)
    names = notebook(lesson, exercise)
    exec(compile(answer.code, f"{answer.exercise}: {answer.style}", "exec"), names)
    visible, *hidden = keys_of(lesson, answer.exercise)
    asked = [probe.ask_all(judge.question(find_lesson(lesson), key), names) for key in hidden]
    shown = _of_first_cases(asked[0][0], len(visible.cases))
    verdicts = [judge.judge(key, attempts) for key, attempts in zip(hidden, asked, strict=True)]
    return Outcome(lesson, answer, judge.judge(visible, (shown,)), tuple(verdicts))


def _of_first_cases(answered: probe.Answers, count: int) -> probe.Answers:
    """What was answered to the visible cases, which come first: a figure more is slow to draw."""
    return dataclasses.replace(answered, observations=answered.observations[:count])


@functools.cache
def outcomes(lesson: str, exercise: str) -> tuple[Outcome, ...]:
    """The judge's verdicts on all answers to an exercise."""
    return tuple(
        judged(lesson, answer) for answer in answers(find_lesson(lesson)) if answer.exercise == exercise
    )


# --- counting -------------------------------------------------------------------------------------------------


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
)
"""What is counted for each exercise. A wrong answer is a listed mistake; those of no row are counted apart."""


def counts(found: Iterable[Outcome], killed: Count) -> tuple[Count, ...]:
    """The counts of one or more exercises, in the order of `COLUMNS`."""
    found = list(found)
    right = [one for one in found if one.answer.right]
    listed = [one for one in found if one.answer.misconception]
    unlisted = [one for one in found if not one.answer.right and not one.answer.misconception]
    return (
        Count(sum(one.accepted for one in right), len(right)),
        Count(sum(one.refused for one in listed), len(listed)),
        Count(sum(one.named_visible for one in listed), len(listed)),
        Count(sum(one.named_hidden for one in listed), len(listed)),
        Count(sum(one.refused for one in unlisted), len(unlisted)),
        killed,
    )


def killed(lesson: str, exercise: str) -> Count:
    """Of the mutants of a reference that are not equivalent to it, how many are refused."""
    trials = mutants.trials(lesson, exercise)
    return Count(sum(not trial.survived for trial in trials), sum(not trial.explained for trial in trials))


def rows() -> list[tuple[str, str, tuple[Count, ...]]]:
    """Lesson, exercise and counts, for every exercise in order."""
    return [
        (lesson.id, exercise.id, counts(outcomes(lesson.id, exercise.id), killed(lesson.id, exercise.id)))
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
        for one in outcomes(lesson.id, exercise.id)
        if one.complaint
    ]
    return found + mutants.complaints()


def trusted() -> bool:
    """Whether no right answer is refused, no wrong one gets full points, and nearly every mistake is named."""
    right, wrong, visible, hidden, unlisted, mutant = totals(counted for _, _, counted in rows())
    complete = all(count.good == count.all for count in (right, wrong, unlisted, mutant))
    return complete and all(count.good >= NAMED_AT_LEAST * count.all for count in (visible, hidden))


# --- showing --------------------------------------------------------------------------------------------------


def table() -> Table:
    """The counts for the terminal."""
    shown = Table(title="The judge, judged", box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False)
    shown.add_column("exercise", no_wrap=True)
    for column in COLUMNS:
        shown.add_column(column, justify="right", min_width=9 if column == COLUMNS[-1] else 7)
    counted, lesson_before = rows(), ""
    for lesson, exercise, numbers in counted:
        if lesson != lesson_before:
            shown.add_section()
            shown.add_row(f"[bold]{lesson}")
            lesson_before = lesson
        shown.add_row(exercise, *map(str, numbers))
    shown.add_section()
    shown.add_row("[bold]in all", *map(str, totals(numbers for _, _, numbers in counted)))
    return shown


def page() -> str:
    """The counts as a page of the documentation."""
    counted = rows()
    lines = [_line("exercise", *COLUMNS), _line("---", *("--:" for _ in COLUMNS))]
    lesson_before = ""
    for lesson, exercise, numbers in counted:
        if lesson != lesson_before:
            lines.append(_line(f"**{lesson}**", *("" for _ in COLUMNS)))
            lesson_before = lesson
        lines.append(_line(f"`{exercise}`", *map(str, numbers)))
    sums = totals(numbers for _, _, numbers in counted)
    lines.append(_line("**in all**", *(f"**{number}**" for number in sums)))
    wrong = sums[1].all + sums[4].all
    return TEMPLATE.format(
        answers=sums[0].all + wrong,
        right=sums[0].all,
        wrong=wrong,
        listed=sums[1].all,
        students=len(STUDENTS),
        mutants=sums[5].all,
        equivalent=len(mutants.SURVIVORS),
        table="\n".join(lines),
    )


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


TEMPLATE = """# Can the judge be trusted?

    make validity

judges {answers} answers, written out as students write them and independently of the judge's own wrong answers,
and writes this page; it takes about three minutes. {right} of them are right, in many styles; {wrong} are wrong:
{listed} make a mistake that the course lists, two or more for each row, the others one that no list foresaw. Each is
put to the visible cases, and to the hidden ones that {students} students would be graded with. The answers lie in
`solutions/<lesson>/<exercise>_answers.py`.

Besides, every reference solution is changed in one small place at a time: an operator or a constant, an axis, a
statement or an argument dropped or swapped. Such a mutant has to be refused on hidden cases. {equivalent} more
mutants behave like the reference on every legal input; `autograder/tests/mutants.py` says of each why.

{table}

- **right accepted**: full points, on visible and hidden cases alike.
- **wrong refused**: less than full points on the hidden cases, for listed mistakes.
- **named visible, named hidden**: the verdict names the mistake by its name in the list.
- **unlisted refused**: less than full points, for mistakes that no list foresaw.
- **mutants refused**: less than full points, for changed references.

The command fails when a right answer is refused, when a wrong answer or a mutant gets full points, or when fewer
than 98 % of the listed mistakes are named, on visible or on hidden cases.

## Limits

- The answers were written by the people who wrote the course, not gathered in a class. A style or a mistake that
  nobody thought of is not counted here; add it to the corpus when a student shows it to you.
- A mistake counts as refused when it costs at least one point, not when it costs what a teacher would take off.
- An answer with two mistakes is named after one of them, or not at all. Only single mistakes are counted.
- Values are compared with a tolerance that lets float32 pass; a slip smaller than about 1e-4 of the largest entry
  passes as well.
- The hidden cases are drawn anew for each student; what is refused for {students} of them is nearly surely refused
  for all, but it is not proved.
- Here the answers run in the judge's own process. That a notebook of a student's is sealed off, and how, is tested
  elsewhere.
"""


def main() -> int:
    console = Console()
    for lesson in lessons():
        for exercise in lesson.exercises:
            console.print(f"{lesson.id} {exercise.id} …", style="dim")
            outcomes(lesson.id, exercise.id)
            mutants.trials(lesson.id, exercise.id)
    console.print(table())
    for complaint in complaints():
        console.print(f"✗ {complaint}", style="red", markup=False, highlight=False, soft_wrap=True)
    PAGE.write_text(page(), encoding="utf-8")
    console.print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0 if trusted() and not mutants.complaints() else 1


if __name__ == "__main__":
    sys.exit(main())
