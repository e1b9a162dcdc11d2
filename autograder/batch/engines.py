"""Where submissions are graded: in limited processes of this machine, or by a Dask cluster's workers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.grading import GradedFile, Job, Refused, run_job
from autograder.sandbox import limited


@dataclass(frozen=True)
class Sent:
    """A submission as another machine gets it. notebook: its bytes; beside: the files in the job's `folder`."""

    job: Job
    notebook: bytes
    beside: Mapping[str, bytes]


def sent(job: Job) -> Sent:
    """Pack a submission up, from the copies that were made of it here."""
    files = {str(path.relative_to(job.folder)): path for path in job.folder.rglob("*") if path.is_file()}
    beside = {name: path.read_bytes() for name, path in files.items()}
    return Sent(job, job.notebook.read_bytes() if job.notebook else b"", beside)


def run_sent(sent: Sent) -> GradedFile | Refused:
    """The same as `run_job`, in folders of its own, on whatever machine this is."""
    temporary = functools.partial(TemporaryDirectory, prefix="submission-", ignore_cleanup_errors=True)
    with temporary() as place, temporary() as beside:
        notebook = Path(place, sent.job.notebook.name) if sent.job.notebook else None
        if notebook:
            notebook.write_bytes(sent.notebook)
        for name, content in sent.beside.items():
            path = Path(beside, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return run_job(replace(sent.job, notebook=notebook, folder=Path(beside)))


@dataclass(frozen=True)
class Engine:
    """Grades submissions: how many may be under way, and what gives one to a worker.

    trouble: why it goes on only later, in words; empty where it goes on. Raises `CourseError` where it does not.
    """

    capacity: int
    submit: Callable[[Job], Future[GradedFile | Refused]]
    trouble: Callable[[], str] = str


@contextmanager
def local(jobs: int) -> Iterator[Engine]:
    """An engine that grades so many submissions at a time on this machine.

    Threads wait for the limited processes in which all is done.
    """
    with ThreadPoolExecutor(jobs) as executor:
        try:
            yield Engine(jobs + 1, lambda job: executor.submit(run_job, job))
        except BaseException:  # nobody waits any more for what is under way
            executor.shutdown(wait=False, cancel_futures=True)
            limited.end_helper()
            raise


@contextmanager
def cluster(scheduler: str) -> Iterator[Engine]:
    """The workers of a Dask scheduler, each with processes of its own. Raises `CourseError` where it is not.

    What a worker had that is lost, or is not heard of any more, Dask gives to another.
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
            return executor.submit(run_sent, sent(job))

        def trouble() -> str:
            expect_scheduler()
            lost = client.status != "running" or not client.scheduler_info().get("workers")
            return f"the Dask scheduler at {scheduler} has no workers: grading waits for some" if lost else ""

        yield Engine(2 * threads, submit, trouble)
