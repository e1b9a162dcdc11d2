"""Work that counts for a whole group: of what its members hand in for a lesson, the latest counts for all of them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from autograder.classroom import hand_in_times
from autograder.classroom.dates import read_dates
from autograder.submissions import submission_folder


def members_of(root: Path, lesson: str, student: str) -> list[str]:
    """Return a student's group in a lesson, in the roster's order; the student alone where there is none."""
    groups = read_dates(root).groups_of(lesson)
    if student not in groups:
        return [student]
    return [member for member, group in groups.items() if group == groups[student]]


def submitter_of(root: Path, lesson: str, student: str) -> str:
    """Return the student in whose folder the work lies that counts for a student.

    That is the member of the group whose work came last: as `handed_in.csv` says, and where it says nothing of a
    member, as the dates of the files say. An empty folder or file is no work. Of work that came at the same time that
    of the first member on the roster counts.
    """
    members = members_of(root, lesson, student)
    if len(members) == 1:
        return student
    arrivals = {member: when for member in members if (when := _arrival(root, lesson, member))}
    if arrivals:
        return max(arrivals, key=arrivals.__getitem__)
    return next((member for member in members if _folder(root, lesson, member).is_dir()), student)


def find_time(root: Path, student: str, lesson: str) -> datetime | None:
    """Return when the work that counts for a student was handed in, in UTC; None where nobody wrote it down."""
    return hand_in_times.find_time(root, submitter_of(root, lesson, student), lesson)


def _arrival(root: Path, lesson: str, student: str) -> datetime | None:
    """Return when a student's own work came, in UTC; None where there is none that could be graded."""
    folder = _folder(root, lesson, student)
    try:
        notebooks = submission_folder.find_notebooks(submission_folder.notebook_of(folder))
        files = (path.lstat() for path in (*notebooks, *folder.glob("*.zip")))
        dates = [file.st_mtime for file in files if file.st_size]
    except OSError:
        return None
    if not dates:
        return None
    written = datetime.fromtimestamp(max(dates), UTC).replace(tzinfo=None)
    return hand_in_times.find_time(root, student, lesson) or written


def _folder(root: Path, lesson: str, student: str) -> Path:
    return root / "submitted" / student / lesson
