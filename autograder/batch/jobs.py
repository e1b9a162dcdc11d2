"""What a worker does: run one notebook, sealed, and bring back what came of it. It judges nothing."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nbformat import NotebookNode

from autograder.sandbox import files, warm
from autograder.sandbox.notebook_runner import Interview, Ran
from autograder.student import probe, visible
from autograder.student.visible import Visible


@dataclass(frozen=True)
class Job:
    """One notebook to run.

    notebook: restored; files: what lies beside it, by relative path; course: the shown half of its
    course; questions: as the probe's requests, by the test cells' grade ids; settings: those of `Interview`.
    """

    notebook: NotebookNode
    files: Mapping[str, bytes]
    course: Visible
    questions: Mapping[str, str]
    illustrations: frozenset[str]
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Finished:
    """The notebook with its outputs, and what came of running it."""

    notebook: NotebookNode
    ran: Ran


PR_SET_PDEATHSIG = 1


def begin_work(warm_processes: Mapping[warm.Key, str], shown: Mapping[Visible, Path]) -> None:
    """Get a new worker process ready: it ends with the process that started it.

    warm_processes: that process's, which this one asks as well; shown: the folders from which they import.
    """
    warm.use(warm_processes)
    files.use(shown)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def run(job: Job) -> Finished:
    """Run a notebook, in place, in a folder of its own, on whatever machine this is."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    course = visible.of(job.course.root, job.course.data)
    interview = Interview(**job.settings)
    interview.course = course
    questions = {name: probe.read_request(text) for name, text in job.questions.items()}
    with TemporaryDirectory(prefix="submission-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        for name, content in job.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        resources = {"metadata": {"path": folder}}
        ran = interview.interview(job.notebook, resources, questions, job.illustrations)
    return Finished(job.notebook, ran)
