"""nbgrader's commands and ours, run in this process: without the seconds that a start takes.

They share a fork server, which takes as long to start. What is about a process of its own is run in one.
"""

from __future__ import annotations

import contextlib
import functools
import io
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.authoring.release import run_nbgrader_app
from autograder.commands import cli
from autograder.courses import Course, changed_files, open_course
from autograder.courses import course as opened_courses
from autograder.exercises import public_course
from autograder.sandbox import fork_server, limited_process
from autograder.tests.this_course import COURSE, ROOT


def run_nbgrader(command: str, *arguments: str, folder: Path, course: Course = COURSE) -> str:
    """Run an nbgrader command on a course folder, with a course's settings; what it logged comes back."""
    return run_nbgrader_app(command, *arguments, course=course, folder=folder)


def run_ours(*arguments: str, folder: Path = ROOT, fails: bool = False) -> str:
    """Run `attention-course` in a folder; what it said comes back.

    The test fails where the command does, or unless it `fails`.
    """
    said, failed = told(*arguments, folder=folder)
    assert failed == fails, said
    return said


def told(*arguments: str, folder: Path) -> tuple[str, bool]:
    """What `attention-course` says in a folder, and whether it failed."""
    forget_changed_courses()
    said, complaint = io.StringIO(), ""
    streams = contextlib.redirect_stdout(said), contextlib.redirect_stderr(said)
    with contextlib.chdir(folder), streams[0], streams[1], as_it_hears():
        try:
            cli.main(list(arguments))
        except SystemExit as end:
            complaint = str(end.code)
    return said.getvalue() + complaint, bool(complaint)


def _has_changed(root: Path, times: changed_files.FileTimes) -> bool:
    """Whether a course is another one than it was; one that has gone, or may not be looked at for a while, is not."""
    try:
        return root.is_dir() and changed_files.stat_files(root) != times
    except PermissionError:
        return False


def forget_changed_courses() -> None:
    """Have courses that have changed read again, as a program does that is started."""
    changed = [root for root, times in opened_courses._opened.items() if _has_changed(root, times)]
    for root in changed:
        package = public_course.PublicCourse(root / "solutions", root / "data").package
        for module in [name for name in sys.modules if name.split(".")[0] == package]:
            del sys.modules[module]
        for folder in [*root.rglob("__pycache__")]:
            shutil.rmtree(folder)
    if changed:
        limited_process.end_workers()
        fork_server._servers.clear()
    engine = [name for name in sys.modules if name.startswith("autograder.") and ".tests." not in name]
    for cache in [value for name in engine if changed for value in vars(sys.modules[name]).values()]:
        if isinstance(cache, functools._lru_cache_wrapper):
            cache.cache_clear()


def reopen(folder: Path) -> Course:
    """Open a course as a program does that is started now."""
    forget_changed_courses()
    return open_course(folder)


@contextlib.contextmanager
def as_it_hears() -> Iterator[None]:
    """Let a command that ends early leave this process hearing what it heard: those begun later hear no more."""
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, heard in before.items():
            signal.signal(one, heard)


def run_typed(*lines: str, folder: Path) -> str:
    """Run commands of nbgrader and ours in a course's folder, as they are typed; what the last one said comes back."""
    said = ""
    for line in lines:
        program, *words = shlex.split(line)
        if program == "nbgrader":
            said = run_nbgrader(*words, folder=folder, course=open_course(folder))
        else:
            said = run_ours(*words, folder=folder)
    return said
