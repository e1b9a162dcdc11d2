"""nbgrader's commands and ours, run in this process: without the seconds that a start takes.

They share a warm process, which takes as long to start. What is about a process of its own is run in one.
`python -m autograder.tests.commands "<command>" …` runs several in the checkout that it is imported from, and with no
command those that come as lines.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from subprocess import PIPE, Popen
from unittest import mock

import nbgrader.api
from alembic.script import ScriptDirectory

from autograder import cli
from autograder.author.release import nbgrader_here
from autograder.courses import Course
from autograder.tests.this_course import COURSE, ROOT


@contextlib.contextmanager
def quick_gradebooks() -> Iterator[None]:
    """To learn its version, nbgrader starts a program for every new gradebook; in here it is looked up."""
    with mock.patch.object(nbgrader.api, "get_alembic_version", _gradebook_version):
        yield


@functools.cache
def _gradebook_version() -> str | None:
    return ScriptDirectory(Path(nbgrader.__file__).parent / "alembic").get_current_head()


def run_nbgrader(command: str, *arguments: str, folder: Path, course: Course = COURSE) -> str:
    """Run an nbgrader command on a course folder, with a course's settings; what it logged comes back."""
    with quick_gradebooks():
        return nbgrader_here(command, *arguments, course=course, folder=folder)


def run_ours(*arguments: str, folder: Path = ROOT, fails: bool = False) -> str:
    """Run `attention-course` in a folder; what it said comes back.

    The test fails where the command does, or unless it `fails`.
    """
    said, failed = told(*arguments, folder=folder)
    assert failed == fails, said
    return said


def told(*arguments: str, folder: Path) -> tuple[str, bool]:
    """What `attention-course` says in a folder, and whether it failed."""
    said, complaint = io.StringIO(), ""
    with contextlib.chdir(folder), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            cli.main(list(arguments))
        except SystemExit as end:
            complaint = str(end.code)
    return said.getvalue() + complaint, bool(complaint)


class Served:
    """`attention-course` in a checkout, with its own code: a process that takes one command after the other."""

    def __init__(self, checkout: Path, environment: Mapping[str, str]) -> None:
        command = [sys.executable, "-m", __name__]
        self._process = Popen(command, cwd=checkout, env=environment, stdin=PIPE, stdout=PIPE, text=True)

    def run(self, *arguments: str) -> tuple[str, bool]:
        """As `told`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps(arguments)}\n")
        self._process.stdin.flush()
        said, failed = json.loads(self._process.stdout.readline())
        return said, failed

    def close(self) -> None:
        """End it."""
        self._process.communicate()


if __name__ == "__main__":
    with quick_gradebooks():
        for line in () if sys.argv[1:] else sys.stdin:
            print(json.dumps(told(*json.loads(line), folder=ROOT)), flush=True)
    for line in sys.argv[1:]:
        program, *arguments = shlex.split(line)
        print(run_nbgrader(*arguments, folder=ROOT) if program == "nbgrader" else run_ours(*arguments))
