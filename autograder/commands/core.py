"""The core's commands: a course's notebooks, a class, its grading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograder.commands.declaration import (
    CLASS_FOLDER,
    JOBS,
    LESSONS,
    PATH,
    argument,
    class_folder,
    command,
    option,
)

if TYPE_CHECKING:
    from autograder.courses import Course


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


@command(LESSONS)
def inspect(**options: Any) -> None:
    """Say in sentences what is missing or stale in the lessons; in all when none is named."""
    from autograder.authoring.inspection import inspect_lessons

    inspect_lessons(**options)


@command(
    argument("lesson"),
    argument("exercise", required=False, default=""),
    option("--watch", "Try again whenever a file of the course changes, until Ctrl+C.", is_flag=True),
)
def try_(course: Course, lesson: str, exercise: str, watch: bool) -> None:
    """Judge an exercise's own right and wrong answers, and say what is not judged as declared.

    It takes all exercises of the lesson when none is named.
    """
    from autograder.authoring import trial_report

    if watch:
        trial_report.watch_exercises(course, course.lesson(lesson), exercise)
    else:
        trial_report.try_exercises(course.lesson(lesson), exercise)


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


@command(class_folder("The folder to make.", type=PATH, default=None, required=True))
def new_class(**options: Any) -> None:
    """Make a folder for a class, apart from the course; it may hold `submitted/` already."""
    from autograder.authoring import scaffold

    scaffold.new_class(**options)


@command(argument("wanted", metavar="LESSON...", nargs=-1, required=True), CLASS_FOLDER, alone=True)
def hand_out(**options: Any) -> None:
    """Have a class begin with lessons: enter them in its gradebook, and keep a copy of what students get."""
    from autograder.classroom.hand_out import hand_out_lessons

    hand_out_lessons(**options)


@command(
    *(LESSONS, CLASS_FOLDER, JOBS),
    option("--scheduler", "That of a Dask cluster to run on, as tcp://host:8786.", default=""),
    option("--force", "Grade again what has not changed since.", is_flag=True),
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


@command(CLASS_FOLDER, alone=True)
def new_salt(**options: Any) -> str:
    """Make a new secret to draw hidden cases with; the next round grades again what was graded."""
    from autograder.records import case_seed

    return case_seed.renew_secret(**options)


@command(CLASS_FOLDER, anywhere=True)
def doctor(**options: Any) -> str:
    """Say whether this machine has all that a round needs."""
    from autograder.commands.doctor import machine_report

    return machine_report(**options)
