"""The student kit: what a student needs and nothing that an instructor keeps, in one zip file."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from importlib.metadata import metadata, version
from importlib.metadata import requires as requires_of
from itertools import product
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import tomlkit
from packaging.requirements import Requirement

from autograder.authoring import release
from autograder.classroom.dates import read_dates, with_dates
from autograder.classroom.hand_out import add_dates
from autograder.courses import CLASS, Course, release_files
from autograder.exercises.public_course import BOXES, COURSE_COPY, HELP_DEFAULTS, HELP_FILES, HINTS
from autograder.sandbox import public_files

KIT_FILES = Path(__file__).parent / "kit_files"
CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"
GRADER = "attention-course"
"""The name under which the grader is installed."""

_PACKAGES = ("exercises", "calls", "checks", "views", "notebook", "quiz")
KIT_PACKAGES = tuple(name for name in _PACKAGES if Path(__file__).parents[1].joinpath(name).is_dir())
"""The folders of the grader that a student gets; the quiz is optional."""

DATED = (2026, 1, 1, 0, 0, 0)
"""The day that all files bear, so that the same contents give the same bytes."""

STUDENTS_NEED = (
    *("numpy", "matplotlib", "ipywidgets", "jupyterlab", "ipykernel"),
    *("nbgrader", "nbclient", "nbformat", "cryptography", "fsrs"),
)
"""What students of any course install; nbgrader is there for its Validate button, cryptography for what a right answer
opens, fsrs for when to ask again. A course names what it adds."""

NOT_ON_CONDA = ("fsrs",)
"""What conda-forge was not seen to have: pip installs it."""

CONDA_NAMES = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base", "playwright": "playwright-python"}
"""What conda-forge calls the packages that PyPI calls otherwise."""


TORCH = """ On Linux, plain pip fetches a
PyTorch for graphics cards, several gigabytes. For the small one, which is all you need, put this line before the last:
`pip install --no-deps -c constraints.txt --index-url https://download.pytorch.org/whl/cpu torch`."""


def write_kit(
    course: Course, to: Path | None = None, self_study: bool = False, folder: Path | None = None
) -> str:
    """Write a course's kit to a file; a line on it comes back. The same contents give the same bytes.

    self_study: with all that a check can add, whatever the course's settings say; folder: of the class whose dates it
    shows. Raises `CourseError` when a notebook in `course/` holds someone's work, or the dates cannot be read.
    """
    if to is None:
        of_class = folder and (folder / CLASS).is_file() and not folder.samefile(course.root)
        to = Path(folder if folder and of_class else "dist", "student-kit.zip")
    to.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        kit = Path(scratch)
        _fill(kit, course, self_study)
        if folder is not None:
            _date(kit, course, folder)
        names = sorted(path.relative_to(kit).as_posix() for path in kit.rglob("*") if path.is_file())
        pack(to, ((f"{kit_folder(course)}/{name}", (kit / name).read_bytes()) for name in names), mode=0o644)
    return f"{to}: {len(names)} files, {to.stat().st_size / 1000:.0f} kB"


def pack(to: Path, contents: Iterable[tuple[str, bytes]], mode: int) -> None:
    """Write names and contents to a zip file, all with the permissions of `mode`; the same ones give the same bytes."""
    with ZipFile(to, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in contents:
            entry = ZipInfo(name, DATED)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = mode << 16
            archive.writestr(entry, content)


def kit_folder(course: Course) -> str:
    """The one folder that the kit unpacks to."""
    return f"{course.name}-course"


def _fill(kit: Path, course: Course, self_study: bool) -> None:
    public_files.copy_grader(kit, KIT_PACKAGES)
    public_files.copy_course(course.visible, kit)
    _add_helps(kit / "autograder" / COURSE_COPY.name, course, self_study)
    words, licence = _words(course), course.root / "LICENSE"
    for notebook in release.notebooks(course):
        release_files.read_released(course, notebook)
        _copy(notebook, kit / notebook.relative_to(course.root))
    _copy(CONSTRAINTS, kit / CONSTRAINTS.name)
    if licence.is_file():
        _copy(licence, kit / licence.name)
        words["licence"] = "\n\nWhat you may do with all this: see LICENSE."
    for template in KIT_FILES.iterdir():
        text = Template(template.read_text(encoding="utf-8")).substitute(words)
        (kit / template.name).write_text(text, encoding="utf-8")


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


def _add_helps(copied: Path, course: Course, self_study: bool) -> None:
    """Let the copy of a course's public half hold what its checks may add, and nothing of what is off."""
    helps = dict.fromkeys(HELP_DEFAULTS, True) if self_study else course.visible.enabled_help
    settings = copied / "course.toml"
    document = tomlkit.parse(settings.read_text(encoding="utf-8"))
    document["help"] = helps
    settings.write_text(tomlkit.dumps(document), encoding="utf-8")
    for step, name in (("hint", HINTS), ("box", BOXES)):
        for file in copied.rglob(name) if not helps[step] else ():
            file.unlink()
    names = [name for step, names in HELP_FILES.items() if helps[step] for name in names]
    for lesson, name in product(course.lessons, names):
        path = course.visible.help_file(lesson.id, name)
        _copy(path, copied / path.relative_to(course.visible.root))


def _date(kit: Path, course: Course, folder: Path) -> None:
    """Say a class's dates in each lesson's notebook, and all of them on the start page."""
    texts = {lesson.released: add_dates(lesson, folder) for lesson in course.lessons}
    dates = {lesson.title: read_dates(folder).told(lesson.id) for lesson in course.lessons}
    lines = [f"- {title}: {'. '.join(of)}." for title, of in dates.items() if of]
    if lines and course.start.is_file():
        texts[course.start] = with_dates(release_files.read_released(course, course.start), "\n".join(lines))
    for path, text in texts.items():
        (kit / path.relative_to(course.root)).write_text(text, encoding="utf-8")


def _words(course: Course) -> dict[str, str]:
    """Return what stands in the gaps of the templates."""
    requires = metadata(GRADER)["Requires-Python"]
    oldest, too_new = sorted(int(minor) for minor in re.findall(r"3\.(\d+)", requires))
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    pins = {name: f"={locked}" for name, _, locked in (line.partition("==") for line in lines)}
    names = (*STUDENTS_NEED, *course.packages)
    packages = ("autograder", *(f"autograder.{folder}" for folder in KIT_PACKAGES), course.visible.helpers)
    conda = [(name, CONDA_NAMES.get(name, name)) for name in names if name not in NOT_ON_CONDA]
    return {
        "title": course.title,
        "folder": kit_folder(course),
        "first": f"{course.lessons[0].id}/{course.lessons[0].notebook}.ipynb",
        "licence": "",
        "disk": "2 GB" if "torch" in names else "500 MB",
        "torch": TORCH if "torch" in names else "",
        "packages": ", ".join(f'"{package}"' for package in packages if package),
        "version": version(GRADER),
        "requires": requires,
        "oldest": f"3.{oldest}",
        "pythons": f"3.{oldest} to 3.{too_new - 1}",
        "ranges": "\n".join(f'  "{line}",' for line in ranges(names)),
        "conda_pins": "\n".join(f"  - {commands}{pins.get(name, '')}" for name, commands in conda),
        "pip_pins": "\n".join(f"      - {name}={pins[name]}" for name in NOT_ON_CONDA if name in pins),
    }


def ranges(names: Iterable[str]) -> list[str]:
    """Return packages as pip is asked for them: in the versions that the grader or one of its extras takes, if any."""
    requirements = map(Requirement, requires_of(GRADER) or ())
    specifiers = {requirement.name: requirement.specifier for requirement in requirements}
    return [f"{name}{specifiers.get(name, '')}" for name in names]
