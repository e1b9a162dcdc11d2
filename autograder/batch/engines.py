"""Where jobs are run: here, in processes beside this one, or by a Dask cluster's workers."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

from autograder.batch.jobs import Finished, Job, begin_work, run
from autograder.model.errors import CourseError
from autograder.sandbox import doctor, files, notebook_runner, warm
from autograder.student.visible import Visible

TRIES = 3
"""How often a job is begun when the worker that has it is lost."""


class LostError(CourseError):
    """Every worker that was given this job was lost."""


@dataclass
class _Task:
    name: str
    job: Job
    begun: float = field(default_factory=time.monotonic)
    tries: int = 1


class Inline:
    """Runs each job here and now: one after the other, nothing beside it."""

    room = 1

    def __init__(self, course: Visible) -> None:
        self._course = course
        self._results: list[tuple[str, Finished | Exception]] = []

    def get_ready(self) -> None:
        """Start what takes long to start, and do not wait for it."""
        warm_processes(self._course, (notebook_runner.USUAL_SEED,))

    def submit(self, name: str, job: Job) -> None:
        """Run it."""
        try:
            self._results.append((name, run(job)))
        except Exception as error:
            self._results.append((name, error))

    def results(self) -> Iterator[tuple[str, Finished | Exception]]:
        """What has been run since it was last asked."""
        done, self._results = self._results, []
        yield from done

    def close(self) -> None:
        """Nothing is left to do."""


class Workers:
    """Hands jobs to an executor, begins those again whose worker was lost, and takes each job's first result.

    make: makes the executor, when it is first needed and again when it has broken; room: how many jobs may be
    under way; patience: seconds after which a job that has not come back is given to another worker; end: ends
    the executor.
    """

    def __init__(
        self, make: Callable[[], Executor], room: int, patience: float, end: Callable[[Executor], None]
    ) -> None:
        self.room = room
        self._make, self._patience, self._end = make, patience, end
        self._executor: Executor | None = None
        self._tasks: dict[Future[Finished], _Task] = {}

    def get_ready(self) -> None:
        """Start what takes long to start, and do not wait for it."""
        if self._executor is None:
            self._executor = self._make()

    def submit(self, name: str, job: Job) -> None:
        """Give a job to a worker."""
        self._begin(_Task(name, job))

    def results(self) -> Iterator[tuple[str, Finished | Exception]]:
        """What has come back, after waiting a second at most; by name, in the order in which it came."""
        finished = wait(self._tasks, timeout=1.0, return_when=FIRST_COMPLETED).done
        for future in finished:
            task = self._tasks.pop(future, None)
            if task is None:
                continue
            error = future.exception()
            if error is None:
                self._forget(task.name)
                yield task.name, future.result()
            elif not _is_loss(error):
                self._forget(task.name)
                yield task.name, error if isinstance(error, Exception) else LostError(str(error))
            elif task.tries >= TRIES:
                yield task.name, LostError(f"{TRIES} workers were lost while they ran it")
            else:
                self._again(task)
        for task in [task for task in self._tasks.values() if time.monotonic() - task.begun > self._patience]:
            task.begun = time.monotonic()
            if task.tries < TRIES:
                self._again(task)

    def close(self) -> None:
        """Let go of the workers."""
        for future in self._tasks:
            future.cancel()
        if self._executor is not None:
            self._end(self._executor)

    def _begin(self, task: _Task) -> None:
        self.get_ready()
        assert self._executor is not None
        try:
            self._tasks[self._executor.submit(run, task.job)] = task
        except BrokenProcessPool:
            self._executor = self._make()
            self._tasks[self._executor.submit(run, task.job)] = task

    def _again(self, task: _Task) -> None:
        self._begin(_Task(task.name, task.job, tries=task.tries + 1))

    def _forget(self, name: str) -> None:
        """Drop a job's other copies: its first result counts."""
        self._tasks = {future: task for future, task in self._tasks.items() if task.name != name}


def _is_loss(error: BaseException | None) -> bool:
    return isinstance(error, BrokenProcessPool) or type(error).__name__ in ("KilledWorker", "CancelledError")


def warm_processes(course: Visible, hash_seeds: tuple[str, ...]) -> dict[warm.Key, str]:
    """Where this process's warm processes listen; they are started now, if they have not been."""
    if not doctor.sealable():
        return {}
    return {(course, seed): warm.process(course, seed).address for seed in hash_seeds}


def local(jobs: int, patience: float, course: Visible, hash_seeds: tuple[str, ...]) -> Inline | Workers:
    """An engine of `jobs` processes on this machine, which share its warm processes of these hash seeds."""
    if jobs == 1:
        return Inline(course)

    def make() -> Executor:
        shared = (warm_processes(course, hash_seeds), {course: files.folder(course)})
        executor = ProcessPoolExecutor(jobs, get_context("spawn"), begin_work, shared)
        executor.submit(os.getpid)  # the first job starts the workers
        return executor

    def end(executor: Executor) -> None:
        # Waits: Python's own exit may meet an executor that is still ending, and complain.
        executor.shutdown(cancel_futures=True)

    return Workers(make, jobs + 1, patience, end)


def cluster(scheduler: str, patience: float) -> Workers:
    """The workers of a Dask scheduler, each with a warm process of its own. Raises `CourseError` where it is not."""
    from dask.distributed import Client

    try:
        client = Client(scheduler, timeout="20s")
    except OSError as error:
        raise CourseError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    threads = sum(client.nthreads().values())
    if not threads:
        raise CourseError(f"the Dask scheduler at {scheduler} has no workers yet: start some and try again")
    options: dict[str, Any] = {"retries": TRIES, "pure": False}
    return Workers(
        lambda: client.get_executor(**options),
        2 * threads,
        patience,
        lambda executor: executor.shutdown(wait=False),
    )
