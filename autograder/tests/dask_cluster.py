"""A Dask cluster on this machine."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import dask.distributed
import psutil


@contextlib.contextmanager
def cluster(folder: Path):
    """A scheduler and two worker processes on loopback."""
    file = folder / "scheduler.json"
    options = ["--scheduler-file", str(file)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with contextlib.ExitStack() as stack:

        def start(*command: str) -> psutil.Popen:
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
            process = stack.enter_context(
                psutil.Popen([sys.executable, "-m", "distributed.cli." + command[0], *command[1:]], **quiet)
            )
            stack.callback(kill_with_children, process)
            return process

        start("dask_scheduler", *options, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        some = [
            start("dask_worker", *options, "--nthreads", "1", "--no-dashboard", "--no-nanny")
            for _ in range(2)
        ]
        deadline = time.monotonic() + 60
        while not (file.exists() and file.read_text()) and time.monotonic() < deadline:
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        with dask.distributed.Client(address, timeout="30s") as client:
            client.wait_for_workers(len(some), timeout=60)
        yield address, some


def kill_with_children(process: psutil.Popen) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        for one in [*process.children(recursive=True), process]:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
        process.wait(10)
