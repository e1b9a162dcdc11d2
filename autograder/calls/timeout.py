"""A time limit for code in this process, which ends as by Ctrl-C: by a `KeyboardInterrupt` in the main thread."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType

SOONEST = 0.01
"""Seconds between two interrupts."""

TICK = 0.05
"""Seconds between two looks at the clock, at most."""

WAITING = 6
"""Seconds of waiting for each second of processor time: others may keep the machine busy."""

IMPORTING = "<frozen importlib._bootstrap"
"""Where Python itself imports."""


@dataclass
class TimeLimit:
    """A time limit: whether it has passed, and which one it was, as "2 seconds of computing"."""

    passed: bool = False
    description: str = ""


@contextlib.contextmanager
def interrupt_after(seconds: float) -> Iterator[TimeLimit]:
    """Raise `KeyboardInterrupt` in the block after so many seconds; again, ever faster, for code that catches it.

    They are seconds of processor time, or `WAITING` times as many of waiting. An import does not count, and is never
    interrupted: a library that is half imported works no more. Only the main thread can be interrupted.
    """
    limit = TimeLimit()
    if threading.current_thread() is not threading.main_thread():
        yield limit
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        if not (limit.passed and _imports(frame)):
            signal.default_int_handler(number, frame)

    handler = signal.signal(signal.SIGINT, interrupt)
    ended, sending = threading.Event(), threading.Lock()
    watch = threading.Thread(target=_interrupt, args=(limit, seconds, ended, sending), daemon=True)
    watch.start()
    try:
        yield limit
    finally:
        with sending:
            ended.set()
        signal.signal(signal.SIGINT, handler)


def interrupted_import(end: BaseException) -> bool:
    """Return whether an interruption, as by Ctrl-C, fell into an import: it is told by the module's own frame."""
    frames = (frame for frame, _ in traceback.walk_tb(end.__traceback__))
    return any(frame.f_code.co_name == "<module>" and "__spec__" in frame.f_globals for frame in frames)


def _interrupt(limit: TimeLimit, seconds: float, ended: threading.Event, sending: threading.Lock) -> None:
    main = threading.main_thread().ident or 0
    processor, pause = _clock_of(main), min(TICK, seconds / 4)
    used = waited = 0.0
    last = processor(), time.monotonic()
    while not ended.wait(pause):
        now = processor(), time.monotonic()
        if not _imports(sys._current_frames().get(main)):
            used, waited = used + now[0] - last[0], waited + now[1] - last[1]
        last = now
        if max(used, waited / WAITING) < seconds:
            continue
        with sending:
            if ended.is_set():
                return
            pause = max(pause / 2, SOONEST) if limit.passed else 1.0
            computed = f"{seconds:g} seconds of computing"
            limit.description = limit.description or (
                computed if used >= seconds else f"{seconds * WAITING:g} seconds"
            )
            limit.passed = True
            if hasattr(signal, "pthread_kill"):  # this ends a sleep as well
                signal.pthread_kill(main, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)


def _clock_of(thread: int) -> Callable[[], float]:
    """Return a thread's processor time; where a system does not tell it, the whole process'."""
    if sys.platform == "win32" or not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


def _imports(frame: FrameType | None) -> bool:
    """Return whether a frame, or whoever called it, imports something."""
    while frame and not frame.f_code.co_filename.startswith(IMPORTING):
        frame = frame.f_back
    return frame is not None
