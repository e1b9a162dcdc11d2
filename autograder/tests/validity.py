"""How far the judge can be trusted: every answer of the corpus and every mutant of a reference, judged.

`python -m autograder.tests.validity` prints a table per exercise and each failure, writes docs/validity.md, and
exits with 1 when a right answer is refused, a wrong one gets full points, too few mistakes are named, or a verdict says
what is not so.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import linecache
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any
from unittest import mock

from rich import box
from rich.console import Console
from rich.table import Table

from autograder import judge
from autograder.author.corpus import Answer, answers, crosses
from autograder.courses import Lesson
from autograder.judge import reference
from autograder.model import common
from autograder.model.exercise import Case, Exercise, Key, MistakenAnswers, NotReached, Observation, Part
from autograder.model.verdict import Sight, Verdict
from autograder.student import ladder, naming, probe, visible
from autograder.student.beside import first_difference
from autograder.tests import judged_before, mutants, pairs
from autograder.tests.this_course import (
    COURSE,
    ROOT,
    find_exercise,
    find_lesson,
    lessons,
    question_to,
    stored_key,
)

STUDENTS = ("amy", "bo")
"""Whose hidden cases are used; every student's are drawn anew. A wrong answer is put to the first one's alone."""

NAMED_AT_LEAST = 0.98
FALSELY_NAMED_AT_MOST = 0.01
FALSELY_GREEN_AT_MOST = 0.02
"""Of the answers that no row lists; of listed mistakes, none may be green."""

PAGE = ROOT / "docs" / "validity.md"


@dataclass(frozen=True)
class Outcome:
    """What the judge made of an answer: on the visible cases, and on the hidden ones of each student."""

    lesson: str
    answer: Answer
    visible: Verdict
    hidden: tuple[Verdict, ...]
    false_crosses: tuple[str, ...] = ()
    told_another: tuple[str, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return self.visible, *self.hidden

    @property
    def falsely_named(self) -> bool:
        """Whether a verdict gives a name that is not true of the answer."""
        return any(verdict.misconception not in ("", *self.answer.true) for verdict in self.verdicts)

    @property
    def falsely_green(self) -> bool:
        """Wrong, and told so by hidden cases alone."""
        return not self.answer.right and self.visible.state == "right"

    @property
    def accepted(self) -> bool:
        """Full marks everywhere."""
        return all(verdict.state == "right" for verdict in self.verdicts)

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
        if self.answer.right and not self.accepted:
            return f"right, but refused: {self._trouble()}"
        if self.answer.right:
            return f"right, but told to give something else: {self.told_another}" if self.told_another else ""
        if not self.refused:
            return "wrong, but not refused"
        if self.false_crosses:
            return f"crossed, but not seen to fail: {'; '.join(self.false_crosses)}"
        if self.falsely_green:
            return "wrong, but right on all visible cases"
        if not self.falsely_named and (
            not self.answer.misconception or self.named_visible and self.named_hidden
        ):
            return ""
        names = ", ".join(verdict.misconception or "nothing" for verdict in self.verdicts)
        return f"{self.answer.misconception or 'no listed mistake'}, but named {names}"

    def _trouble(self) -> str:
        broken = next(verdict for verdict in self.verdicts if verdict.state != "right")
        failing = next((line for line in broken.lines if not line.passed), None)
        return " / ".join((*broken.problem, *((failing.title, *failing.details) if failing else ())))


def _costs(verdict: Verdict) -> bool:
    return verdict.points < verdict.max_points


@functools.lru_cache(maxsize=8)
def keys_of(lesson: str, exercise: str, students: tuple[str, ...]) -> tuple[Key, ...]:
    """The visible key, and each student's hidden one; what mistakes give for the visible cases is what was built."""
    visible = stored_key(lesson, exercise)

    def built(lesson: Lesson, exercise: str, mistake: int, variant: int) -> Sequence[Observation]:
        return visible.mistakes[mistake].observations[variant]

    with mock.patch.object(judge, "_mistaken_on_examples", built):
        return visible, *(judge.hidden_key(find_lesson(lesson), exercise, student) for student in students)


def notebook(lesson: str, exercise: Exercise) -> dict[str, Any]:
    """A notebook's names with all exercises answered but this one."""
    own = {exercise.id, *exercise.values}
    names = {
        name: value for name, value in reference.namespace(find_lesson(lesson)).items() if name not in own
    }
    return {**names, "__name__": "__main__"}


def answered(lesson: str, answer: Answer) -> dict[str, Any]:
    """That notebook's names with this answer as well, whose text can be read again."""
    names = notebook(lesson, find_exercise(lesson, answer.exercise))
    file = f"<{lesson}, {answer.exercise}: {answer.style}>"
    linecache.cache[file] = len(answer.code), None, answer.code.splitlines(keepends=True), file
    exec(compile(answer.code, file, "exec"), names)
    return names


def judged(lesson: str, answer: Answer, students: tuple[str, ...] = (), hasty: bool = False) -> Outcome:
    """Run the cell, put the cases to it, and judge what comes back.

    hasty: what was drawn is asked once, and all without stand-ins, which are the right answers that the notebook has.
    """
    keys = keys_of(lesson, answer.exercise, students or (STUDENTS if answer.right else STUDENTS[:1]))
    with visible.using(COURSE.visible):
        on_visible, *on_hidden = _ask_for_all(lesson, answer, keys, hasty)
    asked = (on_visible[:1], *on_hidden)  # students check without stand-ins
    with _named_once():
        verdicts = [judge.judge(key, attempts) for key, attempts in zip(keys, asked, strict=True)]
    if answer.right:
        told = told_another(keys[0], on_visible[0])
        return Outcome(lesson, answer, verdicts[0], tuple(verdicts[1:]), told_another=told)
    crosses = {
        title
        for key, attempts, verdict in zip(keys, asked, verdicts, strict=True)
        for title in (
            *false_crosses(key, attempts, verdict),
            *undeclared(lesson, answer, key, attempts, verdict),
        )
    }
    return Outcome(lesson, answer, verdicts[0], tuple(verdicts[1:]), tuple(crosses))


def told_another(key: Key, answers: probe.Answers) -> tuple[str, ...]:
    """Of a right answer, the tags of visible cases beside which something else would be shown as what is expected."""
    asked = zip(key.cases, answers.observations, key.expected)
    return tuple(
        case.tag
        for case, seen, expected in asked
        if not key.values and case.tag not in key.free
        if first_difference(seen.value, expected.value, case.tolerance)
    )


@contextlib.contextmanager
def _named_once() -> Iterator[None]:
    """In here the same that was seen is named once: all keys of an exercise begin with the visible cases."""
    known: dict[Any, MistakenAnswers | None] = {}

    def name_mistake(key: Key, seen: Sequence[Observation], *about: Any) -> MistakenAnswers | None:
        these = (*map(id, seen), *map(repr, about))
        if these not in known:
            known[these] = naming.name_mistake(key, seen, *about)
        return known[these]

    with mock.patch.object(ladder, "name_mistake", name_mistake):
        yield


def _ask_for_all(
    lesson: str, answer: Answer, keys: Sequence[Key], hasty: bool
) -> list[tuple[probe.Answers, ...]]:
    """What an answer gives for the cases of each of an exercise's keys.

    The visible cases, with which all keys begin, are put to it once, and behind them all that was drawn; what was drawn
    is not asked again of a wrong answer that gave the same twice on each visible case. A right one has to be right as
    it stands: with stand-ins it could only hide that it is not.
    """
    shown = tuple(case for case in keys[0].cases if not case.hidden)
    drawn = [key.cases[len(shown) :] for key in keys]
    question = question_to(answer.code, lesson, keys[0])

    def ask(once: bool) -> tuple[probe.Answers, ...]:
        cases = (*shown, *(dataclasses.replace(case, once=once or case.once) for case in chain(*drawn)))
        asked, names = dataclasses.replace(question, cases=cases), answered(lesson, answer)
        return judge.ask_in_process(
            find_lesson(lesson), asked, names, lambda own: hasty or answer.right, keys[0]
        )

    attempts = ask(once=hasty or not answer.right)
    if not (hasty or answer.right):
        again = zip(shown, attempts[0].observations)
        if not all(naming.is_steady(seen, case.tolerance) for case, seen in again):
            attempts = ask(once=False)
    ends = [*accumulate(map(len, drawn), initial=len(shown))]
    places = [(*range(len(shown)), *range(*one)) for one in pairwise(ends)]
    return [tuple(_of_cases(answers, some) for answers in attempts) for some in places]


def _of_cases(answers: probe.Answers, places: Iterable[int]) -> probe.Answers:
    """What was answered to the cases in these places, where anything was."""
    seen = answers.observations
    return dataclasses.replace(answers, observations=tuple(seen[i] for i in places if seen))


def false_crosses(key: Key, attempts: Sequence[probe.Answers], verdict: Verdict) -> list[str]:
    """The lines that are crossed although nothing of what came back can have shown them to fail.

    A line needs an answer that came back on one of its cases; from the second such line on, one of the right kind and
    shape; one about the arguments, an argument that changed.
    """
    failed = [
        (part, line)
        for part, line in zip(key.parts, verdict.lines, strict=True)
        if line.sight is Sight.FAILED
    ]
    return [
        part.title
        for number, (part, _) in enumerate(failed)
        if not any(_can_fail(key, part, answers, shaped=number > 0) for answers in attempts)
    ]


def undeclared(
    lesson: str, answer: Answer, key: Key, attempts: Sequence[probe.Answers], verdict: Verdict
) -> list[str]:
    """Of listed mistakes, the lines that are crossed though the corpus does not say that they break them.

    Where there is more than one line to tell apart; that numbers were not finite was seen, and need not be said.
    """
    if not answer.misconception or len(key.parts) == 1:
        return []
    said = crosses(find_lesson(lesson), answer.exercise)
    broken = tuple(title for name in answer.true for title in said.get(name, ()))
    return [
        part.title
        for part, line in zip(key.parts, verdict.lines, strict=True)
        if line.sight is Sight.FAILED and not part.title.startswith(broken)
        if not (part.plain and any(ladder.overflows(key, part, one.observations) for one in attempts))
    ]


def _can_fail(key: Key, part: Part, answers: probe.Answers, shaped: bool) -> bool:
    if not answers.observations:
        return False
    return any(
        _looked_at(part, key.cases[i], answers.observations[i], key.expected[i], shaped and not key.values)
        for i in ladder.cases_of(key, part)
    )


def _looked_at(part: Part, case: Case, seen: Observation, expected: Observation, shaped: bool) -> bool:
    if part.built:
        return seen.built is not None
    if expected.error is not None:
        return True
    if seen.error is not None:
        return False
    if part.rule is common.unchanged:
        return common.written_into(case, seen) is not None
    if shaped and _objects_to_the_rest(part, case, seen, expected):
        return True
    return not shaped or _of_a_kind(seen.value, expected.value) or _objects_to_one(part, case, seen, expected)


def _of_a_kind(one: Any, other: Any) -> bool:
    try:
        common.of_a_kind(*map(common.without_gradients, (one, other)))
    except NotReached:
        return False
    return True


def _objects_to_one(part: Part, case: Case, seen: Observation, expected: Observation) -> bool:
    """Whether a rule objects to one of several results that is of the right kind, where all others are right."""
    if not all(isinstance(one.value, tuple) for one in (seen, expected)):
        return False
    if len(seen.value) != len(expected.value):
        return False
    for i, one in enumerate(seen.value):
        value = (*expected.value[:i], one, *expected.value[i + 1 :])
        told = dataclasses.replace(seen, value=value, again=value)
        if _of_a_kind(one, expected.value[i]) and part.rule(case, told, expected) is not None:
            return True
    return False


def _objects_to_the_rest(part: Part, case: Case, seen: Observation, expected: Observation) -> bool:
    """Whether a rule objects to something else than the value, as to an argument that changed."""
    try:
        value = dataclasses.replace(seen, value=expected.value, again=expected.value)
        return part.rule(case, value, expected) is not None
    except NotReached:
        return False


@functools.cache
def outcomes(lesson: str, exercise: str) -> tuple[Outcome, ...]:
    """The judge's verdicts on all answers to an exercise."""
    asked = [answer for answer in answers(find_lesson(lesson)) if answer.exercise == exercise]
    return judged_before.judged("answers", lesson, exercise, asked, functools.partial(judged, lesson))


@functools.cache
def of_pairs(lesson: str, exercise: str) -> tuple[Outcome, ...]:
    """The judge's verdicts on answers with two mistakes at once."""
    asked = pairs.answers(lesson, exercise)
    return judged_before.judged("pairs", lesson, exercise, asked, functools.partial(judged, lesson))


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
    return [
        (lesson.id, exercise.id, counts(*(of(lesson.id, exercise.id) for of in (outcomes, of_pairs, killed))))
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
        for one in (*outcomes(lesson.id, exercise.id), *_misjudged_pairs(lesson.id, exercise.id))
        if one.complaint
    ]
    return found + mutants.complaints()


def _misjudged_pairs(lesson: str, exercise: str) -> list[Outcome]:
    """Two mistakes may make up for each other; what is said of them must be true."""
    return [one for one in of_pairs(lesson, exercise) if one.falsely_named or one.false_crosses]


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
those of {students} students. The answers lie in `solutions/<lesson>/<exercise>_answers.py`. What was judged before in
the same clone, and depends on nothing that has changed, is not judged again.

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
    console = Console()
    for lesson in lessons():
        for exercise in lesson.exercises:
            console.print(f"{lesson.id} {exercise.id} …", style="dim")
            outcomes(lesson.id, exercise.id)
            of_pairs(lesson.id, exercise.id)
            mutants.trials(lesson.id, exercise.id)
    console.print(table())
    for complaint in complaints():
        console.print(f"✗ {complaint}", style="red", markup=False, highlight=False, soft_wrap=True)
    PAGE.write_text(page(), encoding="utf-8")
    console.print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0 if trusted() and not mutants.complaints() else 1


if __name__ == "__main__":
    from autograder.tests import validity  # what is kept is of that module, not of __main__

    sys.exit(validity.main())
