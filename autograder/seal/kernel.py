"""A notebook client whose kernel is sealed."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import zmq
from jupyter_client.kernelspec import KernelSpecManager
from nbclient.util import run_sync
from nbformat import NotebookNode
from nbformat.v4 import new_output
from traitlets import Bool, Integer, List, Unicode

from autograder.kernels import PrivateSockets
from autograder.seal import doctor, lookout, room
from autograder.seal.room import Limits, SealError

MAX_MESSAGE = 16 * 2**20
"""Bytes of one message; a kernel that sends a larger one is cut off."""

CUT = "… the rest of this cell's output was cut off"


REFUSAL = (
    "student code cannot be sealed on this machine: see `make doctor` for what is missing, or set "
    "c.SealedKernel.allow_unsealed = True in nbgrader_config.py to run it with your own rights"
)


class SealedKernel(PrivateSockets):
    """Runs notebooks in a room of their own; refuses to run them outside unless `allow_unsealed` is set."""

    allow_unsealed = Bool(
        False, help="Run student code with your own rights where this machine has no seal."
    ).tag(config=True)
    cpu_seconds = Integer(Limits.cpu_seconds, help="Processor time one notebook may use.").tag(config=True)
    memory_mb = Integer(Limits.memory_mb, help="MiB of data one process may allocate.").tag(config=True)
    processes = Integer(Limits.processes, help="Processes and threads one notebook may have.").tag(
        config=True
    )
    scratch_mb = Integer(Limits.scratch_mb, help="MiB a notebook may write.").tag(config=True)
    output_kb = Integer(1024, help="KiB of output that are kept of one cell.").tag(config=True)

    reached_for = List(Unicode(), help="What kernels have reached for outside their room, a line each.")

    @property
    def sealed(self) -> bool:
        """Whether notebooks will run in a room."""
        return doctor.sealable()

    def create_kernel_manager(self) -> Any:
        manager = super().create_kernel_manager()
        self._kept: Counter[int] = Counter()
        manager.context.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE)
        if self.sealed:
            kernels = str(Path(__file__).parent / "kernels")
            manager.kernel_spec_manager = KernelSpecManager(kernel_dirs=[kernels])
            manager.kernel_name = "sealed"
            manager.limits = Limits(self.cpu_seconds, self.memory_mb, self.processes, self.scratch_mb)
            self._heard, manager.lookout = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        elif not self.allow_unsealed:
            raise SealError(REFUSAL)
        return manager

    async def async_start_new_kernel_client(self) -> Any:
        """As in nbclient; once the kernel listens, it needs no more files beside its sockets."""
        client = await super().async_start_new_kernel_client()
        if self.sealed:
            room.close_to_new_files(Path(self._sockets.name))
        return client

    start_new_kernel_client = run_sync(async_start_new_kernel_client)

    async def _async_cleanup_kernel(self) -> None:
        """As in nbclient; what the kernel reached for outside its room is then in `reached_for`."""
        if self.km is None:
            return
        manager: Any = self.km
        lookout_pipes = (self._heard, manager.lookout) if self.sealed else ()
        try:
            await super()._async_cleanup_kernel()
        finally:
            if lookout_pipes:
                self.reached_for = [*self.reached_for, *lookout.heard(self._heard)]
            for pipe in lookout_pipes:
                os.close(pipe)

    _cleanup_kernel = run_sync(_async_cleanup_kernel)

    def process_message(
        self, msg: dict[str, Any], cell: NotebookNode, cell_index: int
    ) -> NotebookNode | None:
        """As in nbclient, but what would only take memory is dropped: output beyond `output_kb`, and widgets' states,
        which no page shows.
        """
        if msg["msg_type"].startswith("comm_"):
            return None
        if msg["msg_type"] in ("stream", "display_data", "execute_result", "update_display_data", "error"):
            kept, limit = self._kept[cell_index], self.output_kb * 1024
            self._kept[cell_index] = kept + len(json.dumps(msg["content"], default=str))
            if self._kept[cell_index] > limit:
                if kept <= limit:
                    cell.outputs.append(new_output("stream", name="stdout", text=CUT))
                return None
        return super().process_message(msg, cell, cell_index)
