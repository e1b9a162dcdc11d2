"""Which layers of the seal this machine offers, and how to get the missing ones."""

from __future__ import annotations

import functools
import importlib
import platform
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from autograder.exercises.limits import MAX_SETUP_SECONDS
from autograder.sandbox import worker_confinement
from autograder.sandbox.inside import landlock


@dataclass(frozen=True)
class Layer:
    """One layer of the seal: whether it is there, what it is for, and what to do if it is missing."""

    name: str
    there: bool
    purpose: str
    remedy: str

    def __str__(self) -> str:
        line = f"{'✓' if self.there else '✗'} {self.name:<12} {self.purpose}"
        return line if self.there else f"{line}\n    {self.remedy}"


LAYERS = {
    "bubblewrap": ("builds the room", "install it: apt-get install bubblewrap"),
    "limits": ("gives the room to nobody, whose processes can be limited", "install util-linux"),
    "seccomp": (
        "refuses system calls that no notebook needs",
        "install libseccomp: apt-get install libseccomp2",
    ),
    "namespaces": (
        "no network, no other processes, no other files",
        "allow user namespaces; on Ubuntu 24.04: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0; "
        "in a container: run it with --security-opt seccomp=unconfined",
    ),
    "proc": (
        "a process list of its own",
        "in a container: run it with --security-opt systempaths=unconfined",
    ),
}
"""What each is for, and what to do on Linux where it is missing."""

YAMA = Path("/proc/sys/kernel/yama/ptrace_scope")
"""Where it is there, 1 to 3 keep processes from others' memory, see ptrace(2)."""

ELSEWHERE = "use a Linux machine, virtual machine or container"


@functools.cache
def layers() -> tuple[Layer, ...]:
    """All layers, tried out on this machine."""
    present = {
        "bubblewrap": shutil.which("bwrap") is not None,
        "limits": shutil.which("setpriv") is not None,
        "seccomp": _imports("pyseccomp"),
        "namespaces": _works("--unshare-all", "--unshare-user", "--disable-userns"),
        "proc": _works("--unshare-all", "--proc", "/proc"),
    }
    on_linux = platform.system() == "Linux"
    return tuple(
        Layer(name, present[name], purpose, remedy if on_linux else ELSEWHERE)
        for name, (purpose, remedy) in LAYERS.items()
    )


def sandbox_available() -> bool:
    """Whether every layer is there."""
    return all(layer.there for layer in layers())


def optional_layers() -> tuple[Layer, ...]:
    """What the kernel may have beside, without which the seal is whole as well."""
    version = landlock.version()
    with_signals = " and signals" * (version >= landlock.WITH_SIGNALS)
    purpose = f"a second wall round files, processes' memory{with_signals}"
    remedy = "the seal holds without it; Linux has it from 6.2 on, unless left out"
    yama = YAMA.is_file() and YAMA.read_text().strip() != "0"
    keeper = "the seal holds without it: a room's keeper lets no other process open its memory"
    return (
        Layer("landlock", version >= landlock.MIN_VERSION, purpose, remedy),
        Layer("yama", yama, "a second wall round processes' memory", keeper),
    )


def layer_report() -> str:
    """The layers as text, a line each, with what to do about those that are missing."""
    report = map(str, (*layers(), *optional_layers()))
    lacks = ", ".join(worker_confinement.missing_layers())
    helpers = "is confined: it starts nothing, reaches no network and writes no file."
    if lacks:
        helpers = f"keeps your rights in part: this machine lacks {lacks}."
    end = "Student code runs sealed." if sandbox_available() else "Student code cannot be sealed here."
    return "\n".join([*report, f"What reads submissions {helpers}", end])


def _imports(module: str) -> bool:
    try:
        importlib.import_module(module)
    except Exception:  # it looks for the system's library while it is imported, and says so in several ways
        return False
    return True


def _works(*options: str) -> bool:
    command = ["bwrap", *options, "--ro-bind", "/", "/", "true"]
    try:
        return subprocess.run(command, capture_output=True, timeout=MAX_SETUP_SECONDS).returncode == 0
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return False
