"""The room in which a student's kernel runs, as a bubblewrap command line.

Inside there is no network, no process but the kernel's own, and no file but those listed here, read-only; what is
written goes to a small file system in memory that ends with the kernel. See bwrap(1) for the options.
"""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder import student_side

COURSE = "/course"
"""Where the room has the student's side of `autograder`, and `data/`."""

SCRATCH = "/tmp"
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime")
NOBODY = 65534


@dataclass(frozen=True)
class Limits:
    """What one kernel may use.

    cpu_seconds: processor time, then it is killed; memory_mb: data it may allocate, per process;
    processes: processes and threads together; scratch_mb: size of its private file system and of one file.
    """

    cpu_seconds: int = 600
    memory_mb: int = 4096
    processes: int = 256
    scratch_mb: int = 256


def command(
    kernel: Sequence[str],
    readable: Sequence[Path],
    writable: Sequence[Path],
    folder: Path | None,
    limits: Limits,
) -> list[str]:
    """The command that runs `kernel` in a room.

    readable, writable: further files and folders the room shows at their own paths; folder: the submission's, where
    the kernel starts, read-only.
    """
    start = str(folder.resolve()) if folder is not None and folder.is_dir() else SCRATCH
    shown = [(str(path), str(path)) for path in (*SYSTEM, *_interpreter(), *readable)]
    shown += [(str(source), target) for source, target in _course_files()]
    shown += [(start, start)] if start != SCRATCH else []
    parts: list[str] = ["bwrap", *_walls()]
    for place in (SCRATCH, "/dev/shm"):
        parts += ["--perms", "1777", "--size", str(limits.scratch_mb * 2**20), "--tmpfs", place]
    for ancestor in _ancestors([target for _, target in shown] + [str(path) for path in writable]):
        parts += ["--perms", "1777" if ancestor.startswith(SCRATCH) else "0755", "--dir", ancestor]
    for source, target in shown:
        parts += ["--ro-bind-try", source, target]
    for path in writable:
        parts += ["--bind", str(path), str(path)]
    parts += ["--remount-ro", "/", "--remount-ro", "/dev", "--chdir", start]
    for name, value in _environment().items():
        parts += ["--setenv", name, value]
    return [*parts, *_demotion(), "prlimit", *_limit_options(limits), "--", *kernel]


def _ancestors(targets: Sequence[str]) -> list[str]:
    """The folders that have to be there for these files and folders to be shown, the outermost first."""
    found = {str(parent) for target in targets for parent in Path(target).parents}
    return sorted(found - {"/", SCRATCH, *targets}, key=len)


def _walls() -> list[str]:
    walls = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    walls += ["--die-with-parent", "--new-session", "--clearenv", "--proc", "/proc", "--dev", "/dev"]
    return [*walls, *(_WALLS_OF_ROOT if is_root() else _WALLS_OF_A_USER)]


_WALLS_OF_A_USER = ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY), "--disable-userns"]
_WALLS_OF_ROOT = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]


def is_root() -> bool:
    """Whether grading runs as root, who may give the room to the system's nobody."""
    return os.geteuid() == 0


def _demotion() -> list[str]:
    """Root's room is left to nobody: Linux does not limit root's processes, whatever user namespace they are in."""
    if not is_root():
        return []
    identity = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return ["setpriv", *identity, "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"]


def let_in(path: Path) -> None:
    """Give a file or folder that the room must open to the one who runs there."""
    if is_root():
        os.chown(path, NOBODY, NOBODY)


def close_to_new_files(folder: Path) -> None:
    """Keep the one in the room from filling `folder`, which lies on the grader's disk; its sockets stay."""
    if is_root():
        os.chown(folder, 0, 0)
        folder.chmod(0o755)


def _limit_options(limits: Limits) -> list[str]:
    return [
        f"--cpu={limits.cpu_seconds}",
        f"--data={limits.memory_mb * 2**20}",
        f"--nproc={limits.processes}",
        f"--fsize={limits.scratch_mb * 2**20}",
        "--core=0",
    ]


def _interpreter() -> list[Path]:
    """Python itself and the installed libraries."""
    return [Path(sys.base_prefix), Path(sys.prefix), *(Path(path) for path in site.getsitepackages())]


def _course_files() -> Iterator[tuple[Path, str]]:
    root = student_side.PACKAGE.parent
    for path in (*student_side.files(), student_side.DATA):
        yield path, f"{COURSE}/{path.relative_to(root)}"
    for cache in _font_caches():
        yield cache, f"{SCRATCH}/matplotlib/{cache.name}"


def _font_caches() -> list[Path]:
    """matplotlib's list of fonts, which it would otherwise make anew in every room, for seconds."""
    import matplotlib

    return sorted(Path(matplotlib.get_cachedir()).glob("fontlist-*.json"))


def _environment() -> Mapping[str, str]:
    passed = ("PYTHONHASHSEED", "OMP_NUM_THREADS", "ATTENTION_COURSE_STATIC", "LANG", "MPLBACKEND")
    kept = {name: os.environ[name] for name in passed if name in os.environ}
    fixed = {
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "PYTHONPATH": COURSE,
    }
    return {**kept, **fixed, "MPLCONFIGDIR": f"{SCRATCH}/matplotlib", "IPYTHONDIR": f"{SCRATCH}/ipython"}
