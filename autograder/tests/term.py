"""A term of eight weeks: what an instructor types, what `watch` does meanwhile, and whether all grades are right.

`python -m autograder.tests.term` plays it with 60 simulated students, prints a line a week, and exits with 1 where a
penalty, an export or a page is not what it should be; `python -m autograder.tests.term 12 2` with 12, for two weeks.
Each week a lesson is handed out; its work comes in Gradescope's export, on the due date and four days later: in time,
late, with an extension, again, or not at all. All that an instructor does is a command in a process of its own, but for
the marks, which are given as formgrader gives them.
"""

from __future__ import annotations

import csv
import math
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import psutil
from nbgrader.api import Gradebook

from autograder.classroom.class_lock import lock_class
from autograder.courses import Lesson
from autograder.tests import simulated
from autograder.tests.lms.files import strict
from autograder.tests.this_course import COURSE, ROOT

STUDENTS, WEEKS, SEED = 60, 8, 1
BEGINS = datetime(2026, 10, 5, tzinfo=ZoneInfo("Europe/Berlin"))
"""A Monday; clocks are put back on the third week's Sunday."""

A_DAY, LATE, AGAIN, NEVER = 86_400, 0.1, 0.15, 0.03
PERCENT, CUTOFF, LONGER = 10, timedelta(days=3), timedelta(days=2)
EVENING, ZONE = 5, "America/New_York"
"""Every fifth student is in a section of this zone."""


@dataclass
class Week:
    """What a week took. commands: with the seconds that each took; waited: until `watch` had done what came."""

    lesson: Lesson
    commands: dict[str, float] = field(default_factory=dict)
    waited: list[float] = field(default_factory=list)
    came: int = 0
    late: int = 0


@dataclass
class Term:
    """A class, its watcher, and what was found to be wrong."""

    folder: Path
    students: list[str]
    weeks: list[Week] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def type(self, verb: str, *words: object) -> None:
        """What the instructor types; an answer that is not graded ends a command with 1, and is no mistake of ours."""
        begun = time.monotonic()
        command = [
            sys.executable,
            "-m",
            "autograder.commands.cli",
            verb,
            *map(str, words),
            "--class",
            str(self.folder),
        ]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        said = done.stdout + done.stderr
        if "Traceback" in said or done.returncode and "not graded" not in said:
            self.wrong.append(f"{verb}: {said[-300:]}")
        if self.weeks:
            known = self.weeks[-1].commands
            known[f"{verb}{' again' * (verb in known)}"] = time.monotonic() - begun

    def grades(self) -> dict[tuple[str, str], dict[str, str]]:
        """`grades.csv`, by lesson and student."""
        path = self.folder / "grades.csv"
        if not path.is_file():
            return {}
        with path.open(encoding="utf-8", newline="") as file:
            return {(row["assignment"], row["student_id"]): row for row in csv.DictReader(file, strict=True)}

    def wait(self, lesson: str, came: set[str]) -> None:
        """Until everybody's work of these is graded, or said not to be gradable, and they have their page."""
        begun = time.monotonic()
        newest = max(path.stat().st_ctime for path in self.folder.glob(f"submitted/*/{lesson}"))
        while time.monotonic() - begun < 1800:
            known = self.grades()
            table = self.folder / "grades.csv"
            done = [known.get((lesson, one), {}).get("standing", "") for one in came]
            settled = all(one and (one, "") != ("not handed in", "") for one in done)
            free = not (self.folder / ".lock.txt").exists()
            if settled and free and "not handed in" not in done and table.stat().st_mtime > newest:
                break
            time.sleep(0.5)
        else:
            self.wrong.append(f"{lesson}: watch did not come to an end")
        self.weeks[-1].waited.append(time.monotonic() - begun)


def main(students: int = STUDENTS, weeks: int = WEEKS) -> int:
    """Play the term, and print what it took; 1 where anything was not as it should be."""
    with tempfile.TemporaryDirectory(prefix="term-") as place:
        term = Term(Path(place, "class"), simulated.names(students))
        lessons = COURSE.lessons[:weeks]
        begin(term, lessons)
        with watched(term) as watcher:
            for number, lesson in enumerate(lessons):
                play(term, lesson, number)
                print(told(term.weeks[-1]), flush=True)
                memory = watcher.memory_info().rss / 2**20
            print(
                f"the watcher holds {memory:.0f} MiB, and said",
                Path(place, "watch.log").read_text(),
                sep="\n",
            )
    print("\n".join(term.wrong) or "all penalties, pages and exports are as they should be")
    return bool(term.wrong)


def begin(term: Term, lessons: list[Lesson]) -> None:
    """Before the first week: a class, its list from the platform's export, and all dates."""
    subprocess.run(
        [sys.executable, "-m", "autograder.commands.cli", "new-class", "--class", str(term.folder)],
        cwd=ROOT,
        check=True,
    )
    canvas(term, lessons)
    term.type("roster", table_of(term))
    lines = ['zone = "Europe/Berlin"', "[late]", f"percent_a_day = {PERCENT}"]
    for number, lesson in enumerate(lessons):
        due, longer = due_of(number), (due_of(number) + LONGER).replace(tzinfo=None)
        lines += [f"[lessons.{lesson.id}]", f'due = "{due:%Y-%m-%d %H:%M}"']
        lines += [f'cutoff = "{due + CUTOFF:%Y-%m-%d %H:%M}"']
        lines += [f'extensions = {{ {term.students[number]} = "{longer:%Y-%m-%d %H:%M}" }}']
    lines += ["[sections.evening]", f"students = {term.students[::EVENING]}", f'zone = "{ZONE}"']
    with (term.folder / "class.toml").open("a", encoding="utf-8") as file:
        file.write("\n".join([*lines, ""]))


def due_of(number: int) -> datetime:
    """A week's Sunday, a minute before midnight by the clocks of the class."""
    return (BEGINS + timedelta(days=7 * number + 6)).replace(hour=23, minute=59)


def table_of(term: Term) -> Path:
    return term.folder.parent / "canvas.csv"


def canvas(term: Term, lessons: list[Lesson]) -> None:
    """Canvas's gradebook, as it exports it."""
    with table_of(term).open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file, lineterminator="\r\n")
        titles = [f"{lesson.id} ({4000 + number})" for number, lesson in enumerate(lessons)]
        rows.writerow(["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles])
        rows.writerow(["    Points Possible", "", "", "", "", *["40"] * len(lessons)])
        for number, student in enumerate(term.students):
            rows.writerow([f"Family{number}, Ångela", 1000 + number, "", student, "A", *[""] * len(lessons)])


@contextmanager
def watched(term: Term) -> Iterator[psutil.Popen]:
    """The watcher, from the first to the last week."""
    command = [sys.executable, "-m", "autograder.commands.cli", "watch", "--class", str(term.folder)]
    with (term.folder.parent / "watch.log").open("w") as log:
        program = psutil.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            yield program
        finally:
            program.terminate()
            program.wait()


def play(term: Term, lesson: Lesson, number: int) -> None:
    """A week: handed out, collected on the due date and after it, marked, and told to the platform."""
    term.weeks.append(Week(lesson))
    term.type("hand-out", lesson.id)
    dice = random.Random(f"{SEED}{lesson.id}")
    came, again = when_work_came(term, number, dice)
    for moment, seed in ((due_of(number), SEED), (due_of(number) + timedelta(days=4), SEED + 1)):
        export = term.folder.parent / f"{lesson.id}.zip"
        there = {one: when for one, when in came.items() if when <= moment}
        if seed != SEED:
            there |= again
            came |= {
                one: when for one, when in again.items() if not simulated.damaged(lesson, one, seed)
            }  # where that cannot be read, the earlier grade stays
        gradescope(term, lesson, export, there, {*again} if seed != SEED else set())
        term.type("collect", export, lesson.id)
        term.wait(lesson.id, {*there})
    if mark_all(term, lesson):
        term.weeks[-1].commands["mark"] = 0.0
    term.type("round")
    term.type("grades", table_of(term))
    check(term, lesson, number, came)


def when_work_came(
    term: Term, number: int, dice: random.Random
) -> tuple[dict[str, datetime], dict[str, datetime]]:
    """The time of each one's work, and of the other work of those who hand in again; nothing of who never does."""
    due, came, again = due_of(number), dict[str, datetime](), dict[str, datetime]()
    for student in term.students:
        fate = dice.random()
        if fate < NEVER:
            continue
        hours = dice.uniform(0.1, 90) if fate < NEVER + LATE else -dice.uniform(1, 120)
        came[student] = due.astimezone(UTC) + timedelta(hours=round(hours, 2))
        if dice.random() < AGAIN:
            again[student] = due.astimezone(UTC) + timedelta(hours=round(dice.uniform(1, 80), 2))
    again = {student: max(when, came[student] + timedelta(hours=1)) for student, when in again.items()}
    return came, {student: when for student, when in again.items() if when <= due + timedelta(days=4)}


def gradescope(term: Term, lesson: Lesson, path: Path, there: dict[str, datetime], again: set[str]) -> None:
    """Gradescope's export of all that is there; who hands in again gives other answers."""
    with tempfile.TemporaryDirectory() as place:
        work = {
            seed: Path(place, str(seed)) for seed in (SEED, SEED + 1)[: 1 + bool(again)]
        }  # drawn for all, as a class is
        for seed, folder in work.items():
            simulated.hand_in_class(lesson, lesson.released, folder, len(term.students), seed)
        metadata = []
        with ZipFile(path, "w") as archive:
            for number, (student, when) in enumerate(there.items()):
                row = term.students.index(student)
                metadata += [f"submission_{number}:", "  :submitters:", f"  - :name: Ångela Family{row}"]
                metadata += [f"    :sid: '{1000 + row}'", f"  :created_at: {when:%Y-%m-%d %H:%M:%S} Z"]
                folder = work[SEED + 1 if student in again else SEED]
                file = folder / student / lesson.id / lesson.released.name
                archive.write(file, f"export/submission_{number}/{file.name}")
            archive.writestr("export/submission_metadata.yml", "\n".join(metadata))
    term.weeks[-1].came += len(again) or len(there)


def mark_all(term: Term, lesson: Lesson) -> int:
    """Give points to all answers that wait, as formgrader does; how many there were comes back."""
    url = f"sqlite:///{term.folder / 'gradebook.db'}"
    with lock_class(term.folder, "marking"), Gradebook(url, COURSE.name) as gradebook:
        waiting = [
            grade
            for student in gradebook.assignment_submissions(lesson.id)
            for notebook in student.notebooks
            for grade in notebook.grades
            if grade.needs_manual_grade
        ]
        for grade in waiting:
            grade.manual_score, grade.needs_manual_grade = grade.max_score / 2, False
        gradebook.db.commit()
        return len(waiting)


def check(term: Term, lesson: Lesson, number: int, came: dict[str, datetime]) -> None:
    """Penalties by a sum of our own, a page for each grade, and the filled table as Canvas reads it."""
    grades, wrong = term.grades(), term.wrong
    for student in term.students:
        row = grades[lesson.id, student]
        if (row["standing"] == "not handed in") != (student not in came):
            wrong.append(f"{lesson.id} {student}: {row['standing']}, and came {came.get(student)}")
        if not row["score"]:
            continue
        due = due_of(number) + (LONGER if student == term.students[number] else timedelta())
        over = (came[student] - due).total_seconds()
        share = min(100, PERCENT * math.ceil(over / A_DAY)) if over > 0 else 0
        share = 100 if came[student] > max(due_of(number) + CUTOFF, due) else share
        term.weeks[-1].late += over > 0
        penalty = float(row["late_submission_penalty"] or 0)
        if abs(penalty - share * float(row["raw_score"]) / 100) > 0.006:
            wrong.append(f"{lesson.id} {student}: {penalty} taken off of {row['raw_score']}, not {share} %")
        if not (term.folder / "feedback" / student / lesson.id / f"{lesson.notebook}.html").is_file():
            wrong.append(f"{lesson.id} {student}: no page")
    filled = scores(table_of(term).with_name("canvas-filled.csv"))
    column = filled[0].index(f"{lesson.id} ({4000 + number})")
    for row_of in filled[2:]:
        score = grades[lesson.id, row_of[3]]["score"]
        if row_of[column] != score:
            wrong.append(f"Canvas, {lesson.id} {row_of[3]}: {row_of[column]!r}, not {score!r}")


def scores(path: Path) -> list[list[str]]:
    """A table's rows, all of one length, whose scores are plain numbers, empty or `-`."""
    rows = strict(path, "utf-8-sig")
    assert all(re.fullmatch(r"(\d+(\.\d+)?)?|-", cell) for row in rows[1:] for cell in row[5:])
    return rows


def told(week: Week) -> str:
    """A week's line."""
    typed = ", ".join(f"{verb} {seconds:.0f} s" for verb, seconds in week.commands.items())
    waited = " and ".join(f"{seconds:.0f} s" for seconds in week.waited)
    done = f"{week.came} came, {week.late} late; watch took {waited}"
    return f"{week.lesson.id}: {done}; {len(week.commands)} commands: {typed}"


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
