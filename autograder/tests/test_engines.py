"""Workers: a lost job is begun again, and none is left behind."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from autograder.batch import engines
from autograder.batch.engines import LostError, Workers
from autograder.tests.this_course import COURSE


class Flaky:
    """An executor that loses its worker a number of times before a job comes back."""

    def __init__(self, losses: int) -> None:
        self.losses, self.asked = losses, 0

    def submit(self, function, job):
        self.asked += 1
        future: Future = Future()
        if self.asked <= self.losses:
            future.set_exception(BrokenProcessPool("gone"))
        else:
            future.set_result(f"ran {job}")
        return future


def results(workers):
    for _ in range(10):
        found = list(workers.results())
        if found:
            return found
    return []


def test_a_lost_job_is_begun_again_and_comes_back_once():
    executor = Flaky(losses=2)
    workers = Workers(lambda: executor, 2, 100, end=Executor.shutdown)
    workers.submit("amy", "job")
    assert results(workers) == [("amy", "ran job")]
    assert executor.asked == 3
    assert list(workers.results()) == []


def test_a_job_that_loses_every_worker_fails_alone():
    workers = Workers(lambda: Flaky(losses=99), 2, 100, end=Executor.shutdown)
    workers.submit("amy", "job")
    ((name, error),) = results(workers)
    assert name == "amy"
    assert isinstance(error, LostError)


def test_a_job_that_does_not_come_back_is_given_to_another_worker():
    class Silent(Flaky):
        def submit(self, function, job):
            return (
                Future()
                if not self.asked and not setattr(self, "asked", 1)
                else super().submit(function, job)
            )

    workers = Workers(lambda: Silent(0), 2, 0.0, end=Executor.shutdown)
    workers.submit("amy", "job")
    assert results(workers) == [("amy", "ran job")]


@pytest.mark.slow
def test_workers_have_ended_when_their_engine_is_closed():
    """Otherwise the end of the program meets them half way, and complains."""
    engine = engines.local(2, 100, COURSE.visible, ())
    engine.get_ready()
    assert multiprocessing.active_children()
    engine.close()
    assert not multiprocessing.active_children()
