"""Errors meant for the people who use the course."""

from __future__ import annotations

import os
from errno import ENOSPC

DISK_FULL = "there is no room left on the disk: make some, and run it again; what was graded before stays"
_FULL_DISK = (os.strerror(ENOSPC), "database or disk is full")
"""What the system and SQLite say then."""


class CourseError(Exception):
    """Something a user can mend: one short message that says what was wrong, where, and what to do."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a stack of our own frames."""
        return [f"✗ {self}"]


def is_disk_full(said: object) -> bool:
    """Whether a program's own words say that the disk is full: no student's stand among them."""
    return any(sign in str(said) for sign in _FULL_DISK)
