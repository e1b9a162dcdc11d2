"""The secret with which a class's hidden cases are drawn: made at the first grading, never again unless asked for.

Who has this repository can compute all else that they depend on. Its file lies beside the gradebook: the secret, then
the digests of the earlier ones in whose place it came on purpose. Each graded notebook keeps the digest of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable
from pathlib import Path

from autograder.courses import Course, open_course
from autograder.model.errors import CourseError
from autograder.model.text import some
from autograder.nbgrader_plugin import kept, whole
from autograder.nbgrader_plugin.folders import printable
from autograder.nbgrader_plugin.gradebook import SALT, graded_notebooks
from autograder.student.visible import COMMAND

FORM = re.compile(r"[0-9a-f]{32}")
_SHOWN = 10
"""How many students a message names of a lesson."""


def secret(folder: Path) -> str:
    """The secret of a class's folder. Raises `CourseError` where it is not to be had, and where it has gone."""
    return _read(folder)[0]


def digest_of_secret(secret: str) -> str:
    """By what a graded notebook tells with which secret it was graded."""
    return hashlib.sha256(secret.encode()).hexdigest()


def expect_own(folder: Path, lessons: Collection[str]) -> None:
    """Compare the secret with those by which work on these lessons was graded.

    Raises `CourseError`, with the grades, where it was another, unless this one came in its place on purpose.
    """
    own, *replaced = _read(folder)
    known = {"", digest_of_secret(own), *replaced}
    others = [path for path in graded_notebooks(folder, lessons) if kept.glance(path).salt not in known]
    if others:
        raise CourseError(
            f"{folder / SALT} is not the one with which these were graded: {_named(others)}. {_remedy(folder)}"
        )


def renew(course: Course, folder: Path) -> str:
    """Make a new secret for a class; what that means for the grades that there are comes back, in words."""
    graded = graded_notebooks(folder)
    earlier = {kept.glance(path).salt for path in graded} - {""}
    with contextlib.suppress(CourseError):  # a reason to ask for a new one
        own, *replaced = _parsed(folder / SALT)
        earlier |= {digest_of_secret(own), *replaced}
    _make(folder, earlier)
    told = f"{folder / SALT} is new: keep a copy of it."
    return f"{told} The next round grades again: {_named(graded)}." if graded else told


def _read(folder: Path) -> list[str]:
    if (folder / SALT).exists():
        return _parsed(folder / SALT)
    if graded := graded_notebooks(folder):
        raise CourseError(
            f"{folder / SALT} is missing, and these were graded: {_named(graded)}. {_remedy(folder)}"
        )
    return _make(folder, ())


def _parsed(path: Path) -> list[str]:
    """The secret, and digests of earlier ones. Raises `CourseError` for anything else."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or "") if isinstance(error, OSError) else "it is not text"
        raise CourseError(f"{path} cannot be read ({reason}). {_whose(path)}") from None
    lines = text.split()
    if not lines or not FORM.fullmatch(lines[0]):
        raise CourseError(
            f"{path} is {'damaged' if lines else 'empty'}: it should begin with 32 letters of 0-9a-f. {_whose(path)}"
        )
    return lines


def _whose(path: Path) -> str:
    graded = graded_notebooks(path.parent)
    if graded:
        return f"With it were graded: {_named(graded)}. {_remedy(path.parent)}"
    return f"Nothing was graded with it: `{_command(path.parent)} new-salt` makes a new one"


def _remedy(folder: Path) -> str:
    return (
        f"Put back a copy of the one with which they were made; or `{_command(folder)} new-salt` makes a new one, and "
        "the next round grades them again, with other hidden cases"
    )


def _command(folder: Path) -> str:
    """What the class's instructors type; a folder that holds only `submitted/` does not say what its course is."""
    try:
        return open_course(folder).command
    except CourseError:
        return COMMAND


def _make(folder: Path, earlier: Iterable[str]) -> list[str]:
    lines = [secrets.token_hex(16), *sorted(earlier)]
    whole.write_whole(folder / SALT, "".join(f"{line}\n" for line in lines).encode(), mode=0o600)
    return lines


def _named(graded: Iterable[Path]) -> str:
    """Whose work on which lesson: a list of some length for each."""
    by_lesson = defaultdict[str, list[str]](list)
    for path in graded:
        by_lesson[path.parts[-2]].append(printable(path.parts[-3]))
    told = {lesson: some(sorted(students), _SHOWN) for lesson, students in sorted(by_lesson.items())}
    return "; ".join(f"{lesson} of {students}" for lesson, students in told.items())
