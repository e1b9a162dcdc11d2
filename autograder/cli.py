"""One verb per job: `attention-course <verb>`."""

from __future__ import annotations

import importlib
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

from autograder.model.errors import CourseError

ANYWHERE = ("new-course", "doctor")
"""The verbs that need no course."""


def main(arguments: list[str] | None = None) -> None:
    """Run a verb and print what comes back; an error meant for people is one line on stderr and exit code 1."""
    options = vars(parser().parse_args(arguments))
    verb, entry = options.pop("verb"), options.pop("run")
    # nbgrader looks for alembic among the programs
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    try:
        if verb not in ANYWHERE:
            from autograder.courses import open_course

            course = open_course(Path.cwd())
            if "lesson" in options:
                options["lesson"] = course.lesson(options["lesson"])
            else:
                options["course"] = course
        result = function(entry)(**options)
    except CourseError as error:
        sys.exit(f"✗ {error}")
    if result is not None:
        print(result)


def function(entry: str) -> Callable[..., object]:
    """What `module:function` names. Only now is it imported: some modules take seconds."""
    module, _, name = entry.partition(":")
    found: Callable[..., object] = getattr(importlib.import_module(f"autograder.{module}"), name)
    return found


def parser() -> ArgumentParser:
    """The verbs, what each takes, and the function that is called with that by name."""
    parser = ArgumentParser(prog="attention-course", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="verb", dest="verb")

    def verb(name: str, run: str, text: str) -> ArgumentParser:
        made = verbs.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        return made

    build = verb(
        "build", "author.build:main", "lessons' sources to instructor notebooks and visible examples"
    )
    _add_lessons(build, "all")
    build.add_argument(
        "--check", action="store_true", help="write nothing; fail where something would change"
    )
    release = verb("release", "author.release:main", "instructor notebooks to student notebooks")
    _add_lessons(release, "all")
    demo = verb("demo", "demo:main", "the whole chain on the bundled sample submissions")
    _add_folder(demo, "where it all goes", "build/demo")
    grade = verb("grade", "batch.grade:main", "grade a class: as `nbgrader autograde`, but on all cores")
    _add_lessons(grade, "all that were handed in")
    _add_folder(grade, "the course folder", ".")
    grade.add_argument("--jobs", type=int, default=0, help="how many at a time; one a core when not given")
    grade.add_argument("--scheduler", default="", help="of a Dask cluster to run on, as tcp://host:8786")
    grade.add_argument("--force", action="store_true", help="grade again what has not changed since")
    grade.add_argument("--quiet", action="store_true", help="only one line a lesson")
    text = "one of nbgrader's, as Execute.timeout=20"
    grade.add_argument("--setting", dest="settings", action="append", default=[], help=text)
    text = "grade what has changed, write feedback, reports and grades.csv, and say what is left to do"
    round_ = verb("round", "round:main", text)
    _add_lessons(round_, "all that were handed in")
    _add_folder(round_, "the course folder", ".")
    round_.add_argument("--jobs", type=int, default=0, help="how many at a time; one a core when not given")
    text = "written answers on one page, for points and comments that go into the gradebook"
    mark = verb("mark", "marking:main", text)
    _add_lessons(mark, "all that are graded")
    _add_folder(mark, "the course folder", ".")
    mark.add_argument(
        "--port", type=int, default=0, help="where the page is served; a free one when not given"
    )
    text = "only print the page's address"
    mark.add_argument("--no-browser", dest="browser", action="store_false", help=text)
    text = "submissions of a simulated class, to try grading and reports on"
    simulate = verb("simulate", "demo.simulated:main", text)
    simulate.add_argument("lesson", help="a lesson's id")
    simulate.add_argument("--students", type=int, default=200, help="how many (%(default)s)")
    simulate.add_argument("--seed", type=int, default=1, help="another number, another class (%(default)s)")
    _add_folder(simulate, "the course folder it goes to", "build/class")
    text = "one page a lesson on how the class did, and the same as CSV"
    report = verb("report", "publish.class_report:main", text)
    _add_lessons(report, "all that are graded")
    _add_folder(report, "the course folder", ".")
    kit = verb("kit", "publish.kit:write", "what students need, and nothing else, in one zip file")
    kit.add_argument(
        "--to", type=Path, default="dist/student-kit.zip", help="the file to write (%(default)s)"
    )
    gradescope = verb(
        "gradescope", "publish.gradescope:write", "for each lesson, an autograder for Gradescope"
    )
    _add_lessons(gradescope, "all")
    _add_folder(gradescope, "where they go", "dist")
    site = verb("site", "publish.site:build", "the lessons as a web site to read, without answers")
    text = "where it goes, made anew (%(default)s)"
    site.add_argument("--folder", type=Path, default="build/site", help=text)
    new_course = verb("new-course", "author.scaffold:new_course", "a small course of your own, to begin with")
    new_course.add_argument("folder", type=Path, help="where it goes; a folder that is not there yet")
    new_lesson = verb("new-lesson", "author.scaffold:new_lesson", "a lesson behind the last one")
    new_lesson.add_argument("name", help="the notebook's name, as tiny_steps")
    text = "an exercise behind a lesson's last one"
    new_exercise = verb("new-exercise", "author.scaffold:new_exercise", text)
    new_exercise.add_argument("lesson", help="a lesson's id")
    new_exercise.add_argument("name", help="the function's name")
    text = "what is missing or stale in the lessons, in sentences"
    _add_lessons(verb("inspect", "author.invariants:main", text), "all")
    verb("doctor", "doctor:report", "whether this machine has all that a round needs")
    return parser


def _add_lessons(verb: ArgumentParser, which: str) -> None:
    text = f"a lesson's id; {which} when none is given"
    verb.add_argument("wanted", metavar="lesson", nargs="*", help=text)


def _add_folder(verb: ArgumentParser, text: str, default: str) -> None:
    verb.add_argument("--folder", type=_absolute, default=default, help=f"{text} (%(default)s)")


def _absolute(path: str) -> Path:
    return Path(path).resolve()


if __name__ == "__main__":
    main()
