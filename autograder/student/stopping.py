"""Ends what takes too long, as Ctrl-C does: by a `KeyboardInterrupt` where the main thread is."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass

SOONEST = 0.01
"""Seconds between two interrupts."""


@dataclass
class Patience:
    """over: whether the time was up before what it was for came to an end."""

    over: bool = False


@contextlib.contextmanager
def patience(seconds: float) -> Iterator[Patience]:
    """Raise `KeyboardInterrupt` in here after so many seconds, and for code that catches it again, ever faster.

    A thread other than the main one can be interrupted by nobody, and goes on.
    """
    told = Patience()
    if threading.current_thread() is not threading.main_thread():
        yield told
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    ended, sending = threading.Event(), threading.Lock()
    watch = threading.Thread(target=_interrupt, args=(told, seconds, ended, sending), daemon=True)
    watch.start()
    try:
        yield told
    finally:
        with sending:
            ended.set()
        signal.signal(signal.SIGINT, before)


def _interrupt(told: Patience, seconds: float, ended: threading.Event, sending: threading.Lock) -> None:
    again = 1.0
    while not ended.wait(again if told.over else seconds):
        with sending:
            if not ended.is_set():
                again = max(again / 2, SOONEST) if told.over else again
                told.over = True
                if hasattr(signal, "pthread_kill"):  # this ends a sleep as well
                    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
                else:
                    signal.raise_signal(signal.SIGINT)
