"""A pytest plugin for every run: no network, no one there to move sliders, figures without a screen.

What is collected stays to the end, so that the garbage collector need not look at it.
"""

from __future__ import annotations

import atexit
import gc
import os
import runpy
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.views import figures

GUARD = Path(__file__).parent / "network_guard"
LOG = "ATTENTION_COURSE_NETWORK_LOG"


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """From here on tests are imported and collected."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Before the first test: look for garbage again, but not among all this."""
    gc.freeze()
    gc.enable()
    atexit.register(gc.freeze)


def pytest_configure(config: pytest.Config) -> None:
    """Before anything is collected: set the environment that this process and all its children see."""
    if not hasattr(config, "workerinput"):  # workers write where the process that started them reads
        os.environ[LOG] = tempfile.mkstemp(prefix="network-", suffix=".log")[1]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(GUARD), os.environ.get("PYTHONPATH")]))
    os.environ[figures.STATIC] = "1"
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):  # hundreds of processes would compile the grader anew
        sys.dont_write_bytecode = False
    runpy.run_path(str(GUARD / "sitecustomize.py"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say who tried to reach the network."""
    for line in _attempts():
        terminalreporter.write_line(f"NETWORK: {line}", red=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A run in which something tried to reach the network has failed."""
    if _attempts() and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _attempts() -> list[str]:
    return Path(os.environ[LOG]).read_text(encoding="utf-8").splitlines()
