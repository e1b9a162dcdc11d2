"""Workers: a lost job is begun again, and none is left behind."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from autograder.batch import engines
from autograder.batch.engines import LostError, Workers


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


class OneByOne:
    """An executor of one process that works its jobs off in order, and dies of one called "deadly"."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, job):
        if any(future.done() for _, future in self.waiting):
            raise BrokenProcessPool("gone")
        self.waiting.append((job, Future()))
        return self.waiting[-1][1]

    def work(self):
        deadly = "deadly" in [job for job, _ in self.waiting]
        for job, future in self.waiting:
            future.set_exception(BrokenProcessPool("gone")) if deadly else future.set_result(f"ran {job}")


def test_a_worker_that_dies_is_charged_to_its_own_job():
    made, found = [], {}

    def make():
        made.append(OneByOne())
        return made[-1]

    workers = Workers(make, 2, 100, end=Executor.shutdown)
    workers.submit("bad", "deadly")
    workers.submit("amy", "job")
    for _ in range(20):
        executor = made[-1]
        executor.work()
        found.update(workers.results())
        if len(found) == 2:
            break
    assert found["amy"] == "ran job"
    assert isinstance(found["bad"], LostError)
    assert len(made) == 4


def test_a_job_that_does_not_come_back_is_given_to_another_worker():
    class Silent(Flaky):
        def submit(self, function, job):
            if not self.asked:
                self.asked = 1
                return Future()
            return super().submit(function, job)

    workers = Workers(lambda: Silent(0), 2, 0.0, end=Executor.shutdown)
    workers.submit("amy", "job")
    assert results(workers) == [("amy", "ran job")]


@pytest.mark.slow
def test_workers_have_ended_when_their_engine_is_closed():
    """Otherwise the end of the program meets them half way, and complains."""
    engine = engines.local(2, 100, 100, dict)
    engine.get_ready()
    assert multiprocessing.active_children()
    engine.close()
    assert not multiprocessing.active_children()
