"""Where submissions are graded: in limited processes of this machine, or by a Dask cluster's workers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.exercises.errors import CourseError
from autograder.grading.grade_submission import GradedFile, Job, Refused, grade_submission
from autograder.sandbox import limited_process

Files = Mapping[str, bytes]
"""Files of a folder, by path."""


def _read_files(folder: Path) -> Files:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def grade_elsewhere(job: Job, notebooks: Files, other_files: Files) -> GradedFile | Refused:
    """Do the same as `grade_submission` on another machine, with these notebooks, and the files of the job's folder."""
    temporary = functools.partial(TemporaryDirectory, prefix="submission-", ignore_cleanup_errors=True)
    with temporary() as place, temporary() as other_folder:
        for folder, files in ((place, notebooks), (other_folder, other_files)):
            for name, content in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        notebook = Path(place, job.notebook.name) if job.notebook else None
        return grade_submission(replace(job, notebook=notebook, folder=Path(other_folder)))


@dataclass(frozen=True)
class Engine:
    """Workers that grade submissions.

    Attributes:
        capacity: How many submissions may be under way.
        submit: Gives a submission to a worker.
        trouble: Says why grading waits, in words; empty where it goes on. Raises `CourseError` where it has ended.
        batch: How many graded submissions are written in one transaction.
    """

    capacity: int
    submit: Callable[[Job], Future[GradedFile | Refused]]
    trouble: Callable[[], str] = str
    batch: int = 32


def one_by_one() -> Engine:
    """Return an engine that grades in this thread, and of which each submission is written before the next begins."""

    def submit(job: Job) -> Future[GradedFile | Refused]:
        future: Future[GradedFile | Refused] = Future()
        try:
            future.set_result(grade_submission(job))
        except Exception as error:
            future.set_exception(error)
        return future

    return Engine(1, submit, batch=1)


@contextmanager
def local_engine(jobs: int) -> Iterator[Engine]:
    """Open an engine that grades so many submissions at a time on this machine.

    Threads wait for the limited processes that do the work.
    """
    with ThreadPoolExecutor(jobs) as executor:
        try:
            yield Engine(jobs + 1, lambda job: executor.submit(grade_submission, job))
        except BaseException:  # nobody waits for the submissions under way
            executor.shutdown(wait=False, cancel_futures=True)
            limited_process.end_workers()
            raise


@contextmanager
def dask_engine(scheduler: str) -> Iterator[Engine]:
    """Open an engine of a Dask scheduler's workers. Raises `CourseError` where no scheduler answers, or it has none.

    Where a worker is lost, Dask gives its submissions to another one.
    """
    from dask.distributed import Client

    try:
        client = Client(scheduler, timeout="20s")
    except (OSError, ValueError) as error:
        raise CourseError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise CourseError(
                f"the Dask scheduler at {scheduler} has no workers yet: start some and try again"
            )
        executor = client.get_executor(pure=False)

        def expect_scheduler() -> None:
            if client.status in ("closing", "closed"):
                raise CourseError(
                    f"the Dask scheduler at {scheduler} answers no more: start it and its workers, and call this "
                    "again; it goes on where it stopped"
                )

        def submit(job: Job) -> Future[GradedFile | Refused]:
            expect_scheduler()
            notebooks = _read_files(job.notebook.parent) if job.notebook else {}
            return executor.submit(grade_elsewhere, job, notebooks, _read_files(job.folder))

        def trouble() -> str:
            expect_scheduler()
            lost = client.status != "running" or not client.scheduler_info().get("workers")
            return f"the Dask scheduler at {scheduler} has no workers: grading waits for some" if lost else ""

        yield Engine(2 * threads, submit, trouble)
