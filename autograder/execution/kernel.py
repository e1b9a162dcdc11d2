"""A notebook client whose notebooks run in sandboxes."""

from __future__ import annotations

import contextlib
import math
import time
import typing
from collections.abc import Iterable, Iterator

from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets import Any, Bool, Float, Integer

from autograder.execution import notebook_cells
from autograder.sandbox import session
from autograder.sandbox.session import Message, Session, TimedOut

_SHOWN = {"execute_input", "stream", "display_data", "execute_result", "error", "clear_output"}
"""The types of messages that become outputs. Messages that change earlier outputs are not among them."""

CUT = "… the rest of this cell's output was cut off"


class SealedKernel(NotebookClient):
    """An nbclient that runs notebooks in sandboxes, over one connection in place of a Jupyter kernel's sockets.

    It refuses to run them outside a sandbox unless `allow_unsealed` is set.
    """

    allow_unsealed = Bool(False, help="Run student code with your rights, outside a sandbox.").tag(
        config=True
    )
    allow_other_user = Bool(
        False, help="Where no sandbox can be built, let root run student code as another user."
    ).tag(config=True)
    cpu_seconds = Integer(600, help="Processor time a notebook may use.").tag(config=True)
    memory_mb = Integer(1000, help="MiB of memory that all its processes may hold.").tag(config=True)
    processes = Integer(64, help="Processes and threads of a notebook.").tag(config=True)
    scratch_mb = Integer(256, help="MiB a notebook may write.").tag(config=True)
    output_kb = Integer(1024, help="KiB of output that are kept of one cell.").tag(config=True)
    notebook_output_kb = Integer(4096, help="KiB of output that are kept of a notebook.").tag(config=True)
    record_timing = Bool(False, help="Off: no two gradings would write the same.").tag(config=True)

    deadline = Float(math.inf, help="Time by which to have finished, as time.monotonic() gives it.")
    kept_bytes = Integer(0, help="Bytes of output that have been kept.")
    open_process = Any(help="Opens a process in which the notebook runs, see `broker.Broker.open`.")

    @contextlib.contextmanager
    def setup_kernel(self, **kwargs: typing.Any) -> Iterator[None]:
        """Open a session for the time of the context."""
        self.session = Session(self.open_process(True))
        try:
            yield
        finally:
            self.session.close()

    def execute_cell(
        self, cell: NotebookNode, cell_index: int, *_: typing.Any, max_bytes: int | None = None
    ) -> NotebookNode:
        """Run a cell, and put its outputs into it.

        Args:
            cell: The cell; nothing is run where it is empty or no code.
            cell_index: Its position in the notebook.
            max_bytes: Bytes of output to keep; None for as many as the cell and the notebook may have.

        Raises:
            Interrupted: The process has ended or hangs; the outputs until then are in the cell.
        """
        if cell.cell_type != "code" or not cell.source.strip():
            return cell
        cell.outputs, self.clear_before_next_output = [], False
        limit = self.limit_to_deadline(self.timeout or math.inf)
        bytes_at_start = self.session.received_bytes
        if max_bytes is None:
            max_bytes = min(self.output_kb * 1024, self.notebook_output_kb * 1024 - self.kept_bytes)
        try:
            self._show(self.session.run(cell.source, limit, max_bytes), cell, cell_index)
        except TimedOut:
            self.session.interrupt()
            self._show(self.session.listen(self.iopub_timeout, max_bytes), cell, cell_index)
            text = f"this cell took more than {limit:.0f} seconds"
            cell.outputs.append(notebook_cells.error_output("CellTimeoutError", text))
        finally:
            self.kept_bytes += self.session.received_bytes - bytes_at_start if max_bytes else 0
        return cell

    def limit_to_deadline(self, seconds: float) -> float:
        """Return so many seconds, or those until the deadline if fewer. Raises `TimedOut` after the deadline."""
        remaining = self.deadline - time.monotonic()
        if remaining <= 0:
            raise TimedOut
        return min(seconds, remaining)

    def _show(self, messages: Iterable[Message], cell: NotebookNode, index: int) -> None:
        for message in messages:
            if message["msg_type"] == "cut":
                cell.outputs.append(notebook_cells.stream_output(CUT))
            elif message["msg_type"] in _SHOWN:
                message["content"].pop("transient", None)  # an id by which to change earlier outputs
                try:
                    self.process_message({**message, "header": message, "parent_header": {}}, cell, index)
                    _join_streams(cell.outputs)
                except Exception:  # a forged message may be wrong in any way
                    raise session.MalformedMessage from None


def _join_streams(outputs: list[NotebookNode]) -> None:
    """Join the last two outputs where they are pieces of one text."""
    kinds = [(output.output_type, output.get("name")) for output in outputs[-2:]]
    if len(kinds) == 2 and kinds[0] == kinds[1] and kinds[0][0] == "stream":
        outputs[-2].text += outputs.pop().text
