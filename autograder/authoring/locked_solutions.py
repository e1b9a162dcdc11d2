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
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass, replace
from html import escape
from itertools import islice
from typing import Any

import numpy as np

from autograder.authoring import corpus
from autograder.authoring.slip_questions import slip_questions
from autograder.checks import public_course, runner
from autograder.checks.answer_keys import in_lines
from autograder.courses import Lesson, lesson_source
from autograder.exercises import common, values
from autograder.exercises.exercise import Case, CasePutBy, Exercise, Observation
from autograder.exercises.verdict import State, Verdict
from autograder.judging import judge, reference
from autograder.notebook import solutions_unlocked as stored
from autograder.notebook.quiz import Choice, QuestionCard, shuffled_card
from autograder.notebook.solutions_unlocked import KeyInput, result_pieces
from autograder.notebook.verdict_view import Section, sentence

MARGIN = 10
"""Tolerances between a number and the nearest edge of its rounding."""

STEPS = (1 / 48, 1 / 24, 1 / 20, 1 / 10, 1 / 5, 1 / 3, 1, 3, 5, 15, 25, 125)
"""To which numbers are rounded, the first that will do; whole numbers lie on none of their edges."""

DRAWS, MAX_TRIED = 12, 3
"""How often inputs are drawn for one place in a key, and how many of those that fit are tried on right answers."""

MIN_INPUTS = 2
"""Inputs that a key is made of: a single result, a word perhaps, could be guessed."""

EDITION = "4"
"""Another one has all boxes made anew."""


def locked_solutions(lesson: Lesson) -> str:
    """Return the boxes by exercise, as the text of their file. A stored one stays as long as its sources do."""
    entries = {
        exercise.id: _load_current(lesson, exercise) or _lock_new(lesson, exercise)
        for exercise in lesson.exercises
        if not exercise.values
    }
    return in_lines({name: entry for name, entry in entries.items() if entry}) + "\n"


def _load_current(lesson: Lesson, exercise: Exercise) -> dict[str, Any] | None:
    """Return the exercise's box as it is stored; None where it is not that of today's sources."""
    key = judge.visible_key(lesson, exercise.id)
    try:
        solutions = stored.load_solutions(lesson.course.visible, lesson.id, key)
        if solutions is None:
            return None
        with public_course.using(lesson.course.visible):
            observations = stored.answer_key_inputs(
                solutions.inputs, exercise.id, reference.namespace(lesson)
            )
        fresh = solutions.open_with_results(observations)["of"] == _sources(lesson, exercise)
    except Exception:  # another answer's, or spoilt in one of many ways: it is made anew
        return None
    return stored.solutions_as_data(key, solutions) if fresh else None


def _lock_new(lesson: Lesson, exercise: Exercise) -> dict[str, Any] | None:
    """Return a new box; None where too little of what right answers give is settled to make a key of."""
    key_inputs = [*_key_inputs(lesson, exercise)]
    if len(key_inputs) < MIN_INPUTS:
        return None
    cards = [vars(card) for card in slip_questions(lesson, exercise)]
    content = {"of": _sources(lesson, exercise), **_solutions_content(lesson, exercise), "cards": cards}
    inputs, observations = zip(*key_inputs)
    solutions = stored.lock_solutions(secrets.token_hex(8), inputs, observations, content)
    return stored.solutions_as_data(judge.visible_key(lesson, exercise.id), solutions)


def _sources(lesson: Lesson, exercise: Exercise) -> str:
    """Return a digest of the texts of which a box is made."""
    judging = (lesson.folder / f"{exercise.id}.py").read_text(encoding="utf-8")
    texts = [EDITION, judging, lesson.solution(exercise.id), repr(corpus.what_if(lesson, exercise.id))]
    answers = corpus.answers_to(lesson, exercise.id)
    texts += [
        f"{answer.style} {answer.buys} {answer.code}"
        for answer in answers
        if answer.buys or answer.misconception
    ]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


# --- the key --------------------------------------------------------------------------------------------------


def _key_inputs(lesson: Lesson, exercise: Exercise) -> Iterator[tuple[KeyInput, Observation]]:
    """Yield what a key is made of, with the right results: for each case that is drawn, the first draw that fits."""
    keys = [judge.hidden_key(lesson, exercise.id, f"box {number}") for number in range(DRAWS)]
    draws = [[pair for pair in zip(key.cases, key.expected) if pair[0].hidden] for key in keys]
    right = (one for one in corpus.answers_to(lesson, exercise.id) if one.right)
    namespaces = [corpus.answered_namespace(lesson, one.code) for one in right]
    namespaces += namespaces_with_mistakes(lesson, exercise)

    def results(case: Case) -> list[Observation]:
        return [_result(lesson, exercise, case, names) for names in namespaces]

    def agree(asked: KeyInput, right: Observation) -> bool:
        cases = asked.case, map_arrays(asked.case, as_single_precision)
        return all(asked.key_part(one) == asked.key_part(right) for case in cases for one in results(case))

    for drawn in zip(*draws):
        case, right_result = drawn[0]
        if isinstance(case, CasePutBy):  # many calls, or chance: too much for a key
            continue
        if places := _agreeing_places(exercise, case, right_result, results(case)):
            pairs = (
                (KeyInput(_without_labels(case), step, places, exercise.settled), observation)
                for step in STEPS
                for case, observation in drawn
            )
            fitting = (pair for pair in pairs if is_clear_of_edges(*pair))
            yield from islice((pair for pair in islice(fitting, MAX_TRIED) if agree(*pair)), 1)


def map_arrays(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value with all its arrays of real numbers changed."""

    def changed(item: Any) -> Any:
        if isinstance(item, np.ndarray):
            return change(item) if item.dtype.kind == "f" else item
        if is_dataclass(item) and not isinstance(item, type):
            return type(item)(**values.mapped(changed, vars(item)))
        return change(np.float64(item)).item() if type(item) is float else item

    return values.mapped(changed, value)


def as_single_precision(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32)


def _without_labels(case: Case) -> Case:
    """Return a case without what only verdicts say or look at."""
    return replace(case, label="", facts={}, hidden=False, scribble=False, elsewhere=False)


def _agreeing_places(
    exercise: Exercise, case: Case, right: Observation, observations: list[Observation]
) -> tuple[str, ...]:
    """Return the places where all right answers agree."""
    pieces, *other_pieces = (
        result_pieces(case, observation, exercise.settled) for observation in (right, *observations)
    )

    def agreed(where: str) -> bool:
        return all(
            where in alternative and values.close(alternative[where], pieces[where], case.tolerance)
            for alternative in other_pieces
        )

    return tuple(filter(agreed, pieces))


def is_clear_of_edges(key_input: KeyInput, right: Observation) -> bool:
    """Whether every number lies far enough from where it would be rounded to another one."""
    pieces = result_pieces(key_input.case, right, key_input.settled)
    for numbers in (pieces.get(where) for where in key_input.places):
        if isinstance(numbers, np.ndarray) and numbers.size:
            finite = numbers[np.isfinite(numbers)].astype(float)
            scale = max(1.0, np.abs(finite).max(initial=0.0))
            to_edge = key_input.step / 2 - np.abs(finite - key_input.step * np.rint(finite / key_input.step))
            if to_edge.min(initial=np.inf) < MARGIN * key_input.case.tolerance * scale:
                return False
    return all(where in pieces for where in key_input.places)


def namespaces_with_mistakes(lesson: Lesson, exercise: Exercise) -> Iterator[dict[str, Any]]:
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


def _result(lesson: Lesson, exercise: Exercise, case: Case, names: dict[str, Any]) -> Observation:
    with public_course.using(lesson.course.visible):
        return stored.answer_key_inputs([KeyInput(case, 1.0, ())], exercise.id, names)[0]


def _verdict(lesson: Lesson, exercise: Exercise, key: Any, names: dict[str, Any]) -> Verdict:
    with public_course.using(lesson.course.visible):
        question = runner.Question(exercise.id, (), key.cases)
        return judge.judge(key, (runner.ask_all(question, names),))


# --- what lies in a box ---------------------------------------------------------------------------------------


def _solutions_content(lesson: Lesson, exercise: Exercise) -> dict[str, Any]:
    """Return what the box opens: the near miss as a question, the course's own answer, and the rest in one fold."""
    answers = corpus.answers_to(lesson, exercise.id)
    more_sections = [_section(f"Another way: {one.style}", one.code, one.buys) for one in answers if one.buys]
    question = corpus.what_if(lesson, exercise.id)
    if question is not None:
        instruction = "Say what you expect before you open the answer."
        more_sections.append(_section(f"What if: {question.question}", "", instruction))
        code = f"{question.code.strip()}\n\n# prints\n{_run_and_capture(lesson, question.code)}"
        more_sections.append(replace(_section("The answer to that", code, question.because), folded=True))
    sections = [
        _section("The course's own answer", lesson_source.strip_solution_marks(lesson.solution(exercise.id)))
    ]
    if more_sections:
        text = "\n\n".join(f"{one.title}\n{one.text}" for one in more_sections)
        html = "".join(map(_inner_html, more_sections))
        sections.append(Section("Other ways, and a question to think about", text, html))
    near_miss = next(_near_misses(lesson, exercise), None)
    return {
        "near_miss": vars(near_miss) if near_miss else None,
        "sections": [(one.title, one.text, one.html) for one in sections],
    }


def _inner_html(section: Section) -> str:
    title = escape(section.title)
    if section.folded:
        return f"<details><summary>{title}</summary>{section.html}</details>"
    return f"<p><b>{title}</b></p>{section.html}"


def _section(title: str, code: str, explanation: str = "") -> Section:
    code = code.strip("\n")
    paragraph, block = (
        f"<p>{sentence(explanation)}</p>" * bool(explanation),
        f"<pre>{escape(code)}</pre>" * bool(code),
    )
    return Section(title, "\n".join(filter(None, (explanation, code))), paragraph + block)


def _near_misses(lesson: Lesson, exercise: Exercise) -> Iterator[QuestionCard]:
    """Ask about listed mistakes of the corpus, those that break least first: which check does the code not pass?

    Where it passes none, the question is which mistake it makes.
    """
    key, candidates = judge.visible_key(lesson, exercise.id), dict[str, tuple[str, Verdict]]()
    for one in corpus.answers_to(lesson, exercise.id):
        if one.misconception and one.misconception not in candidates:
            verdict = _verdict(lesson, exercise, key, corpus.answered_namespace(lesson, one.code))
            if verdict.misconception == one.misconception:
                candidates[one.misconception] = one.code.strip("\n"), verdict
    for code, verdict in sorted(candidates.values(), key=_rank_near_miss):
        first = next(line for line in verdict.lines if not line.passed)
        details = "\n".join([f"{verdict.looks_like}.", f"✗ {first.in_short}", *first.details])
        ask, why = (
            "Almost right: which check does this one not pass?",
            "It passes that one. It makes this mistake",
        )
        right, alternatives = first.title, [line.title for line in verdict.lines if line.passed]
        if not alternatives:
            ask, why = "This passes no check. Which mistake is it?", "It is another mistake"
            right, alternatives = verdict.misconception, [one.name for one in exercise.misconceptions]
            alternatives.remove(right)
        if alternatives:
            choices = [Choice(alternative, why=f"{why}: {details}") for alternative in alternatives]
            yield shuffled_card(ask, code, Choice(right, why=f"Right: {details}"), choices)


def _rank_near_miss(candidate: tuple[str, Verdict]) -> tuple[bool, int]:
    """Rank a mistake that a rule alone names last: to find it there is no number to work out."""
    verdict = candidate[1]
    return verdict.misconception == common.WRITES, -verdict.passed


def _run_and_capture(lesson: Lesson, code: str) -> str:
    """What a cell prints below the lesson's right answers."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        corpus.answered_namespace(lesson, code)
    return output.getvalue().rstrip()
