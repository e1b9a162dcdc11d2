"""The command `watch`: rounds on what is handed in, as it comes."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime
from pathlib import Path

import watchfiles

from autograder.classroom.class_folder import directory_of
from autograder.classroom.class_lock import WATCH, lock_class
from autograder.commands.grade import NotAllGraded, lessons_handed_in
from autograder.commands.round import run_round
from autograder.courses import Course, CourseChanged, refuse_changed_course
from autograder.exercises.errors import DISK_FULL, CourseError, is_disk_full
from autograder.nbgrader_plugin.exchange import collect_newest, inbound_folder
from autograder.records.recovery import lock_and_recover

QUIET = 2.0
"""Seconds without a change after which what was handed in is complete."""

FIRST_WAIT, LONGEST_WAIT = 5.0, 300.0
"""Seconds after which a round that failed is tried again: the first time, and at most; each time twice as long."""

A_LOOK = 0.5
"""Seconds between two looks, in which others may write in the class's folder."""

GONE = 3.0
"""Seconds for which one who was killed may still be seen to watch."""


class Arrivals:
    """The times at which something was last written to what is handed in, by its place.

    A thread notices what is written. The times come from a monotonic clock, which nobody can set.

    A place is a folder in the exchange, `<student>/<lesson>` in `submitted/`, or a student's folder as a whole.
    """

    def __init__(self, submitted: Path, sent: Path | None) -> None:
        self._depths = {submitted.resolve(): 2, **({sent.resolve(): 1} if sent else {})}
        self._written = dict[Path, float]()
        self._turn, self._stop = threading.Lock(), threading.Event()
        self._problem = ""

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Listen in here."""
        thread = threading.Thread(target=self._listen, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()

    def _listen(self) -> None:
        try:
            for changes in watchfiles.watch(
                *self._depths, watch_filter=None, debounce=200, rust_timeout=500, stop_event=self._stop
            ):
                places = {place for _, path in changes if (place := self._place(Path(path)))}
                with self._turn:
                    self._written |= dict.fromkeys(places, time.monotonic())
        except Exception as error:  # the system's limits, say: nothing would be heard any more
            self._problem = str(error)

    def _place(self, path: Path) -> Path | None:
        for root, depth in self._depths.items():
            if path != root and path.is_relative_to(root):
                parts = path.relative_to(root).parts[:depth]
                return None if parts[0].startswith(".") else root.joinpath(*parts)
        return None

    def written(self, *places: Path) -> bool:
        """Return whether one of these places was written to since it was last complete."""
        with self._turn:
            return not self._written.keys().isdisjoint(places)

    def complete(self) -> dict[Path, float]:
        """Return the places that are quiet now, once, with the times of their last changes.

        Raises:
            CourseError: Changes are not reported any more.
        """
        if self._problem:
            raise CourseError(
                f"nobody tells any more what changes in {', '.join(map(str, self._depths))} ({self._problem}): "
                "set WATCHFILES_FORCE_POLLING=1, and start it again"
            )
        with self._turn:
            quiet = {place: when for place, when in self._written.items() if time.monotonic() - when >= QUIET}
            self._written = {place: when for place, when in self._written.items() if place not in quiet}
        return quiet


class WatchedClass:
    """A class that gets a round on each lesson for which work came."""

    def __init__(self, course: Course, folder: Path) -> None:
        """Due is a round on all that lies there already."""
        self._course, self._folder = course, folder
        (folder / "submitted").mkdir(mode=0o700, exist_ok=True)
        self._submitted = (folder / "submitted").resolve()
        self._sent = inbound_folder(directory_of(course, folder))
        self.arrivals = Arrivals(self._submitted, self._sent)
        self._due = {lesson.id for lesson in course.lessons}
        self._to_collect = set(self._due if self._sent else ())
        self._came = dict[Path, float]()
        self._problem, self._pause, self._again = "", FIRST_WAIT, 0.0

    def look(self) -> None:
        """Do a round on what is complete, or what failed before, and say what was done."""
        if (complete := self.arrivals.complete()) and not self._due:
            self._again = 0.0  # only a collection failed: what comes does not wait for that
        self._take(complete)
        try:
            if (self._due or self._to_collect) and time.monotonic() >= self._again:
                self._round()
        except CourseChanged:
            raise
        except Exception as error:  # whatever it is: what comes next is waited for
            self._say(f"{_reason(error)} (it is tried again by itself)")
            self._again, self._pause = time.monotonic() + self._pause, min(2 * self._pause, LONGEST_WAIT)

    def _take(self, complete: Mapping[Path, float]) -> None:
        for place, when in complete.items():
            if place.parent == self._sent:
                self._to_collect |= {*place.name.rsplit("+", 3)[1:2]}
            else:
                self._due |= self._lessons_of(place)
                self._came[place] = when

    def _lessons_of(self, place: Path) -> set[str]:
        """Return the lessons that a place may hold; of a student's folder that has gone, all."""
        if place.parent != self._submitted:
            return {place.name}
        lessons = {lesson.id for lesson in self._course.lessons}
        return {lesson for lesson in lessons if (place / lesson).exists()} if place.exists() else lessons

    def _round(self) -> None:
        """Collect what was sent, do the round that is due, and count what came for it.

        Raises `CourseError` at the end where something could not be collected, and `CourseChanged` at the beginning.
        """
        refuse_changed_course(self._course)
        course, messages, failures = self._course, list[str](), dict[str, str]()
        with (
            lock_and_recover(directory_of(course, self._folder), f"{course.command} watch", patience=None),
            open(os.devnull, "w") as nowhere,
            redirect_stdout(nowhere),
            redirect_stderr(nowhere),
        ):
            for lesson in [lesson.id for lesson in course.lessons if lesson.id in self._to_collect]:
                try:
                    directory = directory_of(course, self._folder)
                    messages += collect_newest(directory, lesson, self.arrivals.written)
                except Exception as error:  # whatever it is: what lies there already is graded
                    failures[lesson] = f"{lesson} could not be collected: {_reason(error)}"
            self._to_collect = {*failures}
            handed_in = [lesson.id for lesson in lessons_handed_in(course, self._folder)]
            if due := [lesson for lesson in handed_in if lesson in self._due]:
                try:
                    run_round(course, due, self._folder, 0, [], is_postponed=self._is_held)
                except NotAllGraded as error:
                    messages.append(str(error))
        if self._came:
            seconds = time.monotonic() - min(self._came.values())
            print(f"{_clock()} {len(self._came)} came, feedback within {seconds:.0f} s", flush=True)
        self._came.clear()
        self._due.clear()
        if failures:
            raise CourseError("\n  ".join([*messages, *failures.values()]))
        self._pause = FIRST_WAIT
        self._say("\n  ".join(messages))

    def _is_held(self, student: str, lesson: str) -> bool:
        return self.arrivals.written(self._submitted / student, self._submitted / student / lesson)

    def _say(self, problem: str) -> None:
        if problem and problem != self._problem:
            print(f"{_clock()} ✗ {problem}", flush=True)
        self._problem = problem


def _reason(error: Exception) -> str:
    if is_disk_full(error):
        return DISK_FULL
    return str(error) if isinstance(error, (CourseError, OSError)) else f"{type(error).__name__}: {error}"


def _clock() -> str:
    return f"{datetime.now():%H:%M}"


def watch_class(course: Course, folder: Path) -> None:
    """Grade what lies in a class's `submitted/`, and in nbgrader's exchange, then what comes, until Ctrl+C.

    What fails is said, once, and tried again. In between rounds the class's folder is free for others. Raises `Busy`
    where somebody watches it already, and `CourseChanged` once the course is not the one that this process began with.
    """
    watch = WatchedClass(course, folder)
    with lock_class(folder, f"{course.command} watch", GONE, WATCH), watch.arrivals.heard():
        print(f"{folder}: grades what lies there, then what comes; Ctrl+C ends it", flush=True)
        time.sleep(QUIET)  # until it is known what is just being written
        while True:
            watch.look()
            time.sleep(A_LOOK)
