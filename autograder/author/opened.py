"""What later tries open of a lesson's exercises: puzzles of lines, and answers with the questions of their twins."""

from __future__ import annotations

import ast
import builtins
import difflib
import io
import json
import random
import tokenize
from collections.abc import Iterator
from itertools import islice
from typing import Any

from nbconvert.filters.markdown import markdown2html

from autograder import judge
from autograder.author import corpus
from autograder.courses import Lesson, source
from autograder.judge import reference
from autograder.model.concealed import packed
from autograder.model.errors import CourseError
from autograder.model.exercise import Exercise, Key, Misconception
from autograder.model.verdict import State

WRONG_LINES = 2
NO_CODE = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def line_puzzles(lesson: Lesson) -> str:
    """The lines of each function's answer, shuffled among wrong ones, as the text of their file."""
    asked = [one for one in lesson.exercises if not one.values]
    return _written({one.id: _puzzle(lesson, one) for one in asked})


def opened_answers(lesson: Lesson) -> str:
    """The answers with the questions of their twins, as the text of their file.

    Of a prediction it is empty where the lesson's next cell is there to be run: that shows it.
    """
    return _written({one.id: _answer(lesson, one) for one in lesson.exercises})


def _written(data: dict[str, Any]) -> str:
    return json.dumps({name: packed(one) for name, one in data.items()}, indent=1) + "\n"


def _answer(lesson: Lesson, exercise: Exercise) -> dict[str, str]:
    code = source.without_marks(lesson.solution(exercise.id)).strip("\n")
    shown = exercise.values and _is_shown(lesson, exercise.id)
    asks = exercise.twin.asks if exercise.twin else ""
    return {"code": "" if shown else code, "twin": asks, "html": markdown2html(asks).strip() if asks else ""}


def _is_shown(lesson: Lesson, exercise: str) -> bool:
    """Whether code to run stands behind an exercise's check and hints."""
    after = iter(lesson.cells)
    next(cell for cell in after if cell.marker == "test" and cell.name == exercise)
    following = next((cell for cell in after if cell.marker != "hint"), None)
    return following is not None and following.kind == "code" and not following.marker


def _puzzle(lesson: Lesson, exercise: Exercise) -> dict[str, Any]:
    """given: the lines before the first that a student writes; lines: the others and the wrong ones, in any order."""
    right, given = solution_lines(lesson, exercise)
    own = right[given:]
    wrong = [*islice(_wrong_lines(lesson, exercise, right, given), WRONG_LINES)] if own else []
    lines, draw = [*own, *wrong], random.Random(exercise.id)
    draw.shuffle(lines)
    while len(own) > 1 and sorted(own, key=lines.index) == own:
        draw.shuffle(lines)
    return {"given": right[:given], "lines": lines, "wrong": len(wrong)}


def solution_lines(lesson: Lesson, exercise: Exercise) -> tuple[list[str], int]:
    """The lines of the solution, and how many of them are given."""
    text = lesson.solution(exercise.id)
    return code_lines(source.without_marks(text)), len(code_lines(text.split(source.BEGIN)[0]))


def _wrong_lines(lesson: Lesson, exercise: Exercise, right: list[str], given: int) -> Iterator[str]:
    """Lines of listed mistakes that make the answer wrong in place of the one they are most like, one of each mistake.

    First those of mistakes that are wrong in a single line.
    """
    key, taken = judge.visible_key(lesson, exercise.id), set[str]()
    known = {*reference.namespace(lesson), *vars(builtins), *_made("\n".join(right))}
    for most in (1, len(right)):
        for mistake in exercise.misconceptions:
            codes = mistaken_codes(lesson, exercise, mistake)
            others = [[line for line in code_lines(code) if line not in right] for code in codes]
            for line in dict.fromkeys(one for lines in others if len(lines) <= most for one in lines):
                place = max(range(given, len(right)), key=lambda i: _likeness(line, right[i]))
                code = "\n".join([*right[:place], line, *right[place + 1 :]])
                alike = _likeness(line, right[place]) > 0.5 and _assigned(line) == _assigned(right[place])
                fits = alike and _names(line) <= known and mistake.name not in taken
                if fits and is_wrong(lesson, exercise, key, code):
                    taken.add(mistake.name)
                    yield line


def mistaken_codes(lesson: Lesson, exercise: Exercise, mistake: Misconception) -> Iterator[str]:
    """What a listed mistake makes of the solution, and the corpus' answers that make it."""
    yield from (reference.code_of(lesson, exercise, one, mistake.name) for one in mistake.wrong)
    tried = corpus.answers_to(lesson, exercise.id)
    yield from (one.code for one in tried if one.misconception == mistake.name)


def _likeness(line: str, other: str) -> float:
    return difflib.SequenceMatcher(None, line, other, autojunk=False).ratio()


def is_wrong(lesson: Lesson, exercise: Exercise, key: Key, code: str) -> bool:
    """Whether a code runs, and is wrong on the visible cases."""
    try:
        names = reference.changed(lesson, exercise, code, "a line of its puzzle")
    except CourseError:
        return False
    return judge.verdict(lesson, key, names).state is State.WRONG


def _made(code: str) -> set[str]:
    """The names that a code makes, and those of its arguments."""
    tree = [*ast.walk(_parsed(code))]
    made = {one.id for one in tree if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return made | {one.arg for one in tree if isinstance(one, ast.arg)}


def _names(line: str) -> set[str]:
    """The names that a line looks up, without those that it makes itself; what begins a function looks up nothing."""
    return {one.id for one in ast.walk(_parsed(line)) if isinstance(one, ast.Name)} - _made(line)


def _assigned(line: str) -> tuple[str, ...]:
    return source.assigned(ast.unparse(_parsed(line)))


def _parsed(code: str) -> ast.Module:
    """A code, or a line of one; of what is not to be read alone, as `else:`, nothing."""
    try:
        return ast.parse(code.strip() + " pass" * code.endswith(":"))
    except SyntaxError:
        return ast.Module([], [])


def code_lines(code: str) -> list[str]:
    """The lines of a code as Python counts them, indented, without those that only say something."""
    lines, found, began = code.splitlines(), list[str](), None
    for token in tokenize.generate_tokens(io.StringIO(code + "\n").readline):
        if token.type in NO_CODE:
            continue
        began = began or token
        if token.type == tokenize.NEWLINE:
            text = "\n".join(lines[began.start[0] - 1 : token.end[0]]).rstrip()
            if began.type != tokenize.STRING:
                found.append(text)
            began = None
    return found
