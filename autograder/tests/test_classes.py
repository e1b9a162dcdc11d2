"""A class's folder stands alone: every verb takes it, and the course, which lies elsewhere, is only read."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.authoring.release import NbgraderError
from autograder.classroom.class_lock import LOCK
from autograder.classroom.hand_out import master_cells, update_gradebook
from autograder.courses import open_course
from autograder.demo import samples
from autograder.sandbox import layers
from autograder.tests import needs
from autograder.tests.clones import make_clone
from autograder.tests.commands import run_nbgrader, run_ours
from autograder.tests.grading import hand_in, right
from autograder.tests.this_course import COURSE, ROOT, find_lesson

LESSON = find_lesson("01_weighted_sums")
UNSEALED = "c.SealedKernel.allow_unsealed = True\n"


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """What lies in a folder, but for what Python keeps there for itself."""
    paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in paths}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    folder = tmp_path / "class of 2026"
    run_ours("new-class", "--class", str(folder))
    settings = folder / "nbgrader_config.py"
    settings.write_text(settings.read_text() + ("" if layers.sandbox_available() else UNSEALED))
    return folder


def test_a_class_goes_from_an_empty_folder_to_grades_and_the_course_is_not_touched(made: Path) -> None:
    before = state(ROOT / "course") | state(ROOT / "solutions") | state(ROOT / "data")
    at_the_root = sorted(os.listdir(ROOT))
    (made / "students.csv").write_text("id,first_name,email\namy,Amy,a@x.org\nbea,Bea,\n")
    said = run_ours("hand-out", "1", "--class", str(made))
    assert str(made / "course" / LESSON.id) in said
    assert f"It says no dates: write them into {made / 'class.toml'}, below [lessons.{LESSON.id}]" in said
    (kept,) = (made / "handed_out" / LESSON.id).iterdir()
    assert kept.read_bytes() == LESSON.released.read_bytes()
    run_nbgrader("export", f"--to={made / 'grades.csv'}", folder=made)
    assert stands(made) == {"amy": "not handed in", "bea": "not handed in"}
    hand_in(made, "amy", LESSON, right(LESSON, ["softmax"]))
    said = run_ours("round", folder=made)
    assert stands(made) == {"amy": "graded", "bea": "not handed in"}
    assert f"{LESSON.id}: not handed in: Bea (bea)" in said
    assert "Amy (amy)</a>" in (made / "reports" / f"{LESSON.id}.html").read_text()
    assert (made / "feedback" / "amy" / LESSON.id / f"{LESSON.notebook}.html").is_file()
    assert str(made / "student-kit.zip") in run_ours("kit", folder=made)
    with Gradebook(f"sqlite:///{made / 'gradebook.db'}") as gradebook:
        assert [(one.id, one.first_name) for one in gradebook.students] == [("amy", "Amy"), ("bea", "Bea")]
    for verb in ("report", "grade"):
        run_ours(verb, folder=made)
        run_ours(verb, "--class", str(made))
    run_nbgrader("export", f"--to={made / 'again.csv'}", folder=made)
    assert state(ROOT / "course") | state(ROOT / "solutions") | state(ROOT / "data") == before
    assert sorted(os.listdir(ROOT)) == at_the_root
    shutil.rmtree(made / "submitted" / "amy")
    assert f"{LESSON.id}: withdrawn" in run_ours("round", folder=made)
    assert stands(made) == {"amy": "withdrawn", "bea": "not handed in"}
    run_ours("round", LESSON.id, "--forget", "amy", folder=made)
    assert stands(made) == {"amy": "not handed in", "bea": "not handed in"}
    assert not list((made / "reports").iterdir())


@pytest.mark.slow
def test_formgrader_lists_a_class_s_lessons_and_who_is_graded_and_nothing_is_made_there(made: Path) -> None:
    """In a class's folder; when work came stands in the class's table, not beside the work."""
    run_ours("hand-out", LESSON.id, "--class", str(made))
    hand_in(made, "amy", LESSON, right(LESSON, ["softmax"]))
    (made / "handed_in.csv").write_text(f"student,lesson,time\namy,{LESSON.id},2026-03-01 12:00 UTC\n")
    run_ours("grade", "01_w", folder=made)
    code = """if True:
        from nbgrader.apps.api import NbGraderAPI
        from nbgrader.apps import NbGraderApp
        app = NbGraderApp()
        app.initialize([])
        api = NbGraderAPI(config=app.config)
        print([one["name"] for one in api.get_assignments()])
        print([(one["student"], one["autograded"]) for one in api.get_submissions(LESSON)])
    """.replace("LESSON", repr(LESSON.id))
    done = subprocess.run([sys.executable, "-c", code], cwd=made, capture_output=True, text=True)
    lessons = [lesson.id for lesson in COURSE.lessons]
    assert done.stdout.splitlines() == [f"{lessons}", "[('amy', True)]"], done.stderr
    program = [sys.executable, "-m", "nbgrader", "generate_assignment"]
    done = subprocess.run([*program, LESSON.id], cwd=made, capture_output=True, text=True)
    assert f"nothing is made: `attention-course hand-out {LESSON.id}` there" in done.stderr


def test_handing_out_that_was_not_finished_is_said_to_be_and_can_be_done_again(made: Path) -> None:
    """As where the program was killed while the gradebook got the lesson's cells."""
    run_ours("hand-out", LESSON.id, "--class", str(made))
    with Gradebook(f"sqlite:///{made / 'gradebook.db'}") as gradebook:
        gradebook.db.delete(gradebook.find_grade_cell("test_softmax", LESSON.notebook, LESSON.id))
        gradebook.db.commit()
    hand_in(made, "amy", LESSON, right(LESSON, ["softmax"]))
    said = run_ours("grade", folder=made, fails=True)
    assert f"handing out {LESSON.id} was not finished: `attention-course hand-out {LESSON.id}` again" in said
    run_ours("hand-out", LESSON.id, "--class", str(made))
    run_ours("grade", folder=made)


def test_a_lesson_of_nbgrader_s_own_form_is_refused_where_it_would_be_released(tmp_path: Path) -> None:
    clone = make_clone(tmp_path / "clone")
    generated = clone / "solutions" / "generated"
    shutil.copytree(generated / LESSON.id, generated / "ps1")
    with pytest.raises(NbgraderError, match="no lesson is called 'ps1'.*begins with a number.*new-lesson"):
        run_nbgrader("generate_assignment", "ps1", folder=clone, course=open_course(clone))
    assert not (clone / "course" / "ps1").exists()


def stands(folder: Path) -> dict[str, str]:
    """How each student stands in the lesson, as `grades.csv` says."""
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["assignment"] == LESSON.id]
    return {row["student_id"]: row["standing"] for row in rows}


@pytest.mark.slow
def test_a_folder_that_holds_only_what_was_handed_in_will_do(tmp_path: Path) -> None:
    hand_in(tmp_path / "class", "amy", LESSON, right(LESSON, ["weighted_sum"]))
    said = run_ours("grade", "--class", str(tmp_path / "class"), fails=True)
    assert f"`attention-course hand-out {LESSON.id}` first; a round does it" in said
    run_ours("round", "--class", str(tmp_path / "class"))
    assert "amy" in (tmp_path / "class" / "grades.csv").read_text()
    assert not (tmp_path / "class" / "handed_out").exists()  # nobody saw what these students were given


def test_a_gradebook_knows_a_lesson_that_is_handed_out_as_nbgrader_would_make_it(made, make_course) -> None:
    stock, _ = make_course(LESSON.id)
    run_ours("hand-out", LESSON.id, "--class", str(made))
    ours, theirs = (Gradebook(f"sqlite:///{folder / 'gradebook.db'}") for folder in (made, stock))
    with ours, theirs:
        assert master_cells(ours, LESSON) == master_cells(theirs, LESSON)


def test_a_release_touches_no_class(tmp_path: Path) -> None:
    clone = make_clone(tmp_path / "clone")
    before = set(os.listdir(clone))
    run_ours("release", LESSON.id, folder=clone)
    assert set(os.listdir(clone)) - {LOCK} == before


def test_a_release_that_somebody_worked_in_is_not_handed_out_nor_taken_over(
    made: Path, tmp_path: Path
) -> None:
    """Its solutions would come into every notebook in which a cell is missing."""
    clone = make_clone(tmp_path / "clone")
    there = open_course(clone).lesson(LESSON.id)
    blank = there.released.read_text(encoding="utf-8")
    solved = samples.filled(blank, right(LESSON, ["softmax"]))
    there.released.write_text(solved)
    said = run_ours("hand-out", LESSON.id, "--class", str(made), folder=clone, fails=True)
    assert "is not as it was released. Make it anew" in said
    assert not (made / "handed_out").exists()
    there.released.write_text(blank)
    run_ours("hand-out", LESSON.id, "--class", str(made), folder=clone)
    with Gradebook(f"sqlite:///{made / 'gradebook.db'}") as gradebook:
        before = master_cells(gradebook, there)
    for text in (solved, "spoilt"):
        there.released.write_text(text)
        assert update_gradebook(there, made) is False
    with Gradebook(f"sqlite:///{made / 'gradebook.db'}") as gradebook:
        assert master_cells(gradebook, there) == before


@needs.root
@pytest.mark.slow
def test_what_one_instructor_of_a_group_grades_stays_the_group_s(made: Path) -> None:
    settings = made / "class.toml"
    settings.write_text(settings.read_text().replace("# groupshared", "groupshared"))
    for path in (made, *made.rglob("*")):  # as the manual says
        os.chown(path, -1, 61000)
        path.chmod(0o2770 if path.is_dir() else 0o660)
    run_ours("hand-out", LESSON.id, "--class", str(made))
    for answer in ("weighted_sum", "softmax"):
        hand_in(made, "amy", LESSON, right(LESSON, [answer]))
        run_ours("round", folder=made)
        kept = [path for path in made.rglob("*") if path.name != LOCK]
        about = {path: path.stat() for path in kept}
        assert [path for path, of in about.items() if of.st_gid != 61000] == []
        assert [path for path, of in about.items() if (of.st_mode ^ of.st_mode << 3) & 0o600] == []
        open_to_all = {path.name for path in made.iterdir() if path.stat().st_mode & 0o007}
        assert open_to_all <= {"course", "handed_out"}


def test_a_class_that_is_there_keeps_what_it_has(made: Path) -> None:
    (made / "students.csv").write_text("id\namy\n")
    run_ours("new-class", "--class", str(made))
    assert (made / "students.csv").read_text() == "id\namy\n"
    assert made.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("class.toml", 'course = "/nowhere"\n', "class.toml: there is no course in /nowhere"),
        ("class.toml", "name = 'x'", 'it wants a line as course = "/home/me/course"'),
        ("class.toml", "course = 3", 'it wants a line as course = "/home/me/course"'),
        ("students.csv", "name\nAmy\n", "students.csv: its first line names no column id"),
    ],
)
def test_a_class_s_file_that_is_no_good_is_told(made: Path, file: str, text: str, said: str) -> None:
    (made / file).write_text(text)
    assert said in run_ours("hand-out", LESSON.id, folder=made, fails=True)
