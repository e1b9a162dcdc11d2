"""What keeps a cluster from grading is said."""

from __future__ import annotations

from unittest import mock

import dask.distributed
import pytest

from autograder.batch import engines
from autograder.model.errors import CourseError


def test_a_cluster_without_workers_is_told_and_one_without_a_scheduler_ends_the_grading(monkeypatch):
    client = mock.MagicMock(status="running", **{"nthreads.return_value": {"one": 1}})
    client.scheduler_info.return_value = {"workers": {"one": {}}}
    monkeypatch.setattr(dask.distributed, "Client", lambda *_, **__: client)
    with engines.cluster("tcp://somewhere:1") as engine:
        assert engine.trouble() == ""
        client.scheduler_info.return_value = {"workers": {}}
        assert "the Dask scheduler at tcp://somewhere:1 has no workers" in engine.trouble()
        client.status = "connecting"
        assert "has no workers" in engine.trouble()
        client.status = "closed"
        with pytest.raises(
            CourseError, match="answers no more: start it and its workers, and call this again"
        ):
            engine.trouble()
        with pytest.raises(CourseError, match="answers no more"):
            engine.submit(mock.Mock())
