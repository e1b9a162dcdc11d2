"""`attention-course doctor`: what a round needs, and what to do about what is missing."""

from __future__ import annotations

import dataclasses
import io
import shutil

import pytest
from rich.console import Console

from autograder import demo
from autograder.author import scaffold
from autograder.courses import open_course
from autograder.model.errors import CourseError
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin.store import GradingRecord
from autograder.sandbox import doctor as seal
from autograder.sandbox.inside import landlock
from autograder.tests.commands import run_ours
from autograder.tests.this_course import COURSE, find_lesson


def test_it_looks_at_all_that_a_round_needs(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(2**40, 2**40, 0))
    said = run_ours("doctor", folder=tmp_path)
    assert "✓ Python" in said
    assert "✗ disk         0 GiB free in this folder\n    free 2 GiB here" in said
    for thing in ("memory", "bubblewrap", "exchange", "browser"):
        assert f" {thing} " in said


@pytest.mark.parametrize(
    ("version", "line"),
    [
        (0, "✗ landlock     a second wall round files, processes' memory\n    the seal holds without it"),
        (3, "✓ landlock     a second wall round files, processes' memory\n"),
        (7, "✓ landlock     a second wall round files, processes' memory and signals\n"),
    ],
)
def test_landlock_is_told_and_not_missed(monkeypatch, version, line):
    before = seal.sealable()
    monkeypatch.setattr(landlock, "version", lambda: version)
    seal.layers.cache_clear()
    assert line in seal.seal_report()
    assert seal.sealable() == before


@pytest.mark.parametrize(("scope", "mark"), [(None, "✗"), ("0\n", "✗"), ("1\n", "✓")])
def test_yama_is_told_and_not_missed(monkeypatch, tmp_path, scope, mark):
    before = seal.sealable()
    monkeypatch.setattr(seal, "YAMA", tmp_path / "ptrace_scope")
    if scope is not None:
        seal.YAMA.write_text(scope)
    assert f"{mark} yama         a second wall round processes' memory\n" in seal.seal_report()
    assert seal.sealable() == before


def test_a_folder_that_one_may_not_write_to_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert f"you may not write to {tmp_path}: choose another folder" in run_ours("doctor", folder=tmp_path)


def test_a_class_that_others_may_look_into_is_named(tmp_path):
    assert " class " not in run_ours("doctor", folder=tmp_path)
    (tmp_path / "gradebook.db").touch(0o600)
    (tmp_path / "submitted").mkdir(0o700)
    assert "✓ class        what it handed in and earned is yours alone\n" in run_ours(
        "doctor", folder=tmp_path
    )
    (tmp_path / "gradebook.db").chmod(0o644)
    assert "others may look into gradebook.db: `chmod go= gradebook.db`" in run_ours(
        "doctor", folder=tmp_path
    )


def test_a_class_that_lies_elsewhere_is_looked_at_by_its_folder(tmp_path):
    (tmp_path / "a class").mkdir()
    (tmp_path / "a class" / "gradebook.db").touch(0o644)
    said = run_ours("doctor", "--folder", str(tmp_path / "a class"))
    assert f"`chmod go= '{tmp_path}/a class/gradebook.db'`" in said


def test_the_demo_leaves_a_class_s_folder_alone(tmp_path):
    (tmp_path / "gradebook.db").touch()
    with pytest.raises(CourseError, match="holds other things: name another folder"):
        demo.grade_samples(COURSE, tmp_path)
    assert (tmp_path / "gradebook.db").exists()


def test_a_course_without_sample_submissions_has_no_demo(tmp_path):
    scaffold.new_course(tmp_path / "own")
    with pytest.raises(CourseError, match="no lesson of .* has sample submissions"):
        demo.grade_samples(open_course(tmp_path / "own"), tmp_path / "demo")
    assert not (tmp_path / "demo").exists()


def test_the_demo_s_table_fits_a_terminal_of_80_columns():
    lesson = find_lesson("03_word2vec_heatmap")
    names = [exercise.id for exercise in lesson.graded]
    wrong = {
        one: dataclasses.asdict(Verdict(one, State.WRONG, (), misconception="softmax over the whole matrix"))
        for one in names
    }
    said = io.StringIO()
    record = GradingRecord(lesson.id, "ada", kept_verdicts=wrong)
    Console(file=said, width=80).print(demo.table(lesson, {"ada": record}))
    assert max(map(len, said.getvalue().splitlines())) <= 80
    for name in names:
        assert f"{name}:" in said.getvalue()
