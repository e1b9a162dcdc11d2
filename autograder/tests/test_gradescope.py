"""Gradescope's autograder: the zip file in folders laid out as `/autograder`, its two scripts, and what they write."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest

from autograder.demo import samples
from autograder.records import record_store
from autograder.tests import needs
from autograder.tests.clones import make_clone
from autograder.tests.commands import run_typed
from autograder.tests.this_course import find_lesson
from autograder.views import verdict_view

LESSON = find_lesson("01_weighted_sums")
NOTEBOOK = LESSON.released.name
STUDENT = "9"


class Gradescope:
    """A machine there. What would change this one, apt-get and pip, does nothing."""

    def __init__(self, folder: Path) -> None:
        self.clone = make_clone(folder / "clone")
        run_typed(f"attention-course gradescope {LESSON.id}", folder=self.clone)
        self.root, self.programs = folder / "autograder", folder / "programs"
        self.programs.mkdir()
        for program in ("apt-get", "python3"):
            add_program(self.programs / program)
        for name in ("submission", "results"):
            (self.root / name).mkdir(parents=True)
        with ZipFile(self.clone / "dist" / f"gradescope-{LESSON.id}.zip") as file:
            self.names = file.namelist()
            file.extractall(self.root / "source")
        environment = self.root / "venv"
        (environment / "bin").mkdir(parents=True)
        for part in ("pyvenv.cfg", "lib", *(f"bin/{one.name}" for one in Path(sys.prefix, "bin").iterdir())):
            (environment / part).symlink_to(Path(sys.prefix, part))
        add_program(environment / "bin" / "pip")
        add_program(environment / "bin" / "python", f'exec {sys.executable} "$@"\n')
        self.run("setup.sh")

    def run(self, script: str) -> None:
        source = self.root / "source"
        environment = {
            **os.environ,
            "GRADESCOPE_ROOT": str(self.root),
            "PATH": os.pathsep.join([str(self.programs), os.environ["PATH"]]),
            "PYTHONPATH": os.pathsep.join([str(source), os.environ["PYTHONPATH"]]),
        }
        done = subprocess.run(
            ["bash", source / script], env=environment, cwd=self.root, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def grade(self, **files: str) -> dict:
        """Hand these files in, and a pipe, which nothing may open; the results come back."""
        for old in (self.root / "submission").iterdir():
            old.unlink()
        for name, text in files.items():
            (self.root / "submission" / name).write_text(text, encoding="utf-8")
        os.mkfifo(self.root / "submission" / "pipe")
        about = {"id": 1, "users": [{"id": 12, "name": "B"}, {"id": int(STUDENT), "name": "A"}]}
        (self.root / "submission_metadata.json").write_text(json.dumps(about))
        self.run("run_autograder")
        return json.loads((self.root / "results" / "results.json").read_text())


def add_program(program: Path, does: str = "") -> None:
    program.unlink(missing_ok=True)
    program.write_text(f"#!/bin/sh\n{does}")
    program.chmod(0o755)


@pytest.fixture(scope="module")
def gradescope():
    with tempfile.TemporaryDirectory(prefix="gradescope-") as folder:
        Path(folder).chmod(0o755)  # as /autograder is, and pytest's own folders are not
        yield Gradescope(Path(folder))


@needs.seal
def test_it_gives_the_points_and_verdicts_that_grade_gives(gradescope):
    done = [exercise.id for exercise in LESSON.graded][:2]
    answers = {name: LESSON.solution(name) for name in done}
    text = samples.filled(LESSON.released.read_text(), answers)
    told = gradescope.grade(**{NOTEBOOK: text})
    samples.put_file(gradescope.clone / "submitted", STUDENT, LESSON.id, NOTEBOOK, text.encode())
    release = f"nbgrader generate_assignment {LESSON.id} --force"
    run_typed(release, f"attention-course grade {LESSON.id} --jobs 1", folder=gradescope.clone)
    verdicts = record_store.load_record(LESSON, STUDENT, gradescope.clone).verdicts
    for test in told["tests"]:
        verdict = verdicts.pop(test["name"])
        result = (verdict.points, verdict.max_points, verdict_view.as_text(verdict))
        assert (test["score"], test["max_score"], test["output"]) == result
    assert verdicts == {}
    assert {test["name"] for test in told["tests"] if test["status"] == "passed"} == set(done)
    assert told["visibility"] == "after_published"
    assert told["output"] == ""


REACH = """
import os
mark = "left-by-a-student"
for place in ("/tmp", "/dev/shm"):
    open(f"{place}/{mark}", "w").write("x")
for path in ("<ROOT>/submission_metadata.json", "<ROOT>/source/gradebook.db", "<ROOT>/results/results.json"):
    try:
        print(open(path).read())
    except OSError as error:
        print(type(error).__name__)
"""


@needs.root
def test_without_namespaces_a_notebook_reads_nothing_of_others_and_leaves_nothing(gradescope):
    broken = gradescope.programs / "bwrap"
    add_program(broken, "exit 1")
    try:
        answers = {"softmax": LESSON.solution("softmax")}
        notebook = nbformat.reads(samples.filled(LESSON.released.read_text(), answers), as_version=4)
        notebook.cells.append(nbformat.v4.new_code_cell(REACH.replace("<ROOT>", str(gradescope.root))))
        told = gradescope.grade(**{NOTEBOOK: nbformat.writes(notebook)})
    finally:
        broken.unlink()
    graded = gradescope.root / "source" / "autograded" / STUDENT / LESSON.id / NOTEBOOK
    (output,) = nbformat.read(graded, as_version=4).cells[-1].outputs
    assert output.text == "PermissionError\n" * 3
    assert "unsealed" in told["output"]
    assert [test["name"] for test in told["tests"] if test["status"] == "passed"] == ["softmax"]
    for name in ("submission", "submission_metadata.json", "results", "source"):
        assert (gradescope.root / name).stat().st_mode & 0o077 == 0
    assert not [place for place in ("/tmp", "/dev/shm") if Path(place, "left-by-a-student").exists()]


def test_the_zip_holds_nobody_s_work_and_what_holds_answers_is_for_its_owner_alone(gradescope):
    begin = {name.split("/")[0] for name in gradescope.names}
    assert begin == {
        *("autograder", "course", "data", "gradebook.salt", "nbgrader_config.py", "pyproject.toml"),
        *("run_autograder", "setup.sh", "solutions"),
    }
    assert not any("/test" in name or "/samples/" in name for name in gradescope.names)
    source = gradescope.root / "source"
    private = (begin - {"gradebook.salt"}) | {"gradebook.db", "imported", "handed_out"}
    for path in (source, *(source / name for name in private)):
        assert path.stat().st_mode & 0o077 == 0
    told = gradescope.grade(**{"notes.txt": "nothing yet"})
    assert told == {"score": 0, "output": f"No {NOTEBOOK} was handed in."}
