"""A CSV file as some program saved it: encoding and separator are found out, and a cell is changed without the others.

Excel saves with a byte order mark, with semicolons where the comma stands in numbers, or in Windows-1252; a first line
`sep=;` tells it what the separator is. The form is that of RFC 4180.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.exercises.errors import CourseError
from autograder.exercises.limits import MAX_CSV_BYTES
from autograder.files import atomic_files


@dataclass
class Sheet:
    """cells: row by row, each as it is written, with its quotes, and what follows it: a separator, or a line's end.

    prefix: what stands before the first row, for programs.
    """

    path: Path
    encoding: str
    separator: str
    cells: list[list[tuple[str, str]]]
    prefix: str = ""

    @property
    def columns(self) -> list[str]:
        """Return the texts of the first row."""
        return [_plain(text) for text, _ in self.cells[0]]

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield each row below the first that is not empty, with its number; the first row's is 1."""
        for number, row in enumerate(self.cells[1:], start=2):
            plain = [_plain(text) for text, _ in row]
            if any(plain):
                yield number, plain + [""] * (len(self.cells[0]) - len(plain))

    @property
    def decimal_comma(self) -> bool:
        """Return whether numbers have a decimal comma, as 3,5: one has, and commas do not separate the columns."""
        return self.separator != "," and any(
            re.fullmatch(r"-?\d+,\d+", text) for _, row in self.records() for text in row
        )

    def put(self, number: int, column: int, text: str) -> None:
        """Change a cell to a plain text; a row that ends before it is filled up."""
        row = self.cells[number - 1]
        while len(row) <= column:
            row[-1:] = [(row[-1][0], self.separator), ("", row[-1][1])]
        quoted = f'"{text}"' if row[column][0].startswith('"') else text
        row[column] = (quoted, row[column][1])

    def add(self, texts: Sequence[str]) -> None:
        """Add a row."""
        end = self.cells[0][-1][1] or "\n"
        last, _ = self.cells[-1][-1]
        self.cells[-1][-1] = (last, end)
        self.cells += _cells(as_csv([texts], self.separator).removesuffix("\n") + end, self.separator)

    def save(self, path: Path) -> None:
        """Write it as it was read, with what was changed; in UTF-8 where its own encoding has not all signs."""
        text = self.prefix + "".join(cell + end for row in self.cells for cell, end in row)
        try:
            data = text.encode(self.encoding)
        except UnicodeEncodeError:
            data = text.encode("utf-8-sig")
        atomic_files.atomic_write(path, data, path.stat().st_mode & 0o777 if path.exists() else 0o600)


def as_csv(rows: Iterable[Iterable[object]], separator: str = ",") -> str:
    """Return rows as the text of a CSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue()


def read_sheet(path: Path) -> Sheet:
    """Read a table. Raises `CourseError` where the file cannot be read, or is no table with a row of names."""
    try:
        if path.stat().st_size > MAX_CSV_BYTES:
            raise CourseError(
                f"{path} has more than {MAX_CSV_BYTES // 2**20} MB: that is no table of students"
            )
        data = path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None
    encoding, text = _decoded(data)
    if "\0" in text:
        raise CourseError(f"{path} is no text; save it as CSV")
    prefix = re.match("\ufeff?(?:sep=([,;\t])\r?\n)?", text)
    assert prefix is not None, "all of it may be missing"
    text = text[prefix.end() :]
    first = re.sub('"[^"]*"', "", text.split("\n", 1)[0])
    separator = prefix[1] or max(",;\t", key=first.count)
    if not text.strip():
        raise CourseError(f"{path} is empty")
    return Sheet(path, encoding, separator, _cells(text, separator), prefix[0])


def _decoded(data: bytes) -> tuple[str, str]:
    marks = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16-be"}
    encodings = [encoding for mark, encoding in marks.items() if data.startswith(mark)] or ["utf-8", "cp1252"]
    for encoding in encodings:
        with contextlib.suppress(UnicodeDecodeError):
            return encoding, data.decode(encoding)
    return "latin-1", data.decode("latin-1")


def _cells(text: str, separator: str) -> list[list[tuple[str, str]]]:
    end = rf"({separator}|\r\n|\r|\n|\Z)"
    cell = re.compile(rf' *+"(?:[^"]|"")*+" *{end}|[^{separator}\r\n]*+{end}')
    rows, row = list[list[tuple[str, str]]](), list[tuple[str, str]]()
    for match in cell.finditer(text):
        separator_or_end = match[1] if match[1] is not None else match[2]
        row.append((match[0].removesuffix(separator_or_end), separator_or_end))
        if separator_or_end != separator:
            rows.append(row)
            row = []
    return rows if text[-1] not in "\r\n" else rows[:-1]


def _plain(text: str) -> str:
    text = text.strip()
    return text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text
