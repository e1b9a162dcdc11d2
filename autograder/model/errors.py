"""Errors meant for the people who use the course."""

from __future__ import annotations

FULL = "there is no room left on the disk: make some, and run it again; what was graded before stays"


class CourseError(Exception):
    """Something a user can mend: one short message that says what was wrong, where, and what to do."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a stack of our own frames."""
        return [f"✗ {self}"]
