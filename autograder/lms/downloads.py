"""What students handed in on a platform, in the zip file in which it gives all of an assignment's work.

Moodle, "Download all submissions" (`mod/assign/classes/downloader.php`): a folder for each, or files with the same
beginning, `Full Name_123_assignsubmission_file_`; the number is the participant's in this assignment alone. Canvas,
"Download Submissions" (`lib/content_zipper.rb` of canvas-lms): `lastnamefirst_LATE_7_4711_notebook.ipynb`, with the
user's and the file's number; while an assignment is graded anonymously, `LATE_anon_AbCdE_4711_notebook.ipynb`. A page
comes back by both numbers in its name (`infer_comment_context_from_filename` of its `app/models`). Both platforms write
the time of the download into the zip, not that of handing in. Gradescope, "Export Submissions": `submission_4711/…`,
and `submission_metadata.yml` with people and times.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

import msgspec
import yaml

from autograder.classroom import archives
from autograder.classroom.archives import Delivery
from autograder.exercises.errors import CourseError
from autograder.exercises.limits import MAX_NOTEBOOKS_BYTES
from autograder.submissions.submission_files import printable

_MOODLE = re.compile(r"(?P<name>[^_]*)_(?P<number>\d+)_assignsubmission_[a-z]+(?P<rest>_.*)?", re.DOTALL)
_CANVAS = re.compile(
    r"(?P<name>\w*?)_(?P<late>LATE_)?(?P<number>\d+)_((?P<file>\d+)_|(?=(text|link)\.html$))(?P<rest>.+)",
    re.DOTALL,
)
_ANONYMOUS = re.compile(r"(LATE_)?anon_[^\W_]{5}_(\d+_.+|(text|link)\.html)", re.DOTALL)
_FORMS = {"Moodle": _MOODLE, "anonymous": _ANONYMOUS, "Canvas": _CANVAS}
_METADATA = "submission_metadata.yml"

_Entries = Sequence[tuple[str, ZipInfo]]


_CLUES = {":name": "name", ":sid": "lms_user_id", ":email": "email"}
"""What Gradescope calls what it tells of a person, and what `people` does."""


class _Submission(msgspec.Struct, rename=lambda name: f":{name}"):
    submitters: list[dict[str, Any]] | None = None
    created_at: datetime | None = None


@dataclass
class Download:
    """A platform's zip file: each person's work, and the names of files that are nobody's (`strange`)."""

    platform: str
    path: Path
    works: list[Delivery] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)


def read_download(path: Path) -> Download:
    """Return what is in a platform's zip file, of which nothing is unpacked. Raises `CourseError` where it is none."""
    try:
        with ZipFile(path) as archive:
            entries = [*archives.entries(archive)]
            first, *more = sorted({name.split("/")[0] for name, _ in entries}) or [""]
            is_around_all = not more and not _MOODLE.fullmatch(first)
            for name, entry in entries:
                root = name.removesuffix(_METADATA)
                if root != name and (not root or root == f"{first}/" and is_around_all):
                    return _read_gradescope(path, archive, entries, root, entry)
            return _read_names(path, entries)
    except (BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} is no zip file, or a damaged one ({error}): download it again") from None
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None


def _read_names(path: Path, entries: _Entries) -> Download:
    """Read a zip file in which names of folders or files tell whose they are, as most of these names are formed."""
    owners = {platform: [_find_owner(name, form) for name, _ in entries] for platform, form in _FORMS.items()}
    platform = max(owners, key=lambda name: sum(map(bool, owners[name])))
    if platform == "anonymous":
        raise CourseError(
            f"{path} is an anonymous download of Canvas: the names of its files, anon_…, do not tell whose they are; "
            "turn anonymous grading of the assignment off, or post its grades, and download again"
        )
    download, works = Download(platform, path), dict[tuple[str, str], Delivery]()
    newest = dict[str, tuple[bool, int]]()
    for (name, entry), owner in zip(entries, owners[platform]):
        if owner is None:
            download.strange.append(printable(name))
            continue
        inside, match = owner
        parts, inner_path = match.groupdict(), match["rest"] or ""
        work = works.setdefault((match["name"], match["number"]), _empty_work(match, not inside))
        inner_path, number = inner_path.removeprefix("_"), int(parts.get("file") or 0)
        work.take("/".join(filter(None, [inner_path, inside])), entry, number)
        # Canvas shows a page under the name of the file that it is given back for: best the notebook's
        order = inner_path.endswith(".ipynb"), number
        if number and order > newest.get(work.folder, (False, 0)):
            work.page_prefix, newest[work.folder] = match.string[: match.start("rest")], order
        work.late |= bool(parts.get("late"))
    if not works:
        raise CourseError(
            f"{path}: no name in it is as Moodle, Canvas or Gradescope write them; give the zip file of all "
            "submissions as you downloaded it"
        )
    download.works = [*works.values()]
    return download


def _find_owner(name: str, form: re.Pattern[str]) -> tuple[str, re.Match[str]] | None:
    """Return the first part of a path that tells whose the file is, behind the path that follows it."""
    remaining = name
    while remaining:
        part, _, remaining = remaining.partition("/")
        if match := form.fullmatch(part):
            return remaining, match
    return None


def _empty_work(match: re.Match[str], is_file: bool) -> Delivery:
    """Return a work without files. Its folder is called as Moodle takes it back: as files begin, where it has none."""
    name, number = match["name"], match["number"]
    if match.re is _CANVAS:
        return Delivery(f"{name}_{number}", {"name": name, "lms_user_id": number})
    folder = f"{name}_{number}_assignsubmission_file" + "_" * bool(match["rest"] or is_file)
    return Delivery(folder, {"name": name, "participant": number}, page_prefix=f"{folder}/")


def _read_gradescope(
    path: Path, archive: ZipFile, entries: _Entries, root: str, metadata: ZipInfo
) -> Download:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if metadata.file_size > MAX_NOTEBOOKS_BYTES:
            raise ValueError("it is too large")
        submissions = msgspec.convert(yaml.load(archive.read(metadata), loader), dict[str, _Submission])
    except (yaml.YAMLError, ValueError) as error:
        problem = f"{metadata.filename} is not as Gradescope writes it"
        raise CourseError(f"{problem}: {printable(str(error))}") from None
    download, works = Download("Gradescope", path), dict[str, list[Delivery]]()
    for folder, submission in submissions.items():
        for person in submission.submitters or ():
            about = {field: str(person[clue]) for clue, field in _CLUES.items() if person.get(clue)}
            work = Delivery(folder, about, handed_in=submission.created_at)
            works.setdefault(folder, []).append(work)
            download.works.append(work)
    for name, entry in entries:
        folder, _, inside = name.removeprefix(root).partition("/")
        for work in works.get(folder, ()):
            work.take(inside or folder, entry)
        if folder not in works and entry is not metadata:
            download.strange.append(printable(name))
    return download
