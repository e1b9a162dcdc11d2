"""`attention-course doctor`: what a round needs, and what to do about what is missing."""

from __future__ import annotations

import io
import shutil
from dataclasses import asdict

import pytest
from rich.console import Console

from autograder.authoring import scaffold
from autograder.courses import open_course
from autograder.demo import chain
from autograder.exercises.errors import CourseError
from autograder.exercises.verdict import State, Verdict
from autograder.records.record_store import GradingRecord
from autograder.sandbox import layers as seal
from autograder.tests.commands import run_ours
from autograder.tests.this_course import COURSE, find_lesson


def test_it_looks_at_all_that_a_round_needs(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(2**40, 2**40, 0))
    said = run_ours("doctor", folder=tmp_path)
    assert "✗ disk         0 GiB free in this folder\n    free 2 GiB here" in said
    for thing in ("memory", "bubblewrap", "exchange"):
        assert f" {thing} " in said
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert f"you may not write to {tmp_path}: choose another folder" in run_ours("doctor", folder=tmp_path)


def test_a_class_that_others_may_look_into_is_named(tmp_path):
    folder = tmp_path / "a class"
    folder.mkdir()
    assert " class " not in run_ours("doctor", folder=folder)
    (folder / "gradebook.db").touch(0o600)
    (folder / "submitted").mkdir(0o700)
    told = "✓ class        what it handed in and earned is yours alone\n"
    assert told in run_ours("doctor", folder=folder)
    (folder / "gradebook.db").chmod(0o644)
    told = "others may look into gradebook.db: `chmod go= gradebook.db`"
    assert told in run_ours("doctor", folder=folder)
    assert f"`chmod go= '{folder}/gradebook.db'`" in run_ours("doctor", "--class", str(folder))
    (folder / "class.toml").write_text("groupshared = true\n")
    for path in (folder / "class.toml", folder / "gradebook.db"):
        path.chmod(0o660)
    assert "✓ class" in run_ours("doctor", folder=folder)


def test_only_what_this_class_needs_has_a_cross(tmp_path, monkeypatch, request):
    request.addfinalizer(seal.layers.cache_clear)
    folder = tmp_path / "class"
    run_ours("new-class", "--class", str(folder))
    settings = (folder / "nbgrader_config.py").read_text()
    exchange = f"c.Exchange.root = {str(tmp_path / 'none')!r}"
    unsealed = "c.SealedKernel.allow_unsealed = True"
    for lines, marks in (("", "✗–"), (exchange, "✗✗"), (f"{exchange}\n{unsealed}", "–✗"), ("", "✗–")):
        (folder / "nbgrader_config.py").write_text(f"{settings}\n{lines}\n")
        monkeypatch.setattr("shutil.which", lambda program: None)
        seal.layers.cache_clear()
        said = run_ours("doctor", "--class", str(folder))
        assert f"\n{marks[0]} bubblewrap" in said
        assert f"\n{marks[1]} exchange" in said


def test_the_demo_leaves_a_class_s_folder_alone_and_needs_samples(tmp_path):
    (tmp_path / "gradebook.db").touch()
    with pytest.raises(CourseError, match="holds other things: name another folder"):
        chain.grade_samples(COURSE, tmp_path)
    assert (tmp_path / "gradebook.db").exists()
    scaffold.new_course(tmp_path / "own")
    with pytest.raises(CourseError, match="no lesson of .* has sample submissions"):
        chain.grade_samples(open_course(tmp_path / "own"), tmp_path / "demo")
    assert not (tmp_path / "demo").exists()


def test_the_demo_s_table_fits_a_terminal_of_80_columns():
    lesson = find_lesson("03_word2vec_heatmap")
    names = [exercise.id for exercise in lesson.graded]
    mistake = "softmax over the whole matrix"
    verdicts = {name: asdict(Verdict(name, State.WRONG, (), misconception=mistake)) for name in names}
    record, output = GradingRecord(lesson.id, "ada", kept_verdicts=verdicts), io.StringIO()
    Console(file=output, width=80).print(chain.table(lesson, {"ada": record}))
    assert max(map(len, output.getvalue().splitlines())) <= 80
    assert all(f"{name}:" in output.getvalue() for name in names)
