"""Kernels that are talked to over sockets in a folder of their own, not over TCP ports anyone could open."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nbclient import NotebookClient


class PrivateSockets(NotebookClient):
    """An nbclient whose kernel listens in a private folder, removed with the client."""

    def create_kernel_manager(self) -> Any:
        self._sockets = TemporaryDirectory(prefix="kernel-", ignore_cleanup_errors=True)
        manager = super().create_kernel_manager()
        manager.transport = "ipc"
        manager.ip = str(Path(self._sockets.name) / "socket")
        return manager
