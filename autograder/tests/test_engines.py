"""What a cluster's workers get is what lies there, whatever it is; and what keeps them from grading is said."""

from __future__ import annotations

import os
from pathlib import Path
from unittest import mock

import dask.distributed
import pytest

from autograder.batch import engines
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import folders, intake
from autograder.nbgrader_plugin.grading import Job
from autograder.nbgrader_plugin.judging import Work

LESSON = "01_toys"


def looked_at(job: Job) -> tuple[list[str], list[dict]]:
    """What is there to read, and what is noted of it."""
    _, notes = intake.taken_in(str(job.submitted))
    beside = sorted(os.path.relpath(path, job.folder) for path in folders.taken_along(job.folder).files)
    return beside, [note.line for note in notes]


def as_it_is(folder: Path) -> None:
    folder.mkdir()
    (folder / "toys.ipynb").write_text('{"cells": []}')


def under_another_name(folder: Path) -> None:
    (folder / "deeper").mkdir(parents=True)
    (folder / "deeper" / "mine.ipynb").write_text('{"cells": []}')


def a_link(folder: Path) -> None:
    folder.mkdir()
    (folder / "toys.ipynb").symlink_to("/etc/passwd")
    (folder / "mine.ipynb").write_text('{"cells": []}')


def a_link_for_a_folder(folder: Path) -> None:
    as_it_is(folder.parent / "else")
    folder.symlink_to(folder.parent / "else")


def damaged(folder: Path) -> None:
    folder.mkdir()
    (folder / "toys.ipynb").write_bytes(b"\xff")


@pytest.mark.parametrize("lay", [as_it_is, under_another_name, a_link, a_link_for_a_folder, damaged])
def test_another_machine_sees_what_was_handed_in(tmp_path, monkeypatch, lay):
    home, beside = tmp_path / LESSON, tmp_path / "beside"
    lay(home)
    (beside / "pieces").mkdir(parents=True)
    (beside / "pieces" / "mine.py").write_text("x = 1")
    job = Job(Work("", "", "", "", {}), home / "toys.ipynb", beside, {}, [], {}, [], [], {}, [], False)
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
