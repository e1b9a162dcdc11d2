"""The class report, on a simulated class whose figures are counted here from what was drawn."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import re
import shutil
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder import cli
from autograder.author import corpus
from autograder.demo import simulated
from autograder.model.notes import Kind, Note
from autograder.tests import in_process
from autograder.tests.this_course import find_lesson

LESSON, STUDENTS, SEED = "01_weighted_sums", 200, 1
OTHER, NOTEBOOK = "06_masks_and_heads", "masks_and_heads"
MASK, WRITTEN = "create_causal_mask", "explain_self_and_cross"


class Report(NamedTuple):
    page: BeautifulSoup
    text: str
    rows: list[dict[str, str]]

    def table(self, caption):
        """The body of the table whose caption has this id, cell by cell, and nothing where there is none."""
        found = self.page.find(id=caption)
        rows = found.parent.tbody.find_all("tr") if found else []
        return [[words(cell) for cell in row.find_all(["th", "td"])] for row in rows]

    def words(self):
        return words(self.page.main)


def words(element):
    return " ".join(element.get_text().split())


def report(folder, *lessons):
    cli.main(["report", *lessons, "--folder", str(folder)])
    return read(folder, *(lessons or [LESSON]))


def read(folder, lesson):
    text = (folder / "reports" / f"{lesson}.html").read_text(encoding="utf-8")
    with (folder / "reports" / f"{lesson}.csv").open(encoding="utf-8", newline="") as file:
        return Report(BeautifulSoup(text, "html.parser"), text, list(csv.DictReader(file)))


def right(lesson):
    """A right answer to each exercise of a lesson."""
    answers = corpus.answers(find_lesson(lesson))
    return {answer.exercise: answer for answer in reversed(answers) if answer.right}


def graded_exercises(lesson):
    return find_lesson(lesson).graded


NAMES = [exercise.id for exercise in graded_exercises(LESSON)]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """What was drawn for each student, and the course folder it was graded in."""
    folder = tmp_path_factory.mktemp("course")
    return in_process.graded_class(folder, LESSON, STUDENTS, SEED), folder


@pytest.fixture(scope="module")
def found(drawn):
    return report(drawn[1])


@pytest.fixture(scope="module")
def given(drawn):
    """The graded exercises' answers of those who have one at least."""
    answers = {student: {name: one[name] for name in NAMES} for student, one in drawn[0].items()}
    return {student: one for student, one in answers.items() if any(one.values())}


@pytest.fixture(scope="module")
def points(drawn, given):
    """Of those who started: by student, the points of each exercise."""
    return {
        student: [in_process.verdict(LESSON, name, one[name]).points for name in NAMES]
        for student, one in given.items()
    }


def test_the_overview_counts_the_class(found, points):
    totals = [sum(one) for one in points.values()]
    lower, median, upper = statistics.quantiles(totals, method="inclusive")
    overview = words(found.page.find("ul", class_="figures"))
    most = sum(exercise.points for exercise in graded_exercises(LESSON))
    assert f"{STUDENTS} handed in" in overview
    assert f"{len(points)} of them started" in overview
    assert f"{median:g} median, of {most} points" in overview
    assert f"{lower:g} to {upper:g} the middle half" in overview


def test_the_histogram_counts_those_who_started(found, points):
    title = words(found.page.find(id="histogram-title"))
    bars = [int(count) for count in re.findall(r"%: (\d+)", title)]
    most = sum(exercise.points for exercise in graded_exercises(LESSON))
    expected = Counter(min(9, 10 * sum(one) // most) for one in points.values())
    assert bars == [expected[tenth] for tenth in range(10)]


def test_the_table_has_a_row_for_each_student_and_exercise(found, drawn):
    assert [(row["student"], row["exercise"]) for row in found.rows] == [
        (student, name) for student in drawn[0] for name in NAMES
    ]
    for row in found.rows:
        answer = drawn[0][row["student"]][row["exercise"]]
        state = "not started" if answer is None else "right" if answer.right else "wrong"
        verdict = in_process.verdict(LESSON, row["exercise"], answer)
        failing = [line.title for line in verdict.lines if not line.passed]
        assert row["state"] == state
        assert float(row["points"]) == verdict.points
        assert float(row["max_points"]) == next(
            exercise.points for exercise in graded_exercises(LESSON) if exercise.id == row["exercise"]
        )
        if state == "wrong":
            assert row["first_failing_line"] in (failing[0], *verdict.problem)
        else:
            assert row["first_failing_line"] == row["misconception"] == ""


def test_each_misconception_is_counted_with_those_who_were_drawn_with_it(found, given):
    """Mistakes of no list may get a listed name as well; nobody else may."""
    named = {
        (row["student"], row["exercise"]): row["misconception"] for row in found.rows if row["misconception"]
    }
    listed = {
        (student, name): answer.misconception
        for student, one in given.items()
        for name, answer in one.items()
        if answer and answer.misconception
    }
    beyond = set(named) - set(listed)
    assert len(listed) > 100
    assert {key: named[key] for key in listed} == listed
    assert all(not given[student][name].right for student, name in beyond)
    counts = Counter((name, misconception) for (_, name), misconception in named.items())
    table = {(row[0], row[1]): int(row[2]) for row in found.table("held")}
    assert table == counts
    assert list(table.values()) == sorted(table.values(), reverse=True)


def test_the_picture_shows_the_same_counts(found, given):
    titles = [words(svg.title) for svg in found.page.select(".pictures svg")]
    assert len(titles) == len(NAMES)
    for name, title in zip(NAMES, titles):
        answers = [one[name] for one in given.values()]
        counts = [int(count) for count in re.findall(r" (\d+)(?:,|$)", title)]
        assert title.startswith(
            f"{name}, of {len(given)} students: right {sum(bool(a and a.right) for a in answers)}"
        )
        assert title.endswith(f"not started {answers.count(None)}")
        assert sum(counts) == len(given)


def test_difficulty_and_discrimination(found, points):
    """The corrected item-total correlation by the classical formula, from the uncorrected one."""
    totals = [sum(one) for one in points.values()]
    for position, row in enumerate(found.table("item-table")):
        item = [one[position] for one in points.values()]
        together = statistics.correlation(item, totals)
        s_i, s_t = statistics.pstdev(item), statistics.pstdev(totals)
        corrected = (together * s_t - s_i) / (s_i**2 + s_t**2 - 2 * together * s_i * s_t) ** 0.5
        most = graded_exercises(LESSON)[position].points
        assert row[0] == NAMES[position]
        assert row[2] == f"{100 * statistics.mean(item) / most:.0f} %"
        assert row[3] == f"{corrected:.2f}"


def test_who_needs_help_is_named(found, drawn, given):
    damaged = {student for student in drawn[0] if simulated.damaged(find_lesson(LESSON), student, SEED)}
    lists = {words(head): head.find_next_sibling() for head in found.page.find_all("h3")}
    assert {words(b) for b in lists["Damaged or missing files"].find_all("b")} == damaged
    untouched = set(drawn[0]) - set(given) - damaged
    assert set(words(lists["Handed in, but nothing done"]).split(", ")) == untouched
    stopped = {row[0]: set(row[2].split(", ")) for row in found.table("stopped")}
    for i, name in enumerate(NAMES):
        here = {
            student
            for student, one in given.items()
            if not any(list(one.values())[i:]) and list(one.values())[i - 1]
        }
        assert stopped.get(name, set()) == here
    assert sum(map(len, stopped.values())) > 5


def test_who_is_stuck_at_which_line(found):
    expected = Counter(
        (row["exercise"], row["first_failing_line"]) for row in found.rows if row["state"] == "wrong"
    )
    unnamed = Counter(
        (row["exercise"], row["first_failing_line"])
        for row in found.rows
        if row["state"] == "wrong" and not row["misconception"]
    )
    table = {(row[0], row[1]): (int(row[2]), int(row[3])) for row in found.table("rungs")}
    assert table == {key: (count, unnamed[key]) for key, count in expected.items()}


def test_three_suggestions_by_what_they_cost(found, given):
    """The first misconception among them is the one that costs most, in its own words."""
    lost = Counter()
    for row in found.rows:
        lost[row["misconception"]] += float(row["max_points"]) - float(row["points"])
    del lost[""]
    costliest, cost = lost.most_common(1)[0]
    holders = {row["student"] for row in found.rows if row["misconception"] == costliest}
    declared = [
        m for exercise in graded_exercises(LESSON) for m in exercise.misconceptions if m.name == costliest
    ]
    suggestions = [words(one) for one in found.page.select(".suggestions li")]
    costs = [float(re.search(r"([\d.]+) points? lost", one)[1]) for one in suggestions]
    assert len(suggestions) == 3
    assert costs == sorted(costs, reverse=True)
    first = next(one for one in suggestions if costliest in one)
    assert f" {len(holders)} of {len(given)} in " in first
    assert first.endswith(tuple(f"; {cost:g} points lost Start with: {m.question}" for m in declared))
    assert first.startswith(tuple(m.looks_like for m in declared))


def test_the_page_stands_alone_and_reads_in_order(found):
    page = found.page
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    digest = base64.b64encode(hashlib.sha256(page.script.string.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy
    assert "'none'" in policy
    assert not page.select("[src], link, [onclick]")
    assert [a["href"] for a in page.find_all("a") if not a["href"].startswith("#")] == [f"{LESSON}.csv"]
    levels = [int(head.name[1]) for head in page.find_all(["h1", "h2", "h3"])]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:]))
    assert all(table.caption and table.select("thead th[scope=col]") for table in page.find_all("table"))
    assert all(svg["role"] == "img" and words(svg.title) for svg in page.find_all("svg"))
    identifiers = [element["id"] for element in page.select("[id]")]
    assert len(identifiers) == len(set(identifiers))


# --- other classes ---------------------------------------------------------------------------------------------


def test_nothing_graded_is_said(tmp_path, capsys):
    (tmp_path / "submitted" / "amy" / LESSON).mkdir(parents=True)
    for wanted in ([], [LESSON]):
        with pytest.raises(SystemExit, match=f"nothing is graded yet.*{tmp_path}.*nbgrader autograde"):
            cli.main(["report", *wanted, "--folder", str(tmp_path)])
    assert not (tmp_path / "reports").exists()


def test_an_unknown_lesson_is_said(tmp_path):
    with pytest.raises(SystemExit, match="no lesson is called '07'"):
        cli.main(["report", "07", "--folder", str(tmp_path)])


def test_a_class_that_has_not_started(tmp_path):
    in_process.write_graded(tmp_path, LESSON, "amy", {}, [])
    found = report(tmp_path)
    assert "Nobody has started yet" in found.words()
    assert "The counts give no suggestion" in found.words()
    assert {row["state"] for row in found.rows} == {"not started"}
    assert not found.page.find_all("svg")


def test_a_class_of_one(tmp_path):
    in_process.write_graded(tmp_path, LESSON, "amy", right(LESSON), [])
    found = report(tmp_path)
    assert "Nobody: every answer is right" in found.words()
    assert "The counts give no suggestion" in found.words()
    assert {(row[2], row[3]) for row in found.table("item-table")} == {("100 %", "too few")}


def test_a_class_that_is_all_alike(tmp_path):
    for number in range(12):
        in_process.write_graded(tmp_path, LESSON, f"student_{number}", right(LESSON), [])
    assert {row[3] for row in report(tmp_path).table("item-table")} == {"all alike"}


def test_fewer_suggestions_than_three_are_said_to_be_fewer(tmp_path):
    answers = corpus.answers(find_lesson(LESSON))
    wrong = next(answer for answer in answers if answer.misconception == "plain mean")
    for student in ("amy", "bo", "cy"):
        in_process.write_graded(
            tmp_path,
            LESSON,
            student,
            {**right(LESSON), wrong.exercise: wrong} if student != "cy" else right(LESSON),
            [],
        )
    found = report(tmp_path)
    suggestions = [words(one) for one in found.page.select(".suggestions li")]
    assert len(suggestions) == 1
    assert suggestions[0].startswith("plain mean: every word weighs the same 2 of 3 in length_weights;")
    assert (
        "The counts give no more: a difficulty is suggested when at least 2 students share it."
        in found.words()
    )


def test_unsealed_grades_are_called_so(tmp_path):
    in_process.write_graded(tmp_path, LESSON, "amy", right(LESSON), [], sealed=False)
    in_process.write_graded(tmp_path, LESSON, "bo", right(LESSON), [])
    found = report(tmp_path)
    assert words(found.page.find("p", class_="unsealed")).startswith("Unsealed. 1 of 2 notebooks")
    assert "unsealed" in found.page.title.string


def test_a_sealed_class_is_not_called_unsealed(found):
    assert "nsealed" not in found.words()


def test_what_came_from_students_cannot_act(tmp_path):
    name, note = "<img src=x onerror=alert(1)>", Note(Kind.TWICE, ("<script>alert(2)</script>",))
    unreadable = Note(Kind.UNREADABLE, (name,), "is empty")
    in_process.write_graded(tmp_path, LESSON, name, {}, [note, unreadable])
    in_process.write_graded(tmp_path, LESSON, f"{name}2", right(LESSON), [note])
    found = report(tmp_path)
    assert not found.page.find("img")
    assert len(found.page.find_all("script")) == 1
    assert found.table("notes") == [[note.line, "2", f"{name}, {name}2"]]
    assert name in found.words()


def test_what_is_not_graded_is_listed(tmp_path):
    interrupted = tmp_path / "autograded" / "cy" / LESSON
    interrupted.mkdir(parents=True)
    (interrupted / "weighted_sums.ipynb").write_text("{", encoding="utf-8")
    found = report(tmp_path)
    assert found.rows == []
    assert (
        "1 student handed in and is not graded yet, or by an older version of the lesson: cy" in found.words()
    )

    in_process.write_graded(tmp_path, LESSON, "amy", right(LESSON), [])
    (tmp_path / "submitted" / "bo" / LESSON).mkdir(parents=True)
    found = report(tmp_path)
    assert {row["student"] for row in found.rows} == {"amy"}
    assert (
        "2 students handed in and are not graded yet, or by an older version of the lesson: bo, cy"
        in found.words()
    )


def test_several_lessons_get_a_page_that_leads_to_them(tmp_path):
    in_process.write_graded(tmp_path, LESSON, "amy", right(LESSON), [])
    in_process.write_graded(tmp_path, OTHER, "amy", {}, [], sealed=False)
    cli.main(["report", "--folder", str(tmp_path)])
    page = BeautifulSoup((tmp_path / "reports" / "index.html").read_text(encoding="utf-8"), "html.parser")
    links = [a["href"] for a in page.find_all("a")]
    assert links == [f"{LESSON}.html", f"{OTHER}.html"]
    assert all((tmp_path / "reports" / link).is_file() for link in links)
    rows = [[words(cell) for cell in row.find_all(["th", "td"])] for row in page.tbody.find_all("tr")]
    assert rows[0][1:] == ["1", "1", "27", "27", "yes"]
    assert rows[1][1:] == ["1", "0", "–", "–", "no: 1 graded unsealed"]


# --- what the instructor marks by hand ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    """The file of a gradebook that knows the lesson and two students; making one takes nbgrader seconds."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        with Gradebook(f"sqlite:///{path}") as made:
            made.add_assignment(OTHER)
            made.add_notebook(NOTEBOOK, OTHER)
            made.add_grade_cell(WRITTEN, NOTEBOOK, OTHER, max_score=4, cell_type="markdown")
            made.add_grade_cell(f"test_{MASK}", NOTEBOOK, OTHER, max_score=3, cell_type="code")
            for student in ("amy", "bo"):
                made.add_student(student)
                made.add_submission(OTHER, student)
    return path


@pytest.fixture
def marked(gradebook, tmp_path):
    """A function that marks the students' written answers, None while they wait, and sets points by hand."""

    def mark(written, by_hand):
        shutil.copy(gradebook, tmp_path)
        with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as opened:
            for student, score in written.items():
                grade = opened.find_grade(WRITTEN, NOTEBOOK, OTHER, student)
                grade.manual_score, grade.needs_manual_grade = score, score is None
            for student, score in by_hand.items():
                opened.find_grade(f"test_{MASK}", NOTEBOOK, OTHER, student).manual_score = score
            opened.db.commit()
        for student in written:
            in_process.write_graded(tmp_path, OTHER, student, {MASK: right(OTHER)[MASK]}, [])
        return report(tmp_path, OTHER)

    return mark


def test_marks_of_written_answers_count(marked):
    found = marked({"amy": 3.5, "bo": 2}, by_hand={})
    written = {row["student"]: row for row in found.rows if row["exercise"] == WRITTEN}
    assert {student: row["points"] for student, row in written.items()} == {"amy": "3.5", "bo": "2"}
    assert {row["state"] for row in written.values()} == {"marked"}
    item = next(row for row in found.table("item-table") if row[0] == WRITTEN)
    assert item[1:3] == ["4", f"{100 * 5.5 / 8:.0f} %"]
    most = 4 + sum(exercise.points for exercise in graded_exercises(OTHER))
    assert f"median, of {most} points" in found.words()


def test_written_answers_that_wait_are_left_out_of_the_sums(marked):
    found = marked({"amy": 3, "bo": None}, by_hand={})
    states = {
        row["student"]: (row["state"], row["points"]) for row in found.rows if row["exercise"] == WRITTEN
    }
    assert states == {"amy": ("marked", "3"), "bo": ("waiting", "")}
    item = next(row for row in found.table("item-table") if row[0] == WRITTEN)
    assert item[2:4] == ["not marked yet", "not marked yet"]
    most = sum(exercise.points for exercise in graded_exercises(OTHER))
    assert f"median, of {most} points" in found.words()


def test_points_that_the_instructor_set_count_instead_of_the_verdict_s(marked):
    found = marked({"amy": 3, "bo": 3}, by_hand={"bo": 1.5})
    points = {row["student"]: row["points"] for row in found.rows if row["exercise"] == MASK}
    assert points == {"amy": "3", "bo": "1.5"}
