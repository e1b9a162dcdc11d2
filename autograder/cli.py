"""One verb per job: `autograder <verb>`; a course may have a command of its own name, with the same verbs."""

from __future__ import annotations

import atexit
import gc
import importlib
import sys
import tomllib
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from errno import ENOSPC
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from autograder.nbgrader_plugin.interrupting import in_one_line
from autograder.sandbox.inside.preloading import preloading

VERBS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("verbs.toml").read_text(encoding="utf-8"))
"""What that file says of each verb."""

SELDOM = 100_000, 20, 100
"""How much is made before the garbage collector looks: next to nothing that a class's data leaves is garbage."""


def main(arguments: list[str] | None = None) -> None:
    """Run a verb and print what comes back.

    An error meant for people is one line on stderr and exit code 1; so is what the system refuses: a file in a folder's
    place, a port that is taken. Ctrl+C ends it with one line and 130, as shells have it.
    """
    gc.set_threshold(*SELDOM)
    atexit.register(gc.freeze)  # to look for garbage in all that is there would hold up the end
    options = vars(parser().parse_args(arguments))
    verb = options.pop("verb")
    with in_one_line():
        result = _run(verb, options)
    if result is not None:
        print(result)


def _run(verb: str, options: dict[str, Any]) -> object:
    with preloading():
        from autograder.courses import open_course  # what it imports takes a moment
        from autograder.model.errors import FULL, CourseError

    about = VERBS[verb]
    held: AbstractContextManager[None] = nullcontext()
    try:
        if not about.get("anywhere"):
            course = open_course(_where(options))
            if about.get("alone") and options["folder"].is_dir():
                with preloading():
                    from autograder.nbgrader_plugin.class_lock import alone

                held = alone(options["folder"], f"{course.command} {verb}")
            if "wanted" in options:
                options["wanted"] = [course.lesson(name).id for name in options["wanted"]]
            if "lesson" in options:
                options["lesson"] = course.lesson(options["lesson"])
            else:
                options["course"] = course
        with held:
            return function(about["run"])(**options)
    except (CourseError, OSError) as error:
        full = isinstance(error, OSError) and error.errno == ENOSPC
        sys.exit(f"✗ {FULL if full else error}")


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
    with preloading():
        found: Callable[..., object] = getattr(importlib.import_module(f"autograder.{module}"), name)
    return found


def parser() -> ArgumentParser:
    """The verbs, and what each takes, named as its function has it."""
    parser = ArgumentParser(description="One verb per job.")
    verbs = parser.add_subparsers(required=True, metavar="verb", dest="verb")
    for name, about in VERBS.items():
        verb = verbs.add_parser(name, help=about["help"], description=about["help"])
        if lessons := about.get("lessons"):
            told = f"a lesson's id; {lessons} when none is given"
            verb.add_argument("wanted", metavar="lesson", nargs="*", help=told)
        if folder := about.get("folder"):
            default, told = about.get("default", "."), f"{folder} (%(default)s)"
            verb.add_argument("--folder", type=_absolute, default=default, help=told)
        for argument, options in about.get("arguments", {}).items():
            kind = {"type": _KINDS[options["type"]]} if "type" in options else {}
            verb.add_argument(argument, **{**options, **kind})
    return parser


def _absolute(path: str) -> Path:
    return Path(path).resolve()


def _number(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a number of them")
    return int(text)


_KINDS = {"int": int, "number": _number, "path": Path}
"""What an argument is made into, by the name that it has in `verbs.toml`."""


if __name__ == "__main__":
    main()
