"""What a worker does: run one notebook, sealed, and bring back what came of it. It judges nothing."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat

from autograder.probe import Question
from autograder.runner import Interview, Ran
from autograder.seal import stage, warm


@dataclass(frozen=True)
class Job:
    """One notebook to run.

    notebook: restored, as JSON text; files: what lies beside it, by relative path; questions: by the test cells'
    grade ids; settings: those of `Interview`.
    """

    notebook: str
    files: Mapping[str, bytes]
    questions: Mapping[str, Question]
    illustrations: frozenset[str]
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Done:
    """The notebook with its outputs, as JSON text without nbformat's checks, and what came of running it."""

    notebook: str
    ran: Ran


PR_SET_PDEATHSIG = 1


def begin_work(warm_processes: Mapping[str, str], shown: Path) -> None:
    """Get a new worker process ready: it ends with the process that started it.

    warm_processes: that process's, which this one asks as well; shown: the folder from which they import.
    """
    warm.use(warm_processes)
    stage.use(shown)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def run(job: Job) -> Done:
    """Run a notebook in a folder of its own, on whatever machine this is."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    notebook = nbformat.reads(job.notebook, as_version=4)
    interview = Interview(**job.settings)
    with TemporaryDirectory(prefix="submission-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        for name, content in job.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        resources = {"metadata": {"path": folder}}
        ran = interview.interview(notebook, resources, job.questions, job.illustrations)
    return Done(json.dumps(notebook), ran)
