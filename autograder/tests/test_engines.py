"""What a cluster's workers get is what lies there, whatever it is; and what keeps them from grading is said."""

from __future__ import annotations

from unittest import mock

import dask.distributed
import pytest

from autograder.batch import engines
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import intake
from autograder.nbgrader_plugin.grading import Job
from autograder.nbgrader_plugin.judging import Work


def looked_at(job: Job) -> tuple[list[str], str, list[str]]:
    """What is there to read, and what is noted of it."""
    files = (path for path in job.folder.rglob("*") if path.is_file())
    beside = [f"{path.relative_to(job.folder)}: {path.read_text()}" for path in sorted(files)]
    notes = intake.taken_in(str(job.notebook))[1] if job.notebook else []
    return beside, job.notebook.name if job.notebook else "", [note.line for note in notes]


@pytest.mark.parametrize("text", ['{"cells": []}', "damaged", None])
def test_another_machine_sees_what_was_handed_in(tmp_path, monkeypatch, text):
    notebook, beside = tmp_path / "mine.ipynb", tmp_path / "beside"
    (beside / "pieces").mkdir(parents=True)
    (beside / "pieces" / "mine.py").write_text("x = 1")
    if text:
        notebook.write_text(text)
    copy = notebook if text else None
    job = Job(Work("", "", "", "", {}), copy, beside, {}, [], {}, [], [], {}, [], False)
    monkeypatch.setattr(engines, "run_job", looked_at)
    assert engines.run_sent(engines.sent(job)) == looked_at(job)


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
