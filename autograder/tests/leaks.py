"""What must be in nothing that students get, and a search for it."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator, Mapping

from autograder.answers.corpus import answers, what_if
from autograder.courses.lesson_source import BEGIN, END
from autograder.exercises.exercise import WrongAnswer
from autograder.tests.this_course import COURSE, lessons

_WORD = re.compile(r"\w+")

STYLING = {'axes.tick_params(axis="y", rotation=0)'}
"""Lines of solutions that other lessons' figures need as well and that answer nothing."""


def found_in(texts: Mapping[str, str], lines: Iterable[str]) -> list[tuple[str, str]]:
    """Which of the lines stand in which of the texts.

    All words of a line but the first and last, which may be parts of longer ones, are words of a text that holds it.
    """
    words = {name: {*_WORD.findall(text)} for name, text in texts.items()}
    found = []
    for line in lines:
        inner = {*_WORD.findall(line)[1:-1]}
        found += [(line, name) for name, text in texts.items() if inner <= words[name] and line in text]
    return sorted(found)


@functools.cache
def solution_lines() -> set[str]:
    """The lines between solution marks: answers, model answers and rubrics."""
    cells = [cell.text for lesson in lessons() for cell in lesson.cells if BEGIN in cell.text]
    regions = [text.split(BEGIN, 1)[1].split(END, 1)[0] for text in cells]
    lines = {line.strip() for region in regions for line in region.splitlines()}
    return {line for line in lines if len(line) > 25} - STYLING


@functools.cache
def instructor_code() -> set[str]:
    """The lines that judge: of hidden cases, wrong answers and all other functions, but for mere texts."""
    lines: set[str] = set()
    for path in COURSE.solutions.glob("**/judging/*.py"):
        lines |= _function_lines(path.read_text(encoding="utf-8"))
    for lesson in lessons():
        mistakes = (mistake for exercise in lesson.exercises for mistake in exercise.misconceptions)
        lines |= {line for mistake in mistakes for wrong in mistake.wrong for line in _wrong_lines(wrong)}
        twins = (exercise.variant.answer for exercise in lesson.exercises if exercise.variant)
        lines |= {line for answer in twins for line in _wrong_lines(answer)}
    return {line for line in lines if len(line) > 35}


@functools.cache
def corpus_lines() -> set[str]:
    """The lines of right answers and of mistakes as students write them, and of what is asked about right ones."""
    texts = [answer.code for lesson in lessons() for answer in answers(lesson)]
    asked = (what_if(lesson, one.id) for lesson in lessons() for one in lesson.exercises)
    texts += [text for one in asked if one for text in (one.code, one.because)]
    lines = {line.strip() for text in texts for line in text.splitlines()}
    ordinary = ("def ", "class ", "import ", "from ")
    return {line for line in lines if len(line) > 45 and not line.startswith(ordinary)}


def _function_lines(text: str) -> set[str]:
    """The lines of a module's functions, but for the one that gives the visible examples."""
    lines: set[str] = set()
    hidden = (node for node in ast.parse(text).body if getattr(node, "name", "") != "examples")
    for node in (inner for outer in hidden for inner in ast.walk(outer)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            body = node.body if isinstance(node, ast.FunctionDef) else [node]
            lines |= {line for part in body for line in _code_lines(text, part)}
    return lines


def _wrong_lines(wrong: WrongAnswer) -> Iterator[str]:
    for text in (wrong,) if isinstance(wrong, str) else wrong[1::2]:
        yield from (line.strip() for line in str(text).splitlines())


def _code_lines(text: str, part: ast.stmt | ast.expr) -> set[str]:
    if isinstance(part, (ast.Import, ast.ImportFrom)):
        return set()
    lines = {line.strip() for line in text.splitlines()[part.lineno - 1 : part.end_lineno]}
    return {line for line in lines if not line.startswith(('"', 'f"'))}
