"""The room's side of a notebook: an IPython shell that runs what comes over a line, and tells what it shows.

The line is a stream socket. A request is a line of JSON: its number, and "code", a cell's source, "question", the
probe's, or "call", of a function that a cell has defined. What is shown meanwhile goes back line by line, in the words
of Jupyter's messages; so does a "call" of a stand-in, which a line of JSON answers. The last line of a request is
"done". `python -m autograder.sandbox.inside.shell <descriptor>` serves a line outside any room.
"""

from __future__ import annotations

import functools
import io
import json
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from ipykernel.jsonutil import encode_images, json_clean
from IPython.core import page
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Instance, Type
from traitlets.config import Config

from autograder.checks import protocol, reference_stub
from autograder.exercises.limits import MAX_PRINTED, MAX_SHOWN_BYTES
from autograder.sandbox.inside.cell_syntax import CellTransformer

OFTEN = 0.1
"""Seconds for which printed text may wait for more."""

RESERVE = 4 * 2**20
"""Bytes of memory with which to tell that there is no more."""

LEAST_LEFT = 1 / 16
"""Of the memory that a process may have, what is left to whoever comes next."""


class Channel:
    """The sandbox's end of the line. Only the process that opened it can be heard, not its children."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._lines = self._socket.makefile("rb")
        self._owner, self._turn = os.getpid(), threading.RLock()
        self._request, self._telling, self._stop = 0, False, False
        self.answering: int | None = None

    def requests(self) -> Iterator[dict[str, Any]]:
        """What is asked for, until the other side hangs up."""
        for text in self._lines:
            request = json.loads(text)
            self._request = request["number"]
            yield request

    def tell(self, kind: str, content: dict[str, Any]) -> None:
        """Send a line, whole: an interruption waits until it is out."""
        if os.getpid() != self._owner:
            return
        message = {"number": self._request, "msg_type": kind, "content": content}
        text = json.dumps(message).encode() + b"\n"
        if len(text) > MAX_SHOWN_BYTES and kind != "done":
            self.tell("cut", {})
            return
        with self._turn:
            self._telling = True
            try:
                self._socket.sendall(text)
            finally:
                self._telling = False
        if self._stop:
            self.interrupt()

    def call(self, question: int, name: str, call: str) -> str:
        """What a stand-in gives, which another process has, while this question is being answered.

        Raises RuntimeError at any other time, and in any other process.
        """
        if self.answering != question or os.getpid() != self._owner:
            raise RuntimeError(f"{name} stands in only while its caller is being asked, and in its process")
        with self._turn:
            self.tell("call", {"name": name, "call": call})
            given: str = json.loads(next(self._lines))["given"]
            return given

    def interrupt(self, *_: int | FrameType | None) -> None:
        """What SIGINT does while a cell runs. Raises KeyboardInterrupt."""
        self._stop = self._telling
        if not self._stop:
            raise KeyboardInterrupt

    def end_children(self) -> None:
        """End this process if it is another one: a child that came back from a cell must not go on here."""
        if os.getpid() != self._owner:
            os._exit(0)


class _Printed(io.TextIOBase):
    """`sys.stdout` or `sys.stderr`."""

    encoding = "utf-8"

    def __init__(self, name: str, line: Channel) -> None:
        self._name, self._line = name, line
        self._waiting: list[str] = []
        self._told = time.monotonic()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._waiting.append(text)
        if time.monotonic() - self._told > OFTEN or len(self._waiting) > 1000:
            self.flush()
        return len(text)

    def flush(self) -> None:
        text, self._waiting = "".join(self._waiting), []
        self._told = time.monotonic()
        for start in range(0, len(text), MAX_PRINTED):
            self._line.tell("stream", {"name": self._name, "text": text[start : start + MAX_PRINTED]})


class _Results(DisplayHook):
    """What the last expression of a cell was."""

    shell: Any

    def write_output_prompt(self) -> None:
        """A page numbers its cells by itself."""

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        content = {"data": encode_images(format_dict), "metadata": md_dict or {}}
        self.shell.tell("execute_result", {**content, "execution_count": self.prompt_count})

    def finish_displayhook(self) -> None:
        self._is_active = False


class _Displays(DisplayPublisher):
    """What a cell displays on its way."""

    def publish(self, data: dict[str, Any], metadata: Any = None, *_: Any, **more: Any) -> None:
        self._validate_data(data, metadata)
        transient = more.get("transient") or {}
        content = {"data": encode_images(data), "metadata": metadata or {}, "transient": transient}
        self.shell.tell("update_display_data" if more.get("update") else "display_data", content)

    def clear_output(self, wait: bool = False) -> None:
        self.shell.tell("clear_output", {"wait": wait})


class SandboxShell(InteractiveShell):
    """IPython, with a line for a terminal."""

    displayhook_class = Type(_Results)
    display_pub_class = Type(_Displays)
    input_transformer_manager = Instance(CellTransformer, ())
    line: Channel | None = None
    printed: tuple[_Printed, ...] = ()

    def speak_on(self, line: Channel) -> None:
        """Take a line for whatever is shown or printed."""
        self.line = line
        self.printed = _Printed("stdout", line), _Printed("stderr", line)

    def tell(self, kind: str, content: dict[str, Any]) -> None:
        """Send what is shown, behind all that was printed before."""
        for printed in self.printed:
            printed.flush()
        if self.line is not None:
            self.line.tell(kind, json_clean(content))

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        self.tell("error", {"ename": etype.__name__, "evalue": str(evalue), "traceback": stb})

    def enable_gui(self, gui: str | None = None) -> None:
        """No windows here."""

    def ask_exit(self) -> None:
        """`exit` and `quit` in a cell: there is more to run."""


@functools.cache
def warm() -> SandboxShell:
    """The shell, which many processes forked from this one can each go on with."""
    shell = SandboxShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    shell.set_hook("show_in_pager", page.as_hook(page.display_page), 90)
    shell.enable_matplotlib("inline")
    return shell


def take(descriptor: int) -> Channel:
    """The line behind a descriptor, for whatever is shown or printed from now on."""
    line = Channel(descriptor)
    warm().speak_on(line)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return line


def serve_room(line: Channel) -> None:
    """Answer requests until the other side hangs up."""
    shell, reserve = warm(), bytearray(RESERVE)
    for request in line.requests():
        try:
            answer = _serve(shell, line, request)
            line.end_children()
            shell.tell("done", {"answer": answer, "full": memory_is_full()})
        except MemoryError:
            line.end_children()
            reserve.clear()  # or nothing could be told; the other side goes on in another process
            shell.user_ns.clear()
            line.tell("done", {"answer": None, "full": True})


def _serve(shell: SandboxShell, line: Channel, request: dict[str, Any]) -> str | None:
    """Do what is asked for; the answer to a question. Raises MemoryError."""
    if "code" in request:
        line.tell("execute_input", {"execution_count": shell.execution_count})
        _run(shell, line, request["code"])
        return None
    if "call" in request:
        return reference_stub.answer(request["call"], shell.user_ns[request["name"]])
    line.answering = request["number"]
    send, told = functools.partial(line.call, line.answering), functools.partial(line.tell, "piece")
    try:
        return protocol.reply(request["question"], shell.user_ns, send, told)
    except MemoryError:
        raise
    except BaseException:  # whatever a student's code may raise
        return None
    finally:
        line.answering = None


def memory_is_full() -> bool:
    """Whether this process has nearly as much memory as it may have: what comes next would fail for want of it."""
    most, _ = resource.getrlimit(resource.RLIMIT_DATA)
    if most == resource.RLIM_INFINITY:
        return False
    data = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData:")
    )
    return int(data.split()[1]) * 1024 > most - most * LEAST_LEFT


def _run(shell: SandboxShell, line: Channel, code: str) -> None:
    sys.stdout, sys.stderr = shell.printed  # whatever the last cell made of them
    signal.signal(signal.SIGINT, line.interrupt)
    try:
        shell.run_cell(code, store_history=True)
    except BaseException:  # an interruption that fell beside the cell's own code
        shell.showtraceback()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    serve_room(take(int(sys.argv[1])))
