"""Ends what this process does where it takes longer than anything in it should: the last of all limits."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator

AGAIN = 10
"""Seconds after which it is ended once more, should something have caught it and gone on."""


class Overrun(Exception):
    """It took more time than there is for it."""


@contextlib.contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Raise `Overrun` in what is done inside once it has taken so long: in the main thread, which gets signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise Overrun(f"it took more than {seconds:.0f} seconds")

    begun = time.monotonic()
    handler = signal.signal(signal.SIGALRM, end)
    outer, _ = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if outer:
            left = outer - (time.monotonic() - begun)
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left), AGAIN)
