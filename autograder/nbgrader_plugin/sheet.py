"""A CSV file as some program saved it: encoding and separator are found out, and a cell is changed without the others.

Excel saves with a byte order mark, with semicolons where the comma stands in numbers, or in Windows-1252. The form is
that of RFC 4180.
"""

from __future__ import annotations

import codecs
import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import whole

_MOST = 32 * 2**20
"""Bytes."""


@dataclass
class Sheet:
    """cells: row by row, each as it is written, with its quotes, and what follows it: a separator, or a line's end."""

    path: Path
    encoding: str
    separator: str
    cells: list[list[tuple[str, str]]]

    @property
    def columns(self) -> list[str]:
        """What stands in the first row."""
        return [_plain(text) for text, _ in self.cells[0]]

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Each row below the first that is not empty, with its number; the first row's is 1."""
        for number, row in enumerate(self.cells[1:], start=2):
            plain = [_plain(text) for text, _ in row]
            if any(plain):
                yield number, plain + [""] * (len(self.cells[0]) - len(plain))

    @property
    def decimal_comma(self) -> bool:
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

    def save(self, path: Path) -> None:
        """Write it as it was read, with what was changed."""
        text = "".join(cell + end for row in self.cells for cell, end in row)
        whole.write_whole(path, text.encode(self.encoding), mode=0o600)


def read_sheet(path: Path) -> Sheet:
    """Raises `CourseError` where the file cannot be read, or is no table with a row of names."""
    try:
        if path.stat().st_size > _MOST:
            raise CourseError(f"{path} has more than {_MOST // 2**20} MB: that is no table of students")
        data = path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None
    encoding, text = _decoded(data)
    if "\0" in text or not text.strip():
        state = "is empty" if not text.strip() else "is no text; save it as CSV"
        raise CourseError(f"{path} {state}")
    first = re.sub('"[^"]*"', "", text.split("\n", 1)[0])
    separator = max(",;\t", key=first.count)
    return Sheet(path, encoding, separator, _cells(text, separator))


def _decoded(data: bytes) -> tuple[str, str]:
    marks = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16"}
    known = [encoding for mark, encoding in marks.items() if data.startswith(mark)] or ["utf-8", "cp1252"]
    for encoding in known:
        with contextlib.suppress(UnicodeDecodeError):
            return encoding, data.decode(encoding)
    return "latin-1", data.decode("latin-1")


def _cells(text: str, separator: str) -> list[list[tuple[str, str]]]:
    end = rf"({separator}|\r\n|\r|\n|\Z)"
    cell = re.compile(rf' *+"(?:[^"]|"")*+" *{end}|[^{separator}\r\n]*+{end}')
    rows, row = list[list[tuple[str, str]]](), list[tuple[str, str]]()
    for found in cell.finditer(text):
        after = found[1] if found[1] is not None else found[2]
        row.append((found[0].removesuffix(after), after))
        if after != separator:
            rows.append(row)
            row = []
    return rows if text[-1] not in "\r\n" else rows[:-1]


def _plain(text: str) -> str:
    text = text.strip()
    return text[1:-1].replace('""', '"') if len(text) > 1 and text[0] == text[-1] == '"' else text
