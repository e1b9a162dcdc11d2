"""Sandboxes in which students' notebooks run, built by bubblewrap.

A sandbox has no network, no process but the notebook's own, and no file but those listed here, read-only. What is
written goes to a small file system in memory, which ends with the sandbox; bwrap(1) explains the options. The sandbox
exists before the notebook's process does. It ends when it is closed, and with the process that opened it. Its first
process, `inside/init.py`, keeps it open.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import shutil
import signal
import site
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, STDOUT, Popen, TimeoutExpired, run
from tempfile import TemporaryFile, mkdtemp

from autograder.exercises.errors import CourseError
from autograder.exercises.limits import MAX_OPEN_FILES, MAX_SETUP_SECONDS
from autograder.sandbox import memory_watchdog
from autograder.sandbox.processes import ForkedProcess, end_process
from autograder.views import figures

SCRATCH = "/tmp"
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime")
NOBODY = 65534
UNUSED_USERS = range(61184, 65520)
"""User ids that no account has: systemd reserves them for services that come and go."""

WORLD_WRITABLE = (SCRATCH, "/var/tmp", "/dev/shm")
"""The folders in which every user of a machine may write."""

FIND = ("env", f"PATH={os.defpath}", "find")  # find refuses -execdir where PATH has a relative entry
REMOVE = ("-execdir", "rm", "-rf", "--one-file-system", "{}", "+")

ISOLATION = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--as-pid-1", "--new-session", "--proc", "/proc", "--dev", "/dev"),
)
ISOLATION_FOR_USER = ("--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY), "--disable-userns")
ISOLATION_FOR_ROOT = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")


class SandboxError(CourseError):
    """A sandbox cannot be opened on this machine, or it failed."""


def resource_limits(cpu_seconds: int, memory_mb: int, processes: int, scratch_mb: int) -> dict[str, int]:
    """Return the limits of one notebook, by the names of the resource module; see getrlimit(2).

    Args:
        cpu_seconds: Processor time, after which the kernel kills the process.
        memory_mb: Memory that all its processes may hold together, see `memory_watchdog`. One process may reserve a
            quarter more, since libraries reserve memory that they never touch.
        processes: Processes and threads together.
        scratch_mb: Size of its private file system, and of one file.
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
    """Return how many bytes all processes under these limits may hold together."""
    return limits["RLIMIT_DATA"] * 4 // 5


class Sandbox:
    """An open sandbox.

    Attributes:
        process: The number of its init process, whose namespaces are the sandbox.
        user: The user id of the notebook in it.
        folder: The path of the submission's folder in it.
    """

    def __init__(self, folder: str, limits: Mapping[str, int], public: Path) -> None:
        """Build the sandbox with bubblewrap.

        Args:
            folder: The submission's folder, shown at its own path.
            limits: The limits of each process, see `resource_limits`; RLIMIT_FSIZE also bounds each writable folder.
            public: The folder with the grader's and the course's public files.

        Raises:
            SandboxError: bubblewrap cannot build it.
        """
        # Linux counts a user's processes over all sandboxes; those of root would use up each other's
        self.user = secrets.choice(UNUSED_USERS) if is_root() else NOBODY
        self.folder = folder
        with contextlib.ExitStack() as on_failure:
            self._socket, init_socket = socket.socketpair()
            on_failure.callback(self._socket.close)
            with TemporaryFile() as call_filter, init_socket:
                call_filter.write(system_call_filter())
                call_filter.seek(0)
                self._builder = Popen(
                    [
                        *_bwrap_command(folder, limits["RLIMIT_FSIZE"], public, call_filter.fileno()),
                        *_init_command(limits, public),
                    ],
                    stdin=init_socket.fileno(),
                    stdout=init_socket.fileno(),
                    stderr=STDOUT,
                    env={},
                    pass_fds=[call_filter.fileno()],
                    process_group=0,  # finds what bubblewrap has started, also once bubblewrap has ended
                )
            on_failure.callback(_end_half_built, self._builder)
            self._wait_until_built()
            children = memory_watchdog.descendants([self._builder.pid]) - {self._builder.pid}
            if not children:
                raise SandboxError("bubblewrap built no sandbox: its init process has ended")
            (self.process,) = children
            self._init = ForkedProcess(os.pidfd_open(self.process))
            on_failure.pop_all()

    def _wait_until_built(self) -> None:
        """Wait until the init process echoes a blank line; all lines before it are error messages."""
        self._socket.settimeout(MAX_SETUP_SECONDS)
        with contextlib.suppress(BrokenPipeError):
            self._socket.sendall(b"\n")
        messages = b""
        try:
            with contextlib.suppress(ConnectionResetError), self._socket.makefile("rb") as lines:
                for line in lines:
                    if line == b"\n":
                        return
                    messages += line
        except TimeoutError:
            raise SandboxError(f"bubblewrap built no sandbox in {MAX_SETUP_SECONDS:g} seconds") from None
        raise SandboxError(f"bubblewrap built no sandbox: {messages[:1000]!r}")

    def end(self) -> None:
        """Kill all its processes, whoever else is still looking at them."""
        self._init.kill()

    def close(self) -> None:
        """Kill all its processes, and wait.

        The sandbox also ends when its init process can read no more, however this process ended.
        """
        self.end()
        self._socket.close()
        end_process(self._builder)  # returns once all in the sandbox has been reaped


class UserSandbox:
    """Another user's processes on this machine, for root where no sandbox can be built.

    All processes of that user end with it, so it is a user who runs nothing before.

    Attributes:
        folder: A copy of the submission's folder that is that user's alone.
    """

    process = None

    def __init__(self, folder: str) -> None:
        """Choose a user, and copy the submission's folder for it."""
        running = _running_users()
        self.user = secrets.choice([user for user in UNUSED_USERS if user not in running])
        self.folder = folder
        if folder != SCRATCH:
            self.folder = mkdtemp(prefix="submission-", dir=SCRATCH)
            with contextlib.ExitStack() as on_failure:
                on_failure.callback(shutil.rmtree, self.folder, ignore_errors=True)
                shutil.copytree(folder, self.folder, symlinks=True, dirs_exist_ok=True)
                os.chmod(self.folder, 0o700)
                for path in (Path(self.folder), *Path(self.folder).rglob("*")):
                    os.chown(path, self.user, self.user, follow_symlinks=False)
                on_failure.pop_all()

    def end(self) -> None:
        """Kill every process of that user."""
        _run(become_user(self.user, "sh", "-c", "kill -KILL -1"))

    def close(self) -> None:
        """Kill every process of that user, and remove the files that the user has left behind."""
        self.end()
        user_files = ("-user", str(self.user))
        closed_folders = ("-type", "d", "!", *user_files, "!", "-perm", "-o+w")
        _run(
            [*FIND, *WORLD_WRITABLE, "-xdev", *closed_folders, "-prune", "-o", *user_files, "-prune", *REMOVE]
        )


def _running_users() -> set[int]:
    """Return the users of all processes, by their real ids."""
    users = set[int]()
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):  # the process has ended
            lines = status.read_text().splitlines()
            users |= {int(line.split()[1]) for line in lines if line.startswith("Uid:")}
    return users


def _end_half_built(builder: Popen[bytes]) -> None:
    """Kill bubblewrap and its children, which otherwise wait forever for its signal to go on."""
    for process in memory_watchdog.descendants([builder.pid]) - {builder.pid}:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(builder.pid, signal.SIGKILL)
    end_process(builder)


def _run(command: Sequence[str]) -> None:
    with contextlib.suppress(TimeoutExpired):
        run(command, stdout=DEVNULL, stderr=DEVNULL, timeout=MAX_SETUP_SECONDS)


def environment(public: Path) -> Mapping[str, str]:
    """Return the environment of a process in a sandbox with this folder of public files."""
    passed = ("OMP_NUM_THREADS", "LANG")
    return {
        **{name: os.environ[name] for name in passed if name in os.environ},
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "PYTHONPATH": str(public),
        figures.STATIC: "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "MPLCONFIGDIR": str(public / "matplotlib"),
        "IPYTHONDIR": str(public / "ipython"),
    }


def is_root() -> bool:
    """Return whether grading runs as root, who may become another user."""
    return os.geteuid() == 0


def _bwrap_command(folder: str, max_bytes: int, public: Path, call_filter: int) -> list[str]:
    """Return the command that builds a sandbox and runs in it the command that is appended."""
    libraries = [sys.base_prefix, sys.prefix, *site.getsitepackages(), str(public)]
    paths = [*SYSTEM, *libraries, *([folder] if folder != SCRATCH else [])]
    parents = {str(parent) for path in paths for parent in Path(path).parents} - {"/", SCRATCH, *paths}
    command = [shutil.which("bwrap") or "bwrap", "--seccomp", str(call_filter)]
    command += [*ISOLATION, *(ISOLATION_FOR_ROOT if is_root() else ISOLATION_FOR_USER)]
    for place in (SCRATCH, "/dev/shm"):
        command += ["--perms", "1777", "--size", str(max_bytes), "--tmpfs", place]
    for parent in sorted(parents, key=len):  # the outermost first
        command += ["--perms", "1777" if parent.startswith(SCRATCH) else "0755", "--dir", parent]
    for path in paths:
        command += ["--ro-bind-try", path, path]
    return [*command, "--remount-ro", "/", "--remount-ro", "/dev", "--chdir", "/"]


def _init_command(limits: Mapping[str, int], public: Path) -> list[str]:
    """Return the command of the init process; where root opens the sandbox, it is another user than the notebook's."""
    program = public / "autograder" / "sandbox" / "inside" / "init.py"
    arguments = [f"{name}={value}" for name, value in limits.items()]
    command = [sys.executable, "-ISE", str(program), *arguments]
    return become_user(NOBODY, *command) if is_root() else command


@functools.cache
def system_call_filter() -> bytes:
    """Return the filter of system calls as the kernel reads it."""
    from autograder.sandbox.inside import confinement  # imports only on Linux

    with TemporaryFile() as file:
        confinement.system_call_filter().export_bpf(file)
        file.seek(0)
        return file.read()


def become_user(user: int, *command: str) -> list[str]:
    """Return a command that root runs as another user, who can regain no rights."""
    setpriv = ("/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")
    return [*setpriv, "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", *command]
