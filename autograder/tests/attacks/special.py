"""Attacks that are more than texts: notebooks, files and metadata that are made."""

from __future__ import annotations

import base64
import json
import os
import struct
import zlib
from collections.abc import Mapping
from functools import partial

import nbformat
import numpy as np
import scipy.special
from nbformat.v4 import new_code_cell
from nbgrader.utils import compute_checksum

from autograder.tests.attacks import FULL, INSIDE, Attack, Hand, in_cell

PAGE_TABLES = """
<INSIDE>
import ctypes, mmap, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
step, size = 2 * 2**20, <GIGABYTES> * 2**30
reserve = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
start = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, reserve, -1, 0)
for place in range(start, start + size, step): ctypes.c_char.from_address(place).value
"""
SOCKETS = """
<INSIDE>
import os, socket, time
for _ in range(<PROCESSES>):
    if os.fork() == 0:
        pairs = [socket.socketpair() for _ in range(100)]
        for end in sum(pairs, ()):
            end.setblocking(False)
            try:
                while True: end.send(bytes(60_000))
            except BlockingIOError: pass
        time.sleep(15)
"""
SWARM = """
<INSIDE>
import os, time
def swarm():
    while True:
        kept = bytearray(b"x") * (30 * 2**20)
        try:
            if os.fork(): os.wait()
        except OSError: time.sleep(0.01)
for _ in range(<PROCESSES>):
    if os.fork() == 0: swarm()
"""
FILES = """
<INSIDE>
try:
    for place in ("/tmp", "/dev/shm"):
        for number in range(2):
            with open(f"{place}/filler{number}", "wb") as file:
                for _ in range(100): file.write(bytes(2**20))
except OSError as error: print(error)
"""


def holding(text: str, gigabytes: int = 0, processes: int = 0, seconds: int = 4) -> str:
    """Return the source that takes so much of the machine's memory, and keeps it for a while."""
    text = text.replace("<GIGABYTES>", str(gigabytes)).replace("<PROCESSES>", str(processes))
    return text.replace("<INSIDE>", INSIDE.strip().replace("\n", "; ")) + f"time.sleep({seconds})"


HELD = {
    "page_tables": ("4 GB of page tables", holding(PAGE_TABLES, gigabytes=2000)),
    "sockets": ("buffers of 4,000 pairs of sockets", holding(SOCKETS, processes=40)),
    "swarm": ("processes that each take 30 MB and start the next", holding(SWARM, processes=50)),
    "together": (
        "files in memory, page tables, sockets and such processes together",
        holding(FILES + PAGE_TABLES + SOCKETS + SWARM, gigabytes=150, processes=4),
    ),
}


MAGICS = "x=1;" * 2500 + "\n" + "a = %b\n" * 499
"""IPython reads all of a cell again for each line that has a magic."""

TEXTS = {
    "brackets": (r"\[" * 200_000, "400 kB of unclosed formulas in a text"),
    "links": ("![a](" * 60_000, "300 kB of unclosed pictures in a text"),
}
CODES = {
    "magics": (MAGICS, "a cell that IPython reads 499 times"),
    "percent": ("%a\n" * 18_000, "53 kB of lines that begin with %"),
    "one_line": ("x=1;" * 100_000, "a line of 100,000 statements"),
}


def files_with_holes(files: Mapping[str, int]):
    """Files of so many bytes that take no place on the disk, until someone copies them."""

    def change(hand: Hand) -> None:
        for name, size in files.items():
            hand.file(name, "")
            os.truncate(hand.folder / name, size)

    return change


def raw(content: bytes):
    """Hand in these bytes."""
    return lambda hand: setattr(hand, "raw", content)


def empty_cells(hand: Hand) -> None:
    """A hundred thousand empty cells before all others."""
    cells = '"cells": [' + '{"cell_type": "code", "source": ""},' * 100_000
    hand.raw = nbformat.writes(hand.notebook).replace('"cells": [', cells, 1).encode()


def surrogates(hand: Hand) -> None:
    hand.run("print('\\ud800')\nraise ValueError('\\udfff')")
    hand.write("HERE")
    hand.raw = nbformat.writes(hand.notebook).replace("HERE", "text \\ud83d cut in two").encode()


def lying_pictures(hand: Hand) -> None:
    """Pictures in a text whose headers say less or more than there is."""
    for number, side in enumerate((1, 60_000)):
        size = struct.pack(">2L5B", side, side, 8, 0, 0, 0, 0)
        chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(bytes(60 * 2**20))), (b"IEND", b""))
        data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)
        hand.write(f"![a](attachment:{number}.png)")
        picture = {"image/png": base64.b64encode(data).decode()}
        hand.notebook.cells[1].attachments = {f"{number}.png": picture}


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))


def verdicts(hand: Hand) -> None:
    lines = [{"title": "all", "passed": True, "points": 27, "details": []}]
    forged = {name: {"exercise": name, "state": "right", "lines": lines} for name in FULL}
    hand.notebook.metadata["attention_course"] = {"notes": [], "sealed": True, "verdicts": forged}


def tests_twice(hand: Hand) -> None:
    """Cells that hold the test's id and come first."""
    for name in FULL:
        copy = dict(hand.cell(f"test_{name}"))
        hand.notebook.cells.insert(1, type(hand.notebook)(copy, source="7.0", id=f"copy-{name}"))


def invented_tests(hand: Hand) -> None:
    for name in FULL:
        cell, own = new_code_cell("100.0", id=f"more-{name}"), {"grade_id": f"more_{name}", "points": 100}
        cell.metadata["nbgrader"] = {**hand.cell(f"test_{name}").metadata["nbgrader"], **own}
        hand.notebook.cells.append(cell)


def source_cells(hand: Hand) -> None:
    """Its own tests, unlocked, with the checksums that belong to them, a gradebook and a configuration."""
    cells = []
    for name in FULL:
        cell = hand.cell(f"test_{name}")
        cell.source = "100.0"
        cell.metadata["nbgrader"]["locked"] = False
        cell.metadata["nbgrader"]["checksum"] = compute_checksum(cell)
        cells.append({"name": f"test_{name}", "source": cell.source, "locked": False, "cell_type": "code"})
    hand.notebook.metadata["nbgrader"] = {"source_cells": cells, "grade_cells": cells}
    hand.file("nbgrader_config.py", "c.Autograde.autograde_preprocessors = []\n")
    hand.file("gradebook.db", "")


KEEP = """
asked = []
def softmax(x, axis=-1):
    asked.append([np.asarray(x, float).tolist(), axis])
    return 0
"""
TABLE = """
import json, pathlib
table = [(np.array(x), axis, np.array(y)) for x, axis, y in json.loads(pathlib.Path("data/timestamp.txt").read_text())]
def softmax(x, axis=-1):
    return next(y for given, of, y in table if of == axis and np.array_equal(x, given))
"""


def inputs_printed(hand: Hand) -> None:
    hand.answer("softmax", KEEP)
    hand.run_last("import json; print('asked:', json.dumps(asked))")


def table_of_answers(hand: Hand, printed: str) -> None:
    """Answer what was asked the last time from a table, in a file that nbgrader writes elsewhere."""
    asked = json.loads(printed.split("asked: ")[1].splitlines()[0])
    rows = [[x, axis, scipy.special.softmax(np.array(x), axis=axis).tolist()] for x, axis in asked]
    hand.file("data/timestamp.txt", json.dumps(rows))
    hand.answer("softmax", TABLE)


def linked_notebook(hand: Hand) -> None:
    (hand.folder / hand.name).symlink_to(hand.scene.classmate)


def linked_folder(hand: Hand) -> None:
    hand.folder.rmdir()
    hand.folder.symlink_to(hand.scene.classmate.parent)


def own_modules(hand: Hand) -> None:
    """Helpers of a student's own, beside the notebook."""
    hand.file("my_helpers.py", "def times(x):\n    return 2 * x\n")
    hand.file("my_pieces/__init__.py", "from .more import HERE\n")
    hand.file("my_pieces/more.py", "HERE = 'my own modules are here'\n")
    hand.run("from my_helpers import times\nfrom my_pieces import HERE\nprint(HERE)")
    hand.cell("softmax").source += "\nassert times(2) == 4"


DEEP = b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
BIG = b'{"cells": [], "metadata": {"x": "' + b"x" * 60 * 2**20 + b'"}, "nbformat": 4, "nbformat_minor": 5}'
BRACES = b'{"cells": [' + b"{}," * 16_000_000
MANY = {f"data/{number:02}.bin": 5 * 2**20 for number in range(20)}
NO_ROOM, LINK = "more than there is room for", "is a link"

ATTACKS = (
    *(
        Attack(f"busy_text_{name}", does, partial(Hand.write, text=text))
        for name, (text, does) in TEXTS.items()
    ),
    *(
        Attack(f"busy_code_{name}", does, partial(Hand.run_last, text=text))
        for name, (text, does) in CODES.items()
    ),
    *(Attack(f"damage_{name}", does, in_cell(text)) for name, (does, text) in HELD.items()),
    Attack("damage_100_mb", "a data set of 100 MB in 20 files", files_with_holes(MANY), told=NO_ROOM),
    Attack(
        "damage_sparse",
        "a file of 150 MB, all of it holes, beside the notebook",
        files_with_holes({"data.bin": 150 * 2**20}),
        told=NO_ROOM,
    ),
    Attack("damage_pictures", "pictures whose headers say another size", lying_pictures),
    Attack("damage_braces", "48 MB of braces", raw(BRACES), False, told="not JSON of a notebook's form"),
    Attack("damage_deep_json", "a notebook nested 100,000 deep", raw(DEEP), False, told="is not"),
    Attack("damage_60_mb", "a notebook of 60 MB", raw(BIG), False, told="60 MB"),
    Attack("damage_empty_cells", "a hundred thousand empty cells", empty_cells, told="100000 of its cells"),
    Attack(
        "damage_folder",
        "a folder in the notebook's place",
        lambda hand: hand.file(f"{hand.name}/x.txt", "x"),
        False,
        told="no notebook was handed in",
    ),
    Attack("damage_surrogates", "text that cannot be written as UTF-8", surrogates),
    Attack(
        "damage_text_cells",
        "a thousand more cells",
        lambda hand: [hand.write(f"text {number}") for number in range(1000)],
    ),
    Attack(
        "gain_table",
        "prints its hidden inputs, and hands in a table of answers in data/timestamp.txt the second time",
        inputs_printed,
        earns={"softmax": 0},
        again=table_of_answers,
    ),
    Attack(
        "gain_invented_tests",
        "brings test cells of its own",
        invented_tests,
        False,
        told="bear grading ids that the lesson does not have",
    ),
    Attack(
        "gain_source_cells",
        "brings unlocked test cells with their checksums, a gradebook and a configuration",
        source_cells,
        False,
        told="were edited",
    ),
    Attack(
        "gain_tests_twice", "brings a second set of test cells", tests_twice, False, told="are there twice"
    ),
    Attack("gain_verdicts", "brings verdicts along in the metadata", verdicts, False),
    Attack(
        "leak_link_neighbour",
        "its notebook is a link to another student's",
        linked_notebook,
        False,
        told=LINK,
    ),
    Attack(
        "leak_linked_folder",
        "its whole folder is a link to another student's",
        linked_folder,
        False,
        told=LINK,
    ),
    Attack(
        "mishap_own_modules",
        "imports modules that lie beside it",
        own_modules,
        shows="my own modules are here",
    ),
)
