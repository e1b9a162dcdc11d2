"""Grading a class: the same grades whichever way, nothing twice, nothing lost."""

from __future__ import annotations

import ast
import contextlib
import functools
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import nbformat
import psutil
import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder import samples
from autograder.batch import engines
from autograder.batch import grade as batch
from autograder.batch.converter import GradeMany
from autograder.batch.engines import LostError, Workers
from autograder.batch.progress import Telling
from autograder.nbgrader_plugin import fingerprint
from autograder.nbgrader_plugin.reading import NOTES
from autograder.release import nbgrader
from autograder.samples import simulated
from autograder.seal import doctor
from autograder.source import ROOT
from autograder.tests import needs

LESSON = "01_weighted_sums"
TRUST = [] if doctor.sealable() else ["--setting", "SealedKernel.allow_unsealed=True"]
STUDENTS = 6


def grade(course: Path, *options: str, fails: bool = False) -> str:
    command = [sys.executable, "-m", "autograder.cli", "grade", "--folder", str(course), *options, *TRUST]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr


def exported(course: Path) -> bytes:
    path = course / "grades.csv"
    nbgrader("export", f"--to={path}", course=course)
    return path.read_bytes()


def graded(course: Path) -> dict[str, object]:
    found = {}
    for path in sorted((course / "autograded").rglob("*.*")):
        text = path.read_text()
        found[str(path.relative_to(course))] = json.loads(text) if path.suffix == ".ipynb" else text
    return found


@pytest.fixture(scope="module")
def handed_in(make_course):
    """A class's submissions: a damaged file, one that ends its own kernel, some late; and a function to copy it."""
    course, release = make_course(LESSON)
    simulated.hand_in_class(LESSON, release, course / "submitted", STUDENTS, seed=3)
    samples.write(course / "submitted", "zoe", LESSON, release.name, b"{ not json")
    blank = nbformat.reads(release.read_text(), as_version=4)
    blank.cells[2:2] = [nbformat.v4.new_code_cell("import os; os._exit(1)")]
    samples.write(course / "submitted", "max", LESSON, release.name, nbformat.writes(blank).encode())
    for student in ("max", "student_001", "student_002", "student_003"):
        samples.write(course / "submitted", student, LESSON, "timestamp.txt", b"2026-03-02 08:00:00 UTC")
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment(LESSON, duedate="2026-03-01 12:00:00 UTC")
    return course


@pytest.fixture(scope="module")
def copied(handed_in, tmp_path_factory):
    def copy() -> Path:
        target = tmp_path_factory.mktemp("class") / "course"
        shutil.copytree(handed_in, target, symlinks=True)
        return target

    return copy


@pytest.fixture(scope="module")
def one_after_the_other(copied):
    course = copied()
    said = grade(course, LESSON, "--jobs", "1")
    return course, said


@pytest.mark.slow
def test_what_is_said_without_a_terminal_is_plain_lines(one_after_the_other):
    course, said = one_after_the_other
    assert f"{LESSON}: {STUDENTS + 2} of {STUDENTS + 2} done" in said
    assert "zoe: weighted_sums.ipynb is not JSON" in said
    assert "kernel died" in said
    assert "\x1b" not in said


@pytest.mark.slow
def test_any_number_of_workers_writes_the_same(copied, one_after_the_other):
    alone, _ = one_after_the_other
    course = copied()
    grade(course, LESSON, "--jobs", "3")
    assert exported(alone) == exported(course)
    assert graded(alone) == graded(course)


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of nbgrader's own queries
def test_a_submission_that_cannot_be_looked_at_fails_alone(copied, monkeypatch, capsys):
    course, asked = copied(), []
    look = fingerprint.of_submission

    def of_submission(folder, *others):
        if folder.parent.name == "max":
            raise OSError("this disk\nis broken")
        return look(folder, *others)

    class Idle(engines.Inline):
        def get_ready(self):
            pass

        def submit(self, name, job):
            asked.append(name)

        def results(self):
            return [(asked[-1], RuntimeError("not run"))]

    monkeypatch.setattr(fingerprint, "of_submission", of_submission)
    app = batch.nbgrader(course, [option for option in TRUST if "=" in option])
    app.coursedir.assignment_id = LESSON
    telling = functools.partial(Telling, LESSON, quiet=True, console=Console())
    assert GradeMany(coursedir=app.coursedir, parent=app).grade(Idle(), telling) == STUDENTS + 2
    assert len(asked) == STUDENTS + 1
    assert r"max could not be graded: OSError: this disk\nis broken" in capsys.readouterr().err


@pytest.mark.slow
def test_only_what_has_changed_is_graded_again(tmp_path, one_after_the_other):
    course = tmp_path / "course"
    shutil.copytree(one_after_the_other[0], course, symlinks=True)
    before, points = graded(course), exported(course)
    assert f"({STUDENTS + 2} unchanged)" in grade(course, LESSON, "--quiet")
    path = course / "submitted" / "zoe" / LESSON / "weighted_sums.ipynb"
    path.write_bytes((course / "submitted" / "student_001" / LESSON / path.name).read_bytes())
    said = grade(course, LESSON, "--quiet")
    assert f"{STUDENTS + 1} unchanged" in said
    assert len(said.strip().split("\n")) == 1
    after = graded(course)
    assert [name for name in after if before[name] != after[name]] == [f"autograded/zoe/{LESSON}/{path.name}"]
    assert exported(course) != points
    shutil.rmtree(course / "autograded" / "zoe")
    assert f"{STUDENTS + 1} unchanged" in grade(course, LESSON, "--quiet")
    assert graded(course) == after


def test_a_digest_depends_on_all_that_a_grade_depends_on(tmp_path):
    from traitlets.config import Config

    folder = tmp_path / "amy" / LESSON
    folder.mkdir(parents=True)
    (folder / "weighted_sums.ipynb").write_text("{}")
    first = fingerprint.of_submission(folder, LESSON, Config())
    assert fingerprint.of_submission(folder, LESSON, Config()) == first
    others = {fingerprint.of_submission(folder, "02_toy_tensors", Config())}
    others.add(fingerprint.of_submission(folder, LESSON, Config(GradeAnswers={"salt": "x"})))
    (folder / "data.csv").write_text("1")
    others.add(fingerprint.of_submission(folder, LESSON, Config()))
    (folder / "data.csv").unlink()
    (folder / "weighted_sums.ipynb").write_text("{ }")
    others.add(fingerprint.of_submission(folder, LESSON, Config()))
    assert first not in others
    assert len(others) == 4


def test_a_digest_covers_what_grades_wherever_the_checkout_lies(tmp_path):
    checkout = tmp_path / "tests" / "bench"
    grading = ["autograder/judge.py", "autograder/rules/common.py", "data/a.csv", "solutions/01/one.py"]
    others = ["autograder/tests/toy.py", "autograder/bench/meter.py", "autograder/nbgrader_plugin/prose.py"]
    for name in grading + others:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).touch()
    assert fingerprint.grading_files(checkout) == [checkout / name for name in grading]


def test_what_a_digest_leaves_out_is_there_and_nothing_that_grades_imports_it():
    package = ROOT / "autograder"
    left_out = {package / name for name in fingerprint.NOT_GRADING}
    assert [path for path in left_out if not path.exists()] == []
    grading = [path for path in fingerprint.grading_files(ROOT) if path.is_relative_to(package)]
    imported = {module for path in grading for module in imports(path)}
    assert imported & {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in left_out} == set()


def imports(path: Path) -> set[str]:
    """The names that a file imports, with those of the packages that they are in."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found | {
        parent for name in found for parent in (name.rsplit(".", 1)[0], ".".join(name.split(".")[:2]))
    }


def test_a_digest_that_a_student_writes_into_the_notebook_is_not_taken_for_ours(tmp_path):
    path = tmp_path / "graded.ipynb"
    forged = json.dumps({"fingerprint": "0" * 64, "verdicts": {}})
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(forged)])
    nbformat.write(notebook, path)
    assert fingerprint.of_graded(path) == ""
    notebook.metadata[NOTES] = {"fingerprint": "a" * 64, "verdicts": {}}
    nbformat.write(notebook, path)
    assert fingerprint.of_graded(path) == "a" * 64


@pytest.mark.slow
def test_a_batch_that_was_killed_goes_on_where_it_stopped(copied, one_after_the_other):
    course = copied()
    command = [sys.executable, "-m", "autograder.cli", "grade", LESSON, "--folder", str(course), *TRUST]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 120
        while not list((course / "autograded").rglob("*.ipynb")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    done = [path for path in (course / "autograded").rglob("*.ipynb") if fingerprint.of_graded(path)]
    said = grade(course, LESSON, "--quiet")
    assert (f"{len(done)} unchanged" in said) == bool(done)
    assert exported(course) == exported(one_after_the_other[0])
    assert graded(course).keys() == graded(one_after_the_other[0]).keys()


def test_nothing_handed_in_is_said_in_one_line(tmp_path):
    said = grade(tmp_path, fails=True)
    assert said.startswith("✗ nothing was handed in")
    assert "Traceback" not in said


class Flaky:
    """An executor that loses its worker a number of times before a job comes back."""

    def __init__(self, losses: int) -> None:
        self.losses, self.asked = losses, 0

    def submit(self, function, job):
        self.asked += 1
        future: Future = Future()
        if self.asked <= self.losses:
            future.set_exception(BrokenProcessPool("gone"))
        else:
            future.set_result(f"ran {job}")
        return future


def results(workers):
    for _ in range(10):
        found = list(workers.results())
        if found:
            return found
    return []


def test_a_lost_job_is_begun_again_and_comes_back_once():
    executor = Flaky(losses=2)
    workers = Workers(lambda: executor, 2, 100, end=Executor.shutdown)
    workers.submit("amy", "job")
    assert results(workers) == [("amy", "ran job")]
    assert executor.asked == 3
    assert list(workers.results()) == []


def test_a_job_that_loses_every_worker_fails_alone():
    workers = Workers(lambda: Flaky(losses=99), 2, 100, end=Executor.shutdown)
    workers.submit("amy", "job")
    ((name, error),) = results(workers)
    assert name == "amy"
    assert isinstance(error, LostError)


def test_a_job_that_does_not_come_back_is_given_to_another_worker():
    class Silent(Flaky):
        def submit(self, function, job):
            return (
                Future()
                if not self.asked and not setattr(self, "asked", 1)
                else super().submit(function, job)
            )

    workers = Workers(lambda: Silent(0), 2, 0.0, end=Executor.shutdown)
    workers.submit("amy", "job")
    assert results(workers) == [("amy", "ran job")]


@pytest.mark.slow
def test_workers_have_ended_when_their_engine_is_closed():
    """Otherwise the end of the program meets them half way, and complains."""
    engine = engines.local(2, 100, ())
    engine.get_ready()
    assert multiprocessing.active_children()
    engine.close()
    assert not multiprocessing.active_children()


@pytest.mark.slow
@needs.seal
def test_a_cluster_whose_worker_is_killed_loses_nothing(copied, one_after_the_other):
    course = copied()
    with cluster(course, workers=2) as (address, processes):
        command = [sys.executable, "-m", "autograder.cli", "grade", LESSON, "--folder", str(course)]
        with subprocess.Popen(
            [*command, "--scheduler", address], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as grading:
            deadline = time.monotonic() + 200
            while not list((course / "autograded").rglob("*.ipynb")) and time.monotonic() < deadline:
                time.sleep(0.05)
            kill_with_children(processes[0])
            said = grading.communicate()[0]
        assert grading.returncode == 0, said
    assert exported(course) == exported(one_after_the_other[0])
    assert graded(course).keys() == graded(one_after_the_other[0]).keys()


@contextlib.contextmanager
def cluster(folder: Path, workers: int):
    """A scheduler and worker processes on loopback."""
    file = folder / "scheduler.json"
    options = ["--scheduler-file", str(file)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with contextlib.ExitStack() as stack:

        def start(*command: str) -> psutil.Popen:
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
            process = stack.enter_context(
                psutil.Popen([sys.executable, "-m", "distributed.cli." + command[0], *command[1:]], **quiet)
            )
            stack.callback(kill_with_children, process)
            return process

        start("dask_scheduler", *options, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        some = [
            start("dask_worker", *options, "--nthreads", "1", "--no-dashboard", "--no-nanny")
            for _ in range(workers)
        ]
        deadline = time.monotonic() + 60
        while not file.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"]
        wait_for_workers(address, workers)
        yield address, some


def wait_for_workers(address: str, number: int) -> None:
    from dask.distributed import Client

    with Client(address, timeout="30s") as client:
        client.wait_for_workers(number, timeout=60)


def kill_with_children(process: psutil.Popen) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        for one in [*process.children(recursive=True), process]:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.kill()
        process.wait(10)


def test_without_a_scheduler_it_says_so(one_after_the_other):
    said = grade(one_after_the_other[0], LESSON, "--scheduler", "tcp://127.0.0.1:1", fails=True)
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in said
