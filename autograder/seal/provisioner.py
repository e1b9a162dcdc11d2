"""How jupyter_client starts a sealed kernel: as any local one, but in a room."""

from __future__ import annotations

import os
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from jupyter_client.provisioning import LocalProvisioner

from autograder.seal import room

_START = {"stdout": DEVNULL, "stderr": DEVNULL, "env": {"PATH": os.environ.get("PATH", os.defpath)}}
"""What the room's builder starts with: its environment can be read inside, as that of process 1."""


class SealedProvisioner(LocalProvisioner):
    """Launches the kernel's command inside `room.command`.

    The kernel manager says where its sockets are; apart from them and its connection file the room shows only what
    `room` lists.
    """

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        manager: Any = self.parent
        folder = kwargs.pop("cwd", None)
        seed = kwargs.pop("env", {}).get("PYTHONHASHSEED", "0")
        sockets, connection = Path(manager.ip).parent, Path(manager.connection_file)
        room.let_in(sockets)
        room.let_in(connection)
        sealed = room.command(
            ["env", f"PYTHONHASHSEED={seed}", *cmd],
            readable=[connection],
            writable=[sockets],
            folder=Path(folder) if folder else None,
            limits=manager.limits,
        )
        return await super().launch_kernel(sealed, **{**kwargs, **_START})
