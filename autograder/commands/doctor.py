"""The command `doctor`: whether this machine has all that a round needs."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
from importlib.metadata import metadata, packages_distributions
from pathlib import Path

from packaging.specifiers import SpecifierSet

from autograder.courses import NotInstalled, open_course
from autograder.exercises.errors import CourseError
from autograder.exercises.text import shorten_path
from autograder.sandbox import layers as seal
from autograder.sandbox.layers import Layer

FREE_DISK, FREE_MEMORY = 2, 2
"""In GiB."""


def machine_report(folder: Path) -> str:
    """A line for each thing that is there or not for a class's folder, with what to do about what is missing."""
    needed = _python(), *_lessons(folder), _disk(folder), *_memory(), *_class(folder)
    report = ["For everything:", *map(str, needed), "For grading:", seal.layer_report()]
    return "\n".join([*report, "Only for some:", str(_exchange())])


def _python() -> Layer:
    wanted, version = (
        metadata(packages_distributions()["autograder"][0])["Requires-Python"],
        platform.python_version(),
    )
    return Layer("Python", SpecifierSet(wanted).contains(version), version, f"use one that is {wanted}")


def _lessons(folder: Path) -> list[Layer]:
    """Whether the lessons' packages are there; nothing is said where there is no course."""
    purpose = "what they import is installed"
    try:
        open_course(folder)
    except NotInstalled as error:
        return [Layer("lessons", False, purpose, str(error))]
    except CourseError:
        return []
    return [Layer("lessons", True, purpose, "")]


def _disk(folder: Path) -> Layer:
    free = shutil.disk_usage(folder).free / 2**30
    remedy, writable = f"free {FREE_DISK} GiB here", os.access(folder, os.W_OK)
    if not writable:
        remedy = f"you may not write to {folder}: choose another folder"
    return Layer("disk", free >= FREE_DISK and writable, f"{free:.0f} GiB free in this folder", remedy)


def _memory() -> list[Layer]:
    """What Linux says is available; elsewhere nothing is said."""
    table = Path("/proc/meminfo")
    if not table.is_file():
        return []
    amounts = dict(line.split(":") for line in table.read_text().splitlines())
    free = int(amounts["MemAvailable"].split()[0]) / 2**20
    remedy = f"close something: {FREE_MEMORY} GiB are wanted, or grade with JOBS=1"
    return [Layer("memory", free >= FREE_MEMORY, f"{free:.0f} GiB available", remedy)]


def _class(folder: Path) -> list[Layer]:
    """Whether what a class handed in and earned is for its owner alone; nothing is said where there is none of it."""
    from autograder.classroom import gradebook

    if not any((folder / name).exists() for name in gradebook.PRIVATE):
        return []
    others = [shlex.quote(shorten_path(path)) for path in gradebook.open_to_others(folder)]
    remedy = f"others may look into {', '.join(others)}: `chmod go= {' '.join(others)}`; grading does it, too"
    return [Layer("class", not others, "what it handed in and earned is yours alone", remedy)]


def _exchange() -> Layer:
    from nbgrader.exchange.default import Exchange

    root = Path(Exchange().root)
    there = root.is_dir() and os.access(root, os.W_OK)
    remedy = f"with JupyterHub: make {root}, for all to write to, or set c.Exchange.root; else not needed"
    return Layer("exchange", there, "students hand in through nbgrader", remedy)
