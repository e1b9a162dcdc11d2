"""What lies in nbgrader's exchange is a student's: it is collected without following a link, one after the other."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.authoring.release import NbgraderError
from autograder.classroom import hand_in_times
from autograder.courses import Course
from autograder.nbgrader_plugin import exchange
from autograder.tests import needs, small_course
from autograder.tests.commands import run_nbgrader
from autograder.tests.small_course import LESSON, NOTEBOOK

NAME = f"{NOTEBOOK}.ipynb"
MARCH, APRIL = (f"2026-0{month}-01 12:00:00 UTC" for month in (3, 4))
SECRET = "nobody but the teacher may read this"


class Class:
    """A class whose students hand in through an exchange."""

    def __init__(self, course: Course, place: Path) -> None:
        self.course, self.folder = course, place / "class"
        self.folder.mkdir()
        self.inbound = place / "exchange" / course.name / "inbound"
        self.inbound.mkdir(parents=True)
        (place / "exchange").chmod(0o777)
        (self.folder / "secret.txt").write_text(SECRET)

    def send(self, student: str, when: str = MARCH, lesson: str = LESSON, **files: str) -> Path:
        """Put a folder into the exchange as `nbgrader submit` leaves it."""
        made = self.inbound / f"{student}+{lesson}+{when}+ab12"
        made.mkdir()
        stamps = {"timestamp.txt": when, "submission_secret.txt": f"{student} {when}"}
        for name, text in {NAME: f"of {student}", **stamps, **files}.items():
            (made / name).write_text(text)
        return made

    def collect(self, *options: str) -> list[str]:
        """Collect; what was warned of comes back."""
        root = f"--Exchange.root={self.inbound.parents[1]}"
        said = run_nbgrader("collect", LESSON, root, *options, folder=self.folder, course=self.course)
        return [line.split("] ", 1)[1] for line in said.splitlines() if "| WARNING] " in line]

    def collected(self) -> dict[str, list[str]]:
        """The files in `submitted/`, by student."""
        found: dict[str, list[str]] = {}
        for path in sorted((self.folder / "submitted").glob(f"*/{LESSON}/**/*")):
            student, _, *inner = path.relative_to(self.folder / "submitted").parts
            found.setdefault(student, []).extend(["/".join(inner)] * path.is_file())
        return found


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return small_course.make(tmp_path_factory.mktemp("exchange") / "course")


@pytest.fixture
def made(course: Course, tmp_path: Path) -> Class:
    return Class(course, tmp_path)


WHOLE = sorted([NAME, "timestamp.txt", "submission_secret.txt"])


def test_links_lead_nowhere_and_what_is_no_file_is_one_student_s_line(made: Class) -> None:
    """Tried twice: what links lead to must not arrive when it is collected again, either."""
    for when, options in ((MARCH, ()), (APRIL, ("--update",))):
        made.send("amy", when)
        linked, odd = made.send("eve", when), made.send("zoe", when)
        (linked / NAME).unlink()
        (linked / NAME).symlink_to(made.folder / "submitted" / "amy" / LESSON / NAME)
        (linked / "salt.txt").symlink_to(made.folder / "secret.txt")
        (linked / "passwd").symlink_to("/etc/passwd")
        (linked / "all").symlink_to(made.course.solutions)
        (linked / "zeros.csv").symlink_to("/dev/zero")
        (linked / "gone").symlink_to("nowhere")
        (made.inbound / f"dan+{LESSON}+{when}+ab12").symlink_to(made.folder)
        (made.inbound / f"fay+{LESSON}+soon\x1b+ab12").mkdir(exist_ok=True)
        os.mkfifo(odd / "pipe")
        with socket.socket(socket.AF_UNIX) as listening, pytest.MonkeyPatch.context() as patch:
            patch.chdir(odd)
            listening.bind("socket")
        said = made.collect(*options)
        assert sorted(said) == [
            f"dan: nothing could be taken: dan+{LESSON}+{when}+ab12 is a link or is not a file: left out",
            "eve: all, gone, passwd and 3 more are links or are not files: left out",
            rf"fay+{LESSON}+soon\x1b+ab12 is not taken: its name does not say whose it is, for which lesson, and when "
            "it came",
            "zoe: pipe, socket are links or are not files: left out",
        ]
        assert made.collected() == {"amy": WHOLE, "eve": WHOLE[:1] + WHOLE[2:], "zoe": WHOLE}
        assert hand_in_times.read_times(made.folder)["zoe", LESSON][-1] == when
    assert not [path for path in made.folder.rglob("*") if path.is_symlink()]
    texts = [path.read_text() for path in (made.folder / "submitted").rglob("*") if path.is_file()]
    assert not [text for text in texts if SECRET in text]
    kept = made.folder / "replaced" / "zoe" / LESSON / "1"
    assert (kept / "timestamp.txt").read_text() == MARCH


def test_newer_work_replaces_older_which_is_kept_and_the_same_does_not(made: Class) -> None:
    made.send("amy", **{"helpers.py": "x = 1"})
    assert made.collect() == []
    newer = made.send("amy", APRIL)
    assert made.collect() == []
    assert (made.folder / "submitted" / "amy" / LESSON / "helpers.py").exists()
    assert made.collect("--update") == made.collect("--update") == []
    assert hand_in_times.read_times(made.folder) == {("amy", LESSON): [MARCH, APRIL]}
    hand_in_times.add_time(made.folder, "amy", LESSON, MARCH)
    made.collect("--update")
    assert hand_in_times.read_times(made.folder) == {("amy", LESSON): [MARCH, APRIL, MARCH]}
    assert made.collected() == {"amy": WHOLE}
    assert [path.name for path in (made.folder / "replaced" / "amy" / LESSON).iterdir()] == ["1"]
    (made.folder / hand_in_times.HANDED_IN).unlink()
    made.collect()
    assert hand_in_times.read_times(made.folder) == {("amy", LESSON): [APRIL]}
    (newer / "timestamp.txt").unlink()
    (newer / "submission_secret.txt").unlink()
    (made.folder / hand_in_times.HANDED_IN).unlink()
    for _ in range(2):
        made.collect("--update")
    assert len([*(made.folder / "replaced" / "amy" / LESSON).iterdir()]) == 2


def test_a_command_that_would_open_files_unchecked_names_another(made: Class) -> None:
    os.mkfifo(made.send("zoe") / "pipe.ipynb")
    root = f"--Exchange.root={made.inbound.parents[1]}"
    for command in (("list", "--inbound", root), ("zip_collect", LESSON)):
        with pytest.raises(NbgraderError, match="collect (FILE )?LESSON`"):
            run_nbgrader(*command, folder=made.folder, course=made.course)


@needs.root
@pytest.mark.parametrize("accounts", [{"amy": 5001, "ben": 5002}, {"ben": 5002}])
def test_nobody_hands_in_under_another_s_name(
    made: Class, monkeypatch: pytest.MonkeyPatch, accounts: dict[str, int]
) -> None:
    """Where amy has no account, ben's is known to be a student's; hub is nobody, and all may have that account."""
    accounts = {**accounts, "hub": 5003}
    users = {number: SimpleNamespace(pw_name=name) for name, number in accounts.items()}
    by_name = {name: SimpleNamespace(pw_uid=number) for name, number in accounts.items()}
    known = SimpleNamespace(getpwnam=by_name.__getitem__, getpwuid=users.__getitem__)
    monkeypatch.setattr(exchange, "pwd", known)
    (made.folder / "students.csv").write_text("id\namy\nben\ncem\n")
    for student, owner in (("amy", 5001), ("ben", 5002), ("cem", 5003)):
        os.chown(made.send(student), owner, -1)
    os.chown(made.send("amy", APRIL), 5002, -1)
    why = f"amy+{LESSON}+{APRIL}+ab12 is not taken: the folder belongs to the account ben"
    for _ in range(2):
        (said,) = made.collect("--update")
        assert said.startswith(why)
        assert made.collected() == dict.fromkeys(("amy", "ben", "cem"), WHOLE)
        assert hand_in_times.read_times(made.folder)["amy", LESSON] == [MARCH]
    assert made.collect("--update", "--ExchangeCollect.check_owner=False") == []
    assert hand_in_times.read_times(made.folder)["amy", LESSON] == [MARCH, APRIL]
