"""The warm process imports what the lessons of a run use, and no more."""

from __future__ import annotations

import ast
import sys

import pytest

from autograder.judge import stand_ins
from autograder.tests.this_course import COURSE

VISIBLE = COURSE.visible


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_what_a_lesson_and_its_stand_ins_import_is_warm(lesson):
    """Or each submission would import it anew."""
    texts = [cell.text for cell in lesson.cells if cell.marker == "setup"]
    texts += stand_ins.texts(lesson).values()
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    outside = {name.split(".")[0] for name in names} - {*sys.stdlib_module_names, "autograder", ""}
    assert outside
    assert outside <= {name.split(".")[0] for name in VISIBLE.libraries_of([lesson.id])}
