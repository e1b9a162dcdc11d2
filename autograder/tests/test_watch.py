"""`watch` grades what is handed in as a round does, whatever happens to it or to its clock."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen

import pytest

from autograder.commands.grade import NotAllGraded
from autograder.courses import Course
from autograder.demo import samples
from autograder.exercises.errors import DISK_FULL, CourseError
from autograder.tests import needs, small_course
from autograder.tests.commands import run_ours
from autograder.tests.small_course import CELSIUS, LESSON, NOTEBOOK
from autograder.watch import class_watcher

NAME = f"{NOTEBOOK}.ipynb"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return small_course.make(tmp_path_factory.mktemp("watch") / "course")


@pytest.fixture(scope="module")
def answer(course: Course) -> str:
    """What a student hands in."""
    lesson = course.lesson(LESSON)
    return samples.filled(lesson.released.read_text(encoding="utf-8"), {CELSIUS: lesson.solution(CELSIUS)})


def place(folder: Path, student: str) -> Path:
    made = folder / "submitted" / student / LESSON / NAME
    made.parent.mkdir(parents=True)
    return made


def hand_in(folder: Path, student: str, text: str, time: int) -> None:
    made = place(folder, student)
    made.write_text(text)
    os.utime(made, (time, time))


def page(folder: Path, student: str) -> Path:
    return (folder / "feedback" / student / LESSON / NAME).with_suffix(".html")


def until(true: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)


def watched(course: Course, folder: Path) -> Popen[str]:
    command = [sys.executable, "-m", "autograder.commands.cli", "watch", "--class", str(folder)]
    return Popen(command, cwd=course.root, stdout=PIPE, stderr=STDOUT, text=True, start_new_session=True)


@needs.seal
@pytest.mark.usefixtures("heard")
def test_it_goes_on_where_it_was_killed_waits_for_what_is_being_written_and_ends_by_ctrl_c(
    course: Course, answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are dated before and after all that is known of time, as after a clock was set."""
    place(tmp_path, "amy").write_text(answer)
    killed = watched(course, tmp_path)
    until((tmp_path / ".lock.txt").exists)
    killed.kill()
    killed.communicate()
    assert not page(tmp_path, "amy").exists()
    hand_in(tmp_path, "bea", answer, time=0)
    running = watched(course, tmp_path)
    until(lambda: page(tmp_path, "amy").exists() and page(tmp_path, "bea").exists())
    monkeypatch.setattr(class_watcher, "GONE", 0.0)
    said = run_ours("watch", "--class", str(tmp_path), folder=course.root, fails=True)
    assert f"watch` (process {running.pid} on" in said
    assert f"is at work in {tmp_path} since" in said
    with place(tmp_path, "cem").open("w", buffering=1) as slow:
        hand_in(tmp_path, "dan", answer, time=2**32)
        for begun in range(1, 1000):
            slow.write(answer[begun - 1])
            slow.flush()
            time.sleep(0.1)
            if page(tmp_path, "dan").exists():
                break
        assert begun > 1
        assert not page(tmp_path, "cem").exists()
        slow.write(answer[begun:])
    until(lambda: (tmp_path / "grades.csv").read_text().count(",graded,") == 4)
    running.send_signal(signal.SIGINT)
    said, _ = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "not graded" not in said
    assert said.splitlines()[-1].startswith("✗ ended early")
    grades = (tmp_path / "grades.csv").read_bytes()
    assert "4 unchanged" in run_ours("round", "--class", str(tmp_path), folder=course.root)
    assert (tmp_path / "grades.csv").read_bytes() == grades


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What each round raises, instead of being done; the last one ends it."""
    monkeypatch.setattr(class_watcher, "QUIET", 0.0)
    monkeypatch.setattr(class_watcher, "A_LOOK", 0.01)
    monkeypatch.setattr(class_watcher, "FIRST_WAIT", 0.02)
    outcomes: list[object] = []

    def round_(*_: object, **__: object) -> None:
        if isinstance(outcome := outcomes.pop(0), BaseException):
            raise outcome

    monkeypatch.setattr(class_watcher, "run_round", round_)
    return outcomes


def test_what_a_command_makes_beside_the_students_folders_is_no_work(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(class_watcher, "QUIET", 0.0)
    arrivals, found = class_watcher.Arrivals(tmp_path, None), set[Path]()
    with arrivals.heard():
        for begun in range(200):
            for name in (".collect-1", "amy"):
                (tmp_path / name / "01_weighted_sums").mkdir(parents=True, exist_ok=True)
                (tmp_path / name / "01_weighted_sums" / f"{begun}.ipynb").touch()
            if found := found | {*arrivals.complete()}:
                break
            time.sleep(0.05)
    assert {place.relative_to(tmp_path).parts[0] for place in found} == {"amy"}


def test_what_fails_is_said_once_and_tried_again(
    course: Course, tmp_path: Path, capsys, rounds: list[object]
) -> None:
    place(tmp_path, "amy").write_text("{}")
    full = OSError(errno.ENOSPC, "No space left on device")
    base = RuntimeError("(sqlite3.OperationalError) database or disk is full")
    mend = CourseError("class.toml: mend it")
    rounds += [full, CourseError(DISK_FULL), base, mend, mend, KeyError("amy"), KeyboardInterrupt()]
    with pytest.raises(KeyboardInterrupt):
        class_watcher.watch_class(course, tmp_path)
    said = [line.partition("✗ ")[2] for line in capsys.readouterr().out.splitlines()[1:]]
    again = " (it is tried again by itself)"
    assert said == [DISK_FULL + again, "class.toml: mend it" + again, "KeyError: 'amy'" + again]


def test_a_course_that_changed_ends_it(course: Course, answer: str, tmp_path: Path) -> None:
    other = small_course.make(tmp_path / "course")
    folder = tmp_path / "class"
    folder.mkdir()
    running = watched(other, folder)
    until((folder / ".watch.txt").exists)
    (other.solutions / "course.toml").touch()
    hand_in(folder, "amy", answer, time=0)
    said, _ = running.communicate(timeout=60)
    assert running.returncode == 1
    assert said.endswith(
        f"✗ {other.root} has changed since this program was started: start it again (formgrader: JupyterLab)\n"
    )


def test_what_cannot_be_graded_is_said_and_waits_for_other_work(
    course: Course, tmp_path: Path, capsys, rounds: list[object]
) -> None:
    place(tmp_path, "amy").write_text("{}")
    rounds += [NotAllGraded("1 not graded. amy"), KeyboardInterrupt()]
    seen = class_watcher.WatchedClass(course, tmp_path)
    seen.look()
    seen.look()
    assert len(rounds) == 1
    assert capsys.readouterr().out.endswith("✗ 1 not graded. amy\n")
    assert not (tmp_path / ".lock.txt").exists()


def test_what_was_sent_to_the_exchange_is_collected(
    course: Course, answer: str, tmp_path: Path, capsys, rounds: list[object]
) -> None:
    """One who writes all the time waits alone; and where nothing can be collected, what lies there is graded."""
    exchange = tmp_path / "exchange"
    for student in ("amy", "bea"):
        sent = exchange / course.name / "inbound" / f"{student}+{LESSON}+2026-03-01 12:00:00 UTC+ab12"
        sent.mkdir(parents=True)
        (sent / NAME).write_text(answer)
    (sent / "link").symlink_to(tmp_path)
    exchange.chmod(0o777)
    (tmp_path / "nbgrader_config.py").write_text(f"c = get_config()\nc.Exchange.root = {str(exchange)!r}\n")
    rounds += [None, None]
    watched = class_watcher.WatchedClass(course, tmp_path)
    busy = sent.with_name(sent.name.replace("bea", "amy"))
    watched.arrivals.written = lambda *places: busy in places
    watched.look()
    assert [path.name for path in (tmp_path / "submitted").iterdir()] == ["bea"]
    assert (tmp_path / "submitted" / "bea" / LESSON / NAME).read_text() == answer
    assert "2026-03-01" in (tmp_path / "handed_in.csv").read_text()
    assert capsys.readouterr().out.endswith("✗ bea: link is a link or is not a file: left out\n")
    again = class_watcher.WatchedClass(course, tmp_path)
    exchange.rename(tmp_path / "elsewhere")
    exchange.mkdir()
    again.look()
    assert rounds == []
    assert f"{LESSON} could not be collected: Course not found" in capsys.readouterr().out
