"""What must be in nothing that students get, and a search for it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from autograder import source
from autograder.lessons import lessons
from autograder.source import BEGIN, END, ROOT

STYLING = {'axes.tick_params(axis="y", rotation=0)'}
"""Lines of solutions that other lessons' figures need as well and that answer nothing."""


def found_in(texts: Mapping[str, str], lines: Iterable[str]) -> list[tuple[str, str]]:
    """Which of the lines stand in which of the texts."""
    return sorted((line, name) for line in lines for name, text in texts.items() if line in text)


def solution_lines() -> set[str]:
    """The lines between solution marks: answers, model answers and rubrics."""
    cells = [cell.text for lesson in lessons() for cell in source.read(lesson.id) if BEGIN in cell.text]
    regions = [text.split(BEGIN, 1)[1].split(END, 1)[0] for text in cells]
    lines = {line.strip() for region in regions for line in region.splitlines()}
    return {line for line in lines if len(line) > 25} - STYLING


def instructor_code() -> set[str]:
    """The lines of all functions of the lessons' modules, wrong answers and hidden cases, but for mere texts."""
    lines: set[str] = set()
    for path in (ROOT / "autograder" / "lessons").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                body = node.body if isinstance(node, ast.FunctionDef) else [node]
                lines |= {line for part in body for line in _code_lines(text, part)}
    return {line for line in lines if len(line) > 35}


def _code_lines(text: str, part: ast.stmt | ast.expr) -> set[str]:
    if isinstance(part, (ast.Import, ast.ImportFrom)):
        return set()
    lines = {line.strip() for line in text.splitlines()[part.lineno - 1 : part.end_lineno]}
    return {line for line in lines if not line.startswith(('"', 'f"'))}
