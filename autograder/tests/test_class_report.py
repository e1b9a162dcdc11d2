"""The class report, on a simulated class whose figures are counted here from what was drawn."""

from __future__ import annotations

import base64
import functools
import hashlib
import itertools
import re
import statistics
from collections import Counter, defaultdict
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from autograder.tests import in_process, simulated
from autograder.tests.hostile import assert_in_order
from autograder.tests.reports import LESSON, OTHER, graded_exercises, report, right, table, words
from autograder.tests.this_course import find_lesson

STUDENTS, SEED = 60, 9
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
def points(given):
    """Of those who started: by student, the points of each exercise."""
    judged = functools.partial(in_process.verdict, LESSON, named=True)
    return {student: [judged(*pair).points for pair in one.items()] for student, one in given.items()}


def test_the_overview_and_its_histogram_count_those_who_started(found, points):
    totals = [sum(one) for one in points.values()]
    lower, median, upper = statistics.quantiles(totals, method="inclusive")
    overview = words(found.page.find("ul", class_="figures"))
    most = sum(exercise.points for exercise in graded_exercises(LESSON))
    assert f"{STUDENTS} handed in" in overview
    assert f"{len(points)} of them started" in overview
    assert f"{median:g} median, of {most} points" in overview
    assert f"{round(lower, 1):g} to {round(upper, 1):g} the middle half" in overview
    title = words(found.page.find(id="histogram-title"))
    expected = Counter(min(9, 10 * total // most) for total in totals)
    assert [int(count) for count in re.findall(r"%: (\d+)", title)] == [*map(expected.__getitem__, range(10))]


def test_the_table_has_a_row_for_each_student_and_exercise(found, drawn):
    damaged = [one for one in drawn[0] if simulated.damaged(find_lesson(LESSON), one, SEED)]
    judged = [row for row in found.rows if row["exercise"]]
    graded = [student for student in drawn[0] if student not in damaged]
    assert [(row["student"], row["exercise"]) for row in judged] == [*itertools.product(graded, NAMES)]
    others = [row for row in found.rows if not row["exercise"]]
    assert [row["student"] for row in others] == damaged
    assert {(row["state"], row["points"]) for row in others} == {("handed in, not graded", "")}
    most = {exercise.id: exercise.points for exercise in graded_exercises(LESSON)}
    for row in judged:
        answer = drawn[0][row["student"]][row["exercise"]]
        state = "not started" if answer is None else "right" if answer.right else "wrong"
        verdict = in_process.verdict(LESSON, row["exercise"], answer, named=True)
        assert row["state"] == state
        assert (float(row["points"]), float(row["max_points"])) == (verdict.points, most[row["exercise"]])
        assert row["first_failing_line"] == (verdict.next_step if state == "wrong" else "")
        assert state == "wrong" or not row["misconception"]


def test_each_misconception_is_counted_with_those_who_were_drawn_with_it(found, given):
    """Mistakes of no list may get a listed name as well; nobody else may."""
    rows = (row for row in found.rows if row["misconception"])
    named = {(row["student"], row["exercise"]): row["misconception"] for row in rows}
    answers = {(student, name): answer for student, one in given.items() for name, answer in one.items()}
    listed = {key: answer.misconception for key, answer in answers.items() if answer and answer.misconception}
    assert len(listed) > 50
    assert {key: named[key] for key in listed} == listed
    assert not any(answers[key].right for key in named)
    counts = Counter((name, misconception) for (_, name), misconception in named.items())
    table = {(row[0], row[1]): int(row[2]) for row in found.table("held")}
    assert table == counts
    assert list(table.values()) == sorted(table.values(), reverse=True)


def test_difficulty_and_discrimination(found, given, points):
    """The corrected item-total correlation, from the uncorrected one by the classical formula."""
    totals = [sum(one) for one in points.values()]
    for position, row in enumerate(found.table("item-table")):
        item = [one[position] for one in points.values()]
        together = statistics.correlation(item, totals)
        s_i, s_t = statistics.pstdev(item), statistics.pstdev(totals)
        corrected = (together * s_t - s_i) / (s_i**2 + s_t**2 - 2 * together * s_i * s_t) ** 0.5
        most = graded_exercises(LESSON)[position].points
        answers = [answers[NAMES[position]] for answers in given.values()]
        right = sum(bool(answer and answer.right) for answer in answers)
        share = f"{100 * statistics.mean(item) / most:.0f} %"
        figures = [NAMES[position], share, f"{corrected:.2f}", str(right), str(answers.count(None))]
        assert [row[0], *row[2:]] == figures


def test_who_needs_help_is_named_and_who_is_stuck_at_which_line(found, drawn, given):
    damaged = {student for student in drawn[0] if simulated.damaged(find_lesson(LESSON), student, SEED)}
    lists = {words(head): head.find_next_sibling() for head in found.page.find_all("h3")}
    assert {words(b) for b in lists["Not graded"].find_all("b")} == damaged
    untouched = set(drawn[0]) - set(given) - damaged
    assert set(words(lists["Handed in, but nothing done"]).split(", ")) == untouched
    expected = defaultdict(set)
    for student, one in given.items():
        done = [place for place, answer in enumerate(one.values()) if answer]
        if done[-1] + 1 < len(NAMES):
            expected[NAMES[done[-1] + 1]].add(student)
    assert {row[0]: set(row[2].split(", ")) for row in found.table("stopped")} == expected
    assert sum(map(len, expected.values())) > 2
    wrong = [row for row in found.rows if row["state"] == "wrong"]
    stuck = Counter((row["exercise"], row["first_failing_line"]) for row in wrong)
    nameless = [row for row in wrong if not row["misconception"]]
    unnamed = Counter((row["exercise"], row["first_failing_line"]) for row in nameless)
    table = {(row[0], row[1]): (int(row[2]), int(row[3])) for row in found.table("failing")}
    assert table == {key: (count, unnamed[key]) for key, count in stuck.items()}


def test_three_suggestions_by_what_they_cost(found, given):
    """The first misconception among them is the one that costs most, in its own words."""
    lost = Counter()
    for row in (row for row in found.rows if row["exercise"]):
        lost[row["misconception"]] += float(row["max_points"]) - float(row["points"])
    del lost[""]
    costliest, cost = lost.most_common(1)[0]
    holders = {row["student"] for row in found.rows if row["misconception"] == costliest}
    mistakes = [mistake for exercise in graded_exercises(LESSON) for mistake in exercise.misconceptions]
    declared = [mistake for mistake in mistakes if mistake.name == costliest]
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
    assert "nsealed" not in found.words()
    assert_in_order(page)
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    digest = base64.b64encode(hashlib.sha256(page.script.string.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy
    assert "'none'" in policy
    assert not page.select("[src], link, [onclick]")
    links = [a["href"] for a in page.find_all("a") if not a["href"].startswith("#")]
    assert [link for link in links if not link.startswith("students/")] == [f"{LESSON}.csv"]
    assert all(table.caption and table.select("thead th[scope=col]") for table in page.find_all("table"))
    assert all(svg["role"] == "img" and words(svg.title) for svg in page.find_all("svg"))


def test_the_index_shows_every_student_in_every_lesson_and_leads_to_their_pages(tmp_path):
    amy = "amy#1 50%25"
    in_process.write_graded(tmp_path, LESSON, amy, right(LESSON), [])
    in_process.write_graded(tmp_path, OTHER, "bo", right(OTHER), [], sealed=False)
    page = tmp_path / "feedback" / amy / LESSON / f"{find_lesson(LESSON).notebook}.html"
    page.parent.mkdir(parents=True)
    page.touch()
    report(tmp_path, LESSON, OTHER)
    index = BeautifulSoup((tmp_path / "reports" / "index.html").read_text(), "html.parser")
    assert [row[0] for row in table(index, "lessons")] == [LESSON, OTHER]
    assert [row[-1] for row in table(index, "lessons")] == ["yes", "no: 1 graded unsealed"]
    rows = [row.find_all(["th", "td"]) for row in index.find(class_="heat").tbody.find_all("tr")]
    assert [[cell.text for cell in row] for row in rows] == [[amy, "100", "–"], ["bo", "–", "100"]]
    link = urlsplit(rows[0][1].a["href"])
    assert (tmp_path / "reports" / unquote(link.path)).resolve() == page
    assert rows[1][2].a is None
