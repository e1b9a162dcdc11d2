"""Other forms of the listed mistakes: does each keep its name?

`python -m autograder.tests.forms [lesson …]` writes the corpus's listed mistakes in other ways, as learners do:

- with a guard: a branch of its own for what looks special, such as a single key or no mask, which is right;
- with another fill: -1e9 where -inf stood, or the other way round;
- with the body in a helper, or a product row by row.

A slip that the engine names by the lines is not looked for here: its form keeps the name of what it comes to.

A form counts where it is wrong on the visible cases, and what the slip is about is still most of what is seen there.
It prints the forms that lose their name, and the share that keeps it.
"""

from __future__ import annotations

import ast
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from autograder import judge
from autograder.author.corpus import Answer, answers
from autograder.courses import source
from autograder.model import values
from autograder.model.exercise import Case, Exercise, Key, Observation
from autograder.student import naming, probe
from autograder.tests.outcomes import notebook
from autograder.tests.this_course import find_exercise, find_lesson, lessons

Wrong = dict[int, tuple[str, Any]]
"""How an answer is wrong, and what it gives, by the places of the cases."""

MOST = 3
"""So many forms of a kind are tried of each mistake, drawn with a fixed seed."""

SPECIAL = (
    "{} is None",
    "{}.ndim == 1",
    "{}.ndim == 2",
    "{}.ndim == 3",
    "len({}) == 1",
    "{}.shape[-1] == 1",
    "{}.shape[-2] == 1",
    "{} == 0",
    "{} == 1",
)
"""What learners give a branch of its own, of an argument."""

FILLS = ('float("-inf")', "-1e9", "-1e20")


def forms(lesson: str, answer: Answer) -> Iterator[tuple[str, Answer]]:
    """Each other form of an answer, with its kind."""
    exercise = find_exercise(lesson, answer.exercise)
    right = source.without_marks(find_lesson(lesson).solution(exercise.id))
    made = {"guard": _guarded, "fill": _filled, "helper": helped, "loop": _looped}
    for kind, make in made.items():
        codes = [*make(exercise, answer.code, right)]
        for i, code in enumerate(random.Random(answer.style).sample(codes, min(MOST, len(codes)))):
            yield kind, replace(answer, code=code, style=f"{answer.style}, {kind} {i + 1}")


def _guarded(exercise: Exercise, wrong: str, right: str) -> Iterator[str]:
    method = "forward" if _class_of(wrong, exercise.id) else ""
    tree = ast.parse(right if method else f"def {exercise.signature}:\n    pass")
    wanted = method or exercise.id
    called = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == wanted)
    names = [argument.arg for argument in called.args.args]
    for name in names[1:] if method else names:
        for special in SPECIAL:
            yield (GUARDED_MODULE if method else GUARDED).format(
                wrong=wrong,
                right=right,
                name=exercise.id,
                test=special.format(name),
                arguments=ast.unparse(called.args),
                passed=", ".join(names),
            )


HOLDS = """
def _holds(test):
    try:
        return bool(test())
    except Exception:
        return False
"""

GUARDED = (
    """{wrong}
_slip = {name}
{right}
_right = {name}
"""
    + HOLDS
    + """
def {name}({arguments}):
    if _holds(lambda: {test}):
        return _right({passed})
    return _slip({passed})
"""
)

GUARDED_MODULE = (
    """{wrong}
_Slip = {name}
{right}
_Right = {name}
"""
    + HOLDS
    + """
class {name}(_Slip):
    def forward({arguments}):
        if _holds(lambda: {test}):
            return _Right.forward({passed})
        return _Slip.forward({passed})
"""
)


def _class_of(code: str, name: str) -> bool:
    return any(isinstance(node, ast.ClassDef) and node.name == name for node in ast.parse(code).body)


def _filled(exercise: Exercise, wrong: str, right: str) -> Iterator[str]:
    for position, node in enumerate(ast.walk(ast.parse(wrong))):
        if _is_fill(node):
            yield from (_with(wrong, position, fill) for fill in FILLS if fill != ast.unparse(node))


def _with(code: str, position: int, text: str) -> str:
    """The code with one of its expressions, by its place in a walk, replaced."""
    tree = ast.parse(code)
    old = [*ast.walk(tree)][position]
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            new = ast.parse(text, mode="eval").body
            if value is old:
                setattr(node, field, new)
            elif isinstance(value, list) and old in value:
                value[value.index(old)] = new
    return ast.unparse(tree)


def _is_fill(node: ast.AST) -> bool:
    """Whether it is a number far below zero, as one puts where nothing may look."""
    text = ast.unparse(node) if isinstance(node, ast.expr) else ""
    if text in ("float('-inf')", "-float('inf')", "-np.inf", "-math.inf", "-torch.inf"):
        return True
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.operand, ast.Constant)
        and node.operand.value in (1e9, 1e20)
    )


def helped(exercise: Exercise, code: str, right: str) -> Iterator[str]:
    """With its body in a helper, where the answer is a function."""
    tree = ast.parse(code)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == exercise.id:
            passed = ", ".join(argument.arg for argument in node.args.args)
            outer = ast.parse(f"def {node.name}({ast.unparse(node.args)}):\n    return _work_out({passed})")
            node.name = "_work_out"
            yield f"{ast.unparse(tree)}\n{ast.unparse(outer)}\n"


def _looped(exercise: Exercise, wrong: str, right: str) -> Iterator[str]:
    """With a product taken row by row."""
    stack = "torch.stack" if "torch" in right else "np.stack"
    places = [
        (position, node)
        for position, node in enumerate(ast.walk(ast.parse(wrong)))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
    ]
    for position, node in places:
        rows, columns = ast.unparse(node.left), ast.unparse(node.right)
        yield _with(wrong, position, f"{stack}([_row @ ({columns}) for _row in {rows}])")


# --- counting -------------------------------------------------------------------------------------------------


def given_by(lesson: str, answer: Answer, key: Key) -> probe.Answers | None:
    """What an answer gives for a key's cases; None where it gives none."""
    of = find_lesson(lesson)
    names = notebook(lesson, find_exercise(lesson, answer.exercise))
    try:
        exec(compile(answer.code, answer.style, "exec"), names)
        given = judge.ask_in_process(of, judge.question(of, key), names, lambda own: True)[0]
    except Exception:
        return None
    return given if given.state == probe.ASKED else None


def wrong_in(given: probe.Answers | None, key: Key) -> Wrong:
    """How an answer is wrong, and what it gives there, by the places of the cases."""
    told = zip(given.observations if given else (), key.expected, key.cases)
    found = {i: (_how(seen, right, case), seen.value) for i, (seen, right, case) in enumerate(told)}
    return {i: one for i, one in found.items() if one[0]}


def _how(seen: Observation, right: Observation, case: Case) -> str:
    if naming.is_right(seen, right, case.tolerance):
        return ""
    if seen.error or right.error:
        return "error"
    if values.close(seen.value, right.value, case.tolerance):
        return "input changed"
    return "value" if values.finite(seen.value) else "not finite"


def counts(shown: Wrong, slip: Wrong, kind: str) -> bool:
    """Whether a form, wrong as shown, is still the slip; and where it has a guard, whether it guards anything."""
    alike = all(
        how == slip[i][0] and (how != "value" or values.close(value, slip[i][1], 1e-3))
        for i, (how, value) in shown.items()
        if i in slip
    )
    if not alike or kind != "guard":
        return alike and bool(slip) and set(shown) == set(slip)
    return set(shown) < set(slip) and len(shown) >= max(2, len(slip) / 2)


def tried(lesson: str, exercise: str) -> Iterator[tuple[str, Answer, str]]:
    """Each form that counts, with its kind, and the name that it gets."""
    key = judge.visible_key(find_lesson(lesson), exercise)
    for answer in answers(find_lesson(lesson)):
        if answer.exercise != exercise or not answer.misconception or key.values:
            continue
        slip = wrong_in(given_by(lesson, answer, key), key)
        for kind, form in forms(lesson, answer):
            given = given_by(lesson, form, key)
            if given and counts(wrong_in(given, key), slip, kind):
                yield kind, form, judge.judge(key, (given,)).misconception


def main(wanted: Iterable[str]) -> int:
    """Print the forms without their name, and of each kind the share that keeps it."""
    of_all, named = Counter[str](), Counter[str]()
    for lesson in [*wanted] or [lesson.id for lesson in lessons()]:
        for exercise in find_lesson(lesson).exercises:
            for kind, form, name in tried(lesson, exercise.id):
                of_all[kind] += 1
                named[kind] += name in form.true
                if name not in form.true:
                    print(
                        f"✗ {lesson}  {exercise.id}  [{form.style}]  {form.misconception}, named {name or 'nothing'}"
                    )
    for kind, many in of_all.items():
        print(f"{kind}: {named[kind]} of {many} keep their name")
    print(f"all: {named.total()} of {of_all.total()}, {named.total() / of_all.total():.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
