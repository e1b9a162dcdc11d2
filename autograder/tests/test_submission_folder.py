"""What lies beside a notebook: helpers come along, what would stand in a library's place does not."""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import BaseConverter
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.commands import round  # noqa: F401 - what the commands import
from autograder.execution.notes import Note, NoteKind
from autograder.exercises import limits
from autograder.exercises.limits import MAX_FOLDER_DEPTH
from autograder.grading.batch import BatchGrader
from autograder.nbgrader_plugin.settings import apply
from autograder.records import discovery, transaction
from autograder.submissions.submission_files import copy_submission
from autograder.submissions.submission_folder import copy_work, find_notebooks, notebook_of
from autograder.tests.commands import run_ours
from autograder.tests.this_course import ROOT


@pytest.fixture
def put(tmp_path):
    def put(*names):
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("x = 1\n")
        return tmp_path

    return put


def work_in(folder, target=None, notebooks=None):
    """What is graded of a folder, with the course's own patterns."""
    config = Config()
    apply(config, ROOT)
    return copy_work(notebook_of(folder), config.CourseDirectory.ignore, target, notebooks)


def copied(folder):
    """What is copied beside a notebook."""
    with tempfile.TemporaryDirectory() as target:
        work_in(folder, Path(target))
        files = (path for path in Path(target).rglob("*") if path.is_file() and path.suffix != ".ipynb")
        return sorted(str(path.relative_to(target)) for path in files)


def said_of(folder):
    notes = work_in(folder).notes
    return [
        note.instructor_message for note in notes if note.kind not in (NoteKind.NO_NOTEBOOK, NoteKind.RENAMED)
    ]


def test_a_students_own_modules_come_along_and_what_shadows_a_library_is_left_out_and_named(put):
    names = ["data/table.csv", "json.py/a.py", "my_helpers.py", "pieces/__init__.py", "pieces/numpy.py"]
    names += ["results/a.json", "samples/a.csv", "torch/table.csv"]  # of a lesson some are not released
    folder = put(*names, "weighted_sums.ipynb", "__pycache__/my_helpers.cpython-311.pyc")
    assert copied(folder) == names
    assert said_of(folder) == []
    put("numpy.py", "sitecustomize.py", "torch.pyc", "scipy.cpython-311-x86_64-linux-gnu.so")
    put("autograder/__init__.py", "ipykernel/kernelapp.py")
    assert copied(folder) == names
    shadows = "autograder, ipykernel, numpy.py and 3 more"
    assert said_of(folder) == [f"{shadows} have the name of a library's module: they were left out"]


LAID = (
    *("timestamp.txt", "data/timestamp.txt", "data/submission_secret.txt", "data/a.csv", "a.ipynb"),
    *("data/b.ipynb", "b.csv", "numpy.py", "__pycache__/a.pyc", os.fsdecode(b"\xfc"), os.fsdecode(b"\xfd")),
)
LAYOUTS = st.dictionaries(st.sampled_from(LAID), st.sampled_from(("", "x", "y")), max_size=3)


@given(LAYOUTS, LAYOUTS)
@settings(deadline=None, max_examples=200)
def test_the_digest_of_work_is_of_what_is_shown_to_a_notebook_and_of_nothing_else(one, other):
    """Two folders have one digest just where the same is copied of both, and the same left out."""
    results = []
    for layout in (one, other):
        with tempfile.TemporaryDirectory() as place:
            for name, text in {"lesson.ipynb": "{}", **layout}.items():
                path = Path(place, "01_lesson", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            work = work_in(Path(place, "01_lesson"), Path(place, "copy"), Path(place, "copy", "notebooks"))
            files = {
                path.relative_to(place): path.is_file() and path.read_text()
                for path in Path(place).glob("copy/**/*")
            }
            assert Path("copy/timestamp.txt") not in files
            results.append((work.digest, (files, [note.instructor_message for note in work.notes])))
    assert (results[0][0] == results[1][0]) == (results[0][1] == results[1][1])


def test_a_file_that_is_exchanged_for_a_link_while_it_is_copied_is_never_followed(put, tmp_path_factory):
    elsewhere, ended = tmp_path_factory.mktemp("elsewhere"), Event()
    folder = put("amy/01_lesson/b.csv")
    copies = elsewhere / "copies"

    def exchange() -> None:
        while not ended.is_set():
            for place, target in ((folder / "amy/01_lesson/a", "/etc/passwd"), (folder / "amy/f", "/etc")):
                place.write_text("x = 1\n")
                place.unlink()
                place.symlink_to(target)
                place.unlink()

    with ThreadPoolExecutor() as executor:
        exchanging = executor.submit(exchange)
        for number in range(300):
            copy_submission(folder / "amy", copies / str(number))
        ended.set()
        exchanging.result()
    held = {path.read_text() for path in copies.rglob("*") if path.is_file()}
    assert held <= {"", "x = 1\n"}
    assert len([*copies.rglob("b.csv")]) == 300


@pytest.mark.skipif(not Path("/proc/self/net").exists(), reason="no such files")
def test_a_file_that_grows_is_not_copied_beyond_the_limit(tmp_path, monkeypatch):
    """A file of the system's own says that it is empty, whatever it holds."""
    monkeypatch.setattr(limits, "MAX_COPIED_BYTES", 10)
    copied = copy_submission(Path("/proc/self/net"), tmp_path / "copy")
    assert sum(file.size for file in copied.files.values()) <= 10
    assert NoteKind.TOO_LARGE in copied.left_out
    assert all(path.stat().st_size <= 10 for path in (tmp_path / "copy").rglob("*") if path.is_file())


def test_what_lies_too_deep_and_what_is_one_of_too_many_is_left_out_and_told(put, monkeypatch):
    deep = "/".join(["a"] * MAX_FOLDER_DEPTH)
    folder = put(f"{deep}/in.csv", f"{deep}/a/out.csv")
    assert copied(folder) == [f"{deep}/in.csv"]
    assert said_of(folder) == [f"what lies more than {MAX_FOLDER_DEPTH} folders deep was left out"]
    monkeypatch.setattr(limits, "MAX_FILES", 3)
    monkeypatch.setattr(limits, "MAX_LISTED_NAMES", 9)
    put(*(f"{n}.csv" for n in range(5)), *(f"sub/{n}.csv" for n in range(10)))
    assert copied(folder) == ["0.csv", "1.csv", "2.csv"]
    assert said_of(folder) == ["3.csv, 4.csv, a/a/a and 1 more are more than there is room for: left out"]


@pytest.fixture
def unprivileged():
    """A folder of a user who is not root, who runs the test."""
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as folder:
        if root:
            os.chown(folder, 65534, -1)
            os.seteuid(65534)
        yield Path(folder)
        if root:
            os.seteuid(0)


def test_what_may_not_be_read_and_what_is_a_link_is_left_out_and_told(unprivileged):
    """Of a folder that may be listed and not entered, the names alone could be read."""
    for name in ("open.csv", "secret.csv", "locked/in.csv", "listed/in.csv", "listed/sub/in.csv"):
        (unprivileged / name).parent.mkdir(parents=True, exist_ok=True)
        (unprivileged / name).touch()
    for name in ("a", "b\nb", os.fsdecode(b"\xfc"), "numpy"):
        (unprivileged / name).symlink_to(unprivileged / "locked" / "folder")
    for name, mode in {"secret.csv": 0, "locked": 0, "listed": 0o400}.items():
        (unprivileged / name).chmod(mode)
    assert copied(unprivileged) == ["open.csv"]
    assert said_of(unprivileged) == [
        r"a, b\nb, numpy and 1 more are links or are not files: left out",
        "listed, locked, secret.csv could not be read: left out",
    ]
    for name in ("locked", "listed"):
        (unprivileged / name).chmod(0o700)


# --- as nbgrader has them found and copied ------------------------------------------------------------------


def nbgraders(kind, folder):
    """A converter of nbgrader's, with this course's settings, for a class in this folder."""
    config = Config()
    apply(config, ROOT)
    config.CourseDirectory.update(root=str(folder), assignment_id="01_lesson")
    return kind(coursedir=CourseDirectory(config=config), config=config)


def test_a_release_leaves_examples_out_and_a_submission_brings_its_own(put):
    source = ("examples.json", "picture.png")
    folder = put(
        *(f"solutions/generated/./01_lesson/{name}" for name in source), "submitted/amy/01_lesson/own.json"
    )
    BaseConverter.init_assignment(nbgraders(GenerateAssignment, folder), "01_lesson", ".")
    grading = nbgraders(BatchGrader, folder)
    wanted = folder / "submitted/amy/01_lesson/lesson.ipynb"
    transaction.lay_out(grading, "01_lesson", "amy", wanted, transaction.lesson_files(grading, "01_lesson"))
    assert [path.name for path in (folder / "course" / "01_lesson").rglob("*")] == ["picture.png"]
    assert list((folder / "autograded" / "amy").glob("*/own.json"))


def found(converter, folder):
    discovery.find_submissions(converter)
    return sorted(str(Path(one).relative_to(folder)) for one in sum(converter.assignments.values(), []))


def test_of_work_one_notebook_is_found_wherever_it_lies(put):
    folder = put(
        "submitted/a[1]/01_lesson/lesson.ipynb",
        "submitted/b/01_lesson/old.ipynb",
        "submitted/b/01_lesson/inner/lesson.ipynb",
        "submitted/c/01_lesson/a/b/lesson.ipynb",
        "submitted/d/01_lesson/.ipynb_checkpoints/lesson-checkpoint.ipynb",
        "submitted/e/01_lesson/notes.txt",
        "feedback/a[1]/01_lesson/lesson.html",
    )
    submitted = folder / "submitted"
    assert found(nbgraders(Autograde, folder), submitted) == [
        f"{one}/01_lesson/lesson.ipynb" for one in ("a[1]", "b", "c", "d", "e")
    ]
    assert not find_notebooks(submitted / "d" / "01_lesson" / "lesson.ipynb")
    for student, path in {"a[1]": "lesson", "b": "old", "c": "a/b/lesson"}.items():
        wanted = notebook_of(submitted / student / "01_lesson")
        assert find_notebooks(wanted)[0] == wanted.parent / f"{path}.ipynb"


@pytest.mark.parametrize("locked", ["b", "b/01_lesson"])
def test_a_folder_that_may_not_be_read_is_named(unprivileged, caplog, locked):
    for student in "ab":
        (unprivileged / "submitted" / student / "01_lesson").mkdir(parents=True)
        (unprivileged / "submitted" / student / "01_lesson" / "lesson.ipynb").touch()
    place = unprivileged / "submitted" / locked
    place.chmod(0)
    converter = nbgraders(Autograde, unprivileged)
    assert found(converter, unprivileged / "submitted") == ["a/01_lesson/lesson.ipynb"]
    assert converter.refused == {str(place): Note(NoteKind.FOLDER_LOCKED)}
    assert f"{place}: the folder may not be read: not graded; call chmod -R u+rX on it" in caplog.text
    assert "no notebook" not in caplog.text
    place.chmod(0o700)


def test_where_no_folder_may_be_read_it_is_not_said_that_nothing_was_handed_in(unprivileged):
    def complaint(command):
        return run_ours(command, "--class", str(unprivileged), fails=True)

    assert complaint("grade").startswith("✗ nothing was handed in")
    submitted = unprivileged / "submitted"
    (submitted / "b" / "01_weighted_sums").mkdir(parents=True)
    (submitted / "b").chmod(0)
    assert complaint("grade").startswith(f"✗ {submitted}: what lies in b may not be read; call chmod -R u+rX")
    run_ours("hand-out", "01_weighted_sums", "--class", str(unprivileged))
    for command in ("grade", "round", "grade"):
        assert f"{submitted}/b: the folder may not be read: not graded" in complaint(command)
    submitted.chmod(0)
    for command in ("grade", "round"):
        assert f"{submitted} may not be read" in complaint(command)
    submitted.chmod(0o700)
    (submitted / "b").chmod(0o700)
