"""Has submissions graded: in limited processes of this machine, or by a Dask cluster's workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from nbformat import NotebookNode

from autograder.model.errors import CourseError
from autograder.model.notes import Note
from autograder.nbgrader_plugin import judging
from autograder.nbgrader_plugin.folders import plain_files
from autograder.nbgrader_plugin.judging import Graded, Work
from autograder.nbgrader_plugin.reading import take_in
from autograder.nbgrader_plugin.restoring import Cells
from autograder.sandbox import limited

TRIES = 3
"""How often a job is begun when the worker that has it is lost."""

LOSSES = ("KilledWorker", "CancelledError", limited.Lost.__name__)
"""The names of errors that tell that a worker was lost."""


@dataclass(frozen=True)
class Job:
    """A submission to grade.

    submitted: the notebook's path; folder: where a copy lies of what came with it; master, releases: as `restore` has
    them.
    """

    work: Work
    submitted: Path
    folder: Path
    master: Cells
    releases: Sequence[Cells]


def run_job(job: Job) -> Graded:
    """Read a submission, run it in a room, and judge it."""
    notebook, notes = take_in(job.submitted, job.master, job.releases)
    graded = judging.grade_notebook(job.work, notebook, str(job.folder))
    return replace(graded, notes=[*notes, *graded.notes])


@dataclass(frozen=True)
class Sent:
    """A submission that was read here, to be graded on another machine. files: what came with it, by relative path."""

    work: Work
    notebook: NotebookNode
    notes: Sequence[Note]
    files: Mapping[str, bytes]


def sent(job: Job) -> Sent:
    """Read a submission, and pack it up."""
    notebook, notes = take_in(job.submitted, job.master, job.releases)
    beside = map(Path, plain_files(str(job.folder)))
    files = {str(path.relative_to(job.folder)): path.read_bytes() for path in beside}
    return Sent(job.work, notebook, notes, files)


def run_sent(sent: Sent) -> Graded:
    """Run a submission in a folder of its own, and judge it, on whatever machine this is."""
    with TemporaryDirectory(prefix="submission-", ignore_cleanup_errors=True) as folder:
        for name, content in sent.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        graded = judging.grade_notebook(sent.work, sent.notebook, folder)
    return replace(graded, notes=[*sent.notes, *graded.notes])


class LostError(CourseError):
    """Every worker that was given this job was lost."""


@dataclass
class _Task:
    name: str
    job: Job
    tries: int
    begun: float = field(default_factory=time.monotonic)


class Workers:
    """Hands jobs to an executor, begins those again whose worker was lost, and takes each job's first result.

    make: makes an executor, when it is first needed; begin: gives it a job; capacity: how many jobs may be under way;
    patience: seconds after which a job that has not come back is given to another worker; end: ends the executor, and
    what is under way, if anything is.
    """

    def __init__(
        self,
        make: Callable[[], Executor],
        begin: Callable[[Executor, Job], Future[Graded]],
        capacity: int,
        patience: float,
        end: Callable[[Executor, bool], None],
    ) -> None:
        self.capacity = capacity
        self._make, self._begin, self._patience, self._end = make, begin, patience, end
        self._executor: Executor | None = None
        self._tasks: dict[Future[Graded], _Task] = {}

    def get_ready(self) -> Executor:
        """The executor; what takes long to start is started now, and not waited for."""
        if self._executor is None:
            self._executor = self._make()
        return self._executor

    def submit(self, name: str, job: Job, tries: int = 1) -> None:
        """Give a job to a worker. tries: how often it has been begun, this time included."""
        self._tasks[self._begin(self.get_ready(), job)] = _Task(name, job, tries)

    def results(self) -> Iterator[tuple[str, Graded | Exception]]:
        """What has come back, after waiting a second at most; by name, in the order in which it came."""
        for future in wait(self._tasks, timeout=1.0, return_when=FIRST_COMPLETED).done:
            task = self._tasks.pop(future, None)
            if task is None:  # another copy of the job has come back before
                continue
            error = future.exception()
            if type(error).__name__ in LOSSES:
                if task.tries < TRIES:
                    self.submit(task.name, task.job, task.tries + 1)
                    continue
                error = LostError(f"{TRIES} workers were lost while they ran it")
            self._tasks = {copy: other for copy, other in self._tasks.items() if other.name != task.name}
            if error is not None and not isinstance(error, Exception):
                error = LostError(str(error))
            yield task.name, error or future.result()
        newest = {task.name: task for task in sorted(self._tasks.values(), key=lambda task: task.tries)}
        for task in newest.values():
            if time.monotonic() - task.begun <= self._patience:
                continue
            if task.tries < TRIES:
                self.submit(task.name, task.job, task.tries + 1)
            else:
                self._tasks = {copy: other for copy, other in self._tasks.items() if other.name != task.name}
                yield (
                    task.name,
                    LostError(
                        f"{TRIES} workers did not come back with it, in {self._patience:.0f} seconds each"
                    ),
                )

    def close(self) -> None:
        """Let go of the workers."""
        under_way = [future for future in self._tasks if not future.cancel()]
        if self._executor is not None:
            self._end(self._executor, bool(under_way))


def local(jobs: int, patience: float, start: Callable[[], object]) -> Workers:
    """An engine that grades so many submissions at a time on this machine.

    Threads wait for the limited processes in which all is done. start: starts what these need.
    """

    def make() -> Executor:
        start()
        return ThreadPoolExecutor(jobs)

    def end(executor: Executor, under_way: bool) -> None:
        if under_way:
            limited.end_helper()
        executor.shutdown(cancel_futures=True)

    return Workers(make, lambda executor, job: executor.submit(run_job, job), jobs + 1, patience, end)


def cluster(scheduler: str, patience: float) -> Workers:
    """The workers of a Dask scheduler, each with processes of its own. Raises `CourseError` where it is not."""
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

    def begin(executor: Executor, job: Job) -> Future[Graded]:
        return executor.submit(run_sent, sent(job))

    return Workers(make, begin, 2 * threads, patience, lambda executor, _: executor.shutdown(wait=False))
