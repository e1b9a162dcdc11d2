"""Errors for the people who use the course."""

from __future__ import annotations

import os
from errno import ENOSPC

DISK_FULL = "the disk is full: free some space and run the command again; earlier grades are kept"
_FULL_DISK = (os.strerror(ENOSPC), "database or disk is full")
"""Words of the system and of SQLite when the disk is full."""


class CourseError(Exception):
    """An error that a user can mend: its message says what is wrong, where, and what to do."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows instead of a traceback through the grader."""
        return [f"✗ {self}"]


def is_disk_full(message: object) -> bool:
    """Return whether a program's own message says that the disk is full. A student's text is never handed in here."""
    return any(sign in str(message) for sign in _FULL_DISK)
