"""The student kit: what a student needs and nothing that an instructor keeps, in one zip file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from string import Template
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from autograder import released, student_side
from autograder.source import ROOT

FOLDER = "attention-course"
"""The one folder that the kit unpacks to."""

TEMPLATES = Path(__file__).parent / "kit_files"
CONSTRAINTS = Path(__file__).parent / "constraints.txt"

NEEDED = (
    "numpy",
    "scipy",
    "torch",
    "gensim",
    "matplotlib",
    "seaborn",
    "ipywidgets",
    "jupyterlab",
    "ipykernel",
    "nbgrader",
)
"""What students install, by the names of pyproject.toml; nbgrader is there for its Validate button."""

CONDA_NAMES = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base", "playwright": "playwright-python"}
"""What conda-forge calls the packages that PyPI calls otherwise."""


def write(path: Path) -> list[str]:
    """Write the kit; the names of its files come back. The same contents give the same bytes.

    Raises `EditedNotebookError` when a notebook in `course/` holds someone's work.
    """
    files = contents()
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as kit:
        for name, data in sorted(files.items()):
            entry = ZipInfo(f"{FOLDER}/{name}")  # dated 1980, whenever it is made
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            kit.writestr(entry, data)
    return sorted(files)


def contents() -> dict[str, bytes]:
    """The kit's files by their names below its folder."""
    for notebook in released.paths():
        released.read(notebook)
    copied = [ROOT / "LICENSE", *released.paths(), *student_side.files()]
    return {
        **{path.relative_to(ROOT).as_posix(): path.read_bytes() for path in copied},
        "constraints.txt": CONSTRAINTS.read_bytes(),
        "environment.yml": _environment().encode(),
        **{path.name: _filled_in(path) for path in TEMPLATES.iterdir()},
    }


def _pins() -> str:
    """The lines of pyproject.toml that pin what students need."""
    lines = _text(ROOT / "pyproject.toml").splitlines()
    return "\n".join(line for line in lines if _pinned(r'  "([\w-]+)==', line) in NEEDED)


def _environment() -> str:
    """The repository's environment.yml without the packages that students do not need."""
    kept = {None, "python", *(CONDA_NAMES.get(name, name) for name in NEEDED)}
    lines = _text(ROOT / "environment.yml").splitlines(keepends=True)
    return "".join(line for line in lines if _pinned(r" +- ([\w-]+)=", line) in kept)


def _pinned(pattern: str, line: str) -> str | None:
    found = re.match(pattern, line)
    return found[1] if found else None


def _filled_in(template: Path) -> bytes:
    project = tomllib.loads(_text(ROOT / "pyproject.toml"))["project"]
    requires = project["requires-python"]
    oldest, too_new = map(int, re.findall(r"3\.(\d+)", requires))
    pythons = f"3.{oldest} to 3.{too_new - 1}"
    return (
        Template(_text(template))
        .substitute(project, requires=requires, pythons=pythons, pins=_pins())
        .encode()
    )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
