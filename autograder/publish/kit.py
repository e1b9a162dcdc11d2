"""The student kit: what a student needs and nothing that an instructor keeps, in one zip file."""

from __future__ import annotations

import re
import shutil
from importlib.metadata import metadata, version
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from autograder.author import released
from autograder.author.course import Course
from autograder.sandbox import files

TEMPLATES = Path(__file__).parent / "kit_files"
CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"
GRADER = "attention-course"
"""The name under which the grader is installed."""

ROOMS = ("model", "student")
"""The folders of the grader that a student gets."""

NEEDED = ("numpy", "scipy", "matplotlib", "ipywidgets", "jupyterlab", "ipykernel", "nbgrader")
"""What students of any course install; nbgrader is there for its Validate button. A course names what it adds."""

CONDA_NAMES = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base", "playwright": "playwright-python"}
"""What conda-forge calls the packages that PyPI calls otherwise."""


def write(course: Course, path: Path) -> list[str]:
    """Write a course's kit; the names of its files come back. The same contents give the same bytes.

    Raises `EditedNotebookError` when a notebook in `course/` holds someone's work.
    """
    contents = _contents(course)
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as kit:
        for name, data in sorted(contents.items()):
            entry = ZipInfo(f"{folder(course)}/{name}")  # dated 1980, whenever it is made
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            kit.writestr(entry, data)
    return sorted(contents)


def folder(course: Course) -> str:
    """The one folder that the kit unpacks to."""
    return f"{course.name}-course"


def _contents(course: Course) -> dict[str, bytes]:
    """The kit's files by their names below its folder."""
    with TemporaryDirectory() as scratch:
        made = Path(scratch)
        files.copy_grader(made, ROOMS)
        files.copy_course(course.visible, made)
        for notebook in released.paths(course):
            released.read(notebook)
            target = made / notebook.relative_to(course.root)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(notebook, target)
        if _licence(course).is_file():
            shutil.copyfile(_licence(course), made / "LICENSE")
        shutil.copyfile(CONSTRAINTS, made / CONSTRAINTS.name)
        for template in TEMPLATES.iterdir():
            (made / template.name).write_text(_filled_in(course, template), encoding="utf-8")
        return {
            path.relative_to(made).as_posix(): path.read_bytes() for path in made.rglob("*") if path.is_file()
        }


def _filled_in(course: Course, template: Path) -> str:
    requires = metadata(GRADER)["Requires-Python"]
    oldest, too_new = sorted(int(minor) for minor in re.findall(r"3\.(\d+)", requires))
    pins = _pins([*NEEDED, *course.packages])
    return Template(template.read_text(encoding="utf-8")).substitute(
        title=course.title,
        folder=folder(course),
        first=f"{course.lessons[0].id}/{course.lessons[0].notebook}.ipynb",
        licence="\n\nWhat you may do with all this: see LICENSE." if _licence(course).is_file() else "",
        version=version(GRADER),
        requires=requires,
        oldest=f"3.{oldest}",
        pythons=f"3.{oldest} to 3.{too_new - 1}",
        pins="\n".join(f'  "{name}=={version}",' for name, version in pins.items()),
        conda_pins="\n".join(
            f"  - {CONDA_NAMES.get(name, name)}={version}" for name, version in pins.items()
        ),
    )


def _licence(course: Course) -> Path:
    return course.root / "LICENSE"


def _pins(names: list[str]) -> dict[str, str]:
    """The versions that the course is tested with."""
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    known = dict(line.split("==", 1) for line in lines if "==" in line)
    return {name: known[name] for name in names}
