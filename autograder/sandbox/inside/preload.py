"""Imports that a program needs to its end, kept out of the garbage collector's sight."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def preloading() -> Iterator[None]:
    """Exempt all that is imported or made in this context from garbage collection, to the program's end."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
