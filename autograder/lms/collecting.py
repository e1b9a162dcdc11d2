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

from autograder.courses import CLASS, Course, Lesson
from autograder.lms import downloads, people
from autograder.lms.downloads import Download
from autograder.model.errors import FULL, CourseError
from autograder.model.text import some
from autograder.nbgrader_plugin import archives, dates, finding, placement, times
from autograder.nbgrader_plugin.archives import Delivery, NotUnpacked
from autograder.nbgrader_plugin.folders import WRITTEN_ON_SUBMIT
from autograder.nbgrader_plugin.gradebook import directory_of
from autograder.nbgrader_plugin.sheet import read_sheet
from autograder.nbgrader_plugin.submission_files import list_submission, printable

_ANOTHER = re.compile(r"( ?\(\d+\)|-\d+|[ _-]+(copy|Copy|Kopie|copie)( ?\(?\d+\)?)?)+$")
"""What browsers, Canvas and file managers add to a name that is there already."""

_IN_WORKSHEETS = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%d %B %Y, %I:%M %p")
"""How Moodle writes when work came, in English: `strftimedaydatetime`, `strftimedatetime` of its `langconfig.php`."""

_NEW, _SAME = "new", "as it was"
_NEWER = "newer than what was there, which is kept in replaced/"
_OLDER = "not newer than what is there, which stays"
_NOTHING = "nothing in it could be taken"
_TAKEN = (_NEW, _SAME, _NEWER)
_SHOWN = 100


def collect(
    course: Course, file: Path, named: str, roster: Path | None, file_times: bool, folder: Path
) -> str:
    """Put a platform's zip file of an assignment into a class's folder; what was done comes back, line by line.

    named: the lesson, empty where the notebooks' names tell. roster: the platform's table of people, taken into the
    class's list first; Moodle's grading worksheet says, too, who is which participant and when work came.
    file_times: take the zip file's for when work came. Times without a zone are the class's, as in its other tables.
    """
    said = [people.take_roster(course, roster, folder)] if roster else []
    directory, zone = directory_of(course, folder), ZoneInfo(dates.read_dates(folder).zone or "UTC")
    done, untold = Counter[str](), 0
    download = downloads.read_download(file)
    lesson = lesson_of(course, named, download)
    whose, lines = owners(course, download, roster, folder)
    for student, work in sorted(whose.items()):
        place = Path(directory.format_path(directory.submitted_directory, student, lesson.id))
        known = times.read_times(folder).get((student, lesson.id), [])
        work.handed_in, work.written = _came(work, zone, file_times), _utc(work.written, zone)
        try:
            put = _put(place, lesson, download, work, times.when(folder, student, lesson.id))
        except (OSError, NotUnpacked) as error:
            if isinstance(error, OSError) and error.errno == ENOSPC:
                raise CourseError(FULL) from None
            put = _NOTHING
            work.said.append(printable(str(error)))
        done[put] += 1
        if put not in (_NEW, _SAME):
            work.said.insert(0, put)
        came = f"{work.handed_in:%Y-%m-%d %H:%M:%S} UTC" if work.handed_in else ""
        if came and came not in known and put in _TAKEN:
            times.note_down(folder, student, lesson.id, came)
        if work.late and not known:
            by = download.platform
            work.said.append(f"late, as {by} says, and not when: write it into {times.HANDED_IN}")
        untold += not (came or known)
        lines += [f"{printable(student)}: {line}" for line in work.said]
    listed = {one["id"] for one in people.known_people(course, folder)}
    missing = sorted(listed - finding.handed_in(directory, lesson.id))
    got = f"{len(whose)} of {len(download.works)}"
    said.append(f"{lesson.id}, from {download.platform}: {got} are on your list")
    said += [f"  {what}: {count}" for what, count in done.items()]
    said += [f"  {line}" for line in lines]
    if download.strange:
        said.append(f"  other files in it: {len(download.strange)} ({_shown(download.strange)})")
    if missing:
        said.append(f"  nothing is there of: {_shown(missing)}")
    if untold:
        said.append(f"  when it came is not told of {untold}, so that they count as in time")
    elif download.platform != "Gradescope":
        said.append(f"  times are read as {zone}'s, the zone in {CLASS}")
    return "\n".join(said)


def zip_feedback(course: Course, file: Path, named: str, roster: Path | None, folder: Path) -> str:
    """Write, beside Moodle's or Canvas's zip file of an assignment, one with the students' pages under its names.

    Moodle takes pages back by the folders' names, with "Upload multiple feedback files in a zip"
    (`mod/assign/feedback/file/importziplib.php`); Canvas by the numbers of user and file, with "Re-Upload Submissions".
    """
    directory = directory_of(course, folder)
    download = downloads.read_download(file)
    if download.platform == "Gradescope":
        raise CourseError(f"{file} is Gradescope's, which takes no pages back: only Moodle and Canvas do")
    lesson = lesson_of(course, named, download)
    whose, lines = owners(course, download, roster, folder)
    to, without, nameless = file.with_name(f"{file.stem}-feedback.zip"), list[str](), list[str]()
    made = to.with_name(f".{to.name}.new")
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for student, work in sorted(whose.items()):
            pages = Path(directory.format_path(directory.feedback_directory, student, lesson.id))
            page = pages / f"{lesson.notebook}.html"
            if not page.is_file():
                without.append(student)
            elif not work.page_prefix:
                nameless.append(student)
            else:
                archive.write(page, work.page_prefix + page.name)
    os.replace(made, to)
    count = len(whose) - len(without) - len(nameless)
    lines += [f"no page is there of: {_shown(without)}; a round makes them"] * bool(without)
    if nameless:
        lines.append(f"Canvas takes no page back where no file was handed in: {_shown(nameless)}")
    if count and download.platform == "Canvas":
        lines.append(
            "Canvas shows a page under the name of the file that was handed in: tell your students to save it as "
            f"{lesson.notebook}.html, and to open it in a browser"
        )
    return "\n".join([f"{to}: {count} pages", *(f"  {line}" for line in lines)])


def lesson_of(course: Course, named: str, download: Download) -> Lesson:
    """The lesson of that name, or the one whose notebook was handed in."""
    if named:
        return course.lesson(named)
    files = (Path(path) for work in download.works for path in work.files)
    names = {_ANOTHER.sub("", path.stem) for path in files if path.suffix == ".ipynb"}
    found = [lesson for lesson in course.lessons if lesson.notebook in names]
    if len(found) != 1:
        told = f"of {', '.join(one.id for one in found)}" if found else "of no lesson's name"
        raise CourseError(f"the notebooks in it are {told}: say which lesson it is, after the file")
    return found[0]


def owners(
    course: Course, download: Download, roster: Path | None, folder: Path
) -> tuple[dict[str, Delivery], list[str]]:
    """Each student's work, and a line for each whose student cannot be told."""
    rows = people.read_people(read_sheet(roster)).values() if roster else ()
    numbers = {re.sub(r"\D", "", row["participant"]): row for row in rows if "participant" in row}
    for work in download.works:
        work.about |= numbers.get(work.about.get("participant", ""), {})
    found = people.match([work.about for work in download.works], people.known_people(course, folder))
    count = Counter(student for student, _ in found)
    whose, lines = dict[str, Delivery](), list[str]()
    for work, (student, why) in zip(download.works, found):
        if student and count[student] == 1:
            whose[student] = work
        else:
            why = why or (f"{count[student]} are {student}'s" if student else "nobody on your list")
            lines.append(f"{printable(work.folder)}: {why}; not taken")
    return whose, lines


def _came(work: Delivery, zone: ZoneInfo, file_times: bool) -> datetime | None:
    """When work came, in UTC, where that is told."""
    if work.handed_in:
        return work.handed_in.astimezone(UTC) if work.handed_in.tzinfo else work.handed_in.replace(tzinfo=UTC)
    told, time = work.about.get("time", "-"), work.written if file_times else None
    for form in _IN_WORKSHEETS:
        with suppress(ValueError):
            time = datetime.strptime(told, form)
    if told != "-" and time is None:
        work.said.append(f"when it came is not read: {printable(told)}")
    if time and len({*_possible(time, zone)}) > 1:
        work.said.append(f"the clocks were changed at {time:%Y-%m-%d %H:%M}: the earlier time counts")
    return _utc(time, zone)


def _utc(time: datetime | None, zone: ZoneInfo) -> datetime | None:
    """Of a time that the clock showed twice, or never, the earlier one that it may be."""
    return min(_possible(time, zone)) if time else None


def _possible(time: datetime, zone: ZoneInfo) -> list[datetime]:
    return [time.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)]


def _put(place: Path, lesson: Lesson, download: Download, work: Delivery, known: datetime | None) -> str:
    """Put work in its place unless what is there is newer; what was done comes back, in words.

    known: when what is there came, in UTC, where the class's table says so.
    """
    with placement.prepare_place(place) as made:
        archives.unpack(download.path, work, made)
        _call_by_its_name(made, lesson, work)
        files = [path for path in made.rglob("*") if path.is_file()]
        if written := work.written or work.handed_in:
            for path in files:
                os.utime(path, (written.timestamp(), written.timestamp()))
        if not files:
            return _NOTHING
        is_new = not os.path.lexists(place)
        if not is_new and placement.holds_same(made, place, WRITTEN_ON_SUBMIT):
            return _SAME
        if not is_new and not _is_newer(work, place, known):
            return _OLDER
        placement.put_in_place(made, place)
        return _NEW if is_new else _NEWER


def _is_newer(work: Delivery, place: Path, known: datetime | None) -> bool:
    """Whether work came later than what lies in its place; where that is not told, whether it was written later."""
    if work.handed_in and known:
        return work.handed_in > known.replace(tzinfo=UTC)
    there = [file.modified for file in list_submission(place).files.values()]
    return work.written is not None and work.written.timestamp() > max(there, default=0)


def _call_by_its_name(made: Path, lesson: Lesson, work: Delivery) -> None:
    """Give the notebook the lesson's name where it has that and a number; the newest where there are several."""
    wanted = made / f"{lesson.notebook}.ipynb"
    found = [path for path in made.glob("*.ipynb") if _ANOTHER.sub("", path.stem) == lesson.notebook]
    if not found:
        return
    newest = max(found, key=lambda path: (work.numbers.get(path.name, 0), path == wanted, path.name))
    if len(found) > 1:
        names = ", ".join(printable(path.name) for path in sorted(found))
        work.said.append(f"of {names}, {newest.name} is graded")
    if newest != wanted:
        spare = made.with_name("spare")
        if wanted.exists():
            wanted.rename(spare)
        newest.rename(wanted)
        if spare.exists():
            spare.rename(newest)


def _shown(names: Sequence[str]) -> str:
    return some([*map(printable, names)], _SHOWN)
