"""Ctrl+C ends a command with one line and exit code 130, as shells have it; nbgrader's commands, too."""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import signal
import sys
import threading
from collections.abc import Iterator

ENDED = "✗ ended by Ctrl+C: what was done until then stays, and the same command goes on"

SOON = 0.05
"""Seconds after which Python has left where it passes over what is raised: a callback, or a `__del__`."""


@contextlib.contextmanager
def in_one_line() -> Iterator[None]:
    """End this program so where it is interrupted in here; what Python would pass over counts, too."""
    usual = sys.unraisablehook

    def again(passed_over: sys.UnraisableHookArgs) -> None:
        if passed_over.exc_type is KeyboardInterrupt:
            threading.Timer(SOON, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
        else:
            usual(passed_over)

    sys.unraisablehook = again
    try:
        yield
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who is impatient ends no cleaning up
        print(ENDED, file=sys.stderr)
        sys.exit(130)
    finally:
        sys.unraisablehook = usual


@functools.cache
def install_interrupting() -> None:
    """Have nbgrader's commands end so, from where they have read the course's settings."""
    from nbgrader.apps import NbGraderApp

    its_own = NbGraderApp.start

    def start(app: NbGraderApp) -> None:
        atexit.register(gc.freeze)  # to look for garbage in all that is there would hold up the end
        with in_one_line():
            its_own(app)

    NbGraderApp.start = start
