"""Workers: a lost job is begun again, and none is left behind."""

from __future__ import annotations

from concurrent.futures import Executor, Future

from autograder.batch.engines import LostError, Workers
from autograder.sandbox import limited


class Flaky:
    """An executor that loses its worker a number of times before a job comes back."""

    def __init__(self, losses: int) -> None:
        self.losses, self.asked = losses, 0

    def submit(self, job):
        self.asked += 1
        future: Future = Future()
        if self.asked <= self.losses:
            future.set_exception(limited.Lost("gone"))
        else:
            future.set_result(f"ran {job}")
        return future


def workers_of(make, patience):
    return Workers(make, lambda executor, job: executor.submit(job), 2, patience, Executor.shutdown)


def results(workers):
    for _ in range(10):
        found = list(workers.results())
        if found:
            return found
    return []


def test_a_lost_job_is_begun_again_and_comes_back_once():
    executor = Flaky(losses=2)
    workers = workers_of(lambda: executor, 100)
    workers.submit("amy", "job")
    assert results(workers) == [("amy", "ran job")]
    assert executor.asked == 3
    assert list(workers.results()) == []


def test_a_job_that_loses_every_worker_fails_alone():
    workers = workers_of(lambda: Flaky(losses=99), 100)
    workers.submit("amy", "job")
    ((name, error),) = results(workers)
    assert name == "amy"
    assert isinstance(error, LostError)


def test_a_job_that_comes_back_from_no_worker_fails_alone():
    class Silent(Flaky):
        def submit(self, job):
            self.asked += 1
            return Future()

    executor = Silent(0)
    workers = workers_of(lambda: executor, 0.0)
    workers.submit("amy", "job")
    ((name, error),) = results(workers)
    assert name == "amy"
    assert str(error) == "3 workers did not come back with it, in 0 seconds each"
    assert executor.asked == 3
    assert list(workers.results()) == []


def test_a_job_that_does_not_come_back_is_given_to_another_worker():
    class Silent(Flaky):
        def submit(self, job):
            if not self.asked:
                self.asked = 1
                return Future()
            return super().submit(job)

    workers = workers_of(lambda: Silent(0), 0.0)
    workers.submit("amy", "job")
    assert results(workers) == [("amy", "ran job")]
