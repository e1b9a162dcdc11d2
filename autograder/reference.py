"""The reference answers: the solution cells of a lesson's source, run once."""

from __future__ import annotations

import contextlib
import functools
import io
import os
from typing import Any

from autograder import source


@functools.cache
def namespace(lesson: str) -> dict[str, Any]:
    """The names that a lesson's imports and solution cells define."""
    os.environ.setdefault("MPLBACKEND", "agg")
    names: dict[str, Any] = {"__name__": f"reference.{lesson}"}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in source.read(lesson):
            if cell.marker in ("setup", "solution"):
                filename = f"{source.path_of(lesson).name}:{cell.name}"
                exec(compile(cell.text, filename, "exec"), names)
    return names
