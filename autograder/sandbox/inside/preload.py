"""Imports what a program needs to its end; the garbage collector never looks at it."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def preloading() -> Iterator[None]:
    """What is imported or made in here stays to the program's end, and the garbage collector never looks at it."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
