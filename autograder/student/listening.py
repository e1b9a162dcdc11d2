"""Notices which library functions an answer calls, however it got hold of them.

A function is known by where it is defined, `module:qualified name`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any


def library_calls(run: Callable[[], Any], known: Mapping[str, str]) -> tuple[str, ...]:
    """The names of those `known` functions that are called while `run()` runs, each once, in order."""
    called: dict[str, None] = {}

    def listen(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            origin = f"{frame.f_globals.get('__name__')}:{frame.f_code.co_qualname}"
        elif event == "c_call":
            origin = f"{getattr(argument, '__module__', None)}:{getattr(argument, '__qualname__', None)}"
        else:
            return
        if origin in known:
            called.setdefault(known[origin])

    before = sys.getprofile()
    sys.setprofile(listen)
    try:
        run()
    finally:
        sys.setprofile(before)
    return tuple(called)
