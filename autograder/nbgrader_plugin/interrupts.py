"""Ends an interrupted command with one line.

Its exit code is the one that shells have for Ctrl+C and for SIGTERM, 130 and 143.
"""

from __future__ import annotations

import contextlib
import logging
import signal
import sys
import threading
from collections.abc import Iterator

ENDED = "✗ ended early: what was done until then stays, and the same command goes on"

SOON = 0.05
"""Seconds after which Python has left where it passes over what is raised: a callback, or a `__del__`."""


@contextlib.contextmanager
def in_one_line() -> Iterator[None]:
    """End this program with one line where it is interrupted in here.

    It also does so where Python would ignore the interrupt, and where a library logs it before it hands it on.
    """
    usual = sys.unraisablehook

    def again(passed_over: sys.UnraisableHookArgs) -> None:
        if isinstance(end := passed_over.exc_value, KeyboardInterrupt):
            threading.Timer(SOON, signal.pthread_kill, (threading.main_thread().ident, _signal(end))).start()
        else:
            usual(passed_over)

    sys.unraisablehook = again
    if fallback := logging.lastResort:
        fallback.addFilter(_is_no_interrupt)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    except KeyboardInterrupt as end:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # who is impatient ends no cleaning up
        print(ENDED, file=sys.stderr)
        sys.exit(128 + _signal(end))
    finally:
        sys.unraisablehook = usual


def _is_no_interrupt(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], KeyboardInterrupt))


def _interrupt(number: int, _: object) -> None:
    raise KeyboardInterrupt(number)


def _signal(end: KeyboardInterrupt) -> int:
    return end.args[0] if end.args else signal.SIGINT
