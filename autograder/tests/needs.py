"""Tests that need a program of the system are skipped where it is missing, but not where nothing may be."""

from __future__ import annotations

import os
import shutil

import pytest

from autograder.sandbox import layers, worker_confinement
from autograder.sandbox.bwrap import is_root
from autograder.sandbox.inside import landlock

NO_SKIPS = "ATTENTION_COURSE_NO_SKIPS"
"""Set in the environment where everything is there: what is missing then fails its tests. `.ci/run` sets it."""

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The system's browser, as a path; None where there is none."""


def needed(there: bool, reason: str) -> pytest.MarkDecorator:
    """Skip the test for this reason unless it is `there`, or skipping is not allowed."""
    return pytest.mark.skipif(not there and not os.environ.get(NO_SKIPS), reason=reason)


seal = needed(layers.sandbox_available(), f"no seal here:\n{layers.layer_report()}")
browser = needed(CHROMIUM is not None, "no browser here: apt-get install chromium")
root = pytest.mark.skipif(not is_root(), reason="only root can act for another user or group")
"""An ordinary account cannot, whatever is installed, so these tests are skipped there even by `.ci/run`."""
confinement = needed(
    landlock.version() >= landlock.MIN_VERSION and worker_confinement.system_call_filter() is not None,
    "the kernel cannot take a worker's rights away",
)
