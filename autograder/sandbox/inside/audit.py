"""Notices in a student's process what it reaches for outside its room, and tells the other side.

The room stops the attempt; this only names it. What ordinary Python code does is noticed through audit hooks
(PEP 578); code that takes pains to go round them is stopped all the same, and not named.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

_MAX_LINES = 8
MAX_LENGTH = 120
NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
OUTSIDE = re.compile(
    r"(^|/)(solutions|submitted|autograded|feedback|nbgrader_config\.py|gradebook\.(db|salt)|\.ssh)(/|$|-)"
    r"|^/(home|root|Users|etc/(passwd|shadow))(/|$)|^/proc/(1|\d+)/(environ|mem|fd|root|maps|cwd)"
)
"""Paths that belong to the grader, to other students or to the machine's people."""


def install_audit(pipe: int, own: Sequence[str]) -> None:
    """Write a line to `pipe` for each attempt from now on. own: the folders that the room shows, its own first."""
    said: set[str] = set()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        describe = _NOTICED.get(event)
        if describe is None or len(said) >= _MAX_LINES:
            return
        line = describe(arguments, own)
        if line and line not in said:
            said.add(line)
            with contextlib.suppress(OSError):
                os.write(pipe, f"{line[:MAX_LENGTH]}\n".encode(errors="replace"))

    sys.addaudithook(hook)


def _network(arguments: tuple[Any, ...], own: Sequence[str]) -> str:
    where = arguments[1] if len(arguments) == 2 else arguments[0]
    if isinstance(where, (str, bytes)) and not isinstance(arguments[0], (str, bytes)):
        return ""  # a Unix socket: how the parts of one program talk
    name = where[0] if isinstance(where, tuple) else arguments[0]
    return f"the network ({_text(name)})"


def _file(arguments: tuple[Any, ...], own: Sequence[str]) -> str:
    path = arguments[0]
    if not isinstance(path, (str, bytes)):
        return ""
    text = os.path.normpath(os.path.join(own[0], _text(path)))
    if any(text == folder or text.startswith(f"{folder}/") for folder in own):
        return ""
    return f"a file ({text})" if OUTSIDE.search(text) else ""


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


_NOTICED: dict[str, Callable[[tuple[Any, ...], Sequence[str]], str]] = {
    **dict.fromkeys(NETWORK, _network),
    **dict.fromkeys(("open", "os.listdir", "os.scandir"), _file),
}


def heard(pipe: int) -> list[str]:
    """What has been told so far, a line each; `pipe` is the non-blocking end that is read.

    Whoever runs in the room may have written here: it is cut and cleaned, and nothing follows from it but a note.
    """
    try:
        text = os.read(pipe, 2 * _MAX_LINES * MAX_LENGTH).decode(errors="replace")
    except BlockingIOError:
        return []
    lines = [re.sub(r"[^\x20-\x7e\xa0-\uffff]", "?", line)[:MAX_LENGTH] for line in text.split("\n")]
    return list(dict.fromkeys(line for line in lines if line))[:_MAX_LINES]
