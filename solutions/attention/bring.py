"""What a student has written in an earlier lesson, brought along from the notebook that they saved there."""

import ast
import contextlib
import importlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

from autograder import check
from autograder.calls import runner
from autograder.checks import answer_keys, scoring
from autograder.exercises import public_course
from autograder.exercises.verdict import State
from autograder.views import figures

LESSON_OF = {
    "MultiHeadAttention": "06_masks_and_heads",
    "scaled_dot_product_attention": "02_toy_tensors",
    "simple_attention": "02_toy_tensors",
    "softmax": "01_weighted_sums",
    "TinyWriter": "07_tiny_transformer",
    "training_step": "07_tiny_transformer",
    "rotate": "08_attention_today",
    "attend_new": "08_attention_today",
}
COURSE_VERSIONS = {
    "MultiHeadAttention": ".heads",
    "scaled_dot_product_attention": ".earlier",
    "simple_attention": ".earlier",
    "softmax": ".helpers",
    "TinyWriter": ".blocks",
    "training_step": ".blocks",
    "rotate": ".reading_on",
    "attend_new": ".reading_on",
}

DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
IMPORTS = (ast.Import, ast.ImportFrom)


class NotBrought(Exception):
    """Nothing right could be brought along; the message says why."""


def bring_your_own(name: str) -> Any:
    """Your answer of this name, from your saved notebook of its lesson, or else the course's; a line says which.

    The notebook is looked for where it lies beside this one, and not at all where nobody is at work: in grading,
    everyone's answers stand on the same ground. Raises `NotBrought` in the lesson that asks for this answer.
    """
    lesson = LESSON_OF[name]
    if check.notebook == lesson:
        raise NotBrought(
            f"{name} is this lesson's own exercise: write it here, and later lessons bring it along"
        )
    number = lesson.split("_")[0]
    try:
        own = _own(name, lesson)
    except NotBrought as why:
        print(f"{name}: the course's version is used, since {why}.")
        return _the_courses(name)
    print(f"{name}: yours, from your notebook of lesson {number}.")
    return own


def or_the_courses(answer: Any) -> Any:
    """An answer of this notebook's that passes its visible checks, or else the course's, and a line says so."""
    name = answer.__name__
    names = getattr(answer, "__globals__", None) or vars(sys.modules[answer.__module__])
    if _check(name, LESSON_OF[name], names) is State.RIGHT:
        return answer
    print(f"{name}: the course's version is used, since yours does not pass all its checks yet.")
    return _the_courses(name)


def _the_courses(name: str) -> Any:
    return getattr(importlib.import_module(COURSE_VERSIONS[name], __package__), name)


def _own(name: str, lesson: str) -> Any:
    """The student's answer. Raises `NotBrought` where there is none that passes its visible checks."""
    number, title = lesson.split("_", 1)
    notebook = Path.cwd().parent / lesson / f"{title}.ipynb"
    if os.environ.get(figures.STATIC) or not notebook.is_file():
        raise NotBrought(f"no notebook of lesson {number} lies beside this one")
    try:
        definitions = _needed(name, notebook.read_text(encoding="utf-8"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise NotBrought(f"your notebook of lesson {number} cannot be read") from None
    names: dict[str, Any] = {"__name__": f"lesson_{number}"}
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(ast.Module(definitions, []), notebook.name, "exec"), names)
            verdict = _check(name, lesson, names)
    except Exception as error:
        raise NotBrought(f"yours does not run ({type(error).__name__}: {error})") from None
    if verdict is State.NOT_STARTED:
        raise NotBrought(f"yours is not saved in lesson {number} yet")
    if verdict is not State.RIGHT:
        raise NotBrought(f"yours does not pass all checks of lesson {number} yet")
    return names[name]


def _check(name: str, lesson: str, names: dict[str, Any]) -> State:
    key = answer_keys.load_keys(public_course.find_course(__name__), lesson).keys[name]
    question = runner.Question(name, key.values, key.cases)
    return scoring.judge_best(key, runner.ask_all(question, names)).state


def _needed(name: str, notebook: str) -> list[ast.stmt]:
    """Of a notebook's answers and of what is given with them, what defines this name and the names that it needs.

    It comes in order, behind all imports.
    """
    imports: list[ast.stmt] = []
    definitions: list[ast.stmt] = []
    for cell in json.loads(notebook)["cells"]:
        about = cell["metadata"].get("nbgrader", {})
        sets_up = str(about.get("grade_id", "")).startswith("setup_")
        if cell["cell_type"] != "code" or not (about.get("solution") or sets_up):
            continue
        statements = _statements("".join(cell["source"]))
        imports += [statement for statement in statements if isinstance(statement, IMPORTS)]
        definitions += [statement for statement in statements if isinstance(statement, DEFINITIONS)]
    wanted = {name}
    while more := {read for part in definitions if _bound(part) & wanted for read in _read(part)} - wanted:
        wanted |= more
    return imports + [definition for definition in definitions if _bound(definition) & wanted]


def _statements(text: str) -> list[ast.stmt]:
    """A cell's statements; none where it is no Python."""
    try:
        return ast.parse(text).body
    except SyntaxError:
        return []


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a definition defines."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    targets = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
    return {node.id for node in targets if isinstance(node.ctx, ast.Store)}


def _read(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
