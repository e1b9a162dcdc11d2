"""A lesson's hints as its notebook has them, and which of them fit the part of an answer that fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.model.verdict import Verdict
from autograder.student.visible import Visible


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


def fitting(hints: Sequence[Hint], verdict: Verdict) -> list[Hint]:
    """Those that name the first part that does not hold; where none does, those that name no part."""
    failing = "" if verdict.problem else next((line.title for line in verdict.lines if not line.passed), "")
    return [one for one in hints if failing in one.parts] or [one for one in hints if not one.parts]
