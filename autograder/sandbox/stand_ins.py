"""What stands in for earlier answers, in a room in which nothing of a student's runs.

A student's process sends calls, the grader passes them on unread, and back goes what the room gives: the text of a
stand-in is in no other process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

from autograder.model.limits import MAX_LINE_BYTES
from autograder.sandbox.session import Garbled, Interrupted, Session


class StandIns:
    """A lesson's stand-ins, in a process that is begun when one is called."""

    def __init__(self, program: str, begin: Callable[[], Session]) -> None:
        """program: what defines them; begin: opens a session."""
        self._program, self._begin = program, begin
        self._session: Session | None = None

    def call(self, names: Collection[str], call: Mapping[str, Any], seconds: float) -> str:
        """What a stand-in gives. names: of those that may be called; call: what a student's process has sent.

        Raises `Interrupted`, after as many seconds at the latest.
        """
        deadline, name, text = time.monotonic() + seconds, call.get("name"), call.get("call")
        if not isinstance(name, str) or name not in names or not isinstance(text, str):
            raise Garbled
        try:
            given = self._begun(seconds).call(name, text, deadline - time.monotonic())
        except Interrupted:
            self.close()
            raise
        if not isinstance(given, str):
            raise Garbled
        return given

    def close(self) -> None:
        """End their process, if it was begun."""
        if self._session is not None:
            self._session.close()
        self._session = None

    def _begun(self, seconds: float) -> Session:
        if self._session is None:
            self._session = self._begin()
            list(self._session.run(self._program, seconds, MAX_LINE_BYTES))
        return self._session
