"""The room in which a student's notebook runs, built by bubblewrap.

Inside there is no network, no process but the notebook's own, and no file but those listed here, read-only; what is
written goes to a small file system in memory that ends with the room. See bwrap(1) for the options. The room is
there before the notebook's process is; it ends when it is closed, and with the process that opened it. Its keeper,
`inside/init.py`, is the first process in it and the only one beside the notebook's.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import secrets
import select
import shutil
import signal
import site
import socket
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, STDOUT, Popen, TimeoutExpired, run
from tempfile import TemporaryFile, mkdtemp

from autograder.exercises.errors import CourseError
from autograder.exercises.limits import MAX_END_SECONDS, MAX_OPEN_FILES, MAX_SETUP_SECONDS
from autograder.notebook import figures
from autograder.sandbox import memory_watchdog

SCRATCH = "/tmp"
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime")
NOBODY = 65534
NOBODIES = range(61184, 65520)
"""Users that no account has: systemd keeps these numbers for services that come and go."""

FOR_EVERYBODY = (SCRATCH, "/var/tmp", "/dev/shm")
"""Where every user of a machine may write."""
FIND = ("env", f"PATH={os.defpath}", "find")  # which has no -execdir where a path is relative
REMOVE = ("-execdir", "rm", "-rf", "--one-file-system", "{}", "+")

WALLS = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--as-pid-1", "--new-session", "--proc", "/proc", "--dev", "/dev"),
)
WALLS_OF_A_USER = ("--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY), "--disable-userns")
WALLS_OF_ROOT = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")


class SandboxError(CourseError):
    """The seal is not to be had here, or did not hold on the way."""


def resource_limits(cpu_seconds: int, memory_mb: int, processes: int, scratch_mb: int) -> dict[str, int]:
    """What one notebook may use, by the names of the resource module; see getrlimit(2).

    cpu_seconds: processor time, then it is killed; memory_mb: what all its processes may hold together, see
    `memory_watchdog`; one process may reserve a quarter more, since libraries reserve what they never touch;
    processes: processes and threads together; scratch_mb: size of its private file system and of one file.
    """
    return {
        "RLIMIT_CPU": cpu_seconds,
        "RLIMIT_DATA": memory_mb * 2**20 * 5 // 4,
        "RLIMIT_NPROC": processes,
        "RLIMIT_NOFILE": MAX_OPEN_FILES,
        "RLIMIT_FSIZE": scratch_mb * 2**20,
        "RLIMIT_CORE": 0,
    }


def memory_limit(limits: Mapping[str, int]) -> int:
    """Return how many bytes the processes under these limits may hold together."""
    return limits["RLIMIT_DATA"] * 4 // 5


class Sandbox:
    """An open room. `process` is the number of its keeper, whose namespaces are the room; `user` lives there.

    `folder`: where the submission's is in it.
    """

    def __init__(self, folder: str, limits: Mapping[str, int], shown: Path) -> None:
        """Build the sandbox with bubblewrap.

        Args:
            folder: The submission's folder, shown at its own path.
            limits: What each process may use, see `resource_limits`; RLIMIT_FSIZE also bounds each writable place.
            shown: The folder with the grader's and the course's public files.

        Raises:
            SandboxError: bubblewrap cannot build it.
        """
        self.user, self.folder = sandbox_user(), folder
        with contextlib.ExitStack() as undo:
            self._line, theirs = socket.socketpair()
            undo.callback(self._line.close)
            with theirs:
                told, tell = os.pipe()
                undo.callback(_read_to_the_end, told)
                with contextlib.ExitStack() as handed_on:
                    handed_on.callback(os.close, tell)
                    self._builder = self._begin(folder, limits, shown, theirs.fileno(), tell)
                undo.callback(_end_half_built, self._builder)
            self._wait_until_built()
            self.process = int(json.loads(_said(told))["child-pid"])
            self._handle = os.pidfd_open(self.process)
            undo.pop_all()
        with contextlib.suppress(OSError):
            os.close(told)
        weakref.finalize(self, os.close, self._handle)  # who looks at the room may end it once more

    def _begin(
        self, folder: str, limits: Mapping[str, int], shown: Path, line: int, tell: int
    ) -> Popen[bytes]:
        """bubblewrap, with these descriptors: of the keeper's line, and of where it tells its number."""
        with TemporaryFile() as calls:
            calls.write(system_calls())
            calls.seek(0)
            passed = (tell, calls.fileno())
            command = [*_command(folder, limits["RLIMIT_FSIZE"], shown, *passed), *_keep(limits, shown)]
            return Popen(
                command,
                stdin=line,
                stdout=line,
                stderr=STDOUT,
                env={},
                pass_fds=passed,
                process_group=0,  # by which what it has begun is found when it has ended
            )

    def _wait_until_built(self) -> None:
        """Once the keeper is in the room, it gives back what it is told; what comes before is a complaint."""
        self._line.settimeout(MAX_SETUP_SECONDS)
        with contextlib.suppress(BrokenPipeError):
            self._line.sendall(b"\n")
        complaints = b""
        try:
            with contextlib.suppress(ConnectionResetError), self._line.makefile("rb") as said:
                for line in said:
                    if line == b"\n":
                        return
                    complaints += line
        except TimeoutError:
            raise SandboxError(f"bubblewrap has built no room in {MAX_SETUP_SECONDS:g} seconds") from None
        raise SandboxError(f"bubblewrap built no room: {complaints[:1000]!r}")

    def end(self) -> None:
        """End everything in it, whoever else is still looking at it."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def close(self) -> None:
        """End everything in it, and wait.

        The room ends as well when its keeper can read no more, whatever became of us.
        """
        with contextlib.ExitStack() as last_first:
            last_first.callback(
                end_process, self._builder
            )  # the room is gone once its orphans' new parent has noticed
            last_first.callback(self._line.close)
            last_first.callback(self.end)


class UserSandbox:
    """Where root cannot build a room: a process that becomes `user` stays among this machine's.

    All that this user runs ends with it, so it is one who runs nothing before. `folder`: a copy of the submission's,
    which is that user's alone.
    """

    process = None

    def __init__(self, folder: str) -> None:
        """folder: the submission's."""
        running = _running_users()
        self.user = secrets.choice([user for user in NOBODIES if user not in running])
        self.folder = folder
        if folder != SCRATCH:
            self.folder = mkdtemp(prefix="submission-", dir=SCRATCH)
            with contextlib.ExitStack() as undo:
                undo.callback(shutil.rmtree, self.folder, ignore_errors=True)
                shutil.copytree(folder, self.folder, symlinks=True, dirs_exist_ok=True)
                os.chmod(self.folder, 0o700)
                for path in (Path(self.folder), *Path(self.folder).rglob("*")):
                    os.chown(path, self.user, self.user, follow_symlinks=False)
                undo.pop_all()

    def end(self) -> None:
        """End every process of that user."""
        _run(become(self.user, "sh", "-c", "kill -KILL -1"))

    def close(self) -> None:
        """End every process of that user, and remove what the user has left behind."""
        self.end()
        own = ("-user", str(self.user))
        others = ("-type", "d", "!", *own, "!", "-perm", "-o+w")
        _run([*FIND, *FOR_EVERYBODY, "-xdev", *others, "-prune", "-o", *own, "-prune", *REMOVE])


def _running_users() -> set[int]:
    """The users of all processes, by their real ids."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):  # it has ended
            lines = status.read_text().splitlines()
            found |= {int(line.split()[1]) for line in lines if line.startswith("Uid:")}
    return found


def end_process(process: Popen[bytes]) -> None:
    """Kill a process, and wait for its end; one that the system cannot end now is not waited for."""
    try:
        process.kill()
    finally:
        with contextlib.suppress(TimeoutExpired):
            process.wait(MAX_END_SECONDS)


def _end_half_built(builder: Popen[bytes]) -> None:
    """End bubblewrap and what it has begun, which else waits for ever to be told by it to go on."""
    deadline, about = time.monotonic() + MAX_END_SECONDS, os.WSTOPPED | os.WEXITED | os.WNOWAIT | os.WNOHANG
    if builder.poll() is None:
        builder.send_signal(signal.SIGSTOP)
        while (
            builder.returncode is None
            and not os.waitid(os.P_PID, builder.pid, about)
            and time.monotonic() < deadline
        ):
            time.sleep(0.001)
        for one in memory_watchdog.descendants([builder.pid]) - {builder.pid}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(builder.pid, signal.SIGKILL)
    end_process(builder)


def _run(command: Sequence[str]) -> None:
    with contextlib.suppress(TimeoutExpired):
        run(command, stdout=DEVNULL, stderr=DEVNULL, timeout=MAX_SETUP_SECONDS)


def _said(told: int) -> bytes:
    """What bubblewrap tells at its pipe: by what number this machine knows a room's first process."""
    said, deadline = b"", time.monotonic() + MAX_SETUP_SECONDS
    while select.select([told], [], [], max(0.0, deadline - time.monotonic()))[0]:
        if not (data := os.read(told, 2**12)):
            return said
        said += data
    raise SandboxError("bubblewrap does not say which its room is")


def _read_to_the_end(told: int) -> None:
    """Close that pipe once nobody can tell more: bubblewrap ends where it cannot, and leaves half a room behind."""
    try:
        _said(told)
    finally:
        os.close(told)


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
    program = shown / "autograder" / "sandbox" / "inside" / "init.py"
    command = [sys.executable, "-ISE", str(program), json.dumps(limits)]
    return become(NOBODY, *command) if is_root() else command


@functools.cache
def system_calls() -> bytes:
    """The filter of system calls, as the kernel reads it."""
    from autograder.sandbox.inside import confinement  # for Linux alone

    with TemporaryFile() as file:
        confinement.system_call_filter().export_bpf(file)
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
