"""The questions that lie in an exercise's box: which line is the slip, and in which order its lines stand.

Both are made of the solution's lines and are true of what the judge says of these: a slip is the one line in which a
listed mistake differs from the solution, and of three lines each but one order is wrong.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from itertools import islice, permutations, zip_longest
from textwrap import dedent

from autograder import judge
from autograder.author.opened import code_lines, is_wrong, mistaken_codes, solution_lines
from autograder.courses import Lesson
from autograder.model.exercise import Exercise, Misconception
from autograder.student.cards import CHOICES, Choice, QuestionCard, card_with

MOST_SLIPS, MOST_ORDERS = 2, 1
"""Questions of each kind in a box."""

IN_ORDER = 3
LONGEST = 14
"""Lines that are shown with a slip in one of them."""

LETTERS = "ABC"


def questions(lesson: Lesson, exercise: Exercise) -> list[QuestionCard]:
    """The questions on the lines of an exercise's answer, the same each time."""
    return [*islice(_slips(lesson, exercise), MOST_SLIPS), *islice(_orders(lesson, exercise), MOST_ORDERS)]


# --- which line is the slip? ---------------------------------------------------------------------------------


def _slips(lesson: Lesson, exercise: Exercise) -> Iterator[QuestionCard]:
    right, given = solution_lines(lesson, exercise)
    if len(right) - given < IN_ORDER:
        return
    key, taken = judge.visible_key(lesson, exercise.id), set[str]()
    wrong = ((one, code) for one in exercise.misconceptions for code in mistaken_codes(lesson, exercise, one))
    for mistake, code in wrong:
        lines = code_lines(code)
        differing = [i for i, pair in enumerate(zip_longest(lines, right)) if pair[0] != pair[1]]
        fits = len(lines) == len(right) and len(differing) == 1 and _readable(lines, given, differing[0])
        if fits and mistake.name not in taken and is_wrong(lesson, exercise, key, code):
            taken.add(mistake.name)
            yield _slip(exercise, mistake, lines, right, given, differing[0])


def _readable(lines: Sequence[str], given: int, at: int) -> bool:
    """Whether it is read in half a minute, no two lines that may be chosen are alike, and the slip is one statement."""
    short = sum(line.count("\n") + 1 for line in lines) <= LONGEST
    own = {line.strip() for line in lines[given:]}
    return short and len(own) == len(lines) - given and not {"\n", ";"} & {*lines[at]}


def _slip(
    exercise: Exercise, mistake: Misconception, lines: list[str], right: list[str], given: int, at: int
) -> QuestionCard:
    draw = random.Random(f"{exercise.id} {mistake.name}")
    fitting = [i for i in range(given, len(lines)) if i != at]
    chosen = sorted([at, *draw.sample(fitting, min(len(lines) - given, CHOICES) - 1)])
    fine = f"That line is right. The slip is {mistake.looks_like}."
    mended = f"Right: {mistake.looks_like}. Mended, the line is\n{right[at].strip()}"
    ask = f"This {exercise.id} is wrong, in one line. Which line is the slip?"
    choices, why = [lines[i].strip() for i in chosen], [mended if i == at else fine for i in chosen]
    return QuestionCard(ask, dedent("\n".join(lines)), choices, chosen.index(at), why)


# --- in which order? -----------------------------------------------------------------------------------------


def _orders(lesson: Lesson, exercise: Exercise) -> Iterator[QuestionCard]:
    """Three lines on end, the last ones first, of which the next needs what one makes, in no other order right."""
    right, given = solution_lines(lesson, exercise)
    key = judge.visible_key(lesson, exercise.id)
    for at in range(len(right) - IN_ORDER, given - 1, -1):
        steps = right[at : at + IN_ORDER]
        needed = [_names(one, ast.Store) & _names(other, ast.Load) for one, other in zip(steps, steps[1:])]
        depths = {len(line) - len(line.lstrip()) for line in steps}
        if not all(needed) or len(depths) > 1 or len({*steps}) < IN_ORDER:
            continue
        _, *others = permutations(steps)
        codes = ("\n".join([*right[:at], *order, *right[at + IN_ORDER :]]) for order in others)
        if all(is_wrong(lesson, exercise, key, code) for code in codes):
            yield _order(exercise, right[:at], steps, [*map(min, needed)])


def _order(exercise: Exercise, before: Sequence[str], steps: list[str], needed: list[str]) -> QuestionCard:
    draw = random.Random(exercise.id)
    shown = draw.sample(steps, IN_ORDER)
    letter = {line: LETTERS[i] for i, line in enumerate(shown)}

    def choice(order: Sequence[str], why: str) -> Choice:
        return Choice(", ".join(letter[line] for line in order), why=why)

    first, second, last = (letter[line] for line in steps)
    why = f"{second} needs {needed[0]}, which {first} makes, and {last} needs {needed[1]}, which {second} makes."
    _, *others = permutations(steps)
    wrong = [choice(order, f"Not in this order: {why}") for order in draw.sample(others, CHOICES - 1)]
    lines = [f"{LETTERS[i]}  {line.strip()}" for i, line in enumerate(shown)]
    code = dedent("\n".join(before)).splitlines()
    text = "\n".join([*(f"   {line}" for line in code), *([""] if code else []), *lines])
    ask = f"Three lines of a right {exercise.id}, shuffled. In which order do they stand?"
    return card_with(ask, text, choice(steps, f"Right: {why}"), wrong)


def _names(line: str, kind: type[ast.expr_context]) -> set[str]:
    """The names that a line makes or reads, with attributes as `self.weights`; none of what begins a block."""
    try:
        tree = ast.parse(line.strip())
    except SyntaxError:
        return set()
    found = [one for one in ast.walk(tree) if isinstance(one, (ast.Name, ast.Attribute))]
    made = {ast.unparse(one) for one in found if isinstance(one.ctx, kind)}
    added = [one for one in tree.body if isinstance(one, ast.AugAssign)]
    return made | {ast.unparse(one.target) for one in added}
