"""The secret with which a class's hidden cases are drawn: made at the first grading, never again unless asked for.

Whoever has this repository can compute all else that they depend on. It stands in the class's database, so the grades
and their secret are copied together.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from sqlalchemy.engine import Connection

from autograder.classroom.class_folder import SECRET_FILE, directory_of
from autograder.classroom.gradebook import make_gradebook
from autograder.courses import Course
from autograder.exercises.errors import CourseError
from autograder.records import record_store

FORM = re.compile(r"[0-9a-f]{32}")


def load_secret(course: CourseDirectory) -> str:
    """Return a class's secret: that of its database, of a file that brings one, or a new one."""
    make_gradebook(course.db_url, course.course_id)
    with record_store.transaction(course) as db:
        if stored := record_store.read_state(db, "secret"):
            return stored
        text = _from_file(Path(course.root, SECRET_FILE)) or secrets.token_hex(16)
        _write(db, course, text)
        return text


def secret_digest(secret: str) -> str:
    """Return the digest by which a record tells with which secret the work was graded."""
    return hashlib.sha256(secret.encode()).hexdigest()


def renew_secret(course: Course, folder: Path) -> str:
    """Make a new secret for a class; return in words what that means for the grades that there are."""
    directory = directory_of(course, folder)
    make_gradebook(directory.db_url, directory.course_id)
    with record_store.transaction(directory) as db:
        _write(db, directory, secrets.token_hex(16))
    return f"{folder} has a new secret. The next round grades again what was graded, with other hidden cases."


def _write(db: Connection, course: CourseDirectory, text: str) -> None:
    """Write a secret, into a file that no other user of the machine may read."""
    file = Path(course.db_url.removeprefix("sqlite:///"))
    if file.is_file():
        with contextlib.suppress(PermissionError):  # another's; `doctor` tells of it
            file.chmod(file.stat().st_mode & (0o770 if course.groupshared else 0o700))
    record_store.write_state(db, "secret", text)


def _from_file(path: Path) -> str:
    """Return the secret in a file, as the version before and Gradescope's zip files have it; empty without one."""
    try:
        lines = path.read_text(encoding="utf-8").split()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} cannot be read ({error}): put back a copy, or remove it") from None
    if not lines or not FORM.fullmatch(lines[0]):
        raise CourseError(
            f"{path} is damaged: it should begin with 32 letters of 0-9a-f. Put back a copy; or remove it, and the "
            "next round grades again with a new secret"
        )
    return lines[0]
