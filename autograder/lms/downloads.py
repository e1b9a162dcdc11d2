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
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

import msgspec
import yaml

from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import archives
from autograder.nbgrader_plugin.archives import Delivery
from autograder.nbgrader_plugin.limits import MAX_NOTEBOOKS
from autograder.nbgrader_plugin.submission_files import printable

_MOODLE = re.compile(r"(?P<name>[^_]*)_(?P<number>\d+)_assignsubmission_[a-z]+(?P<rest>_.*)?", re.DOTALL)
_CANVAS = re.compile(
    r"(?P<name>\w*?)_(?P<late>LATE_)?(?P<number>\d+)_((?P<file>\d+)_|(?=(text|link)\.html$))(?P<rest>.+)",
    re.DOTALL,
)
_ANONYMOUS = re.compile(r"(LATE_)?anon_[^\W_]{5}_(\d+_.+|(text|link)\.html)", re.DOTALL)
_METADATA = "submission_metadata.yml"
_MOST_ENTRIES = 200_000


class _Person(msgspec.Struct, rename=lambda name: f":{name}"):
    name: str | None = None
    sid: str | int | None = None
    email: str | None = None


class _Submission(msgspec.Struct, rename=lambda name: f":{name}"):
    submitters: list[_Person] | None = None
    created_at: datetime | None = None


@dataclass
class Download:
    """strange: files of nobody, by name."""

    platform: str
    path: Path
    works: list[Delivery]
    strange: list[str]


def read_download(path: Path) -> Download:
    """Return what is in a platform's zip file, of which nothing is unpacked. Raises `CourseError` where it is none."""
    try:
        with ZipFile(path) as archive:
            if len(archive.infolist()) > _MOST_ENTRIES:
                raise CourseError(f"{path} holds more than {_MOST_ENTRIES:,} files: that is no class's")
            return _read(path, archive)
    except (BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} is no zip file, or a damaged one ({error}): download it again") from None
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None


def _read(path: Path, archive: ZipFile) -> Download:
    entries = [*archives.entries(archive)]
    top = {name.split("/")[0] for name, _ in entries}
    for root in ("", f"{min(top, default='')}/"):
        metadata = next((entry for name, entry in entries if name == root + _METADATA), None)
        if metadata and (not root or len(top) == 1 and not _MOODLE.fullmatch(min(top))):
            return _gradescope(path, archive, entries, root, metadata)
    forms = {"Moodle": _MOODLE, "anonymous": _ANONYMOUS, "Canvas": _CANVAS}
    owned = {platform: [_owner(name, form) for name, _ in entries] for platform, form in forms.items()}
    platform = max(owned, key=lambda one: sum(map(bool, owned[one])))
    if platform == "anonymous":
        raise CourseError(
            f"{path} is an anonymous download of Canvas: the names of its files, anon_…, do not tell whose they are; "
            "turn anonymous grading of the assignment off, or post its grades, and download again"
        )
    works, strange = dict[tuple[str, str], Delivery](), list[str]()
    newest = dict[str, tuple[bool, int]]()
    for (name, entry), owner in zip(entries, owned[platform]):
        if owner is None:
            strange.append(printable(name))
            continue
        (place, one), parts = owner, name.split("/")
        work = works.setdefault((one["name"], one["number"]), _work(platform, one, place == len(parts) - 1))
        rest, known = (one["rest"] or "").removeprefix("_"), one.groupdict()
        inner = "/".join([*([rest] if rest else []), *parts[place + 1 :]])
        work.take(inner, entry, number := int(known.get("file") or 0))
        # Canvas shows a page under the name of the file that it is given back for: best the notebook's
        order = rest.endswith(".ipynb"), number
        if number and order > newest.get(work.folder, (False, 0)):
            work.page_prefix, newest[work.folder] = one.string[: one.start("rest")], order
        work.late |= bool(known.get("late"))
    if not works:
        raise CourseError(
            f"{path}: no name in it is as Moodle, Canvas or Gradescope write them; give the zip file of all "
            "submissions as you downloaded it"
        )
    return Download(platform, path, [*works.values()], strange)


def _owner(name: str, form: re.Pattern[str]) -> tuple[int, re.Match[str]] | None:
    """The first part of a path that tells whose the file is, behind its place among the parts."""
    parts = ((place, form.fullmatch(part)) for place, part in enumerate(name.split("/")))
    return next(((place, one) for place, one in parts if one), None)


def _work(platform: str, one: re.Match[str], is_file: bool) -> Delivery:
    """Nobody's files yet. A folder is called as Moodle takes it back: as files begin, where there are no folders."""
    name, number, rest = one["name"], one["number"], one["rest"] or ""
    if platform == "Canvas":
        return Delivery(f"{name}_{number}", {"name": name, "lms_user_id": number})
    folder = f"{name}_{number}_assignsubmission_file" + "_" * bool(rest or is_file)
    return Delivery(folder, {"name": name, "participant": number}, page_prefix=f"{folder}/")


def _gradescope(
    path: Path, archive: ZipFile, entries: Sequence[tuple[str, ZipInfo]], root: str, metadata: ZipInfo
) -> Download:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if metadata.file_size > MAX_NOTEBOOKS:
            raise ValueError("it is too large")
        known = msgspec.convert(yaml.load(archive.read(metadata), loader), dict[str, _Submission])
    except (yaml.YAMLError, ValueError) as error:
        raise CourseError(
            f"{metadata.filename} is not as Gradescope writes it: {printable(str(error))}"
        ) from None
    works = dict[str, list[Delivery]]()
    for folder, one in known.items():
        people = one.submitters or ()
        works[folder] = [Delivery(folder, _clues(person), handed_in=one.created_at) for person in people]
    strange = []
    for name, entry in entries:
        folder, _, inner = name.removeprefix(root).partition("/")
        for work in works.get(folder, ()):
            work.take(inner or folder, entry)
        if not works.get(folder) and entry is not metadata:
            strange.append(printable(name))
    return Download("Gradescope", path, [one for several in works.values() for one in several], strange)


def _clues(person: _Person) -> dict[str, str]:
    clues = {"name": person.name, "lms_user_id": person.sid, "email": person.email}
    return {field: str(text) for field, text in clues.items() if text}
