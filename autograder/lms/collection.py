"""Puts what was handed in on a platform where a round looks for it: `submitted/<student>/<lesson>/`.

Each student's work is written whole beside its place, and takes it then. What lay there is kept in `replaced/`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from errno import ENOSPC
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile
from zoneinfo import ZoneInfo

from autograder.classroom import archives, dates, hand_in_times, placement
from autograder.classroom.archives import Delivery, NotUnpacked
from autograder.classroom.class_folder import directory_of
from autograder.courses import CLASS, Course, Lesson
from autograder.exercises.errors import DISK_FULL, CourseError
from autograder.exercises.text import list_first
from autograder.files.csv_table import read_sheet
from autograder.lms import downloads, identities
from autograder.lms.downloads import Download
from autograder.records import discovery
from autograder.submissions.submission_files import list_submission, printable
from autograder.submissions.submission_folder import SUBMIT_FILES

_COPY = re.compile(r"( ?\(\d+\)|-\d+|[ _-]+(copy|Copy|Kopie|copie)( ?\(?\d+\)?)?)+$")
"""What browsers, Canvas and file managers add to a name that is there already."""

_IN_WORKSHEETS = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%d %B %Y, %I:%M %p")
"""How Moodle writes when work came, in English: `strftimedaydatetime`, `strftimedatetime` of its `langconfig.php`."""

_NEW, _SAME = "new", "as it was"
_NEWER = "newer than what was there, which is kept in replaced/"
_OLDER = "not newer than what is there, which stays"
_NOTHING = "nothing in it could be taken"


def collect(
    course: Course, file: Path, named: str, roster: Path | None, file_times: bool, folder: Path
) -> str:
    """Put a platform's zip file of an assignment into a class's folder; what was done comes back, line by line.

    named: the lesson, empty where the notebooks' names tell. roster: the platform's table of people, taken into the
    class's list first; Moodle's grading worksheet says, too, who is which participant and when work came.
    file_times: take the zip file's for when work came. Times without a zone are the class's, as in its other tables.
    """
    messages = [identities.take_roster(course, roster, folder)] if roster else []
    zone = ZoneInfo(dates.read_dates(folder).zone or "UTC")
    download = downloads.read_download(file)
    lesson = find_lesson(course, named, download)
    works, lines = find_owners(course, download, roster, folder)
    results, untold = Counter[str](), 0
    for student, work in sorted(works.items()):
        recorded = hand_in_times.read_times(folder).get((student, lesson.id), [])
        _set_times(work, zone, file_times)
        place = folder.resolve() / "submitted" / student / lesson.id
        try:
            result = _put(place, lesson, download, work, hand_in_times.find_time(folder, student, lesson.id))
        except (OSError, NotUnpacked) as error:
            if isinstance(error, OSError) and error.errno == ENOSPC:
                raise CourseError(DISK_FULL) from None
            result = _NOTHING
            work.messages.append(printable(str(error)))
        results[result] += 1
        if result not in (_NEW, _SAME):
            work.messages.insert(0, result)
        time = f"{work.handed_in:%Y-%m-%d %H:%M:%S} UTC" if work.handed_in else ""
        if time and time not in recorded and result in (_NEW, _SAME, _NEWER):
            hand_in_times.add_time(folder, student, lesson.id, time)
        if work.late and not recorded:
            problem = f"late, as {download.platform} says, and not when"
            work.messages.append(f"{problem}: write it into {hand_in_times.HANDED_IN}")
        untold += not (time or recorded)
        lines += [f"{printable(student)}: {line}" for line in work.messages]
    lines = [f"{result}: {count}" for result, count in results.items()] + lines
    if download.strange:
        lines.append(f"other files in it: {len(download.strange)} ({_some(download.strange)})")
    students = {person["id"] for person in identities.known_people(course, folder)}
    if missing := sorted(students - discovery.handed_in(directory_of(course, folder), lesson.id)):
        lines.append(f"nothing is there of: {_some(missing)}")
    if untold:
        lines.append(f"when it came is not told of {untold}, so that they count as in time")
    elif download.platform != "Gradescope":
        lines.append(f"times are read as {zone}'s, the zone in {CLASS}")
    summary = f"from {download.platform}: {len(works)} of {len(download.works)} are on your list"
    return "\n".join([*messages, "\n  ".join([f"{lesson.id}, {summary}", *lines])])


def zip_feedback(course: Course, file: Path, named: str, roster: Path | None, folder: Path) -> str:
    """Write, beside Moodle's or Canvas's zip file of an assignment, one with the students' pages under its names.

    Moodle takes pages back by the folders' names, with "Upload multiple feedback files in a zip"
    (`mod/assign/feedback/file/importziplib.php`); Canvas by the numbers of user and file, with "Re-Upload Submissions".
    """
    download = downloads.read_download(file)
    if download.platform == "Gradescope":
        raise CourseError(f"{file} is Gradescope's, which takes no pages back: only Moodle and Canvas do")
    lesson = find_lesson(course, named, download)
    works, lines = find_owners(course, download, roster, folder)
    target, count = file.with_name(f"{file.stem}-feedback.zip"), 0
    without_page, without_file = list[str](), list[str]()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for student, work in sorted(works.items()):
            page = folder / "feedback" / student / lesson.id / f"{lesson.notebook}.html"
            if not page.is_file():
                without_page.append(student)
            elif not work.page_prefix:
                without_file.append(student)
            else:
                archive.write(page, work.page_prefix + page.name)
                count += 1
    if without_page:
        lines.append(f"no page is there of: {_some(without_page)}; a round makes them")
    if without_file:
        lines.append(f"Canvas takes no page back where no file was handed in: {_some(without_file)}")
    if count and download.platform == "Canvas":
        lines.append(
            "Canvas shows a page under the name of the file that was handed in: tell your students to save it as "
            f"{lesson.notebook}.html, and to open it in a browser"
        )
    return "\n  ".join([f"{target}: {count} pages", *lines])


def find_lesson(course: Course, named: str, download: Download) -> Lesson:
    """Return the lesson of that name, or the one whose notebook was handed in."""
    if named:
        return course.lesson(named)
    names = {_plain_name(Path(path)) for work in download.works for path in work.files}
    lessons = [lesson for lesson in course.lessons if f"{lesson.notebook}.ipynb" in names]
    if len(lessons) != 1:
        names_shown = ", ".join(lesson.id for lesson in lessons) or "no lesson's name"
        raise CourseError(f"the notebooks in it are of {names_shown}: say which lesson it is, after the file")
    return lessons[0]


def _plain_name(path: Path) -> str:
    """Return a file's name without what was added to it because another file had it."""
    return _COPY.sub("", path.stem) + path.suffix


def find_owners(
    course: Course, download: Download, roster: Path | None, folder: Path
) -> tuple[dict[str, Delivery], list[str]]:
    """Return each student's work, and a line for each whose student cannot be told."""
    rows = identities.read_people(read_sheet(roster)).values() if roster else ()
    participants = {re.sub(r"\D", "", row["participant"]): row for row in rows if "participant" in row}
    for work in download.works:
        work.about |= participants.get(work.about.get("participant", ""), {})
    people = [work.about for work in download.works]
    matches = identities.match(people, identities.known_people(course, folder))
    count = Counter(student for student, _ in matches)
    works, lines = dict[str, Delivery](), list[str]()
    for work, (student, why) in zip(download.works, matches):
        if student and count[student] == 1:
            works[student] = work
        else:
            why = why or (f"{count[student]} are {student}'s" if student else "nobody on your list")
            lines.append(f"{printable(work.folder)}: {why}; not taken")
    return works, lines


def _set_times(work: Delivery, zone: ZoneInfo, file_times: bool) -> None:
    """Have a work's times in UTC; a time that the clock showed twice is the earlier one of the two."""
    in_worksheet = work.about.get("time", "-")
    if not work.handed_in:
        work.handed_in = work.written if file_times else None
        for form in _IN_WORKSHEETS:
            with suppress(ValueError):
                work.handed_in = datetime.strptime(in_worksheet, form)
        if in_worksheet != "-" and work.handed_in is None:
            work.messages.append(f"when it came is not read: {printable(in_worksheet)}")
    work.handed_in, work.written = (
        (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC) if time else None
        for time in (work.handed_in, work.written)
    )


def _put(place: Path, lesson: Lesson, download: Download, work: Delivery, recorded: datetime | None) -> str:
    """Put work in its place unless what is there is newer; what was done comes back, in words.

    recorded: when what is there came, in UTC, where the class's table says so.
    """
    with placement.prepare_place(place) as prepared:
        archives.unpack(download.path, work, prepared)
        _rename_notebook(prepared, lesson, work)
        files = [path for path in prepared.rglob("*") if path.is_file()]
        if written := work.written or work.handed_in:
            for path in files:
                os.utime(path, (written.timestamp(), written.timestamp()))
        if not files:
            return _NOTHING
        is_new = not os.path.lexists(place)
        if not is_new and placement.holds_same(prepared, place, SUBMIT_FILES):
            return _SAME
        if not is_new and not _is_newer(work, place, recorded):
            return _OLDER
        placement.put_in_place(prepared, place)
        return _NEW if is_new else _NEWER


def _is_newer(work: Delivery, place: Path, recorded: datetime | None) -> bool:
    """Return whether work came later than what lies in its place; where that is not told, was written later."""
    if work.handed_in and recorded:
        return work.handed_in > recorded.replace(tzinfo=UTC)
    existing = [file.modified for file in list_submission(place).files.values()]
    return work.written is not None and work.written.timestamp() > max(existing, default=0)


def _rename_notebook(prepared: Path, lesson: Lesson, work: Delivery) -> None:
    """Give the notebook the lesson's name where it has that and a number; the newest where there are several."""
    wanted = prepared / f"{lesson.notebook}.ipynb"
    notebooks = sorted(path for path in prepared.glob("*.ipynb") if _plain_name(path) == wanted.name)
    if not notebooks:
        return
    newest = max(notebooks, key=lambda path: (work.numbers.get(path.name, 0), path == wanted))
    if len(notebooks) > 1:
        names = ", ".join(printable(path.name) for path in notebooks)
        work.messages.append(f"of {names}, {newest.name} is graded")
    if newest != wanted:
        spare = prepared.with_name("spare")
        for source, target in ((wanted, spare), (newest, wanted), (spare, newest)):
            if source.exists():
                source.rename(target)


def _some(names: Sequence[str]) -> str:
    return list_first([*map(printable, names)], 100)
