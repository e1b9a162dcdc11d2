"""How jupyter_client starts a sealed kernel: not as a program, but forked from the warm process into a room."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from jupyter_client.provisioning import LocalProvisioner

from autograder.seal import room
from autograder.seal.room import NOBODY, Room
from autograder.seal.warm import SealedProcess


class SealedProvisioner(LocalProvisioner):
    """Opens a room that shows the kernel's sockets and connection file, and has a kernel forked into it.

    The kernel manager, which is its parent, says where the sockets are, what the limits are, and which pipe the
    lookout tells.
    """

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        manager: Any = self.parent
        folder = kwargs.get("cwd")
        sockets, connection = Path(manager.ip).parent, Path(manager.connection_file)
        room.let_in(sockets)
        room.let_in(connection)
        opened = Room([connection], [sockets], Path(folder) if folder else None, manager.limits)
        request = {
            "connection": str(connection),
            "folder": opened.folder,
            "shown": room.libraries(),
            "user": NOBODY,
            "limits": manager.limits.as_resources(),
        }
        hash_seed = kwargs.get("env", {}).get("PYTHONHASHSEED", "0")
        kernel = SealedProcess(opened, request, hash_seed, manager.lookout)
        self.process, self.pid = cast(Any, kernel), kernel.pid
        return self.connection_info
