"""`python -m autograder.tests.failures [number]`: fail each system call by which a room is set up, in turn.

A call fails once, with one of `ERRORS` in turn: in the grader's own process as Python makes it; in bubblewrap with the
room's keeper, in the warm process and in what that forks as strace(1) sees it. Then either a cell runs, in a room that
is walled in as ever, or somebody reads why not; and nothing is left: no process, room, mount, descriptor,
thread or temporary folder. number: that many calls, spread evenly; all when none is given.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import gc
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from autograder.model.errors import CourseError
from autograder.sandbox import doctor, room, session, warm
from autograder.sandbox.room import SealError
from autograder.sandbox.session import Interrupted, Session
from autograder.tests.this_course import COURSE

SYSTEM = {"posix", "_socket", "socket", "select", "_posixsubprocess", "_signal", "_io", "fcntl"}
"""The modules through which Python calls the system."""

NO_CALLS = ("fileno", "detach", "fspath", "_exit")
ERRORS = ("ENOSPC", "ENOMEM", "EIO", "EMFILE", "EPERM", "EAGAIN")
LIMITS = room.limits(cpu_seconds=60, memory_mb=1024, processes=64, scratch_mb=16)
DESCRIPTOR = "descriptor of "
NEVER = {
    "getpid",
    "getppid",
    "gettid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "umask",
    "exit",
    "exit_group",
}
"""The system calls that cannot fail, by their manual pages."""

CALLED = re.compile(r"(\d* *)(\w+)\(")
"""A line of strace's that begins a call, with the process where there are several."""

WARM = "warm process, or a shell"
AS_EVER = "graded as ever"
PATIENCE = 5.0
"""Seconds that a room or a fork may take here."""

WALLS = r"""
import os, re, resource
facts = re.findall(r"(?m)^(?:Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp\w*):.*", open("/proc/self/status").read())
facts += [f"{place}: {sorted(os.listdir(place))}" for place in ("/", "/dev")]
facts += [f"open files: {len(os.listdir('/proc/self/fd'))}"]
facts += [f"processes: {sum(name.isdecimal() for name in os.listdir('/proc'))}, in {os.getcwd()}"]
facts += sorted(" ".join(line.split()[1:4]) for line in open("/proc/self/mounts"))
facts += [line.split(":")[0] for line in open("/proc/net/dev")]
facts += [f"{name} {resource.getrlimit(getattr(resource, name))}" for name in dir(resource) if name[:6] == "RLIMIT"]
for path in ("/x", "/usr/x", "/proc/1/mem"):
    try:
        facts.append(f"{path} is open: {open(path, 'w')}")
    except OSError as error:
        facts.append(str(error))
print("\n".join(facts).replace(str(os.getuid()), "nobody"))
"""
"""A cell that shows what walls a room has."""

Call = tuple[str, int]
"""Of a function by its name, and which of all its calls."""


@contextlib.contextmanager
def failing_at(call: Call | None, error: str = "EIO") -> Iterator[Counter[str]]:
    """That call into the system fails in this process; how often each was made until then comes back."""
    made = Counter[str]()

    def fails(frame: object, event: str, function: Any) -> None:
        if event != "c_call" or not _calls_the_system(function):
            return
        name = function.__qualname__
        made[name] += 1
        if (name, made[name]) == call:
            sys.setprofile(None)
            number = getattr(errno, error)
            raise OSError(number, os.strerror(number))

    sys.setprofile(fails)
    try:
        yield made
    finally:
        sys.setprofile(None)


def _calls_the_system(function: Any) -> bool:
    module = function.__module__ or type(function.__self__).__module__
    return module in SYSTEM and function.__name__ not in NO_CALLS or function.__name__ == "start_new_thread"


def calls_of(step: Callable[[], Any]) -> list[Call]:
    """All calls into the system that a step makes."""
    with failing_at(None) as made:
        step()
    return [(name, number) for name, count in made.items() for number in range(1, count + 1)]


def there() -> Counter[str]:
    """What there is of this process and of all rooms that it could have opened, each as often as it is there."""
    gc.collect()
    descriptors = [f"{DESCRIPTOR}{one}" for one in filter(None, map(_kind, Path("/proc/self/fd").iterdir()))]
    folders = [f"folder {name.rpartition('-')[0]}" for name in os.listdir(tempfile.gettempdir())]
    mounts = Path("/proc/self/mounts").read_text().splitlines()
    threads = ["thread"] * threading.active_count()
    return Counter([*_processes(), *descriptors, *folders, *mounts, *threads])


def _processes() -> Iterator[str]:
    """This process's children, theirs, and every process that has to do with a room."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if state != "Z":
                found[int(folder.name)] = int(parent), command
    own = {os.getpid()}
    while more := {one for one, (parent, _) in found.items() if parent in own} - own:
        own |= more
    for one, (_, command) in found.items():
        if one != os.getpid() and (one in own or str(_shown()) in command):
            yield f"process {one} {command[:100]}" if warm.PROGRAM not in command else WARM


def _shown() -> Path:
    return warm.place(COURSE.visible).shown


def _kind(descriptor: Path) -> str:
    """What a descriptor is of, without numbers of its own; nothing of the one by which they are listed."""
    with contextlib.suppress(OSError):
        return re.sub(r"\d+", "", os.readlink(descriptor))
    return ""


def left(before: Counter[str], failed: str = "") -> list[str]:
    """What was not there before, once what was ended has gone; a descriptor whose closing has failed is passed over."""
    deadline = time.monotonic() + 20
    while True:
        more = [one for one in there() - before if failed != "close" or not one.startswith(DESCRIPTOR)]
        if not more or time.monotonic() > deadline:
            return more
        time.sleep(0.02)


def opened() -> Session:
    """A room."""
    return session.open_sealed(COURSE.visible, None, LIMITS)


def warmed() -> warm.WarmPlace:
    """Where a warm process waits that has imported what the first lesson does, a new one where the last has ended."""
    place = warm.place(COURSE.visible, [COURSE.lessons[0].id])
    warm.connection(COURSE.visible)
    return place


def get_ready(folder: Path) -> None:
    """Have all imported and warm, and a room opened before; temporary files lie in this folder from now on."""
    tempfile.tempdir = str(folder)
    warmed()
    session.get_ready()
    opened().close()
    gc.collect()
    gc.freeze()  # what is there is not looked through again and again


def walls(found: Session) -> str:
    """What walls a room has, as a cell in it sees them."""
    said = found.run(WALLS, 30, 10**6)
    return "".join(str(one["content"]["text"]) for one in said if one["msg_type"] == "stream")


class _Stopped(subprocess.Popen[bytes]):
    """A program that is not begun before somebody looks at it."""

    look: Callable[[int], object]

    def __init__(self, command: Sequence[str], **options: Any) -> None:
        super().__init__(["sh", "-c", 'kill -STOP $$; exec "$@"', "sh", *command], **options)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOWAIT)
        _Stopped.look(self.pid)
        self.send_signal(signal.SIGCONT)


class Strace:
    """strace(1), which has a system call fail in each process that it looks at; without one, it notes them all."""

    def __init__(self, log: Path, follow: bool, call: Call | None = None, error: str = "") -> None:
        self._log, self._process = log, None
        fails = ["-e", f"inject={call[0]}:error={error}:when={call[1]}"] if call else []
        self._command = ["strace", *["-f"] * follow, *fails, "-o", str(log)]

    def look_at(self, process: int) -> None:
        """Begin."""
        self._process = subprocess.Popen(
            [*self._command, "-p", str(process)], stderr=subprocess.PIPE, text=True
        )
        assert self._process.stderr is not None
        assert "attached" in self._process.stderr.readline()

    def end(self) -> list[Call]:
        """The calls that were made until now, in order; those that several processes have made, once."""
        if self._process is not None:
            self._process.terminate()
            self._process.communicate()
        lines = self._log.read_text(errors="replace").splitlines() if self._log.exists() else []
        made, calls = Counter[tuple[str, str]](), dict[Call, None]()
        for process, name in (one.groups() for one in map(CALLED.match, lines) if one):
            made[process, name] += 1
            if name not in NEVER:
                calls[name, made[process, name]] = None
        return list(calls)


@contextlib.contextmanager
def bubblewrap(strace: Strace) -> Iterator[None]:
    """strace looks at the next room's bubblewrap."""
    _Stopped.look = strace.look_at
    with mock.patch.object(room, "Popen", _Stopped):
        yield


@contextlib.contextmanager
def warm_process(strace: Strace) -> Iterator[None]:
    """strace looks at the warm process."""
    strace.look_at(warm._started[warmed()]._process.pid)
    yield


Way = tuple[str, Callable[[Strace], contextlib.AbstractContextManager[None]], bool]
"""What is looked at: in words, how, and whether its children are, too."""

WAYS: tuple[Way, ...] = (
    ("bubblewrap", bubblewrap, False),
    ("bubblewrap, and what becomes the room's keeper", bubblewrap, True),
    ("the warm process", warm_process, False),
    ("the warm process, and what it forks", warm_process, True),
)


def main(number: int = 0) -> int:
    """Fail the calls, print the table; 1 where something was left, a room had other walls, or nobody was told."""
    if not doctor.sealable() or not shutil.which("strace"):
        print("this needs a seal (attention-course doctor) and strace (apt-get install strace)")
        return 1
    room.FOR_A_ROOM = warm.FOR_A_FORK = PATIENCE
    with tempfile.TemporaryDirectory(prefix="failures-", ignore_cleanup_errors=True) as folder:
        return _fail(number, Path(folder))


def _fail(number: int, folder: Path) -> int:
    get_ready(folder)
    found = opened()
    usual = walls(found)
    found.close()
    injections = list(_injections())
    chosen = (
        [injections[place * len(injections) // number] for place in range(number)] if number else injections
    )
    print(f"{len(injections)} calls, {len(chosen)} of them fail", flush=True)
    begun, outcomes, problems = time.monotonic(), Counter[tuple[str, str]](), list[str]()
    for (where, inject), error in zip(chosen, itertools.cycle(ERRORS)):
        before = there()
        outcome = _outcome(inject(error), usual)
        outcomes[where.split(":")[0], outcome] += 1
        _warm_again()
        found_left = left(before, "close" if where.startswith("the grader: close") else "")
        if found_left or outcome.startswith("!"):
            problems.append(f"{where}, {error}: {outcome} {found_left}")
            print(f"✗ {problems[-1]}", flush=True)
    for (where, outcome), count in sorted(outcomes.items(), key=lambda one: (one[0][0], -one[1])):
        print(f"{count:5}  {where}: {outcome}")
    print(f"{len(chosen)} failures, {len(problems)} problems, {time.monotonic() - begun:.0f} s")
    return int(bool(problems))


def _warm_again() -> None:
    """Wait for another warm process where this one is about to end."""
    with contextlib.suppress(SealError):
        warmed()
        return
    time.sleep(2)
    warmed()


Injection = tuple[str, Callable[[str], contextlib.AbstractContextManager[Any]]]
"""Where a call fails, and what has it fail with an error while a room is opened."""


def _injections() -> Iterator[Injection]:
    kept: list[Session] = []
    for call in calls_of(lambda: kept.append(opened())):
        yield f"the grader: {call[0]} {call[1]}", functools.partial(failing_at, call)
    kept.pop().close()
    for where, look, follow in WAYS:
        with tempfile.TemporaryDirectory() as folder:
            strace = Strace(Path(folder, "log"), follow)
            with look(strace):
                found = opened()
            time.sleep(0.5)
            calls = strace.end()
            found.close()
        for call in calls:
            fail = functools.partial(_traced, look, follow, call)
            yield f"{where}: {call[0]} {call[1]}", fail


@contextlib.contextmanager
def _traced(look: Callable[[Strace], Any], follow: bool, call: Call, error: str) -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder:
        strace = Strace(Path(folder, "log"), follow, call, error)
        try:
            with look(strace):
                yield
        finally:
            strace.end()


def _outcome(inject: contextlib.AbstractContextManager[Any], usual: str) -> str:
    """What is read of a room during whose opening a call fails; with "!" what nobody should."""
    try:
        with inject:
            found = opened()
        with contextlib.closing(found):
            other = set(walls(found).splitlines()) ^ set(usual.splitlines())
            return f"! another room: {sorted(other)}" if other else AS_EVER
    except (SealError, OSError) as error:
        return f"{type(error).__name__}: {str(error).partition(': ')[0]}"
    except Interrupted as end:
        return f"! taken for the student's doing: {end.state}"
    except CourseError as error:
        return f"! {error!r}"


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
