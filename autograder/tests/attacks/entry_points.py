"""Attacks that reach the class through nbgrader's exchange, a platform's zip file or Gradescope, and how they do."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from autograder.authoring.release import run_nbgrader_app
from autograder.classroom.roster import ROSTER
from autograder.distribution import gradescope
from autograder.sandbox.bwrap import is_root
from autograder.tests.attacks import (
    EXCHANGE,
    GRADESCOPE,
    LESSON,
    NOTEBOOK,
    SUBMITTED,
    ZIP,
    Attack,
    Hand,
)
from autograder.tests.commands import run_ours
from autograder.tests.this_course import COURSE, find_lesson

MARCH, APRIL = (f"2026-0{month}-01 12:00:00 UTC" for month in (3, 4))
SENT = {EXCHANGE: f"exchange/{COURSE.name}/inbound", ZIP: "zips", GRADESCOPE: "gradescope"}
"""Where submissions lie before they are collected, below the class's folder."""


def place_of(attack: Attack, course: Path) -> Path:
    """Return the folder into which an attack's student writes."""
    if attack.way == SUBMITTED:
        return course / "submitted" / attack.name / LESSON
    named = f"{attack.name}+{LESSON}+{MARCH}+ab12" if attack.way == EXCHANGE else attack.name
    return course / SENT[attack.way] / named


def collect(attacks: Sequence[Attack], hands: Sequence[Hand], course: Path) -> list[str]:
    """Collect what was sent, as an instructor does; return the lines that tell of something."""
    names = {attack.name: attack.name.replace("_", " ").title().split(" ", 1) for attack in attacks}
    rows = [",".join((student, *name)) for student, name in names.items()]
    (course / ROSTER).write_text("\n".join(["id,first_name,last_name", *rows, "daemon,Some,Account", ""]))
    sent = {way: [hand for hand in hands if hand.way == way] for way in SENT}
    said = ""
    with _meanwhile(attacks, hands):
        if sent[EXCHANGE]:
            root = f"--Exchange.root={course / 'exchange'}"
            said += run_nbgrader_app("collect", LESSON, root, course=COURSE, folder=course)
        if sent[ZIP]:
            people = {hand: f"{' '.join(names[hand.student])}_{n}" for n, hand in enumerate(sent[ZIP], 1)}
            with ZipFile(course / "all.zip", "w", ZIP_DEFLATED) as archive:
                for hand, person in people.items():
                    _pack(archive, hand, f"{person}_assignsubmission_file_/")
            said += run_ours("collect", str(course / "all.zip"), LESSON, "--class", str(course))
        for hand in sent[GRADESCOPE]:
            gradescope.take_submission(find_lesson(LESSON), hand.folder, hand.student, course)
    return [line.rpartition("| WARNING] ")[2].strip() for line in said.splitlines() if "| INFO] " not in line]


@contextlib.contextmanager
def _meanwhile(attacks: Sequence[Attack], hands: Sequence[Hand]) -> Iterator[None]:
    """Let attacks act without a pause on what they have sent."""
    over = threading.Event()

    def act(attack: Attack, folder: Path) -> None:
        while attack.meanwhile and not over.is_set():
            attack.meanwhile(folder)

    acting = [
        threading.Thread(target=act, args=(attack, hand.folder))
        for attack, hand in zip(attacks, hands)
        if attack.meanwhile
    ]
    for thread in acting:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in acting:
            thread.join()


def _pack(archive: ZipFile, hand: Hand, below: str) -> None:
    for path in sorted(hand.folder.rglob("*")):
        archive.write(path, below + str(path.relative_to(hand.folder)))
    for name, content in hand.entries.items():
        entry = ZipInfo(below + name, (2026, 3, 2, 10, 0, 0))
        archive.writestr(entry, content)


def descriptors(hand: Hand) -> None:
    """Links to the files that whoever copies them has open."""
    for number in range(40):
        (hand.folder / f"{number}.txt").symlink_to(f"/proc/self/fd/{number}")
    hand.run("<PRINT_FILES>")


def locked_file(hand: Hand) -> None:
    hand.file("data.csv", "x")
    (hand.folder / "data.csv").chmod(0)


def forged(hand: Hand) -> None:
    """Newer work under another's name, in a folder that belongs to another account."""
    folder = hand.folder.with_name(f"{hand.student}+{LESSON}+{APRIL}+ab12")
    folder.mkdir()
    (folder / f"{NOTEBOOK}.ipynb").write_text("{}")
    os.chown(folder, 1, -1)  # the account `daemon`, which is on the list of students


def odd_names(hand: Hand) -> None:
    for name in (f"{hand.student}\x1b[2J\n+{LESSON}+soon", f"{hand.student}+x+{LESSON}+{APRIL}+ab12"):
        (hand.folder.parent / name).mkdir()


def empty_folders(hand: Hand) -> None:
    for number in range(5001):
        (hand.folder / "many" / str(number)).mkdir(parents=True)


def exchanged(hand: Hand) -> None:
    hand.file("data/x.txt", "x")
    (hand.folder / "link").symlink_to(hand.scene.course)
    (hand.folder / "again").symlink_to("/etc/passwd")
    hand.run("<PRINT_FILES>")


def exchange(folder: Path) -> None:
    """Let a folder and a link to the class's folder change places."""
    for old, new in (("data", "away"), ("link", "data"), ("data", "link"), ("away", "data")):
        (folder / old).rename(folder / new)


def growing(hand: Hand) -> None:
    hand.file("data.csv", "")


def grow(folder: Path) -> None:
    """Let a file that is mostly holes grow."""
    file = folder / "data.csv"
    os.truncate(file, min(file.stat().st_size + 2**20, 2**40))


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def own_zip(hand: Hand, change=lambda content: content, **files: bytes) -> None:
    """Hand in a zip file of one's own, with the notebook in it."""
    hand.hand_in()
    notebook = hand.folder / hand.name
    hand.entries["my.zip"] = change(zipped({hand.name: notebook.read_bytes(), **files}))
    notebook.unlink()
    hand.name = ""


def bomb(hand: Hand) -> None:
    inner = zipped({"more.zip": zipped({"zeros.csv": bytes(100 * 2**20)})})
    own_zip(hand, **{"more.zip": inner, "zeros.csv": bytes(100 * 2**20)})


def two_forms(hand: Hand) -> None:
    """Two names that look the same and are one once they are normalized."""
    hand.entries |= {"caf\u00e9.py": b"x = 1\n", "cafe\u0301.py": b"x = 2\n"}


ATTACKS = (
    Attack(
        "exchange_descriptors", "links to the files that its copier has open", descriptors, told="are links"
    ),
    Attack(
        "exchange_exchanged",
        "a folder and a link that change places while they are copied",
        exchanged,
        told="link",
        meanwhile=exchange,
    ),
    Attack(
        "exchange_grows",
        "a file that grows while it is copied",
        growing,
        meanwhile=grow,
        told="more than there is room for",
    ),
    Attack("exchange_folders", "5,000 empty folders", empty_folders, told="more than there is room for"),
    Attack(
        "exchange_names",
        "folders whose names act in a terminal, or have one + more",
        odd_names,
        told="its name",
    ),
    Attack(
        "exchange_locked",
        "a file of mode 000" if is_root() else "a file of mode 000, for an account that may not read it",
        locked_file,
        told="" if is_root() else "could not be read",
    ),
    Attack("zip_bomb", "a bomb in a zip file in a zip file in a zip file", bomb, told="graded in its place"),
    Attack(
        "zip_directory",
        "its own zip file says that its list of files lies elsewhere",
        lambda hand: own_zip(hand, lambda made: made[:-6] + struct.pack("<L", 2**31) + made[-2:]),
        False,
        told="my.zip",
    ),
    Attack(
        "zip_long_path",
        "a path longer than the system allows",
        lambda hand: hand.entries.update({"/".join(["x" * 190] * 12): b"x"}),
        told="lies too deep",
    ),
    Attack(
        "zip_no_utf8",
        "its own zip file has a name that is marked as UTF-8 and is not",
        lambda hand: own_zip(
            hand,
            lambda made: made.replace(b"odd.csv", b"\xff" * 7).replace(b"\0\0\x08\0", b"\0\x08\x08\0"),
            **{"odd.csv": b"x"},
        ),
        False,
        told="my.zip",
    ),
    Attack("zip_two_forms", "two names that differ only by Unicode normalization", two_forms),
)
if is_root():
    ATTACKS += (
        Attack("exchange_forged", "newer work in a folder of another account", forged, told="account daemon"),
    )
