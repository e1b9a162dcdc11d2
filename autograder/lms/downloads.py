"""What students handed in on a platform, in the zip file in which it gives all of an assignment's work.

Moodle, "Download all submissions" (`mod/assign/classes/downloader.php`): a folder for each, or files with the same
beginning, `Full Name_123_assignsubmission_file_`; the number is the participant's in this assignment alone. Canvas,
"Download Submissions" (`lib/content_zipper.rb` of canvas-lms): `lastnamefirst_LATE_7_4711_notebook.ipynb`, with the
user's and the file's number. Both write the time of the download into the zip, not that of handing in. Gradescope,
"Export Submissions": `submission_4711/…`, and `submission_metadata.yml` with people and times.

Students chose names and contents: no path leads out of their folder, links are not followed, sizes are bounded.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import stat
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec
import yaml

from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.folders import NOBODYS_WORK, printable
from autograder.nbgrader_plugin.submission_files import MAX_DEPTH, MAX_FILES, MAX_NOTEBOOKS

_MOODLE = re.compile(r"(?P<name>[^_]*)_(?P<number>\d+)_assignsubmission_[a-z]+(?P<rest>_.*)?", re.DOTALL)
_CANVAS = re.compile(
    r"(?P<name>\w*?)_(?P<late>LATE_)?(?P<number>\d+)_((?P<file>\d+)_|(?=(text|link)\.html$))(?P<rest>.+)",
    re.DOTALL,
)
_METADATA = "submission_metadata.yml"
_LITTER = (*NOBODYS_WORK, ".DS_Store", "Thumbs.db", "desktop.ini")
_MOST_ENTRIES, _MOST_SAID = 200_000, 20
_BLOCK = 2**20


class _Person(msgspec.Struct, rename=lambda name: f":{name}"):
    name: str | None = None
    sid: str | int | None = None
    email: str | None = None


class _Submission(msgspec.Struct, rename=lambda name: f":{name}"):
    submitters: list[_Person] | None = None
    created_at: datetime | None = None


@dataclass
class Delivery:
    """What one person handed in.

    folder: as the platform calls it; about: whose it is, in the words of `people`; files: by their path in the work.
    written: the latest time in the zip file, of no time zone; handed_in: where the platform says it.
    numbers: of files, where the platform counts them; said: what there is to say of it, as what was left out, and why.
    """

    folder: str
    about: dict[str, str]
    files: dict[str, ZipInfo] = field(default_factory=dict)
    written: datetime | None = None
    handed_in: datetime | None = None
    late: bool = False
    numbers: dict[str, int] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def add(self, path: str, entry: ZipInfo, number: int = 0) -> None:
        """Take a file in, beside another of its name."""
        name, count = PurePosixPath(path), 1
        taken = {other.casefold() for other in self.files}
        while path.casefold() in taken:
            count += 1
            path = str(name.with_name(f"{name.stem} ({count}){name.suffix}"))
        self.files[path], self.numbers[path] = entry, number
        with contextlib.suppress(ValueError):  # no such day
            time = datetime(*entry.date_time)
            if time.year > 1980:  # where nobody wrote one
                self.written = max(self.written or time, time)

    def refuse(self, path: str, why: str) -> None:
        """Say that a file is left out; of very many not all are named."""
        if len(self.said) < _MOST_SAID:
            self.said.append(f"{printable(path)[:80]} {why}: left out")


@dataclass
class Download:
    """strange: files of nobody, by name."""

    platform: str
    zip: ZipFile
    works: list[Delivery]
    strange: list[str]


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Download]:
    """A platform's zip file. Raises `CourseError` where it is none."""
    try:
        with ZipFile(path) as archive:
            if len(archive.infolist()) > _MOST_ENTRIES:
                raise CourseError(f"{path} holds more than {_MOST_ENTRIES:,} files: that is no class's")
            yield _read(path, archive)
    except (BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} is no zip file, or a damaged one ({error}): download it again") from None
    except OSError as error:
        if error.filename and Path(error.filename) == path:
            raise CourseError(f"{path} cannot be read: {error.strerror}") from None
        raise


def _read(path: Path, archive: ZipFile) -> Download:
    entries = [*_entries(archive)]
    top = {name.split("/")[0] for name, _ in entries}
    for root in ("", f"{min(top, default='')}/"):
        metadata = next((entry for name, entry in entries if name == root + _METADATA), None)
        if metadata and (not root or len(top) == 1 and not _MOODLE.fullmatch(min(top))):
            return _gradescope(archive, entries, root, metadata)
    forms = {"Moodle": _MOODLE, "Canvas": _CANVAS}
    owned = {platform: [_owner(name, form) for name, _ in entries] for platform, form in forms.items()}
    platform = max(owned, key=lambda one: sum(map(bool, owned[one])))
    works, strange = dict[tuple[str, str], Delivery](), list[str]()
    for (name, entry), owner in zip(entries, owned[platform]):
        if owner is None:
            strange.append(printable(name))
            continue
        (place, one), parts = owner, name.split("/")
        work = works.setdefault((one["name"], one["number"]), _work(platform, one, place == len(parts) - 1))
        rest, known = (one["rest"] or "").removeprefix("_"), one.groupdict()
        inner = "/".join([*([rest] if rest else []), *parts[place + 1 :]])
        _take(work, inner, entry, int(known.get("file") or 0))
        work.late |= bool(known.get("late"))
    if not works:
        raise CourseError(
            f"{path}: no name in it is as Moodle, Canvas or Gradescope write them; give the zip file of all "
            "submissions as you downloaded it"
        )
    return Download(platform, archive, [*works.values()], strange)


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
    return Delivery(folder, {"name": name, "participant": number})


def _gradescope(
    archive: ZipFile, entries: Sequence[tuple[str, ZipInfo]], root: str, metadata: ZipInfo
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
            _take(work, inner or folder, entry)
        if not works.get(folder) and entry is not metadata:
            strange.append(printable(name))
    return Download("Gradescope", archive, [one for several in works.values() for one in several], strange)


def _clues(person: _Person) -> dict[str, str]:
    clues = {"name": person.name, "lms_user_id": person.sid, "email": person.email}
    return {field: str(text) for field, text in clues.items() if text}


def _entries(archive: ZipFile) -> Iterator[tuple[str, ZipInfo]]:
    """Names and entries of what is no folder, and not left there by a program."""
    for entry in archive.infolist():
        name = _name(entry)
        parts = name.split("/")
        if parts[-1] and not {*parts} & {*_LITTER} and not parts[-1].startswith("._"):
            yield name, entry


def _name(entry: ZipInfo) -> str:
    """A name with `/` between folders; one that is not marked as UTF-8 often is all the same."""
    name = entry.filename
    if not entry.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name.replace("\\", "/"))


def _take(work: Delivery, path: str, entry: ZipInfo, number: int = 0) -> None:
    """Take a file into somebody's work, or note why not."""
    parts = path.split("/")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if ".." in parts or "" in parts[:-1] or re.match("[A-Za-z]:", path) or not path.isprintable():
        why = "leads out of the folder, or is no name"
    elif kind not in (0, stat.S_IFREG):
        why = "is a link, or no file"
    elif entry.flag_bits & 1 or entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        why = "is encrypted, or packed in a rare way"
    elif len(parts) > MAX_DEPTH or max(len(part.encode()) for part in parts) > 200:
        why = "lies too deep, or has too long a name"
    elif len(work.files) >= MAX_FILES:
        why = f"is one of more than {MAX_FILES:,} files"
    else:
        work.add(path, entry, number)
        return
    work.refuse(path, why)


def unpack(archive: ZipFile, work: Delivery, to: Path) -> None:
    """Write somebody's files into a folder, as far as there is room for them; where there is no notebook, those of the
    first zip file in which there is one. What is left out is noted in `work.said`."""
    room = _write(archive, work, to, MAX_NOTEBOOKS)
    if any(map(_is_notebook, work.files)):
        return
    for path in [to / name for name in work.files if name.lower().endswith(".zip")]:
        inner = Delivery(work.folder, {})
        with contextlib.ExitStack() as until_read:
            with contextlib.suppress(BadZipFile, NotImplementedError, OSError, ValueError):
                nested = until_read.enter_context(ZipFile(until_read.enter_context(_SmallFile(path))))
                if len(nested.infolist()) <= MAX_FILES:
                    for name, entry in _entries(nested):
                        _take(inner, name, entry)
            if any(map(_is_notebook, inner.files)):
                path.unlink()
                _write(nested, inner, path.parent, room)
                work.said += inner.said
                return


class _SmallFile(io.FileIO):
    """A student's own zip file, unless it takes long to look through: `zipfile` reads its directory in one piece."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _BLOCK:
            raise BadZipFile
        return super().read(size)


def _is_notebook(path: str) -> bool:
    return path.endswith(".ipynb")


def _write(archive: ZipFile, work: Delivery, to: Path, room: int) -> int:
    """Write files, notebooks first, while there is room, in bytes; what is left of it comes back.

    `zipfile` reads no more of a file than its entry says.
    """
    for path, entry in sorted(work.files.items(), key=lambda one: not _is_notebook(one[0])):
        target, why = to / path, "is more than there is room for"
        if entry.file_size <= room:
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as source, target.open("xb") as file:
                    shutil.copyfileobj(source, file)
                room -= entry.file_size
                continue
            except (FileExistsError, NotADirectoryError):
                why = "has the name of a folder, or of another file"
            except (BadZipFile, NotImplementedError, EOFError, RuntimeError, zlib.error):
                target.unlink(missing_ok=True)
                why = "is damaged"
        work.refuse(path, why)
    return room
