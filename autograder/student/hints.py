"""A lesson's hints as its notebook has them, and which of them fit the part of an answer that fails."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.model import common
from autograder.model.exercise import Key, StudentError
from autograder.model.verdict import Verdict
from autograder.student.visible import Visible

ABOUT_SHAPES = re.compile(
    r"shape|size|dimension|axis|axes|align|broadcast|subscript|mat1|\b[1-4]-?D\b|matri|inhomogeneous|unpack|Can only",
    re.IGNORECASE,
)
"""What NumPy's and PyTorch's errors about shapes say."""


@dataclass(frozen=True)
class Hint:
    """One hint: its summary, and what it says as Markdown and as HTML; parts: the titles of those it helps with."""

    title: str
    text: str
    html: str
    parts: tuple[str, ...] = ()


def stored_hints(course: Visible, lesson: str, exercise: str) -> list[Hint]:
    """An exercise's hints in their order; none where none can be read."""
    try:
        stored = course.added(course.hints(lesson)).get(exercise, [])
        return [Hint(**{**one, "parts": tuple(one["parts"])}) for one in stored]
    except (TypeError, KeyError):
        return []


def fitting(hints: Sequence[Hint], key: Key, verdict: Verdict, error: StudentError | None) -> list[Hint]:
    """Return the hints for the first part that does not hold.

    A hint that names no part is for all but those on special inputs and on what must stay as it was. While no part
    holds because the code raises an error, no hint fits unless the error is about shapes. error: that of the case
    which the verdict explains.
    """
    if verdict.problem:
        return []
    failing = next((part for part, line in zip(key.parts, verdict.lines) if not line.passed), None)
    if failing is None or error and not verdict.passed and not ABOUT_SHAPES.search(error.message):
        return []
    special = failing.plain or failing.rule is common.unchanged
    return [one for one in hints if failing.title in one.parts or not one.parts and not special]
