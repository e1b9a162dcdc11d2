"""Tries: what is kept on the student's disk, and that a verdict comes whatever lies there."""

from __future__ import annotations

import builtins
import json
import linecache
import os
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from autograder.student import checking, figures, progress, tries
from autograder.student.checking import Check
from autograder.student.tries import Checked, add_checked, all_lines, digest_of, tries_of
from autograder.tests import toy
from autograder.tests.this_course import find_lesson

LESSON = "01_weighted_sums"
IMPORT = "import numpy as np\ndef"
WRONG = "def softmax(x, axis=-1):\n    return x"


@pytest.fixture
def home(home: Path) -> Path:
    """A student's folder, in which this process is; its progress."""
    return home / progress.PROGRESS


def check(code: str) -> None:
    namespace: dict[str, object] = {"__name__": "__main__"}
    linecache.cache["a cell"] = (len(code), None, code.splitlines(keepends=True), "a cell")
    exec(compile(code, "a cell", "exec"), namespace)
    Check()(namespace["softmax"])


def tried() -> int:
    return tries_of("softmax", all_lines(Path.cwd() / progress.PROGRESS / f"{LESSON}.jsonl", Checked))


def test_a_try_is_another_answer_not_another_check(home: Path) -> None:
    for code in (WRONG, WRONG, f"{WRONG}  # layout\n\n", WRONG):
        check(code)
    assert tried() == 1
    check(WRONG + " + 1")
    check(WRONG)
    assert tried() == 2
    assert progress.states_of(LESSON) == {"softmax": "wrong"}


def test_after_a_right_answer_tries_are_counted_anew(home: Path) -> None:
    check(WRONG)
    check(find_lesson(LESSON).solution("softmax").replace("ArrayLike", "object").replace("def", IMPORT, 1))
    assert tried() == 0
    check(WRONG)
    assert tried() == 1


@pytest.mark.parametrize("where", [checking.VALIDATING, figures.STATIC, checking.TESTING])
def test_where_nobody_learns_nothing_is_counted(
    where: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(where, "1")
    check(WRONG)
    assert tried() == 0
    assert progress.states_of(LESSON) == {"softmax": "wrong"}


def test_what_the_answer_calls_and_its_defaults_belong_to_it() -> None:
    def digest(code: str) -> str:
        namespace: dict[str, object] = {"__name__": "__main__"}
        exec(code, namespace)
        return digest_of(toy.key(), namespace)

    first = digest("def help(x): return x\ndef double(x, n=2): return [help(y) for y in x]")
    assert first == digest(
        "def help(x):\n  # so\n  return x\ndef double(x, n=2):\n  return [help(y) for y in x]"
    )
    assert first != digest("def help(x): return 1\ndef double(x, n=2): return [help(y) for y in x]")
    assert first != digest("def help(x): return x\ndef double(x, n=3): return [help(y) for y in x]")
    assert digest("double = lambda x: x in {'a', 'b'}") != digest("double = lambda x: x in {'a', 'c'}")
    assert digest("import functools\ndouble = functools.partial(max, 1)")


@pytest.mark.parametrize(
    "content",
    [
        b"[1, 2",
        b"\xff\x00" * 50_000,
        b'{"exercise": "softmax"}\n{"exercise": 1, "state": 2, "answer": []}\n' + b"[" * 10_000,
        b'{"a": 1}',
        b'"' + b"x" * 3 * tries.MOST_READ,
    ],
)
def test_a_damaged_or_foreign_file_costs_neither_the_verdict_nor_what_is_added(
    home: Path, content: bytes, capsys: pytest.CaptureFixture
) -> None:
    home.mkdir()
    file = home / f"{LESSON}.jsonl"
    file.write_bytes(content)
    assert "nothing checked yet" in progress.progress_text({LESSON: progress.states_of(LESSON)}, {})
    check(WRONG)
    assert "✗ softmax" in capsys.readouterr().out
    assert tried() == 1
    assert file.read_bytes().startswith(content)


@pytest.mark.parametrize(
    "made", [Path.touch, lambda folder: (folder / f"{LESSON}.jsonl").mkdir(parents=True)]
)
def test_a_verdict_is_shown_where_progress_cannot_be_kept(
    home: Path, made, capsys: pytest.CaptureFixture
) -> None:
    made(home)
    check(WRONG)
    check(WRONG + " + 1")
    assert capsys.readouterr().out.count("✗ softmax") == 2
    assert tried() == 2


def test_what_a_full_disk_did_not_take_is_written_once_there_is_room(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, *args: object, **kwargs: object) -> object:
        if "a" in str(args):
            os.symlink("/dev/full", home / "full")
            return builtins.open(home / "full", *args, **kwargs)
        return builtins.open(self, *args, **kwargs)

    with monkeypatch.context() as now:
        now.setattr(Path, "open", full)
        check(WRONG)
    assert not (home / f"{LESSON}.jsonl").exists()
    assert tried() == 1
    check(WRONG + " + 1")
    tries._unwritten.clear()
    assert tried() == 2


def many(file: Path, name: str) -> None:
    for number in range(100):
        add_checked(file, Checked("softmax", "wrong", f"{name}{number}"))


def test_of_two_notebooks_at_once_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "lesson.jsonl"
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(many, [file, file], ["one", "other"]))
    assert tries_of("softmax", all_lines(file, Checked)) == 200


def test_it_says_nothing_of_when_and_needs_no_clock(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(WRONG)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    check(WRONG + " + 1")
    kept = (home / f"{LESSON}.jsonl").read_text().splitlines()
    assert [[*json.loads(line)] for line in kept if line] == [["exercise", "state", "answer"]] * 2


PRESSED = "import signal, threading; signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)"


def test_ctrl_c_ends_a_check_with_the_line_and_tells_what_it_leaves_half_imported(
    home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    check(f"def softmax(x, axis=-1):\n    {PRESSED}")
    assert "stopped by Ctrl-C in the line   import signal" in capsys.readouterr().out
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "cut_library.py").write_text(PRESSED)
    check("def softmax(x, axis=-1):\n    import cut_library")
    assert "a library is half imported; restart the kernel" in capsys.readouterr().out


SLOW_LIBRARY = """
import time
begun = time.process_time()
while time.process_time() - begun < 0.6: pass
done = True
"""


def test_an_import_is_no_work_of_the_answer_s_and_is_not_cut_off(
    home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.3)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "slow_library.py").write_text(SLOW_LIBRARY)
    check("def softmax(x, axis=-1):\n    import slow_library\n    return x")
    assert "stopped" not in capsys.readouterr().out
    assert sys.modules.pop("slow_library").done


def test_code_that_waits_is_stopped_later(
    home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.1)
    check("import time\ndef softmax(x, axis=-1):\n    time.sleep(60)")
    assert "stopped after 0.6 seconds in the line   time.sleep(60)" in capsys.readouterr().out


def test_what_an_earlier_version_kept_is_still_shown(home: Path) -> None:
    home.mkdir()
    (home / f"{LESSON}.json").write_text('{"softmax": "right", "pad_rows": "right", "other": 3}')
    check(WRONG)
    assert progress.states_of(LESSON) == {"softmax": "wrong", "pad_rows": "right"}


def test_code_that_catches_everything_is_ended_too(
    home: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.2)
    body = "        try:\n            x = 1\n        except:\n            pass\n"
    check(f"def softmax(x, axis=-1):\n    while True:\n{body}")
    assert re.search(
        "stopped after (0.2 seconds of computing|1.2 seconds) in the line", capsys.readouterr().out
    )


def test_where_no_course_lies_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(WRONG)
    assert [*tmp_path.iterdir()] == []
