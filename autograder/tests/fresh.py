"""A pytest plugin: where nbval compares no outputs, since they depend on the processor, margins still hold.

nbval runs these cells anyway; behind the last one of a notebook stands one test more, which reads what was shown: what
it must come to says `trained.py`, in the lesson's folder.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

import pytest
from nbval.plugin import IPyNbCell

MARGINS = "trained"


def has_margins(lesson: str) -> bool:
    from autograder.tests.this_course import COURSE

    return (COURSE.solutions / lesson / f"{MARGINS}.py").is_file()


def margins(lesson: str) -> ModuleType:
    """The module of a lesson whose `check` fails where trainings came to something else."""
    from autograder.tests.this_course import COURSE

    name = f"{COURSE.visible.package}.{lesson}.{MARGINS}"
    pytest.register_assert_rewrite(name)
    return importlib.import_module(name)


class FreshOutputs(pytest.Item):
    """What a notebook's cells have shown in this run, held against the margins of its lesson."""

    def __init__(self, cells: list[Any], **given: Any) -> None:
        super().__init__(**given)
        self._cells = cells

    def runtest(self) -> None:
        if any(cell.test_outputs is None for cell in self._cells):
            pytest.skip("not all cells were run")
        margins(self.path.parent.name).check(told(cell.test_outputs for cell in self._cells))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Behind the last cell of each notebook with margins, one item more."""
    notebooks: dict[Any, list[Any]] = {}
    for item in items:
        if isinstance(item, IPyNbCell) and has_margins(item.path.parent.name):
            notebooks.setdefault(item.parent, []).append(item)
    for notebook, cells in notebooks.items():
        fresh = FreshOutputs.from_parent(notebook, name="what trainings came to", cells=cells)
        items.insert(items.index(cells[-1]) + 1, fresh)


def told(outputs: Iterable[list[Any]]) -> str:
    """What cells printed, and what is said of their pictures."""
    return "\n".join(text for cell in outputs for output in cell for text in _texts(output))


def _texts(output: Any) -> Iterator[str]:
    yield output.get("text", "")
    yield output.get("metadata", {}).get("image/png", {}).get("alt", "")
