"""Kernels that are talked to over sockets in a folder of their own, not over TCP ports anyone could open."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nbclient import NotebookClient
from nbclient.util import run_sync

from autograder.student import figures


class PrivateSockets(NotebookClient):
    """An nbclient whose kernel listens in a private folder, removed with the client; figures get no sliders."""

    def create_kernel_manager(self) -> Any:
        self._sockets = TemporaryDirectory(prefix="kernel-", ignore_cleanup_errors=True)
        manager = super().create_kernel_manager()
        manager.transport = "ipc"
        manager.ip = str(Path(self._sockets.name) / "socket")
        return manager

    async def async_start_new_kernel(self, env: Mapping[str, str] = os.environ, **kwargs: Any) -> None:
        await super().async_start_new_kernel(env={**env, figures.STATIC: "1"}, **kwargs)

    start_new_kernel = run_sync(async_start_new_kernel)
