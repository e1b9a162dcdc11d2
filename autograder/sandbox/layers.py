"""Finds out which layers of a sandbox this machine offers, and says how to get the missing ones."""

from __future__ import annotations

import functools
import importlib
import platform
import shutil
import subprocess
from dataclasses import dataclass, replace

from autograder.exercises.limits import MAX_SETUP_SECONDS
from autograder.sandbox.inside import landlock


@dataclass(frozen=True)
class Layer:
    """One thing that grading may need, as a sandbox's layer: whether it is there, its purpose, and else a remedy.

    is_needed: whether grading needs it; what is missing and not needed has a dash for a cross.
    """

    name: str
    is_present: bool
    purpose: str
    remedy: str
    is_needed: bool = True

    def __str__(self) -> str:
        line = f"{'✓' if self.is_present else '✗' if self.is_needed else '–'} {self.name:<12} {self.purpose}"
        return line if self.is_present else f"{line}\n    {self.remedy}"


LAYERS = {
    "bubblewrap": ("builds the sandbox", "install it: apt-get install bubblewrap"),
    "limits": ("runs it as a user whose processes can be limited", "install util-linux"),
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
"""Each layer's purpose, and what to do on Linux where it is missing."""

LANDLOCK = (
    "a second layer; keeps the process that reads submissions from your files",
    "a sandbox holds without it; Linux has it from 6.2 on, unless left out",
)
"""The purpose of Landlock, and what to do where it is missing."""

ELSEWHERE = "use a Linux machine, virtual machine or container"


@functools.cache
def layers() -> tuple[Layer, ...]:
    """Return all layers, as tried out on this machine."""
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
    """Return whether this machine has every layer."""
    return all(layer.is_present for layer in layers())


def layer_report(is_needed: bool = True) -> str:
    """Return the layers as text, a line each, with the remedies for missing ones.

    Args:
        is_needed: Whether student code may run in a sandbox alone.
    """
    has_landlock = landlock.version() >= landlock.MIN_VERSION
    optional = Layer("landlock", has_landlock, *LANDLOCK, is_needed=False)
    report = map(str, (*(replace(layer, is_needed=is_needed) for layer in layers()), optional))
    can = "runs" if sandbox_available() else "cannot run"
    return "\n".join([*report, f"Student code {can} in a sandbox."])


def _imports(module: str) -> bool:
    try:
        importlib.import_module(module)
    except Exception:  # it looks for the system's library at its import, and fails in several ways
        return False
    return True


def _works(*options: str) -> bool:
    command = ["bwrap", *options, "--ro-bind", "/", "/", "true"]
    try:
        return subprocess.run(command, capture_output=True, timeout=MAX_SETUP_SECONDS).returncode == 0
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return False
