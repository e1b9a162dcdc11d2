"""Notebooks made up on the spot: a release of two exercises, and the page of a graded one."""

from __future__ import annotations

from nbformat.v4 import new_code_cell, new_notebook
from traitlets.config import Config

from autograder.execution.notebook_cells import grade_id_of
from autograder.pages.feedback import QuietPage
from autograder.records.record_store import GradingRecord
from autograder.tests.this_course import ROOT


def master_cell(name, source, **settings):
    cell = new_code_cell(source, id=name)
    plain = {
        "grade_id": name,
        "grade": False,
        "solution": False,
        "locked": True,
        "schema_version": 3,
        "task": False,
    }
    cell.metadata["nbgrader"] = {**plain, **settings}
    return cell


def make_master():
    cells = [
        master_cell("setup_imports", "import numpy as np"),
        master_cell("f", "def f(): ...", solution=True, locked=False),
        master_cell("test_f", "check(f)", grade=True, points=3),
        master_cell("g", "def g(): ...", solution=True, locked=False),
        master_cell("test_g", "check(g)", grade=True, points=2),
    ]
    return {grade_id_of(cell): cell for cell in cells}


def page_of(*cells, record=None, **earned):
    """The page of a notebook made up on the spot, of a lesson that is none. record: fields of the grade's record."""
    known = {"assignment": "none", "notebook": "none", "student": "amelia"}
    known["record"] = GradingRecord("none", "amelia", **(record or {}))
    known["earned"] = {"points": 0.0, "most": 1.0, "penalty": 0, **earned}
    notebook = new_notebook(cells=list(cells))
    exporter = QuietPage(config=Config(TheCourse={"folder": str(ROOT)}))
    return exporter.from_notebook_node(notebook, {"nbgrader": known})[0]
