"""Questions about an exercise's answers, which a build locks with the other solutions.

A near miss is a wrong answer of the corpus that breaks little: which check does it not pass? A slip is the one line in
which a listed mistake, which the judge rejects, differs from the solution: which line is it?
"""

from __future__ import annotations

import io
import random
import tokenize
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from textwrap import dedent
from typing import Any

from autograder.answers import corpus
from autograder.calls import runner
from autograder.courses import Lesson, lesson_source
from autograder.exercises import common, public_course
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import AnswerKey, Exercise, Misconception
from autograder.exercises.verdict import State, Verdict
from autograder.judging import judge, reference
from autograder.quiz.question_card import CHOICES, Choice, QuestionCard, shuffled_card

MAX_SLIPS = 2
"""Questions about the slips of one exercise."""

MIN_LINES, MAX_LINES = 3, 14
"""The lines of an answer that a question can be about."""

NO_CODE = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def locked_questions(lesson: Lesson, exercise: Exercise) -> dict[str, Any]:
    """Return the questions about an exercise's answers as data, the same each time."""
    with public_course.use_course(lesson.course.visible):
        near_miss = next(_near_misses(lesson, exercise), None)
    slips = islice(_slip_questions(lesson, exercise), MAX_SLIPS)
    return {"near_miss": vars(near_miss) if near_miss else None, "cards": [vars(card) for card in slips]}


# --- near misses ---------------------------------------------------------------------------------------------


def _near_misses(lesson: Lesson, exercise: Exercise) -> Iterator[QuestionCard]:
    """Yield a question about each listed mistake in the corpus, those that break least first.

    The question is which check the code fails, or which mistake it makes where it passes none.
    """
    key, candidates = judge.visible_key(lesson, exercise.id), dict[str, tuple[str, Verdict]]()
    question = runner.Question(exercise.id, (), key.cases)
    for answer in corpus.answers_to(lesson, exercise.id):
        name = answer.misconception
        if name and name not in candidates:
            names = corpus.answered_namespace(lesson, answer.code)
            verdict = judge.judge(key, (runner.ask_all(question, names),))
            if verdict.misconception == name:
                candidates[name] = answer.code.strip("\n"), verdict
    for code, verdict in sorted(candidates.values(), key=_rank):
        first = next(line for line in verdict.lines if not line.passed)
        details = "\n".join([f"{verdict.looks_like}.", f"✗ {first.in_short}", *first.details])
        ask = "Almost right: which of these checks does it not pass?"
        why = "It passes that one. It makes this mistake"
        right, alternatives = first.title, [line.title for line in verdict.lines if line.passed]
        if not alternatives:
            ask, why = "This passes no check. Which mistake is it?", "It is another mistake"
            right, alternatives = verdict.misconception, [mistake.name for mistake in exercise.misconceptions]
            alternatives.remove(right)
        if alternatives:
            choices = [Choice(alternative, why=f"{why}: {details}") for alternative in alternatives]
            yield shuffled_card(ask, code, Choice(right, why=f"Right: {details}"), choices)


def _rank(candidate: tuple[str, Verdict]) -> tuple[bool, int]:
    """Return the sort key of a near miss; one that changes its arguments comes last, since it shows in no number."""
    verdict = candidate[1]
    return verdict.misconception == common.WRITES, -verdict.passed


# --- slips ---------------------------------------------------------------------------------------------------


def _slip_questions(lesson: Lesson, exercise: Exercise) -> Iterator[QuestionCard]:
    right, given_lines = _solution_lines(lesson, exercise)
    if len(right) - given_lines < MIN_LINES:
        return
    key, used_names = judge.visible_key(lesson, exercise.id), set[str]()
    for mistake in exercise.misconceptions:
        for code in _mistaken_codes(lesson, exercise, mistake):
            lines = _code_lines(code)
            differing = [i for i, pair in enumerate(zip_longest(lines, right)) if pair[0] != pair[1]]
            if len(lines) != len(right) or len(differing) != 1 or mistake.name in used_names:
                continue
            (at,) = differing
            if _is_readable(lines, given_lines, at) and _is_wrong(lesson, exercise, key, code):
                used_names.add(mistake.name)
                yield _slip_card(exercise, mistake, lines, right, given_lines, at)


def _is_readable(lines: Sequence[str], given_lines: int, at: int) -> bool:
    """Return whether an answer is short, its lines differ, and the slip at index `at` is a single statement."""
    short = sum(line.count("\n") + 1 for line in lines) <= MAX_LINES
    answer_lines = {line.strip() for line in lines[given_lines:]}
    return short and len(answer_lines) == len(lines) - given_lines and not {"\n", ";"} & {*lines[at]}


def _slip_card(
    exercise: Exercise, mistake: Misconception, lines: list[str], right: list[str], given_lines: int, at: int
) -> QuestionCard:
    draw = random.Random(f"{exercise.id} {mistake.name}")
    fitting = [i for i in range(given_lines, len(lines)) if i != at]
    chosen = sorted([at, *draw.sample(fitting, min(len(lines) - given_lines, CHOICES) - 1)])
    fine = f"That line is right. The slip is {mistake.looks_like}."
    mended = f"Right: {mistake.looks_like}. Mended, the line is\n{right[at].strip()}"
    ask = f"This {exercise.id} is wrong, in one line. Which line is the slip?"
    choices, why = [lines[i].strip() for i in chosen], [mended if i == at else fine for i in chosen]
    return QuestionCard(ask, dedent("\n".join(lines)), choices, chosen.index(at), why)


def _solution_lines(lesson: Lesson, exercise: Exercise) -> tuple[list[str], int]:
    """Return the lines of the solution, and how many of them the student is given."""
    text = lesson.solution(exercise.id)
    given_lines = _code_lines(text.split(lesson_source.BEGIN)[0])
    return _code_lines(lesson_source.strip_solution_marks(text)), len(given_lines)


def _mistaken_codes(lesson: Lesson, exercise: Exercise, mistake: Misconception) -> Iterator[str]:
    """Yield the code of a listed mistake's variants, and of the corpus's answers that make it."""
    for variant in mistake.wrong:
        yield reference.changed_code(lesson, exercise, variant, mistake.name)
    for answer in corpus.answers_to(lesson, exercise.id):
        if answer.misconception == mistake.name:
            yield answer.code


def _is_wrong(lesson: Lesson, exercise: Exercise, key: AnswerKey, code: str) -> bool:
    """Return whether an answer runs and is wrong on the visible cases."""
    try:
        names = reference.change_reference(lesson, exercise, code, "a listed mistake")
    except CourseError:
        return False
    return judge.judge_in_process(lesson, key, names).state is State.WRONG


def _code_lines(code: str) -> list[str]:
    """Return the logical lines of code with their indentation, without comments and docstrings."""
    lines, statements, first_token = code.splitlines(), list[str](), None
    for token in tokenize.generate_tokens(io.StringIO(code + "\n").readline):
        if token.type in NO_CODE:
            continue
        first_token = first_token or token
        if token.type == tokenize.NEWLINE:
            text = "\n".join(lines[first_token.start[0] - 1 : token.end[0]]).rstrip()
            if first_token.type != tokenize.STRING:
                statements.append(text)
            first_token = None
    return statements
