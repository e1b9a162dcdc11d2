"""The sandbox's side of a notebook: an IPython shell that runs cells sent over a socket, and sends back their output.

A request is a line of JSON: its number, and "code", a cell's source, "question", for `protocol.reply`, or "call", of a
function that a cell has defined. Output goes back line by line, as Jupyter's messages. So does a "call" of a reference
stub, which a line of JSON answers. The last line of a request is "done".
`python -m autograder.sandbox.inside.shell <descriptor>` serves a socket outside a sandbox.
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

from autograder.calls import reference_stub
from autograder.checks import protocol
from autograder.exercises.limits import MAX_PRINTED_CHARACTERS, MAX_SHOWN_BYTES
from autograder.sandbox.inside.cell_syntax import CellTransformer

FLUSH_SECONDS = 0.1
"""Seconds for which printed text may wait for more."""

RESERVE = 4 * 2**20
"""Bytes of memory that are freed to report that memory has run out."""

MIN_FREE_SHARE = 1 / 16
"""Share of a process's memory that must be free before the next request."""


class Channel:
    """The sandbox's end of the socket. Only the process that opened it can send, not its children."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._lines = self._socket.makefile("rb")
        self._owner, self._lock = os.getpid(), threading.RLock()
        self._request, self._is_sending, self._is_interrupted = 0, False, False
        self.answering: int | None = None

    def requests(self) -> Iterator[dict[str, Any]]:
        """Yield requests until the other end closes."""
        for text in self._lines:
            request = json.loads(text)
            self._request = request["number"]
            yield request

    def send(self, kind: str, content: dict[str, Any]) -> None:
        """Send a whole message: an interruption waits until it is sent."""
        if os.getpid() != self._owner:
            return
        message = {"number": self._request, "msg_type": kind, "content": content}
        text = json.dumps(message).encode() + b"\n"
        if len(text) > MAX_SHOWN_BYTES and kind != "done":
            self.send("cut", {})
            return
        with self._lock:
            self._is_sending = True
            try:
                self._socket.sendall(text)
            finally:
                self._is_sending = False
        if self._is_interrupted:
            self.interrupt()

    def call(self, question: int, name: str, call: str) -> str:
        """Return what a reference stub in another process gives, while this question is being answered.

        Raises RuntimeError at any other time, and in any other process.
        """
        if self.answering != question or os.getpid() != self._owner:
            raise RuntimeError(f"{name} stands in only while its caller is being asked, and in its process")
        with self._lock:
            self.send("call", {"name": name, "call": call})
            result: str = json.loads(next(self._lines))["result"]
            return result

    def interrupt(self, *_: int | FrameType | None) -> None:
        """Handle SIGINT while a cell runs. Raises KeyboardInterrupt."""
        self._is_interrupted = self._is_sending
        if not self._is_interrupted:
            raise KeyboardInterrupt

    def end_children(self) -> None:
        """End this process if it is a child: a child that a cell has forked must not serve further requests."""
        if os.getpid() != self._owner:
            os._exit(0)


class _Printed(io.TextIOBase):
    """`sys.stdout` or `sys.stderr`."""

    encoding = "utf-8"

    def __init__(self, name: str, channel: Channel) -> None:
        self._name, self._channel = name, channel
        self._waiting: list[str] = []
        self._flushed = time.monotonic()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._waiting.append(text)
        if time.monotonic() - self._flushed > FLUSH_SECONDS or len(self._waiting) > 1000:
            self.flush()
        return len(text)

    def flush(self) -> None:
        text, self._waiting = "".join(self._waiting), []
        self._flushed = time.monotonic()
        for start in range(0, len(text), MAX_PRINTED_CHARACTERS):
            self._channel.send(
                "stream", {"name": self._name, "text": text[start : start + MAX_PRINTED_CHARACTERS]}
            )


class _Results(DisplayHook):
    """Displays the value of a cell's last expression."""

    shell: Any

    def write_output_prompt(self) -> None:
        """Print no prompt: a page numbers its cells by itself."""

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        content = {"data": encode_images(format_dict), "metadata": md_dict or {}}
        self.shell.send("execute_result", {**content, "execution_count": self.prompt_count})

    def finish_displayhook(self) -> None:
        self._is_active = False


class _Displays(DisplayPublisher):
    """Displays what a cell shows by `display`."""

    def publish(self, data: dict[str, Any], metadata: Any = None, *_: Any, **more: Any) -> None:
        self._validate_data(data, metadata)
        if not more.get("update"):  # of an earlier display, which keeps what it showed first
            self.shell.send("display_data", {"data": encode_images(data), "metadata": metadata or {}})

    def clear_output(self, wait: bool = False) -> None:
        self.shell.send("clear_output", {"wait": wait})


class SandboxShell(InteractiveShell):
    """IPython, with a channel in place of a terminal."""

    displayhook_class = Type(_Results)
    display_pub_class = Type(_Displays)
    input_transformer_manager = Instance(CellTransformer, ())
    channel: Channel | None = None
    printed: tuple[_Printed, ...] = ()

    def send(self, kind: str, content: dict[str, Any]) -> None:
        """Send output, after all text that was printed before it."""
        for printed in self.printed:
            printed.flush()
        if self.channel is not None:
            self.channel.send(kind, json_clean(content))

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        self.send("error", {"ename": etype.__name__, "evalue": str(evalue), "traceback": stb})

    def enable_gui(self, gui: str | None = None) -> None:
        """Do nothing: there are no windows."""

    def ask_exit(self) -> None:
        """Do nothing on `exit` and `quit`: there are more cells to run."""


@functools.cache
def get_shell() -> SandboxShell:
    """Return the shell; it is made once, before the fork, for all processes that are forked from this one."""
    shell = SandboxShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    shell.set_hook("show_in_pager", page.as_hook(page.display_page), 90)
    shell.enable_matplotlib("inline")
    return shell


def open_channel(descriptor: int) -> Channel:
    """Return the channel of a socket, over which the shell sends all output from now on."""
    shell, channel = get_shell(), Channel(descriptor)
    shell.channel, shell.printed = channel, (_Printed("stdout", channel), _Printed("stderr", channel))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return channel


def serve(channel: Channel) -> None:
    """Answer requests until the other end closes."""
    shell, reserve = get_shell(), bytearray(RESERVE)
    for request in channel.requests():
        try:
            answer = _answer(shell, channel, request)
            channel.end_children()
            shell.send("done", {"answer": answer, "full": memory_is_full()})
        except MemoryError:
            channel.end_children()
            reserve.clear()  # makes room for the message; the grader goes on in another process
            shell.user_ns.clear()
            channel.send("done", {"answer": None, "full": True})


def _answer(shell: SandboxShell, channel: Channel, request: dict[str, Any]) -> str | None:
    """Serve a request, and return the answer to a question. Raises MemoryError."""
    if "code" in request:
        channel.send("execute_input", {"execution_count": shell.execution_count})
        _run(shell, channel, request["code"])
        return None
    if "call" in request:
        return reference_stub.answer_call(request["call"], shell.user_ns[request["name"]])
    channel.answering = request["number"]
    call_stub = functools.partial(channel.call, channel.answering)
    send_piece = functools.partial(channel.send, "piece")
    try:
        return protocol.answer_request(request["question"], shell.user_ns, call_stub, send_piece)
    except MemoryError:
        raise
    except BaseException:  # student code may raise anything
        return None
    finally:
        channel.answering = None


def memory_is_full() -> bool:
    """Return whether this process has so little memory left that the next request would fail."""
    limit, _ = resource.getrlimit(resource.RLIMIT_DATA)
    if limit == resource.RLIM_INFINITY:
        return False
    data = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData:")
    )
    return int(data.split()[1]) * 1024 > limit - limit * MIN_FREE_SHARE


def _run(shell: SandboxShell, channel: Channel, code: str) -> None:
    sys.stdout, sys.stderr = shell.printed  # the last cell may have replaced them
    signal.signal(signal.SIGINT, channel.interrupt)
    try:
        shell.run_cell(code, store_history=True)
    except BaseException:  # an interruption outside of the cell's own code
        shell.showtraceback()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    serve(open_channel(int(sys.argv[1])))
