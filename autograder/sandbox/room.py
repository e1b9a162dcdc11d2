"""The room in which a student's notebook runs, built by bubblewrap.

Inside there is no network, no process but the notebook's own, and no file but those listed here, read-only; what is
written goes to a small file system in memory that ends with the room. See bwrap(1) for the options. The room is
there before the notebook's process is; it ends when it is closed, and with the process that opened it. Its keeper,
`inside/keeper.py`, is the first process in it and the only one beside the notebook's.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import secrets
import shutil
import signal
import site
import socket
import sys
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, STDOUT, Popen, run
from tempfile import TemporaryFile, mkdtemp

from autograder.model.errors import CourseError
from autograder.student import figures

SCRATCH = "/tmp"
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime")
NOBODY = 65534
NOBODIES = range(61184, 65520)
"""Users that no account has: systemd keeps these numbers for services that come and go."""

FOR_EVERYBODY = (SCRATCH, "/var/tmp", "/dev/shm")
"""Where every user of a machine may write."""

WALLS = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--as-pid-1", "--new-session", "--proc", "/proc", "--dev", "/dev"),
)
WALLS_OF_A_USER = ("--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY), "--disable-userns")
WALLS_OF_ROOT = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")


class SealError(CourseError):
    """The seal is not to be had here, or did not hold on the way."""


def limits(cpu_seconds: int, memory_mb: int, processes: int, scratch_mb: int) -> dict[str, int]:
    """What one notebook may use, by the names of the resource module; see getrlimit(2).

    cpu_seconds: processor time, then it is killed; memory_mb: data it may allocate, per process, and all that its
    processes may have together, see `weighing`;
    processes: processes and threads together; scratch_mb: size of its private file system and of one file.
    """
    return {
        "RLIMIT_CPU": cpu_seconds,
        "RLIMIT_DATA": memory_mb * 2**20,
        "RLIMIT_NPROC": processes,
        "RLIMIT_FSIZE": scratch_mb * 2**20,
        "RLIMIT_CORE": 0,
    }


class Room:
    """An open room. `process` is the number of its keeper, whose namespaces are the room; `user` lives there.

    `folder`: where the submission's is in it.
    """

    def __init__(self, folder: str, limits: Mapping[str, int], shown: Path) -> None:
        """folder: the submission's, which it shows at its own path; limits: of each process in it, see `limits`, and
        of what may be written in each of its places; shown: the folder of the grader's and the course's files.

        Raises `SealError` when bubblewrap cannot build it.
        """
        self.user, self.folder = sandbox_user(), folder
        self._line, theirs = socket.socketpair()
        told, tell = os.pipe()
        with open(told, encoding="utf-8") as answer, TemporaryFile() as calls:
            calls.write(system_calls())
            calls.seek(0)
            passed = (tell, calls.fileno())
            command = [*_command(folder, limits["RLIMIT_FSIZE"], shown, *passed), *_keep(limits, shown)]
            try:
                end = theirs.fileno()
                self._builder = Popen(command, stdin=end, stdout=end, stderr=STDOUT, env={}, pass_fds=passed)
            finally:
                theirs.close()
                os.close(tell)
            self._wait_until_built()
            self.process = int(json.load(answer)["child-pid"])
        self._handle = os.pidfd_open(self.process)
        weakref.finalize(self, os.close, self._handle)  # who looks at the room may end it once more

    def _wait_until_built(self) -> None:
        """Once the keeper is in the room, it gives back what it is told; what comes before is a complaint."""
        with contextlib.suppress(BrokenPipeError):
            self._line.sendall(b"\n")
        complaints = b""
        with contextlib.suppress(ConnectionResetError), self._line.makefile("rb") as said:
            for line in said:
                if line == b"\n":
                    return
                complaints += line
        self._go()
        raise SealError(f"bubblewrap built no room: {complaints[:1000]!r}")

    def end(self) -> None:
        """End everything in it, whoever else is still looking at it."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def close(self) -> None:
        """End everything in it, and wait.

        The room ends as well when its keeper can read no more, whatever became of us.
        """
        self.end()
        self._go()

    def _go(self) -> None:
        """Wait for nobody but bubblewrap: the room itself is gone once whoever adopts its orphans has noticed."""
        self._builder.kill()
        self._builder.wait()
        self._line.close()


class NoRoom:
    """Where root cannot build a room: a process that becomes `user` stays among this machine's.

    `folder`: a copy of the submission's, which is that user's alone.
    """

    process = None

    def __init__(self, folder: str) -> None:
        """folder: the submission's."""
        self.user, self.folder = sandbox_user(), folder
        if folder != SCRATCH:
            self.folder = mkdtemp(prefix="submission-", dir=SCRATCH)
            shutil.copytree(folder, self.folder, symlinks=True, dirs_exist_ok=True)
            os.chmod(self.folder, 0o700)
            for path in (Path(self.folder), *Path(self.folder).rglob("*")):
                os.chown(path, self.user, self.user, follow_symlinks=False)

    def end(self) -> None:
        """End every process of that user."""
        run(become(self.user, "sh", "-c", "kill -KILL -1"), capture_output=True)

    def close(self) -> None:
        """End every process of that user, and remove what the user has left behind."""
        self.end()
        left = ("-xdev", "-user", str(self.user), "-delete")
        run(["find", *FOR_EVERYBODY, *left], stdout=DEVNULL, stderr=DEVNULL)


def environment(shown: Path) -> Mapping[str, str]:
    """What a process in a room that shows this folder finds in its environment."""
    passed = ("OMP_NUM_THREADS", "LANG")
    kept = {name: os.environ[name] for name in passed if name in os.environ}
    return {
        **kept,
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "PYTHONPATH": str(shown),
        figures.STATIC: "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "MPLCONFIGDIR": str(shown / "matplotlib"),
        "IPYTHONDIR": str(shown / "ipython"),
    }


def is_root() -> bool:
    """Whether grading runs as root, who may give the room to the system's nobody."""
    return os.geteuid() == 0


def sandbox_user() -> int:
    """The user who runs in the next room.

    Linux counts a user's processes, in whichever room they are. So that no room fills another, each that root opens has
    a nobody of its own, by chance: the processes that open rooms do not know of each other. Others have user
    namespaces, which are counted apart.
    """
    return secrets.choice(NOBODIES) if is_root() else NOBODY


def _command(folder: str, scratch: int, shown: Path, tell: int, calls: int) -> list[str]:
    """The command that builds a room and runs in it what is appended, under the filter of system calls in `calls`."""
    paths = [*SYSTEM, *libraries(shown), *([folder] if folder != SCRATCH else [])]
    parts = [shutil.which("bwrap") or "bwrap", "--info-fd", str(tell), "--seccomp", str(calls), *WALLS]
    parts += WALLS_OF_ROOT if is_root() else WALLS_OF_A_USER
    for place in (SCRATCH, "/dev/shm"):
        parts += ["--perms", "1777", "--size", str(scratch), "--tmpfs", place]
    for ancestor in _ancestors(paths):
        parts += ["--perms", "1777" if ancestor.startswith(SCRATCH) else "0755", "--dir", ancestor]
    for path in paths:
        parts += ["--ro-bind-try", path, path]
    return [*parts, "--remount-ro", "/", "--remount-ro", "/dev", "--chdir", "/"]


def _keep(limits: Mapping[str, int], shown: Path) -> list[str]:
    """The command of a room's keeper; where root opens the room, it is another user than the notebook's."""
    program = shown / "autograder" / "sandbox" / "inside" / "keeper.py"
    command = [sys.executable, "-ISE", str(program), json.dumps(limits)]
    return become(NOBODY, *command) if is_root() else command


@functools.cache
def system_calls() -> bytes:
    """The filter of system calls, as the kernel reads it."""
    from autograder.sandbox.inside import confine  # for Linux alone

    with TemporaryFile() as file:
        confine.system_call_filter().export_bpf(file)
        file.seek(0)
        return file.read()


def become(user: int, *command: str) -> list[str]:
    """A command that root runs as another user, who can get no rights back."""
    who = ("/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")
    return [*who, "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", *command]


def _ancestors(targets: Sequence[str]) -> list[str]:
    """The folders that have to be there for these files and folders to be shown, the outermost first."""
    found = {str(parent) for target in targets for parent in Path(target).parents}
    return sorted(found - {"/", SCRATCH, *targets}, key=len)


def libraries(shown: Path) -> list[str]:
    """Where every room has Python itself, the installed libraries, and the student's side of the course."""
    return [sys.base_prefix, sys.prefix, *site.getsitepackages(), str(shown)]
