"""Locks the other solutions of a lesson's exercises with keys that only right answers give.

The locked content is the course's own answer, a fold with right answers of the corpus and a "what if" question, and
the quiz's questions about them. A key is derived from the right results on inputs that are drawn as hidden cases are.
An input is used only if every number of its result lies at least `MARGIN` tolerances from the edge of its rounding, if
right answers agree on it also in single precision, and if no mistake in an earlier exercise that the visible cases miss
changes the result.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import secrets
from collections.abc import Collection, Iterator
from dataclasses import is_dataclass, replace
from html import escape
from itertools import islice, product
from typing import Any

import numpy as np
from cryptography.fernet import Fernet

from autograder.answers import corpus
from autograder.calls import runner
from autograder.checks.answer_keys import format_json
from autograder.courses import Lesson, lesson_source
from autograder.exercises import argument_kinds, public_course, values
from autograder.exercises.exercise import Case, CasePutBy, Exercise, Observation
from autograder.exercises.verdict import State
from autograder.judging import judge, reference
from autograder.notebook import solutions_unlocked as stored
from autograder.notebook.optional_quiz import load_quiz
from autograder.notebook.solutions_unlocked import KeyInput, LockedSolutions, result_pieces
from autograder.views.verdict_view import Section, join_sections, sentence

MARGIN = 10
"""The least distance between a number and the edge of its rounding, in tolerances."""

STEPS = (1 / 48, 1 / 24, 1 / 20, 1 / 10, 1 / 5, 1 / 3, 1, 3, 5, 15, 25, 125)
"""Units of rounding, tried in order; integers lie on no edge of theirs."""

DRAWS, MAX_TRIED = 12, 3
"""Draws of an input for one place in a key, and how many suitable ones are tried on right answers."""

MIN_INPUTS = 2
"""The least number of inputs of a key, because a single result could be guessed."""

EDITION = "5"
"""A new edition has all solutions locked anew."""


def locked_solutions(lesson: Lesson, unchanged: Collection[str] = ()) -> str:
    """Return the text of the file of locked solutions by exercise; an entry stays while its sources do.

    unchanged: the exercises whose entries are known to be current.
    """
    visible = lesson.course.visible
    entries = visible.read_json(visible.other_solutions(lesson.id)) if unchanged else {}
    with public_course.use_course(visible):
        for exercise in lesson.exercises:
            if not exercise.values and exercise.id not in unchanged:
                entries[exercise.id] = _load_current(lesson, exercise) or _lock_new(lesson, exercise)
    names = [exercise.id for exercise in lesson.exercises if entries.get(exercise.id)]
    return format_json({name: entries[name] for name in names}) + "\n"


def _load_current(lesson: Lesson, exercise: Exercise) -> dict[str, Any] | None:
    """Return the stored entry of an exercise; None where its sources have changed."""
    key, names = judge.visible_key(lesson, exercise.id), reference.load_namespace(lesson)
    try:
        solutions = stored.load_solutions(lesson.course.visible, lesson.id, key)
        if solutions is None:
            return None
        observations = stored.answer_key_inputs(solutions.inputs, exercise.id, names)
        fresh = solutions.open_with_results(observations)["of"] == _sources(lesson, exercise)
    except Exception:  # another answer's, or damaged in one of many ways: it is made anew
        return None
    return stored.solutions_as_data(key, solutions) if fresh else None


def _lock_new(lesson: Lesson, exercise: Exercise) -> dict[str, Any] | None:
    """Return a new entry; None where right answers agree on too little to derive a key from."""
    key_inputs = [*_key_inputs(lesson, exercise)]
    if len(key_inputs) < MIN_INPUTS:
        return None
    quiz = load_quiz("authoring.locked_questions")
    questions = quiz.locked_questions(lesson, exercise) if quiz else {"near_miss": None}
    content = {"of": _sources(lesson, exercise), "sections": _sections(lesson, exercise), **questions}
    inputs, observations = zip(*key_inputs)
    solutions = LockedSolutions(secrets.token_hex(8), inputs, "")
    token = Fernet(solutions.derive_key(observations)).encrypt(json.dumps(content).encode())
    key = judge.visible_key(lesson, exercise.id)
    return stored.solutions_as_data(key, replace(solutions, encrypted=token.decode()))


def _sources(lesson: Lesson, exercise: Exercise) -> str:
    """Return a digest of the texts that an entry is made from."""
    judging = lesson.judging(exercise.id).read_text(encoding="utf-8")
    texts = [EDITION, judging, lesson.solution(exercise.id), repr(corpus.what_if(lesson, exercise.id))]
    for answer in corpus.answers_to(lesson, exercise.id):
        if answer.buys or answer.misconception:
            texts.append(f"{answer.style} {answer.buys} {answer.code}")
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


# --- the key --------------------------------------------------------------------------------------------------


def _key_inputs(lesson: Lesson, exercise: Exercise) -> Iterator[tuple[KeyInput, Observation]]:
    """Yield the inputs of a key with their right results: for each hidden case, the first suitable draw."""
    keys = [judge.hidden_key(lesson, exercise.id, f"box {number}") for number in range(DRAWS)]
    draws = [[pair for pair in zip(key.cases, key.expected) if pair[0].hidden] for key in keys]
    answers = corpus.answers_to(lesson, exercise.id)
    namespaces = [corpus.answered_namespace(lesson, answer.code) for answer in answers if answer.right]
    namespaces += namespaces_with_mistakes(lesson, exercise)

    def results(case: Case) -> list[Observation]:
        question = runner.Question(exercise.id, (), (case,))
        return [runner.ask(question, dict(names)).observations[0] for names in namespaces]

    def agree(key_input: KeyInput, right: Observation) -> bool:
        observations = results(key_input.case) + results(in_single_precision(key_input.case))
        return all(key_input.key_part(result) == key_input.key_part(right) for result in observations)

    for drawn in zip(*draws):
        case, right_result = drawn[0]
        if isinstance(case, CasePutBy):  # many calls, or chance: too much for a key
            continue
        if places := _agreeing_places(exercise, case, right_result, results(case)):
            pairs = (
                (KeyInput(_without_labels(case), step, places, exercise.canonical), right)
                for step, (case, right) in product(STEPS, drawn)
            )
            suitable = islice((pair for pair in pairs if is_clear_of_edges(*pair)), MAX_TRIED)
            yield from islice((pair for pair in suitable if agree(*pair)), 1)


def in_single_precision(value: Any) -> Any:
    """Return a nested value with its arrays and numbers of type float in 32 bits."""

    def changed(item: Any) -> Any:
        if isinstance(item, np.ndarray):
            return item.astype(np.float32) if item.dtype.kind == "f" else item
        if is_dataclass(item) and not isinstance(item, type):
            return type(item)(**argument_kinds.map_nested(changed, vars(item)))
        return float(np.float32(item)) if type(item) is float else item

    return argument_kinds.map_nested(changed, value)


def _without_labels(case: Case) -> Case:
    """Return a case without the fields that only verdicts use."""
    return replace(case, label="", facts={}, hidden=False, scribble=False, elsewhere=False)


def _agreeing_places(
    exercise: Exercise, case: Case, right: Observation, observations: list[Observation]
) -> tuple[str, ...]:
    """Return the places in a result in which all right answers agree."""
    places = result_pieces(case, right, exercise.canonical)
    for observation in observations:
        pieces, tolerance = result_pieces(case, observation, exercise.canonical), case.tolerance
        places = {
            where: piece
            for where, piece in places.items()
            if where in pieces and values.are_close(pieces[where], piece, tolerance)
        }
    return tuple(places)


def is_clear_of_edges(key_input: KeyInput, right: Observation) -> bool:
    """Return whether every number lies far enough from the edges of its rounding."""
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
    """Yield namespaces with a mistake in an earlier exercise that the visible cases of this one do not show."""
    key = replace(judge.visible_key(lesson, exercise.id), mistakes=())
    question = runner.Question(exercise.id, (), key.cases)
    for place, name in enumerate(exercise.builds_on, start=1):
        for mistake, listed in enumerate(lesson.exercise(name).misconceptions):
            for variant in range(len(listed.wrong)):
                names = dict(reference.load_mistaken(lesson, name, mistake, variant))
                for later in (*exercise.builds_on[place:], exercise.id):
                    exec(lesson.solution(later), names)
                if judge.judge(key, (runner.ask_all(question, names),)).state is State.RIGHT:
                    yield names


# --- the content ----------------------------------------------------------------------------------------------


def _sections(lesson: Lesson, exercise: Exercise) -> list[tuple[str, str, str]]:
    """Return the sections to lock, as title, text and HTML: the course's answer, and all else in one fold."""
    answers = [answer for answer in corpus.answers_to(lesson, exercise.id) if answer.buys]
    variants = [_section(f"Another way: {answer.style}", answer.code, answer.buys) for answer in answers]
    if question := corpus.what_if(lesson, exercise.id):
        instruction = "Say what you expect before you open the answer."
        variants.append(_section(f"What if: {question.question}", "", instruction))
        code = f"{question.code.strip()}\n\n# prints\n{_run_and_capture(lesson, question.code)}"
        variants.append(_section("The answer to that", code, question.because, folded=True))
    own_answer = lesson_source.strip_solution_marks(lesson.solution(exercise.id))
    sections = [_section("The course's own answer", own_answer)]
    if variants:
        text = "\n\n".join(f"{section.title}\n{section.text}" for section in variants)
        sections.append(Section("Other ways, and a question to think about", text, join_sections(variants)))
    return [(section.title, section.text, section.html) for section in sections]


def _section(title: str, code: str, explanation: str = "", folded: bool = False) -> Section:
    code = code.strip("\n")
    html = f"<p>{sentence(explanation)}</p>" if explanation else ""
    html += f"<pre>{escape(code)}</pre>" if code else ""
    return Section(title, "\n".join(filter(None, (explanation, code))), html, folded)


def _run_and_capture(lesson: Lesson, code: str) -> str:
    """Return the output of a cell that runs below the lesson's right answers."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        corpus.answered_namespace(lesson, code)
    return output.getvalue().rstrip()
