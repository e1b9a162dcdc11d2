"""The command `doctor`: whether this machine has all that a round needs."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from traitlets.config import Config

from autograder.classroom import class_folder
from autograder.classroom.class_folder import directory_of
from autograder.classroom.dates import read_dates
from autograder.courses import NotInstalled, open_course
from autograder.exercises.errors import CourseError
from autograder.exercises.text import shorten_path
from autograder.nbgrader_plugin.exchange import was_submitted_via_exchange
from autograder.sandbox import layers as seal
from autograder.sandbox.layers import Layer

FREE_DISK, FREE_MEMORY = 2, 2
"""In GiB."""


def machine_report(folder: Path) -> str:
    """Return a line for each thing that grading needs, with a remedy where it is missing."""
    config, purpose = Config(), "what they import is installed"
    try:
        config = directory_of(open_course(folder), folder).config
        lessons = [Layer("lessons", True, purpose, "")]
    except NotInstalled as error:
        lessons = [Layer("lessons", False, purpose, str(error))]
    except CourseError:  # the folder is no class's
        lessons = []
    needed = *lessons, _disk(folder), *_memory(), *_class(folder)
    is_sealed = not config.get("SealedKernel", {}).get("allow_unsealed")
    report = ["For everything:", *map(str, needed), "For grading:", seal.layer_report(is_sealed)]
    return "\n".join([*report, "Only for some:", str(_exchange(folder, config))])


def _disk(folder: Path) -> Layer:
    free = shutil.disk_usage(folder).free / 2**30
    remedy, writable = f"free {FREE_DISK} GiB here", os.access(folder, os.W_OK)
    if not writable:
        remedy = f"you may not write to {folder}: choose another folder"
    return Layer("disk", free >= FREE_DISK and writable, f"{free:.0f} GiB free in this folder", remedy)


def _memory() -> list[Layer]:
    """Check the memory that Linux says is available; on other systems nothing."""
    table = Path("/proc/meminfo")
    if not table.is_file():
        return []
    amounts = dict(line.split(":") for line in table.read_text().splitlines())
    free = int(amounts["MemAvailable"].split()[0]) / 2**20
    remedy = f"close something: {FREE_MEMORY} GiB are wanted, or grade with JOBS=1"
    return [Layer("memory", free >= FREE_MEMORY, f"{free:.0f} GiB available", remedy)]


def _class(folder: Path) -> list[Layer]:
    """Check that a class's work and grades are for their owner alone; where there are none, nothing."""
    if not any((folder / name).exists() for name in class_folder.PRIVATE):
        return []
    bits, classes = (0o007, "o") if read_dates(folder).groupshared else (0o077, "go")
    open_paths = [shlex.quote(shorten_path(path)) for path in class_folder.open_to_others(folder, bits)]
    shown, command = ", ".join(open_paths), f"chmod {classes}= {' '.join(open_paths)}"
    remedy = f"others may look into {shown}: `{command}`; grading does it, too"
    return [Layer("class", not open_paths, "what it handed in and earned is yours alone", remedy)]


def _exchange(folder: Path, config: Config) -> Layer:
    """Check nbgrader's exchange, which a class needs that has set its folder, or work from it."""
    from nbgrader.exchange.default import Exchange

    root = Path(Exchange(config=config).root)
    is_usable = root.is_dir() and os.access(root, os.W_OK)
    is_needed = "root" in config.get("Exchange", {}) or was_submitted_via_exchange(folder / "submitted", "*")
    remedy = f"with JupyterHub: make {root}, for all to write to, or set c.Exchange.root; else not needed"
    return Layer("exchange", is_usable, "students hand in through nbgrader", remedy, is_needed)
