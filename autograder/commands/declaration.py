"""How commands are declared: what stands behind them on the command line, and what a command is given.

A command is a function with `@command(...)`. Its name is the command's, its docstring is the help. It imports its
implementation only when it is called, because some modules take seconds.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path
from typing import Any

import click

from autograder.exercises.errors import DISK_FULL, CourseError
from autograder.nbgrader_plugin.interrupts import in_one_line


@click.group(help="One command per job.", context_settings={"help_option_names": ["-h", "--help"]})
def commands() -> None:
    """Hold all commands."""


def command(*parameters: click.Parameter, alone: bool = False, anywhere: bool = False) -> Callable:
    """Make a function a command of its name, which is called with its parameters and its course.

    alone: it holds the class's folder from beginning to end, and begins only where that is fit to go on with; anywhere:
    it needs no course, and is given none.
    """

    def register(function: Callable[..., object]) -> Callable[..., object]:
        name, text = function.__name__.rstrip("_").replace("_", "-"), function.__doc__ or ""

        def run(**options: Any) -> None:
            try:
                with in_one_line(), _prepare(name, options, alone, anywhere):
                    result = function(**options)
            except (CourseError, OSError) as error:
                full = isinstance(error, OSError) and error.errno == ENOSPC
                sys.exit(f"✗ {DISK_FULL if full else error}")
            if result is not None:
                print(result)

        short, params = text.partition("\n\n")[0], [*parameters]
        commands.add_command(click.Command(name, callback=run, params=params, help=text, short_help=short))
        return function

    return register


def _prepare(
    name: str, options: dict[str, Any], alone: bool, anywhere: bool
) -> contextlib.AbstractContextManager:
    """Add the course to a command's options, with its lessons by their ids; return what holds the class's folder.

    It is the course that the current folder lies in, or the class's where that lies in none.
    """
    if not anywhere:
        from autograder.courses import CLASS, SETTINGS, open_course

        current, signs = Path.cwd(), (f"solutions/{SETTINGS}", CLASS)
        in_course = any((place / sign).is_file() for place in (current, *current.parents) for sign in signs)
        course = options["course"] = open_course(current if in_course else options.get("folder", current))
        if "wanted" in options:
            options["wanted"] = [course.lesson(lesson).id for lesson in options["wanted"]]
    if not alone or not options["folder"].is_dir():
        return contextlib.nullcontext()
    from autograder.classroom.class_folder import directory_of
    from autograder.records import recovery

    directory = directory_of(course, options["folder"])
    return recovery.lock_and_recover(directory, f"{course.command} {name}", patience=None)


PATH = click.Path(path_type=Path, readable=False)
COUNT = click.IntRange(min=0)


def argument(name: str, **about: Any) -> click.Argument:
    """Declare what stands behind a command without a name."""
    return click.Argument([name], **about)


def option(name: str, text: str, **about: Any) -> click.Option:
    """Declare what stands behind a command with a name."""
    return click.Option([name], help=text, **about)


ABSOLUTE = click.Path(path_type=Path, readable=False, resolve_path=True)


def class_folder(text: str = "The class's folder.", **about: Any) -> click.Option:
    """Declare the class that a command works on: a parameter `folder`."""
    options: dict[str, Any] = {"type": ABSOLUTE, "default": ".", "metavar": "FOLDER"} | about
    return click.Option(["--class", "folder"], help=text, **options)


def target(text: str, default: str) -> click.Option:
    """Declare the folder that a command writes: a parameter `folder`."""
    return click.Option(["--to", "folder"], help=text, type=ABSOLUTE, default=default, show_default=True)


LESSONS = argument("wanted", metavar="[LESSON]...", nargs=-1)
CLASS_FOLDER = class_folder()
TABLE = argument("file", type=PATH)
NAMED = argument("named", metavar="[LESSON]", required=False, default="")
ROSTER = option("--roster", "A roster, or Moodle's grading worksheet, which has times, too.", type=PATH)
JOBS = option("--jobs", "How many at a time; one for each core when not given.", type=COUNT, default=0)
