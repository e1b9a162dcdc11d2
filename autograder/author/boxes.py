"""A lesson's boxes: what lies in them, and inputs whose right results lock them.

In a box lie a near miss to diagnose, the course's own answer, in one fold right answers of the corpus with a line on
what they buy and a "what if" to predict, and questions for later, see `questions`. Inputs are drawn as hidden cases
are, again until every number of the right result lies `MARGIN` tolerances from where it would be rounded to another
one. What right answers are free in is not looked at, nor are inputs on which single precision leads a right answer to
another number, or on which an earlier exercise's mistake shows that the visible cases do not tell.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass, replace
from html import escape
from itertools import islice
from typing import Any

import numpy as np

from autograder import judge
from autograder.author import corpus
from autograder.author.questions import questions
from autograder.courses import Lesson, source
from autograder.judge import reference
from autograder.model import common, values
from autograder.model.exercise import Case, CasePutBy, Exercise, Observation
from autograder.model.verdict import State, Verdict
from autograder.student import boxes as stored
from autograder.student import probe, visible
from autograder.student.boxes import KeyInput, pieces_of
from autograder.student.keys import in_lines
from autograder.student.question_cards import Choice, QuestionCard, card_with
from autograder.student.report import Section, sentence

MARGIN = 10
"""Tolerances between a number and the nearest edge of its rounding."""

STEPS = (1 / 48, 1 / 24, 1 / 20, 1 / 10, 1 / 5, 1 / 3, 1, 3, 5, 15, 25, 125)
"""To which numbers are rounded, the first that will do; whole numbers lie on none of their edges."""

DRAWS, TRIED = 12, 3
"""How often inputs are drawn for one place in a key, and how many of those that fit are tried on right answers."""

FEWEST = 2
"""Inputs that a key is made of: a single result, a word perhaps, could be guessed."""

EDITION = "4"
"""Another one has all boxes made anew."""


def boxes(lesson: Lesson) -> str:
    """The boxes by exercise, as the text of their file. One that is stored stays as long as what it is made of does."""
    made = {
        exercise.id: entry
        for exercise in lesson.exercises
        if not exercise.values and (entry := _stored(lesson, exercise) or _made(lesson, exercise))
    }
    return in_lines(made) + "\n"


def _stored(lesson: Lesson, exercise: Exercise) -> dict[str, Any] | None:
    """The exercise's box as it is stored; None where it is not that of today's sources."""
    key = judge.visible_key(lesson, exercise.id)
    try:
        box = stored.stored_box(lesson.course.visible, lesson.id, key)
        if box is None:
            return None
        with visible.using(lesson.course.visible):
            seen = stored.results_on(box.inputs, exercise.id, reference.namespace(lesson))
        fresh = box.opened_by(seen)["of"] == _sources(lesson, exercise)
    except Exception:  # another answer's, or spoilt in one of many ways: it is made anew
        return None
    return stored.box_as_data(key, box) if fresh else None


def _made(lesson: Lesson, exercise: Exercise) -> dict[str, Any] | None:
    """A new box; None where too little of what right answers give is settled to make a key of."""
    found = [*_key_inputs(lesson, exercise)]
    if len(found) < FEWEST:
        return None
    content = {
        "of": _sources(lesson, exercise),
        **_content(lesson, exercise),
        "cards": [vars(one) for one in questions(lesson, exercise)],
    }
    inputs, seen = zip(*found)
    box = stored.sealed(secrets.token_hex(8), inputs, seen, content)
    return stored.box_as_data(judge.visible_key(lesson, exercise.id), box)


def _sources(lesson: Lesson, exercise: Exercise) -> str:
    """What tells the texts of which a box is made from others."""
    judging = (lesson.folder / f"{exercise.id}.py").read_text(encoding="utf-8")
    taken = corpus.answers_to(lesson, exercise.id)
    texts = [EDITION, judging, lesson.solution(exercise.id), repr(corpus.what_if(lesson, exercise.id))]
    texts += [f"{one.style} {one.buys} {one.code}" for one in taken if one.buys or one.misconception]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


# --- the key --------------------------------------------------------------------------------------------------


def _key_inputs(lesson: Lesson, exercise: Exercise) -> Iterator[tuple[KeyInput, Observation]]:
    """What a key is made of, with the right results: for each case that is drawn, the first draw that fits."""
    draws = [_drawn(lesson, exercise, number) for number in range(DRAWS)]
    others = [*_right_answers(lesson, exercise), *beside_mistakes(lesson, exercise)]

    def given(case: Case) -> list[Observation]:
        return [_seen(lesson, exercise, case, names) for names in others]

    for drawn in zip(*draws):
        case, right = drawn[0]
        if isinstance(case, CasePutBy):  # many calls, or chance: too much for a key
            continue
        places = _agreed(exercise, case, right, given(case))
        fitting = (
            (asked, seen)
            for step in STEPS
            for case, seen in drawn
            if places and clear(asked := KeyInput(_bare(case), step, places, exercise.settled), seen)
        )
        alike = (
            (asked, seen)
            for asked, seen in islice(fitting, TRIED)
            if all(
                asked.told(one) == asked.told(seen)
                for case in (asked.case, arrays_changed(asked.case, single))
                for one in given(case)
            )
        )
        yield from islice(alike, 1)


def arrays_changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value with all its arrays of real numbers changed."""

    def changed(one: Any) -> Any:
        if isinstance(one, np.ndarray):
            return change(one) if one.dtype.kind == "f" else one
        if is_dataclass(one) and not isinstance(one, type):
            return type(one)(**values.mapped(changed, vars(one)))
        return change(np.float64(one)).item() if type(one) is float else one

    return values.mapped(changed, value)


def single(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32)


def _drawn(lesson: Lesson, exercise: Exercise, number: int) -> list[tuple[Case, Observation]]:
    key = judge.hidden_key(lesson, exercise.id, f"box {number}")
    return [(case, seen) for case, seen in zip(key.cases, key.expected) if case.hidden]


def _bare(case: Case) -> Case:
    """A case without what only verdicts say or look at."""
    return replace(case, label="", facts={}, hidden=False, scribble=False, elsewhere=False)


def _agreed(
    exercise: Exercise, case: Case, right: Observation, others: Sequence[Observation]
) -> tuple[str, ...]:
    """Where all right answers agree."""
    mine, *theirs = (pieces_of(case, seen, exercise.settled) for seen in (right, *others))

    def agreed(where: str, piece: Any) -> bool:
        return all(where in one and values.close(one[where], piece, case.tolerance) for one in theirs)

    return tuple(where for where, piece in mine.items() if agreed(where, piece))


def clear(asked: KeyInput, right: Observation) -> bool:
    """Whether every number lies far enough from where it would be rounded to another one."""
    pieces = pieces_of(asked.case, right, asked.settled)
    for numbers in (pieces.get(where) for where in asked.places):
        if isinstance(numbers, np.ndarray) and numbers.size:
            finite = numbers[np.isfinite(numbers)].astype(float)
            scale = max(1.0, np.abs(finite).max(initial=0.0))
            to_edge = asked.step / 2 - np.abs(finite - asked.step * np.rint(finite / asked.step))
            if to_edge.min(initial=np.inf) < MARGIN * asked.case.tolerance * scale:
                return False
    return all(where in pieces for where in asked.places)


def _right_answers(lesson: Lesson, exercise: Exercise) -> list[dict[str, Any]]:
    """Namespaces in which the exercise is answered as the corpus does it rightly."""
    right = (one for one in corpus.answers_to(lesson, exercise.id) if one.right)
    return [corpus.names_with(lesson, one.code) for one in right]


def beside_mistakes(lesson: Lesson, exercise: Exercise) -> Iterator[dict[str, Any]]:
    """Namespaces in which an exercise that this builds on is answered wrongly, and the visible cases do not tell."""
    key = replace(judge.visible_key(lesson, exercise.id), mistakes=())
    for place, name in enumerate(exercise.builds_on, start=1):
        for mistake, listed in enumerate(lesson.exercise(name).misconceptions):
            for variant in range(len(listed.wrong)):
                names = dict(reference.mistaken(lesson, name, mistake, variant))
                for later in (*exercise.builds_on[place:], exercise.id):
                    exec(lesson.solution(later), names)
                if _verdict(lesson, exercise, key, names).state is State.RIGHT:
                    yield names


def _seen(lesson: Lesson, exercise: Exercise, case: Case, names: dict[str, Any]) -> Observation:
    with visible.using(lesson.course.visible):
        return stored.results_on([KeyInput(case, 1.0, ())], exercise.id, names)[0]


def _verdict(lesson: Lesson, exercise: Exercise, key: Any, names: dict[str, Any]) -> Verdict:
    with visible.using(lesson.course.visible):
        question = probe.Question(exercise.id, (), key.cases)
        return judge.judge(key, (probe.ask_all(question, names),))


# --- what lies in a box ---------------------------------------------------------------------------------------


def _content(lesson: Lesson, exercise: Exercise) -> dict[str, Any]:
    """Return what the box opens: the near miss as a question, the course's own answer, and the rest in one fold."""
    own = source.without_marks(lesson.solution(exercise.id))
    rest = [
        _section(f"Another way: {one.style}", one.code, one.buys)
        for one in corpus.answers_to(lesson, exercise.id)
        if one.buys
    ]
    asked = corpus.what_if(lesson, exercise.id)
    if asked is not None:
        rest.append(
            _section(f"What if: {asked.question}", "", "Say what you expect before you open the answer.")
        )
        code = f"{asked.code.strip()}\n\n# prints\n{_printed(lesson, asked.code)}"
        rest.append(replace(_section("The answer to that", code, asked.because), folded=True))
    sections = [_section("The course's own answer", own), *_in_one_fold(rest)]
    near_miss = next(_near_misses(lesson, exercise), None)
    return {
        "near_miss": vars(near_miss) if near_miss else None,
        "sections": [(one.title, one.text, one.html) for one in sections],
    }


def _in_one_fold(sections: Sequence[Section]) -> Iterator[Section]:
    """Put sections below one title; one that is folded stays so."""
    if sections:
        text = "\n\n".join(f"{one.title}\n{one.text}" for one in sections)
        parts = (
            f"<details><summary>{escape(one.title)}</summary>{one.html}</details>"
            if one.folded
            else f"<p><b>{escape(one.title)}</b></p>{one.html}"
            for one in sections
        )
        yield Section("Other ways, and a question to think about", text, "".join(parts))


def _section(title: str, code: str, said: str = "") -> Section:
    code = code.strip("\n")
    paragraph, block = f"<p>{sentence(said)}</p>" * bool(said), f"<pre>{escape(code)}</pre>" * bool(code)
    return Section(title, "\n".join(filter(None, (said, code))), paragraph + block)


def _near_misses(lesson: Lesson, exercise: Exercise) -> Iterator[QuestionCard]:
    """Ask about listed mistakes of the corpus, those that break least first: which check does the code not pass?

    Where it passes none, the question is which mistake it makes.
    """
    key, found = judge.visible_key(lesson, exercise.id), dict[str, tuple[str, Verdict]]()
    for one in corpus.answers_to(lesson, exercise.id):
        if one.misconception and one.misconception not in found:
            verdict = _verdict(lesson, exercise, key, corpus.names_with(lesson, one.code))
            if verdict.misconception == one.misconception:
                found[one.misconception] = one.code, verdict
    for code, verdict in sorted(found.values(), key=_nearness):
        first = next(line for line in verdict.lines if not line.passed)
        details = "\n".join([f"{verdict.looks_like}.", f"✗ {first.in_short}", *first.details])
        held = [line.title for line in verdict.lines if line.passed]
        if held:
            right = Choice(first.title, why=f"Right: {details}")
            others = [
                Choice(title, why=f"It passes that one. It makes this mistake: {details}") for title in held
            ]
            yield card_with(
                "Almost right: which check does this one not pass?", code.strip("\n"), right, others
            )
        else:
            names = [one.name for one in exercise.misconceptions if one.name != verdict.misconception]
            right = Choice(verdict.misconception, why=f"Right: {details}")
            others = [Choice(name, why=f"It is another mistake: {details}") for name in names]
            if others:
                yield card_with("This passes no check. Which mistake is it?", code.strip("\n"), right, others)


def _nearness(found: tuple[str, Verdict]) -> tuple[bool, int]:
    """Rank a mistake that a rule alone names last: to find it there is no number to work out."""
    verdict = found[1]
    return verdict.misconception == common.WRITES, -verdict.passed


def _printed(lesson: Lesson, code: str) -> str:
    """What a cell prints below the lesson's right answers."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        corpus.names_with(lesson, code)
    return said.getvalue().rstrip()
