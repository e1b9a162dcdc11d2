"""Tries: what is kept on the student's disk, and that a verdict comes in time, whatever lies there."""

from __future__ import annotations

import builtins
import json
import os
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from autograder.notebook import attempt_log, checker, progress
from autograder.notebook.attempt_log import Checked, append_entry, count_attempts, digest_of
from autograder.tests import toy
from autograder.tests.this_course import find_lesson

LESSON = "01_weighted_sums"
WRONG = "def softmax(x, axis=-1):\n    return x"
PRESSED = "import signal, threading; signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)"
STOPPED = r"stopped after (0\.1 seconds of computing|0\.6 seconds) in the line   "
SLOW_LIBRARY = """
import time
begun = time.process_time()
while time.process_time() - begun < 0.6: pass
done = True
"""


@pytest.fixture
def file(home: Path) -> Path:
    """What is kept of a lesson in a student's folder, in which this process is."""
    return home / attempt_log.PROGRESS / f"{LESSON}.jsonl"


def tried() -> int:
    return count_attempts(LESSON, "softmax")


def test_another_answer_is_a_try_until_one_is_right(file: Path, card, monkeypatch) -> None:
    for code in (WRONG, WRONG, f"{WRONG}  # layout\n\n", WRONG):
        card(code)
    assert tried() == 1
    monkeypatch.setattr(time, "time", lambda: 0.0)  # it needs no clock
    card(WRONG + " + 1")
    card(WRONG)
    assert tried() == 2
    right = find_lesson(LESSON).solution("softmax").replace("ArrayLike", "object")
    card(right)
    assert tried() == 0
    card(WRONG)
    assert tried() == 1
    assert attempt_log.last_states(LESSON) == {"softmax": "wrong"}
    kept = [json.loads(line) for line in file.read_text().splitlines() if line]
    assert {tuple(entry) for entry in kept} == {("exercise", "state", "answer"), ("exercise", "key")}


def test_what_the_answer_calls_and_its_defaults_belong_to_it() -> None:
    def digest(code: str) -> str:
        namespace: dict[str, object] = {"__name__": "__main__"}
        exec(code, namespace)
        return digest_of(toy.key(), namespace)

    calling = "def help(x): {}return {}\ndef double(x, n={}): return [help(y) for y in x]"
    first, layout = calling.format("", "x", 2), calling.format("\n  # so\n  ", "x", 2)
    assert digest(first) == digest(layout)
    partial, member = (
        "import functools\ndouble = functools.partial(max, {})",
        "double = lambda x: x in {{1, {}}}",
    )
    others = calling.format("", 1, 2), calling.format("", "x", 3), *map(partial.format, (1, 2))
    assert len({*map(digest, (first, *others, *map(member.format, (2, 3))))}) == 7


@pytest.mark.parametrize(
    "content",
    [
        b"[1, 2",
        b"\xff\x00" * 50_000,
        b'{"exercise": "softmax"}\n{"exercise": 1, "state": 2, "answer": []}\n' + b"[" * 10_000,
        b'{"a": 1}',
        b'"' + b"x" * 3 * attempt_log.MAX_READ,
    ],
)
def test_a_damaged_file_costs_neither_the_verdict_nor_what_is_added(file: Path, content: bytes, card) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    assert "nothing checked yet" in progress.progress_text({LESSON: attempt_log.last_states(LESSON)}, {})
    assert "✗ softmax" in card(WRONG)
    assert tried() == 1
    assert file.read_bytes().startswith(content)


@pytest.mark.parametrize("spoil", [lambda file: file.parent.touch(), lambda file: file.mkdir(parents=True)])
def test_a_verdict_is_shown_where_progress_cannot_be_kept(file: Path, spoil, card) -> None:
    spoil(file)
    assert "✗ softmax" in card(WRONG)
    assert "Hint 1" in card(WRONG + " + 1")
    assert tried() == 2


def test_where_no_course_lies_nothing_is_kept(file: Path, card) -> None:
    (file.parents[1] / attempt_log.START_PAGE).unlink()
    card(WRONG)
    assert not file.exists()


def test_what_a_full_disk_did_not_take_is_written_once_there_is_room(file: Path, monkeypatch, card) -> None:
    def full(self: Path, *args: object, **kwargs: object) -> object:
        if "a" in str(args):
            os.symlink("/dev/full", file.parent / "full")
            return builtins.open(file.parent / "full", *args, **kwargs)
        return builtins.open(self, *args, **kwargs)

    with monkeypatch.context() as now:
        now.setattr(Path, "open", full)
        card(WRONG)
    assert not file.exists()
    assert tried() == 1
    card(WRONG + " + 1")
    attempt_log._unwritten.clear()
    assert tried() == 2


def many(name: str) -> None:
    for number in range(100):
        append_entry(LESSON, Checked("softmax", "wrong", f"{name}{number}"))


def test_of_two_notebooks_at_once_nothing_is_lost(file: Path) -> None:
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(many, ["one", "other"]))
    assert tried() == 200


# --- time ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("time.sleep(60)", r"time\.sleep"),
        ("while True:\n        try:\n            x = 1\n        except:\n            pass", ""),
    ],
)
def test_code_that_waits_or_catches_everything_is_stopped(body: str, line: str, card, monkeypatch) -> None:
    monkeypatch.setattr(checker, "SECONDS", 0.1)
    told = card(f"import time\ndef softmax(x, axis=-1):\n    {body}")
    assert re.search(STOPPED + line, told)


def test_ctrl_c_ends_a_check_and_tells_what_is_half_imported(card, monkeypatch, tmp_path: Path) -> None:
    told = card(f"def softmax(x, axis=-1):\n    {PRESSED}")
    assert "stopped by Ctrl-C in the line   import signal" in told
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "cut_library.py").write_text(PRESSED)
    told = card("def softmax(x, axis=-1):\n    import cut_library")
    assert "a library is half imported; restart the kernel" in told


def test_an_import_is_no_work_of_the_answer_s_and_is_not_cut_off(card, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checker, "SECONDS", 0.3)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "slow_library.py").write_text(SLOW_LIBRARY)
    assert "stopped" not in card("def softmax(x, axis=-1):\n    import slow_library\n    return x")
    assert sys.modules.pop("slow_library").done
