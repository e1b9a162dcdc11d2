"""One verb per job: `autograder <verb>`; a course may have a command of its own name, with the same verbs."""

from __future__ import annotations

import importlib
import sys
from argparse import Action, ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from errno import ENOSPC
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.nbgrader_plugin.interrupting import in_one_line

if TYPE_CHECKING:
    from autograder.courses import Course

ANYWHERE = ("new-course", "doctor")
"""The verbs that need no course."""

ALONE = ("hand-out", "simulate", "roster", "collect", "round", "grade", "report", "new-salt")
"""The verbs that hold a class's folder from beginning to end."""


def main(arguments: list[str] | None = None) -> None:
    """Run a verb and print what comes back.

    An error meant for people is one line on stderr and exit code 1; so is what the system refuses: a file in a folder's
    place, a port that is taken. Ctrl+C ends it with one line and 130, as shells have it.
    """
    options = vars(parser().parse_args(arguments))
    verb, entry = options.pop("verb"), options.pop("run")
    with in_one_line():
        result = _run(verb, entry, options)
    if result is not None:
        print(result)


def _run(verb: str, entry: str, options: dict[str, Any]) -> object:
    from autograder.model.errors import FULL, CourseError  # what it imports takes a moment

    try:
        course = None
        if verb not in ANYWHERE:
            from autograder.courses import open_course

            course = open_course(_where(options))
            if "lesson" in options:
                options["lesson"] = course.lesson(options["lesson"])
            else:
                options["course"] = course
        with _alone(course, verb, options.get("folder")):
            return function(entry)(**options)
    except (CourseError, OSError) as error:
        full = isinstance(error, OSError) and error.errno == ENOSPC
        sys.exit(f"✗ {FULL if full else error}")


def _alone(course: Course | None, verb: str, folder: Path | None) -> AbstractContextManager[None]:
    if course is None or verb not in ALONE or folder is None or not folder.is_dir():
        return nullcontext()
    from autograder.nbgrader_plugin.class_lock import alone

    return alone(folder, f"{course.command} {verb}")


def _where(options: Mapping[str, object]) -> Path:
    """The folder whose course is meant: this one, or the class's where this is in none."""
    from autograder.courses import CLASS, SETTINGS

    here, folder = Path.cwd(), options.get("folder")
    known = any(
        (one / name).is_file() for one in (here, *here.parents) for name in (f"solutions/{SETTINGS}", CLASS)
    )
    return here if known or not isinstance(folder, Path) else folder


def function(entry: str) -> Callable[..., object]:
    """What `module:function` names. Only now is it imported: some modules take seconds.

    Raises `CourseError` for a room that is not installed.
    """
    module, _, name = entry.partition(":")
    from autograder.model.errors import CourseError

    if find_spec(f"autograder.{module.partition('.')[0]}") is None:
        raise CourseError("that is not installed: in a clone of the repository, `pip install -e .`")
    found: Callable[..., object] = getattr(importlib.import_module(f"autograder.{module}"), name)
    return found


def parser() -> ArgumentParser:
    """The verbs, what each takes, and the function that is called with that by name."""
    parser = ArgumentParser(description="One verb per job.")
    verbs = parser.add_subparsers(required=True, metavar="verb", dest="verb")

    def verb(
        name: str, run: str, text: str, lessons: str = "", folder: str = "", default: str = "."
    ) -> Callable[..., Action]:
        """Add a verb; what adds its further arguments comes back.

        lessons: which are meant when none is named; folder: what `--folder` names; empty where it takes none.
        """
        made = verbs.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        if lessons:
            told = f"a lesson's id; {lessons} when none is given"
            made.add_argument("wanted", metavar="lesson", nargs="*", help=told)
        if folder:
            made.add_argument("--folder", type=_absolute, default=default, help=f"{folder} (%(default)s)")
        return made.add_argument

    class_folder = "the class's folder"
    jobs = "how many at a time; one a core when not given"
    text = "lessons' sources to instructor notebooks and visible examples"
    build = verb("build", "author.build:build_lessons", text, lessons="all")
    build("--check", action="store_true", help="write nothing; fail where something would change")
    text = "instructor notebooks to student notebooks"
    verb("release", "author.release:release_lessons", text, lessons="all")
    text = "the whole chain on the bundled sample submissions"
    verb("demo", "demo:grade_samples", text, folder="where it all goes", default="build/demo")
    new_class = verb("new-class", "author.scaffold:new_class", "a folder for a class, apart from the course")
    new_class("folder", type=Path, help="where it goes; it may hold `submitted/` already")
    text = "have a class begin with lessons: into its gradebook, with a copy of what students get"
    hand_out = verb("hand-out", "nbgrader_plugin.releasing:hand_out_lessons", text, folder=class_folder)
    hand_out("wanted", metavar="lesson", nargs="+", help="a lesson's id")
    text = "take students into the class's list: from what Moodle, Canvas or Gradescope export"
    roster = verb("roster", "lms.people:take_roster", text, folder=class_folder)
    roster("file", type=Path, help="the CSV file")
    text = "a lesson's id; the notebooks' names tell it"
    named = {"metavar": "lesson", "nargs": "?", "default": "", "help": text}
    text = "a roster, or Moodle's grading worksheet, which tells times and namesakes, too"
    people = {"type": Path, "help": text}
    text = (
        "put a platform's zip file of an assignment into `submitted/`, with when it came, where that is told"
    )
    collect = verb("collect", "lms.collecting:collect", text, folder=class_folder)
    collect("file", type=Path, help="as Moodle, Canvas or Gradescope gave it")
    collect("named", **named)
    collect("--roster", **people)
    text = "take the zip file's times for when work came; Moodle and Canvas write the download's there"
    collect("--file-times", action="store_true", help=text)
    text = "fill scores into the table of grades that Moodle or Canvas exported, in a new file beside it"
    grades = verb("grades", "lms.grades:fill_grades", text, folder=class_folder)
    grades("file", type=Path, help="the CSV file")
    text = "a lesson's id; all that were handed out when none is given"
    grades("wanted", metavar="lesson", nargs="*", help=text)
    text = "which column is a lesson's, as 01_weighted_sums='Homework 1 (4711)'"
    grades("--column", dest="columns", action="append", default=[], help=text)
    text = "the students' pages in the folders of Moodle's zip file, to upload there"
    feedback = verb("feedback-zip", "lms.collecting:zip_feedback", text, folder=class_folder)
    feedback("file", type=Path, help="all submissions, as Moodle gave them")
    feedback("named", **named)
    feedback("--roster", **people)
    text = "grade a class: as `nbgrader autograde`, but on all cores"
    grade = verb("grade", "batch.grade:grade_class", text, "all that were handed in", class_folder)
    grade("--jobs", type=_number, default=0, help=jobs)
    grade("--scheduler", default="", help="of a Dask cluster to run on, as tcp://host:8786")
    grade("--force", action="store_true", help="grade again what has not changed since")
    grade("--quiet", action="store_true", help="only one line a lesson")
    text = "one of nbgrader's, as Execute.timeout=20"
    grade("--setting", dest="settings", action="append", default=[], help=text)
    text = "grade what has changed, write feedback, reports and grades.csv, and say what is left to do"
    round_ = verb("round", "round:run_round", text, "all that were handed in", class_folder)
    round_("--jobs", type=_number, default=0, help=jobs)
    text = "only say whose grades would change, and why; change nothing"
    round_("--preview", action="store_true", help=text)
    text = "a student whose work was withdrawn, and whose grade is to go"
    round_("--forget", metavar="student", action="append", default=[], help=text)
    text = "rounds on what is handed in, as it comes, until Ctrl+C"
    watch = verb("watch", "watch:watch_class", text, folder=class_folder)
    watch("--unit", action="store_true", help="only print a unit for systemd that does it")
    text = "a new secret to draw hidden cases with; what was graded is graded again at the next round"
    verb("new-salt", "nbgrader_plugin.salt:renew", text, folder=class_folder)
    text = "written answers on one page, for points and comments that go into the gradebook"
    mark = verb("mark", "marking:serve_answers", text, "all that are graded", class_folder)
    mark("--port", type=int, default=0, help="where the page is served; a free one when not given")
    mark("--marker", default="", help="who marks; this machine's name for you when not given")
    text = "mark so many of each question that other markers get as well, each without the others' marks"
    mark("--sample", type=_number, default=0, metavar="N", help=text)
    mark("--no-browser", dest="browser", action="store_false", help="only print the page's address")
    text = "wrong answers without a name, by what they do, on one page, for names and questions"
    mistakes = verb("mistakes", "mistakes:serve_mistakes", text, "all that are graded", class_folder)
    mistakes("--port", type=int, default=0, help="where the page is served; a free one when not given")
    mistakes("--no-browser", dest="browser", action="store_false", help="only print the page's address")
    text = "named mistakes as a change to the course, and whom in its corpus they would name, too"
    propose = verb("propose", "mistakes.proposing:propose_mistakes", text, folder=class_folder)
    propose("wanted", metavar="id", nargs="*", help="a mistake's; all that have a name when none is given")
    text = "submissions of a simulated class, to try grading and reports on"
    into = "the class's folder it goes to"
    simulate = verb("simulate", "demo.simulated:simulate_class", text, folder=into, default="build/class")
    simulate("lesson", help="a lesson's id")
    simulate("--students", type=int, default=200, help="how many (%(default)s)")
    simulate("--seed", type=int, default=1, help="another number, another class (%(default)s)")
    text = "one page a lesson on how the class did, and the same as CSV; one page a student on their term"
    report = verb("report", "publish.class_report:write_reports", text, "all that are graded", class_folder)
    report("--student", default="", help="whose page alone is written, by their id")
    text = "what students need, and nothing else, in one zip file"
    kit = verb("kit", "publish.kit:write_kit", text, folder="the class whose dates it shows")
    kit("--to", type=Path, default="dist/student-kit.zip", help="the file to write (%(default)s)")
    text = "with all that a check can add where an answer stays wrong, the answer at last"
    kit("--self-study", action="store_true", help=text)
    text = "the class's dates as a calendar, dates.ics in its folder"
    verb("calendar", "publish.calendar:write_calendar", text, folder=class_folder)
    text = "for each lesson, an autograder for Gradescope"
    verb("gradescope", "publish.gradescope:write_autograders", text, "all", "where they go", "dist")
    site = verb("site", "publish.site:build_site", "the lessons as a web site to read, without answers")
    text = "where it goes, made anew (%(default)s)"
    site("--folder", type=Path, default="build/site", help=text)
    new_course = verb("new-course", "author.scaffold:new_course", "a small course of your own, to begin with")
    new_course("folder", type=Path, help="where it goes; a folder that is not there yet")
    new_lesson = verb("new-lesson", "author.scaffold:new_lesson", "a lesson behind the last one")
    new_lesson("name", help="the notebook's name, as tiny_steps")
    text = "an exercise behind a lesson's last one"
    new_exercise = verb("new-exercise", "author.scaffold:new_exercise", text)
    new_exercise("lesson", help="a lesson's id")
    new_exercise("name", help="the function's name")
    text = "what is missing or stale in the lessons, in sentences"
    verb("inspect", "author.invariants:inspect_lessons", text, lessons="all")
    text = "whether this machine has all that a round needs"
    verb("doctor", "doctor:machine_report", text, folder=class_folder)
    return parser


def _absolute(path: str) -> Path:
    return Path(path).resolve()


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a number of them")
    return int(text)


if __name__ == "__main__":
    main()
