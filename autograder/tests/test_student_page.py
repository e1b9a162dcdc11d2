"""A student's page says when what was handed in, what was misunderstood until when, and who writes alike."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from autograder.class_report import student_page
from autograder.class_report.similarity import Comparison, SimilarGroup
from autograder.commands import cli
from autograder.demo import samples
from autograder.execution.notes import Note, NoteKind
from autograder.exercises.verdict import State, Verdict
from autograder.records import grade_changes, record_store
from autograder.records.grade_changes import Change
from autograder.tests import in_process
from autograder.tests.commands import run_ours
from autograder.tests.recorded import record
from autograder.tests.reports import LESSON, OTHER, report, right, table, words
from autograder.tests.this_course import find_lesson

AMY, BO = "amy", "<i>bø #1"
RIGHT, TODO = (Verdict("softmax", state, ()) for state in (State.RIGHT, State.NOT_STARTED))
NAMELESS = Verdict("softmax", State.WRONG, (), ("a line",))
FIRST, SECOND = (
    dataclasses.replace(NAMELESS, misconception=name, looks_like=f"{name}: in words")
    for name in ("slip", "other slip")
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class in which two have handed in, one of them three times, the first when nobody kept verdicts."""
    made = tmp_path_factory.mktemp("class")
    (made / "class.toml").write_text(
        'zone = "Europe/Berlin"\n'
        f'[lessons.{LESSON}]\ndue = "2026-03-05 12:00"\nextensions = {{ evening = "2026-03-07 12:00" }}\n'
        '[sections.evening]\nstudents = ["amy"]\n'
    )
    (made / "handed_in.csv").write_text(f"student,lesson,time\namy,{LESSON},2026-03-08 11:00 UTC\n")
    verdicts = {"softmax": dataclasses.asdict(FIRST)}
    record(made, LESSON, AMY, work="a", at="2026-03-05T09:00:00", points=1.0, max_points=40.0, waiting=True)
    came = {"handed_in": "2026-03-06T09:00:00", "at": "2026-03-08T11:05:00"}
    record(made, LESSON, AMY, work="b", points=2.5, max_points=40.0, kept_verdicts=verdicts, **came)
    late = Note(NoteKind.LATE, detail="1 day late")
    notes = [late, Note(NoteKind.STAMPED, ("x.txt",), "no")]
    in_process.write_graded(made, LESSON, AMY, right(LESSON), notes)
    in_process.write_graded(made, LESSON, BO, {}, [])
    in_process.write_graded(made, OTHER, BO, {}, [])
    samples.put_file(made / "feedback", AMY, LESSON, f"{find_lesson(LESSON).notebook}.html", b"")
    of = AMY, LESSON, "softmax"
    lines = [
        Change("2026-03-09 10:00 UTC", *of, "3 of 6", "4 of 6", "the lesson is judged otherwise", "c"),
        Change("2026-03-08 11:05 UTC", *of, "0 of 6", "3 of 6", "handed in again", "c"),
    ]
    with record_store.engine_of(f"sqlite:///{made / 'gradebook.db'}").begin() as db:
        grade_changes.add_changes(db, lines)
    near = Comparison([SimilarGroup((AMY, BO), 0.9, 7, 0.25)], [])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.class_report.similarity.compare", lambda *_: near)
        report(made)
    return made


def page(folder: Path, student: str) -> BeautifulSoup:
    path = folder / "reports" / "students" / student_page.page_name(student)
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def test_a_page_tells_a_term(folder: Path) -> None:
    found = page(folder, AMY)
    (lesson,) = table(found, "lessons")
    came, due = "Sun 2026-03-08 12:00", "Sat 2026-03-07 12:00 an extension"
    assert [lesson[0], *lesson[4:8]] == [LESSON, came, due, "1 day late", "3"]
    (row,) = table(found, "misunderstood")
    seen, right = "attempt 2 (Fri 2026-03-06 10:00)", "✓ attempt 3 (Sun 2026-03-08 12:00)"
    assert row[1:] == ["softmax", "slip: in words", seen, right]
    first, second, _ = table(found, "attempts")
    assert first[1:] == ["1", "before Thu 2026-03-05 10:00", "waits", "40", "–", "not kept"]
    assert second[1:5] == ["2", "Fri 2026-03-06 10:00", "2.5", "40"]
    (change,) = table(found, "changes")
    assert change[3:] == ["3 of 6", "4 of 6", "the lesson is judged otherwise"]
    text = words(found.body)
    assert "Of 1 attempt only the points were kept." in text
    assert f"{LESSON}: {BO}, with 90 % of the code in common (the class's median: 25 %)" in text
    assert "x.txt came with the work and is not believed" in text
    assert "In evening." in text
    assert (folder / "reports" / "students" / found.find("a", string="page")["href"]).resolve().is_file()


def test_no_id_leads_astray_or_is_read_as_html_and_reports_lead_there(folder: Path) -> None:
    found = page(folder, BO)
    assert found.h1.text == BO
    assert not found.find("i")
    for name in (LESSON, "index"):
        report_page = BeautifulSoup((folder / f"reports/{name}.html").read_text(), "html.parser")
        links = {link.text: unquote(link["href"]) for link in report_page.select("a[href^=students]")}
        assert {*links} == {AMY, BO}
        assert all((folder / "reports" / link).is_file() for link in links.values())


def test_pages_are_for_instructors_alone_and_go_with_their_student(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "class"
    shutil.copytree(folder, own)
    made = own / "reports" / "students"
    assert made.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in made.iterdir())
    (made / "gone.html").touch()
    cli.main(["report", "--student", AMY, "--class", str(own)])
    assert (made / "gone.html").exists()
    cli.main(["report", "--class", str(own)])
    assert {path.name for path in made.iterdir()} == {"amy.html", student_page.page_name(BO)}
    said = run_ours("report", "--student", "eve", "--class", str(own), fails=True)
    assert "nobody in" in said
    assert "is called 'eve': there are <i>bø #1, amy" in said


def test_each_id_has_a_file_of_its_own() -> None:
    plain = ("amy", "jørgen+1@x.org", "..")
    odd = ("a/b", "a b", "a_b", "x" * 300, "x" * 301, "ü" * 120, "a\udcff", "a%2Fb", "😀")
    names = {student: student_page.page_name(student) for student in (*plain, *odd)}
    assert [names[student] for student in plain] == [f"{student}.html" for student in plain]
    assert len({*names.values()}) == len(names)
    assert all(len(name.encode()) <= 255 and "/" not in name for name in names.values())


def handed(*answers: Verdict) -> list[student_page.Attempt]:
    return [student_page.Attempt(f"day {day}", 0.0, 1.0, {"f": one}) for day, one in enumerate(answers, 1)]


@pytest.mark.parametrize(
    ("answers", "misunderstood"),
    [
        ([FIRST], [("1", "not yet", False)]),
        ([FIRST, NAMELESS, RIGHT], [("1", "attempt 3 (day 3)", True)]),
        ([RIGHT, FIRST, TODO], [("2", "not yet", False)]),
        ([RIGHT, NAMELESS], []),
        ([FIRST, SECOND], [("1", "not yet", False), ("2", "not yet", False)]),
        ([FIRST, RIGHT, FIRST], [("1", "attempt 2 (day 2), but not in the last", False)]),
    ],
)
def test_when_what_was_misunderstood_was_right(answers, misunderstood) -> None:
    found = list(student_page.misconception_histories("f", handed(*answers)))
    assert [(one.first_seen.split()[1], one.resolved, one.is_resolved) for one in found] == misunderstood
