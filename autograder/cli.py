"""One verb per job: `attention-course <verb>`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.model.errors import CourseError

if TYPE_CHECKING:
    from autograder.author.course import Course


def main(arguments: list[str] | None = None) -> None:
    """Run a verb; an error meant for people is one line on stderr and exit code 1."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except CourseError as error:
        sys.exit(f"✗ {error}")


def parser() -> argparse.ArgumentParser:
    """The verbs and what each takes."""
    parser = argparse.ArgumentParser(prog="attention-course", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="verb")
    for name, run, text in (
        ("build", _build, "lessons' sources to instructor notebooks and visible examples"),
        ("release", _release, "instructor notebooks to student notebooks"),
    ):
        verb = verbs.add_parser(name, help=text, description=text)
        verb.add_argument("lesson", nargs="*", help="a lesson's id; all when none is given")
        verb.set_defaults(run=run)
    verbs.choices["build"].add_argument(
        "--check", action="store_true", help="write nothing; fail where something would change"
    )
    demo = verbs.add_parser("demo", help="the whole chain on the bundled sample submissions")
    demo.add_argument(
        "--folder", type=Path, default=Path("build/demo"), help="where it all goes (%(default)s)"
    )
    demo.set_defaults(run=_demo)
    grade = verbs.add_parser("grade", help="grade a class: as `nbgrader autograde`, but on all cores")
    grade.add_argument("lesson", nargs="*", help="a lesson's id; all that were handed in when none is given")
    grade.add_argument("--folder", type=Path, default=Path(), help="the course folder (%(default)s)")
    grade.add_argument("--jobs", type=int, default=0, help="how many at a time; one a core when not given")
    grade.add_argument("--scheduler", default="", help="of a Dask cluster to run on, as tcp://host:8786")
    grade.add_argument("--force", action="store_true", help="grade again what has not changed since")
    grade.add_argument("--quiet", action="store_true", help="only one line a lesson")
    grade.add_argument(
        "--setting",
        dest="settings",
        action="append",
        default=[],
        help="one of nbgrader's, as Execute.timeout=20",
    )
    grade.set_defaults(run=_grade)
    simulate = verbs.add_parser(
        "simulate", help="submissions of a simulated class, to try grading and reports on"
    )
    simulate.add_argument("lesson", help="a lesson's id")
    simulate.add_argument("--students", type=int, default=200, help="how many (%(default)s)")
    simulate.add_argument("--seed", type=int, default=1, help="another number, another class (%(default)s)")
    simulate.add_argument(
        "--folder", type=Path, default=Path("build/class"), help="the course folder it goes to (%(default)s)"
    )
    simulate.set_defaults(run=_simulate)
    report = verbs.add_parser("report", help="one page a lesson on how the class did, and the same as CSV")
    report.add_argument("lesson", nargs="*", help="a lesson's id; all that are graded when none is given")
    report.add_argument("--folder", type=Path, default=Path(), help="the course folder (%(default)s)")
    report.set_defaults(run=_report)
    kit = verbs.add_parser("kit", help="what students need, and nothing else, in one zip file")
    kit.add_argument(
        "--to", type=Path, default=Path("dist/student-kit.zip"), help="the file to write (%(default)s)"
    )
    kit.set_defaults(run=_kit)
    site = verbs.add_parser("site", help="the lessons as a web site to read, without answers")
    site.add_argument(
        "--folder", type=Path, default=Path("build/site"), help="where it goes, made anew (%(default)s)"
    )
    site.set_defaults(run=_site)
    new_course = verbs.add_parser("new-course", help="a small course of your own, to begin with")
    new_course.add_argument("folder", type=Path, help="where it goes; a folder that is not there yet")
    new_course.set_defaults(run=_new_course)
    new_lesson = verbs.add_parser("new-lesson", help="a lesson behind the last one")
    new_lesson.add_argument("name", help="the notebook's name, as tiny_steps")
    new_lesson.set_defaults(run=_new_lesson)
    new_exercise = verbs.add_parser("new-exercise", help="an exercise behind a lesson's last one")
    new_exercise.add_argument("lesson", help="a lesson's id")
    new_exercise.add_argument("name", help="the function's name")
    new_exercise.set_defaults(run=_new_exercise)
    inspect = verbs.add_parser("inspect", help="what is missing or stale in the lessons, in sentences")
    inspect.add_argument("lesson", nargs="*", help="a lesson's id; all when none is given")
    inspect.set_defaults(run=_inspect)
    doctor = verbs.add_parser("doctor", help="which layers of the seal this machine offers")
    doctor.set_defaults(run=_doctor)
    return parser


def _course() -> Course:
    from autograder.author.course import open_course

    return open_course(Path.cwd())


def _build(options: argparse.Namespace) -> None:
    from autograder.author import build

    build.main(_course(), options.lesson, options.check)


def _release(options: argparse.Namespace) -> None:
    from autograder.author import release

    release.main(_course(), options.lesson)


def _demo(options: argparse.Namespace) -> None:
    from autograder import demo

    demo.main(_course(), options.folder.resolve())


def _grade(options: argparse.Namespace) -> None:
    from autograder.batch import grade

    jobs = options.jobs or grade.cores()
    folder = options.folder.resolve()
    wanted, settings = options.lesson, options.settings
    grade.main(_course(), wanted, folder, jobs, options.scheduler, options.force, options.quiet, settings)


def _simulate(options: argparse.Namespace) -> None:
    from autograder.demo import simulated

    simulated.main(_course().lesson(options.lesson), options.students, options.seed, options.folder.resolve())


def _report(options: argparse.Namespace) -> None:
    from autograder.publish import class_report

    class_report.main(_course(), options.lesson, options.folder.resolve())


def _kit(options: argparse.Namespace) -> None:
    from autograder.publish import kit

    names = kit.write(_course(), options.to)
    print(f"{options.to}: {len(names)} files, {options.to.stat().st_size / 1000:.0f} kB")


def _site(options: argparse.Namespace) -> None:
    from autograder.publish import site

    print(site.build(_course(), options.folder))


def _new_course(options: argparse.Namespace) -> None:
    from autograder.author import scaffold

    _tell(scaffold.new_course(options.folder))
    print(f"Next: cd {options.folder}, then attention-course build, attention-course release")


def _new_lesson(options: argparse.Namespace) -> None:
    from autograder.author import scaffold

    _tell(scaffold.new_lesson(_course(), options.name))


def _new_exercise(options: argparse.Namespace) -> None:
    from autograder.author import scaffold

    _tell(scaffold.new_exercise(_course().lesson(options.lesson), options.name))


def _tell(files: list[Path]) -> None:
    for path in files:
        print(f"wrote {path}")


def _inspect(options: argparse.Namespace) -> None:
    from autograder.author import invariants

    course = _course()
    chosen = [course.lesson(name) for name in options.lesson] or list(course.lessons)
    found = [complaint for lesson in chosen for complaint in invariants.of_lesson(lesson)]
    for complaint in found:
        print(f"✗ {complaint}")
    if found:
        raise CourseError(f"{len(found)} things to mend")
    print(f"✓ {', '.join(lesson.id for lesson in chosen)}: nothing is missing")


def _doctor(options: argparse.Namespace) -> None:
    from autograder.sandbox import doctor

    print(doctor.report())


if __name__ == "__main__":
    main()
