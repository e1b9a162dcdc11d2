"""Runs notebooks, sealed: here, in processes beside this one, or by a Dask cluster's workers. They give no points."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nbformat import NotebookNode

from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.grading import is_right
from autograder.sandbox import warm
from autograder.sandbox.notebook_runner import Interview, Ran
from autograder.student import replies, visible
from autograder.student.visible import Visible

TRIES = 3
"""How often a job is begun when the worker that has it is lost."""

FEW = 24
"""Notebooks that are run in this process' threads: their rooms do most of the work."""

LOSSES = ("KilledWorker", "CancelledError")
"""The names of Dask's errors that tell that a worker was lost."""

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Job:
    """One notebook to run.

    notebook: restored; files: what lies beside it, by relative path; course: the shown half of its
    course; questions: as requests, see `replies`, by the test cells' grade ids; stand_ins: the program that defines
    what stands in for earlier answers; keys: pickled, those of the exercises that build on others, which
    may be read once the course is known; settings: those of `Interview`.
    """

    notebook: NotebookNode
    files: Mapping[str, bytes]
    course: Visible
    questions: Mapping[str, str]
    illustrations: frozenset[str]
    stand_ins: str
    keys: bytes
    settings: Mapping[str, Any]


Finished = tuple[NotebookNode, Ran]
"""The notebook with its outputs, and what came of running it."""


def begin_work(warm_processes: Mapping[warm.Key, warm.Place]) -> None:
    """Get a new worker process ready: it ends with the process that started it, and asks its warm processes."""
    warm.use(warm_processes)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def run(job: Job) -> Finished:
    """Run a notebook, in place, in a folder of its own, on whatever machine this is."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    interview = Interview(course=visible.of(job.course.root, job.course.data), **job.settings)
    questions = {name: replies.read_request(text) for name, text in job.questions.items()}
    with TemporaryDirectory(prefix="submission-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        for name, content in job.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        resources = {"metadata": {"path": folder}}
        right = is_right(pickle.loads(job.keys))
        ran = interview.interview(job.notebook, resources, questions, job.illustrations, job.stand_ins, right)
    return job.notebook, ran


class LostError(CourseError):
    """Every worker that was given this job was lost."""


@dataclass
class _Task:
    name: str
    job: Job
    tries: int
    slot: int
    before: Future[Finished] | None
    begun: float = field(default_factory=time.monotonic)


class Workers:
    """Hands jobs to an executor, begins those again whose worker was lost, and takes each job's first result.

    make: makes an executor, when it is first needed and again when it has broken; capacity: how many jobs may be
    under way; patience: seconds after which a job that has not come back is given to another worker; end: ends
    an executor; slots: how many executors there are. One that breaks takes the jobs along that wait for it, and
    only the first of them is to blame.
    """

    def __init__(
        self,
        make: Callable[[], Executor],
        capacity: int,
        patience: float,
        end: Callable[[Executor], None],
        slots: int = 1,
    ) -> None:
        self.capacity = capacity
        self._make, self._patience, self._end, self._slots = make, patience, end, slots
        self._executors: list[Executor] = []
        self._tasks: dict[Future[Finished], _Task] = {}
        self._last: dict[int, Future[Finished]] = {}

    def get_ready(self) -> None:
        """Start what takes long to start, and do not wait for it."""
        while len(self._executors) < self._slots:
            self._executors.append(self._make())

    def submit(self, name: str, job: Job, tries: int = 1) -> None:
        """Give a job to a worker. tries: how often it has been begun, this time included."""
        self.get_ready()
        busy = Counter(task.slot for task in self._tasks.values())
        slot = min(range(self._slots), key=lambda one: busy[one])
        try:
            future = self._executors[slot].submit(run, job)
        except BrokenProcessPool:
            self._executors[slot] = self._make()
            future = self._executors[slot].submit(run, job)
        self._tasks[future] = _Task(name, job, tries, slot, self._last.get(slot))
        self._last[slot] = future

    def results(self) -> Iterator[tuple[str, Finished | Exception]]:
        """What has come back, after waiting a second at most; by name, in the order in which it came."""
        for future in wait(self._tasks, timeout=1.0, return_when=FIRST_COMPLETED).done:
            task = self._tasks.pop(future, None)
            if task is None:  # another copy of the job has come back before
                continue
            error = future.exception()
            if _lost(error):
                self._last.pop(task.slot, None)
                before = task.before
                spared = before is not None and before.done() and _lost(before.exception())
                if spared or task.tries < TRIES:
                    self.submit(task.name, task.job, task.tries + (not spared))
                    continue
                error = LostError(f"{TRIES} workers were lost while they ran it")
            self._tasks = {copy: other for copy, other in self._tasks.items() if other.name != task.name}
            if error is not None and not isinstance(error, Exception):
                error = LostError(str(error))
            yield task.name, error or future.result()
        for task in [task for task in self._tasks.values() if time.monotonic() - task.begun > self._patience]:
            task.begun = time.monotonic()
            if task.tries < TRIES:
                self.submit(task.name, task.job, task.tries + 1)

    def close(self) -> None:
        """Let go of the workers."""
        for future in self._tasks:
            future.cancel()
        for executor in self._executors:
            self._end(executor)


def _lost(error: BaseException | None) -> bool:
    """Whether it tells that a worker was lost."""
    return isinstance(error, BrokenProcessPool) or type(error).__name__ in LOSSES


class Here(Executor):
    """Runs each job here and now: one after the other, nothing beside it."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """Run it."""
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments, **keywords))
        except Exception as error:
            future.set_exception(error)
        return future


def local(
    jobs: int, number: int, patience: float, start: Callable[[], Mapping[warm.Key, warm.Place]]
) -> Workers:
    """An engine that runs `number` notebooks, so many `jobs` of them at a time, on this machine.

    It has processes of its own where there are many: for a few, they take longer to start than they save.
    start: starts the warm processes, which all share.
    """

    def here() -> Executor:
        start()
        return Here() if jobs == 1 else ThreadPoolExecutor(jobs)

    def in_a_process() -> Executor:
        executor = ProcessPoolExecutor(1, get_context("spawn"), begin_work, (start(),))
        executor.submit(os.getpid)  # the first job starts the worker
        return executor

    if jobs > 1 and number > FEW:
        return Workers(in_a_process, jobs + 1, patience, _end, slots=jobs)
    return Workers(here, 1 if jobs == 1 else jobs + 1, patience, _end)


def _end(executor: Executor) -> None:
    # Waits: Python's own exit may meet an executor that is still ending, and complain.
    executor.shutdown(cancel_futures=True)


def cluster(scheduler: str, patience: float) -> Workers:
    """The workers of a Dask scheduler, each with a warm process of its own. Raises `CourseError` where it is not."""
    from dask.distributed import Client

    try:
        client = Client(scheduler, timeout="20s")
    except (OSError, ValueError) as error:
        raise CourseError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    threads = sum(client.nthreads().values())
    if not threads:
        raise CourseError(f"the Dask scheduler at {scheduler} has no workers yet: start some and try again")

    def make() -> Executor:
        return client.get_executor(retries=TRIES, pure=False)

    return Workers(make, 2 * threads, patience, lambda executor: executor.shutdown(wait=False))
