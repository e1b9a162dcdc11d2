"""The commands: `autograder <command>`; a course may have a program of its own name, with the same commands.

Each function below is a command, its docstring is the command's help, and it imports only when it is called: some
modules take seconds.
"""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.nbgrader_plugin.interrupts import in_one_line

if TYPE_CHECKING:
    from autograder.courses import Course

SELDOM = 100_000, 20, 100
"""How much is made before the garbage collector looks: next to nothing that a class's data leaves is garbage."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command and print what comes back.

    An error meant for people is one line on stderr and exit code 1; so is what the system refuses: a file in a folder's
    place, a port that is taken. Ctrl+C ends it with one line and 130, as shells have it.
    """
    gc.set_threshold(*SELDOM)
    atexit.register(gc.freeze)  # to look for garbage in all that is there would hold up the end
    try:
        commands.main(arguments, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)


@click.group(help="One command per job.", context_settings={"help_option_names": ["-h", "--help"]})
def commands() -> None:
    """Hold all commands."""


def command(*parameters: click.Parameter, alone: bool = False, anywhere: bool = False) -> Callable:
    """Make a function a command of its name, which is called with its parameters and its course.

    alone: it holds the class's folder from beginning to end; anywhere: it needs no course, and is given none.
    """

    def register(function: Callable[..., object]) -> Callable[..., object]:
        name, text = function.__name__.replace("_", "-"), function.__doc__ or ""

        def run(**options: Any) -> None:
            with in_one_line():
                from autograder.exercises.errors import FULL, CourseError  # what it imports takes a moment

                try:
                    with _prepared(name, options, alone, anywhere):
                        result = function(**options)
                except (CourseError, OSError) as error:
                    full = isinstance(error, OSError) and error.errno == ENOSPC
                    sys.exit(f"✗ {FULL if full else error}")
                if result is not None:
                    print(result)

        short = text.partition("\n\n")[0]
        commands.add_command(
            click.Command(name, callback=run, params=[*parameters], help=text, short_help=short)
        )
        return function

    return register


@contextmanager
def _prepared(name: str, options: dict[str, Any], alone: bool, anywhere: bool) -> Iterator[None]:
    """Add the course to a command's options, with its lessons by their ids, and hold the class's folder.

    It is the course that the current folder lies in, or the class's where that lies in none.
    """
    if not anywhere:
        from autograder.courses import CLASS, SETTINGS, open_course

        current, signs = Path.cwd(), (f"solutions/{SETTINGS}", CLASS)
        in_course = any((place / sign).is_file() for place in (current, *current.parents) for sign in signs)
        course = options["course"] = open_course(current if in_course else options.get("folder", current))
        if "wanted" in options:
            options["wanted"] = [course.lesson(lesson).id for lesson in options["wanted"]]
    if alone and options["folder"].is_dir():
        from autograder.classroom import class_lock

        with class_lock.lock_class(options["folder"], f"{course.command} {name}"):
            yield
    else:
        yield


PATH = click.Path(path_type=Path, readable=False)
COUNT = click.IntRange(min=0)


def argument(name: str, **about: Any) -> click.Argument:
    """Declare what stands behind a command without a name."""
    return click.Argument([name], **about)


def option(name: str, text: str, **about: Any) -> click.Option:
    """Declare what stands behind a command with a name."""
    return click.Option([name], help=text, **about)


def folder(text: str, default: str = ".") -> click.Option:
    """Declare the folder in which a command works."""
    absolute = click.Path(path_type=Path, readable=False, resolve_path=True)
    return option("--folder", text, type=absolute, default=default, show_default=True)


LESSONS = argument("wanted", metavar="[LESSON]...", nargs=-1)
CLASS_FOLDER = folder("The class's folder.")
TABLE = argument("file", type=PATH)
NAMED = argument("named", metavar="[LESSON]", required=False, default="")
ROSTER = option("--roster", "A roster, or Moodle's grading worksheet, which has times, too.", type=PATH)
JOBS = option("--jobs", "How many at a time; one for each core when not given.", type=COUNT, default=0)


@command(LESSONS, option("--check", "Write nothing; fail where something would change.", is_flag=True))
def build(**options: Any) -> None:
    """Make instructor notebooks and visible examples from lessons' sources; of all lessons when none is named."""
    from autograder.authoring.build import build_lessons

    build_lessons(**options)


@command(LESSONS)
def release(**options: Any) -> None:
    """Make student notebooks from instructor notebooks; of all lessons when none is named."""
    from autograder.authoring.release import release_lessons

    release_lessons(**options)


@command(folder("Where it all goes.", "build/demo"))
def demo(**options: Any) -> None:
    """Run the whole chain on the bundled sample submissions."""
    if find_spec("autograder.demo") is None:
        sys.exit("✗ that is not installed: in a clone of the repository, `pip install -e .`")
    from autograder.demo.chain import grade_samples

    grade_samples(**options)


@command(argument("folder", type=PATH))
def new_class(**options: Any) -> None:
    """Make a folder for a class, apart from the course; it may hold `submitted/` already."""
    from autograder.authoring import scaffold

    scaffold.new_class(**options)


@command(argument("wanted", metavar="LESSON...", nargs=-1, required=True), CLASS_FOLDER, alone=True)
def hand_out(**options: Any) -> None:
    """Have a class begin with lessons: enter them in its gradebook, and keep a copy of what students get."""
    from autograder.classroom.hand_out import hand_out_lessons

    hand_out_lessons(**options)


@command(TABLE, CLASS_FOLDER, alone=True)
def roster(**options: Any) -> str:
    """Take students into the class's list from a CSV file that Moodle, Canvas or Gradescope exported."""
    from autograder.lms.identities import take_roster

    return take_roster(**options)


@command(
    *(TABLE, NAMED, ROSTER, CLASS_FOLDER),
    option(
        "--file-times",
        "Take the zip file's times for when work came, which may be the download's.",
        is_flag=True,
    ),
    alone=True,
)
def collect(**options: Any) -> str:
    """Put a platform's zip file of an assignment into `submitted/`, with the times when work came where it has them.

    Without a lesson's id, the notebooks' names say which lesson it is.
    """
    from autograder.lms import collection

    return collection.collect(**options)


@command(
    *(TABLE, LESSONS, CLASS_FOLDER),
    option("--column", "Which column is a lesson's, as 01_weighted_sums='Homework 1 (4711)'.", multiple=True),
    option("--scale", "Scale scores to the export's points, where the lesson has others.", is_flag=True),
)
def grades(column: tuple[str, ...], **options: Any) -> str:
    """Fill scores into the table of grades that Moodle or Canvas exported, in a new file beside it.

    It fills in all lessons that were handed out when none is named.
    """
    from autograder.lms.grades import fill_grades

    return fill_grades(columns=column, **options)


@command(TABLE, NAMED, ROSTER, CLASS_FOLDER)
def feedback_zip(**options: Any) -> str:
    """Put the students' pages under the names in Moodle's or Canvas's zip file of all submissions, to upload there.

    Without a lesson's id, the notebooks' names say which lesson it is.
    """
    from autograder.lms.collection import zip_feedback

    return zip_feedback(**options)


@command(
    *(LESSONS, CLASS_FOLDER, JOBS),
    option("--scheduler", "That of a Dask cluster to run on, as tcp://host:8786.", default=""),
    option("--force", "Grade again what has not changed since.", is_flag=True),
    option("--quiet", "Print only one line for each lesson.", is_flag=True),
    option("--setting", "One of nbgrader's, as Execute.timeout=20.", multiple=True),
    alone=True,
)
def grade(setting: tuple[str, ...], **options: Any) -> None:
    """Grade a class as `nbgrader autograde` does, but on all cores: all that was handed in when no lesson is named."""
    from autograder.commands.grade import grade_class

    grade_class(settings=setting, **options)


@command(
    *(LESSONS, CLASS_FOLDER, JOBS),
    option("--preview", "Only say whose grades would change, and why; change nothing.", is_flag=True),
    option("--forget", "A student whose work was withdrawn, and whose grade is to go.", multiple=True),
    alone=True,
)
def round(**options: Any) -> None:
    """Grade what has changed, write feedback, reports and grades.csv, and say what is left to do.

    It takes all that was handed in when no lesson is named.
    """
    from autograder.commands.round import run_round

    run_round(**options)


@command(CLASS_FOLDER)
def watch(**options: Any) -> None:
    """Run rounds on what is handed in, as it comes, until Ctrl+C."""
    from autograder.commands.watch import watch_class

    watch_class(**options)


@command(CLASS_FOLDER, alone=True)
def new_salt(**options: Any) -> str:
    """Make a new secret to draw hidden cases with; the next round grades again what was graded."""
    from autograder.classroom import case_seed

    return case_seed.renew_secret(**options)


@command(
    *(LESSONS, CLASS_FOLDER),
    option("--port", "Where the page is served; a free one when not given.", type=int, default=0),
    option("--marker", "Who marks; this machine's name for you when not given.", default=""),
    option("--no-browser", "Only print the page's address.", is_flag=True),
)
def mark(no_browser: bool, **options: Any) -> None:
    """Show written answers on one page, for points and comments that go into the gradebook.

    It shows those of all graded lessons when none is named.
    """
    from autograder.marking.server import serve_answers

    serve_answers(browser=not no_browser, **options)


@command(
    LESSONS,
    CLASS_FOLDER,
    option("--student", "The only student whose page is written.", default=""),
    alone=True,
)
def report(**options: Any) -> None:
    """Write a page and a CSV table on how the class did in each lesson, and a page for each student on their term.

    It writes of all graded lessons when none is named.
    """
    from autograder.class_report.report import write_reports

    write_reports(**options)


@command(
    folder("The class whose dates it shows."),
    option("--to", "The file to write; else student-kit.zip in the class's folder or in dist/.", type=PATH),
    option("--self-study", "With all that a check can add, at last the answer.", is_flag=True),
)
def kit(**options: Any) -> str:
    """Put what students need, and nothing else, into one zip file."""
    from autograder.distribution.kit import write_kit

    return write_kit(**options)


@command(LESSONS, folder("Where they go.", "dist"))
def gradescope(**options: Any) -> str:
    """Make an autograder for Gradescope for each lesson; for all lessons when none is named."""
    from autograder.distribution.gradescope import write_autograders

    return write_autograders(**options)


@command(option("--folder", "Where it goes, made anew.", type=PATH, default="build/site", show_default=True))
def site(**options: Any) -> Path:
    """Make a web site of the lessons to read, without answers."""
    from autograder.distribution.site.builder import build_site

    return build_site(**options)


@command(argument("folder", type=PATH), anywhere=True)
def new_course(**options: Any) -> None:
    """Make a small course of your own to begin with, in a folder that is not there yet."""
    from autograder.authoring import scaffold

    scaffold.new_course(**options)


@command(argument("name"))
def new_lesson(**options: Any) -> None:
    """Begin a lesson behind the last one, with a notebook of this name, as tiny_steps."""
    from autograder.authoring import scaffold

    scaffold.new_lesson(**options)


@command(argument("lesson"), argument("name"))
def new_exercise(course: Course, lesson: str, name: str) -> None:
    """Begin an exercise behind a lesson's last one, with a function of this name."""
    from autograder.authoring import scaffold

    scaffold.new_exercise(course.lesson(lesson), name)


@command(LESSONS)
def inspect(**options: Any) -> None:
    """Say in sentences what is missing or stale in the lessons; in all when none is named."""
    from autograder.authoring.inspection import inspect_lessons

    inspect_lessons(**options)


@command(CLASS_FOLDER, anywhere=True)
def doctor(**options: Any) -> str:
    """Say whether this machine has all that a round needs."""
    from autograder.commands.doctor import machine_report

    return machine_report(**options)


if __name__ == "__main__":
    main()
