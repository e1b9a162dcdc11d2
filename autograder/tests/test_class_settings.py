"""Settings of a class: an address for objections, which attempt counts, who is excused, and who works in a group."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup

from autograder.classroom import hand_in_times
from autograder.courses import CLASS
from autograder.grading import engines
from autograder.tests import needs, small_course
from autograder.tests.commands import run_ours
from autograder.tests.small_class import Class
from autograder.tests.small_course import CELSIUS, DAYS, LESSON, NOTEBOOK

pytestmark = [pytest.mark.slow, needs.seal]
WRONG = {CELSIUS: f"def {CELSIUS}(fahrenheit):\n    return fahrenheit"}
LONG = {
    CELSIUS: f"""def {CELSIUS}(fahrenheit):
    freezing, boiling = 32, 212
    degrees = boiling - freezing
    shares = [(fahrenheit - freezing) / degrees for _ in range(3)]
    total = sum(share for share in shares if share is not None)
    return 100 * total / len(shares) if degrees > 0 else None"""
}
IN_SECTION = f"[lessons.{LESSON}]\n"
DUE = f'{IN_SECTION}due = "2026-03-01 12:00 UTC"\n'
LATE = "[late]\npercent_a_day = 50\n"
IN_TIME, A_DAY_LATE, LAST = (f"2026-03-0{day} 11:00:00 UTC" for day in (1, 2, 3))
CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,X", "    Points Possible,,,,,10"
MOODLE = "First name,Last name,Username,X"


class SetClass(Class):
    """A class whose settings change."""

    def set(self, text: str = "") -> None:
        (self.folder / CLASS).write_text(text)

    def hand_in_at(self, student: str, time: str, **others: str) -> None:
        self.hand_in_answers(student, **others)
        hand_in_times.add_time(self.folder, student, LESSON, time)

    def grades(self, student: str) -> list[str]:
        """Raw score, penalty, score and day, as `grades.csv` says."""
        columns = ("raw_score", "late_submission_penalty", "score", "timestamp")
        with (self.folder / "grades.csv").open(encoding="utf-8", newline="") as file:
            (row,) = [row for row in csv.DictReader(file) if row["student_id"] == student]
        return [row[name][:10] for name in columns]

    def filled(self, *lines: str) -> tuple[list[str], str]:
        """The last column of a platform's table once grades are filled in, and what was said."""
        path = self.folder / "export.csv"
        path.write_text("\n".join([*lines, ""]))
        options = ("--column", f"{LESSON}=X", "--scale", "--class", str(self.folder))
        said = run_ours("grades", str(path), *options, folder=self.folder)
        cells = (self.folder / "export-filled.csv").read_text().splitlines()[len(lines) - 3 :]
        return [line.rpartition(",")[2] for line in cells], said

    def html(self, student: str) -> BeautifulSoup:
        path = self.folder / "feedback" / student / LESSON / f"{NOTEBOOK}.html"
        return BeautifulSoup(path.read_text(), "html.parser")

    def report(self, *options: str) -> str:
        run_ours("report", *options, "--class", str(self.folder), folder=self.folder)
        page = f"students/{options[1]}" if options else LESSON
        text = (self.folder / "reports" / f"{page}.html").read_text()
        return " ".join(BeautifulSoup(text, "html.parser").get_text(" ").split())


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> SetClass:
    """A class after a round: Ann answered wrongly and in time, Bob rightly, Cid did not hand in."""
    place = tmp_path_factory.mktemp("class")
    made = SetClass(small_course.make_class(small_course.make(place / "course"), place / "class"))
    (made.folder / "students.csv").write_text("id,team,other\nann,blue,\nbob,blue,red\ncid,,red\n")
    made.set(DUE + LATE)
    made.hand_in_at("ann", IN_TIME, **WRONG)
    made.hand_in_at("bob", IN_TIME)
    made.round()
    return made


@pytest.fixture
def made(first: SetClass, tmp_path: Path) -> SetClass:
    return SetClass(shutil.copytree(first.folder, tmp_path / "class", symlinks=True))


def test_a_student_can_write_to_the_class_s_address_about_each_exercise(made: SetClass) -> None:
    assert made.html("ann").select("a[href^=mailto]") == []
    made.set(f'contact = "ada+attention@example.org"\n{DUE}{LATE}')
    made.hand_in_at("bob", A_DAY_LATE, **WRONG)
    made.round()
    for student, attempt in (("ann", f"1, handed in Sun {IN_TIME[:16]} UTC"), ("bob", "2, handed in Mon")):
        links = made.html(student).select("a[href^=mailto]")
        for link, exercise in zip(links, (CELSIUS, DAYS), strict=True):
            assert link["aria-label"] == f"I think this is wrong: {exercise}, by e-mail"
            address = urlsplit(link["href"])
            fields = parse_qs(address.query, strict_parsing=True)
            assert address.path == "ada%2Battention@example.org"
            assert fields["subject"] == [f"I think this is wrong: {LESSON} {exercise}"]
            lines = f"Student: {student}\r\nExercise: {LESSON} {exercise}\r\nAttempt: {attempt}"
            assert lines in fields["body"][0]
            assert " " not in link["href"]
    made.set(DUE + LATE)
    made.round()
    assert made.html("ann").select("a[href^=mailto]") == []


def test_the_best_attempt_counts_where_the_class_says_so(made: SetClass) -> None:
    full, best = str(made.full), f'attempt = "best"\n{DUE}{LATE}'
    made.hand_in_at("bob", A_DAY_LATE, **WRONG)
    made.round()
    last = made.grades("bob")
    assert float(last[2]) < made.full / 2
    assert "Your last attempt counts, which is the one on this page" in made.page("bob")
    rows = MOODLE, "Ann,A,ann,-", "Bob,B,bob,-"

    made.set(best)
    made.round()
    assert made.grades("bob") == [full, "0", full, "2026-03-01"]
    assert made.table()["bob"] == (full, "graded", "an earlier attempt counts, the best")
    assert made.filled(*rows)[0][-1] == full
    page = made.page("bob")
    assert f"{full} of {full} points Your best attempt counts, that of Sun 2026-03-01 11:00 UTC" in page
    assert f"{full} of {full} points, which counts" in page
    assert "taken off" not in page.split("Look at this next")[0].replace("of the points taken off", "")
    assert f"{full}, counts" in made.report("--student", "bob")

    made.set(best.replace("-03-01 12:00", "-02-28 12:00"))  # now both attempts are late
    made.round()
    assert made.grades("bob") == [full, f"{made.full / 2:g}", f"{made.full / 2:g}", "2026-03-01"]

    made.set(best)
    made.hand_in_at("bob", LAST)  # as good as the first, with a penalty
    made.round("--preview")
    made.round()
    assert made.grades("bob") == [full, "0", full, "2026-03-01"]

    made.set(DUE + LATE)
    made.round()
    assert made.grades("bob") == [full, full, "0", "2026-03-03"]

    shutil.rmtree(made.work("bob"))
    made.round("--forget", "bob")
    made.set(best)
    made.hand_in_at("bob", A_DAY_LATE + " ", **WRONG)
    made.round()
    assert made.grades("bob") == last
    assert made.table()["bob"][2] == ""


def test_an_excused_student_has_no_zero_and_no_late_penalty_until_that_is_undone(made: SetClass) -> None:
    made.hand_in_at("bob", LAST)
    made.round()
    before = made.table(), made.grades("bob")
    assert made.grades("bob")[2] == "0"
    rows = "Ann,1,,ann,,3", "Bob,2,,bob,,3", "Cid,3,,cid,,"

    made.set(f'{DUE}excused = ["cid", "sick"]\n[sections.sick]\nstudents = ["bob"]\n{LATE}')
    made.round()
    assert f"{LESSON}: excused: bob, cid" in made.said
    assert made.table() == {"ann": before[0]["ann"], **dict.fromkeys(("bob", "cid"), ("", "excused", ""))}
    assert made.grades("bob")[:3] == ["", "", ""]
    assert made.reported() == {"ann": "graded", "bob": "excused", "cid": "excused"}
    assert "1 of them graded" in made.report()
    assert "Excused, and not counted: bob , cid" in made.report()
    assert f"{made.full} of {made.full} points You are excused from this lesson" in made.page("bob")
    assert "points were taken off" not in made.page("bob")
    canvas, said = made.filled(*CANVAS, *rows)
    assert canvas[-2:] == ["EX", "EX"]
    assert "X: excused, as EX: bob, cid" in said
    assert "bob 3 → EX" in said
    moodle, said = made.filled(MOODLE, "Ann,A,ann,3", "Bob,B,bob,3", "Cid,C,cid,-")
    assert moodle[-2:] == ["", "-"]
    assert "X: excused: bob, cid" in said

    made.set(DUE + LATE)
    made.round()
    assert (made.table(), made.grades("bob")) == before
    assert "excused" not in made.page("bob")
    _, said = made.filled(*CANVAS, "Ann,1,,ann,,", "Bob,2,,bob,,", "Cid,3,,cid,,EX")
    assert "left as it is, EX: cid" in said


def test_what_a_member_hands_in_counts_for_the_group_and_is_graded_once(made: SetClass, monkeypatch) -> None:
    full, jobs, grade = str(made.full), [], engines.grade_submission
    monkeypatch.setattr(engines, "grade_submission", lambda job: jobs.append(job.student) or grade(job))
    alone = made.grades("ann")
    made.hand_in_at("bob", A_DAY_LATE, **LONG)
    groups = f'groups = "team"\n{DUE}'

    made.set(f'{groups}extensions = {{ ann = "2026-03-05 12:00 UTC" }}\n{LATE}')
    assert made.round().endswith("grades.csv")
    assert made.grades("ann") == [full, "0", full, "2026-03-02"]
    assert made.grades("bob") == [full, f"{made.full / 2:g}", f"{made.full / 2:g}", "2026-03-02"]
    assert jobs == ["bob", "bob"]  # one of the two was late
    jobs.clear()
    made.set(groups)
    made.hand_in_at("bob", LAST, **LONG, **{DAYS: f"{DAYS} = None"})
    made.round()
    assert jobs == ["bob"]
    assert made.grades("ann") == made.grades("bob")
    for student in ("ann", "bob"):
        assert "Your group is blue: ann, bob. This is the work that bob handed in." in made.page(student)
    assert "Nearly the same" not in made.report()
    assert "Nearly the same" not in made.report("--student", "ann")

    made.hand_in_at("ann", LAST.replace("11:00", "11:30"))  # alone, besides
    made.round()
    assert {made.grades(student)[2] for student in ("ann", "bob")} == {full}
    assert "This is the work that ann handed in" in made.page("bob")
    assert "alone or together, what comes last counts for each of them" in made.page("bob")

    made.hand_in("ann", f"{NOTEBOOK}.ipynb")  # an empty file takes nobody's place
    made.round()
    assert made.grades("ann")[2] == made.grades("bob")[2] != full

    made.set(f'{groups}groups = "other"\n')
    made.hand_in_at("ann", LAST.replace("11:00", "11:45"), **LONG, **{DAYS: f"{DAYS} = None"})
    made.round()
    assert "Your group is red: bob, cid" in made.page("cid")
    assert "Your group" not in made.page("ann")
    assert made.grades("cid") == made.grades("bob")
    assert "Nearly the same" in made.report()
    assert "cid, with" not in made.report("--student", "bob")
    assert "ann, with" in made.report("--student", "cid")

    made.set(DUE)
    made.hand_in_at("ann", IN_TIME + " ", **WRONG)
    made.round()
    assert made.grades("ann") == alone
    assert made.table()["cid"][1] == "withdrawn"
    made.round("--forget", "cid")
    assert made.table()["cid"] == ("", "not handed in", "")
