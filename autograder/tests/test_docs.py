"""Every command that the docs show is run by a test: here, or by the one named here."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import samples
from autograder.seal import doctor
from autograder.source import ROOT
from autograder.tests.clone import make_clone

PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
PROGRAMS = ("make", "nbgrader", "attention-course", "dask", "pip", "conda", "jupyter", "sudo", "apt-get")
ELSEWHERE = {
    "make test": "this run",
    "make lint": "test_docs.py::test_the_code_is_clean",
    "make lab": "browser/test_student.py",
    "make pictures": "browser/conftest.py",
    "make demo": "test_chain.py",
    "make kit": "test_kit.py",
    "make site": "test_site.py",
    "make build": "test_invariants.py",
    "make release": "test_invariants.py",
    "make attack": "test_attacks.py",
    "make validity": "test_validity.py",
    "make bench": "test_bench.py",
    "dask scheduler": "test_batch.py",
    "dask worker tcp://127.0.0.1:8786 --nthreads 1": "test_batch.py",
    "attention-course grade --scheduler tcp://127.0.0.1:8786": "test_batch.py",
    "attention-course grade --jobs 2": "test_batch.py",
    "attention-course grade 03_word2vec_heatmap --force": "test_batch.py",
}
"""Commands that take long, need a server, or are tested more closely: which test runs what they run."""

NOT_TRIED = {"conda env create -f environment.yml": "conda is not on the machines that test"}


def blocks(page: Path) -> list[str]:
    """The commands in a page's fenced blocks."""
    found = re.findall(r"^```\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    found += re.findall(r"(?:^    .*\n)+", page.read_text(), re.MULTILINE)
    lines = [line.split("  #")[0].strip() for block in found for line in block.splitlines()]
    return [line for line in lines if line.split(" ")[0] in PROGRAMS]


def round_of_an_instructor() -> list[str]:
    """What docs/instructors.md tells to do, in its order, without what another test does."""
    return [line for line in blocks(ROOT / "docs" / "instructors.md") if line not in ELSEWHERE]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_is_run_by_some_test(page):
    known = {*ELSEWHERE, *NOT_TRIED, *round_of_an_instructor()}
    assert [line for line in blocks(page) if line not in known] == []


def test_the_tests_named_here_are_there():
    tests = Path(__file__).parent
    assert all((tests / name.split("::")[0]).is_file() for name in ELSEWHERE.values() if name != "this run")


def test_every_picture_and_page_that_is_pointed_to_is_there():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} points to {target}"


@pytest.mark.slow
def test_the_code_is_clean():
    for check in (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy", "--no-incremental"]):
        done = subprocess.run([sys.executable, "-m", *check], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of the repository with this one's environment."""
    target = make_clone(tmp_path / "clone")
    programs = target / ".venv" / "bin"
    programs.mkdir(parents=True)
    for program in Path(sys.executable).parent.iterdir():
        (programs / program.name).symlink_to(program)
    (target / ".venv" / "ready").touch()
    return target


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_an_instructor_gets_from_a_clone_to_exported_grades(clone: Path):
    """docs/instructors.md, from the top: only what it says, with two sample students handed in."""
    lesson = "03_word2vec_heatmap"
    submitted = clone / "submitted"
    samples.hand_in(lesson, clone / "course" / lesson / "word2vec_heatmap.ipynb", submitted)
    for student in [path for path in submitted.iterdir() if path.name not in ("ada", "ben")]:
        shutil.rmtree(student)
    for student in ("ada", "ben"):  # as `nbgrader collect` leaves them
        (submitted / student / lesson / "timestamp.txt").write_text("2026-03-01 12:00:00 UTC")
        (submitted / student / lesson / "submission_secret.txt").write_text(f"{student}-secret")
    settings = clone / "nbgrader_config.py"
    exchange = clone.parent / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    lines = [f"c.Exchange.root = {str(exchange)!r}"]
    lines += [] if doctor.sealable() else ["c.SealedKernel.allow_unsealed = True"]
    settings.write_text("\n".join([settings.read_text(), *lines, ""]))
    paths = os.pathsep.join([str(clone / ".venv" / "bin"), os.environ["PATH"]])
    environment = {
        **os.environ,
        "PATH": paths,
        "PYTHONPATH": os.pathsep.join([str(clone), os.environ["PYTHONPATH"]]),
    }
    for line in round_of_an_instructor():
        done = subprocess.run(shlex.split(line), cwd=clone, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    assert "ada" in (clone / "grades.csv").read_text()
    assert (clone / "canvas.csv").is_file()
    assert (clone / "moodle.csv").is_file()
    assert (clone / "reports" / f"{lesson}.html").is_file()
    assert (clone / "feedback" / "ada" / lesson / "word2vec_heatmap.html").is_file()
    assert (clone / "build" / "class" / "reports" / f"{lesson}.csv").is_file()
