"""One verb per job: `attention-course <verb>`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from autograder.errors import CourseError


def main(arguments: list[str] | None = None) -> None:
    """Run a verb; an error meant for people is one line on stderr and exit code 1."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except CourseError as error:
        sys.exit(f"✗ {error}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="attention-course", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="verb")
    for name, run, text in (
        ("build", _build, "lessons' sources to instructor notebooks and visible examples"),
        ("release", _release, "instructor notebooks to student notebooks"),
    ):
        verb = verbs.add_parser(name, help=text, description=text)
        verb.add_argument("lesson", nargs="*", help="a lesson's id; all when none is given")
        verb.set_defaults(run=run)
    demo = verbs.add_parser("demo", help="the whole chain on the bundled sample submissions")
    demo.add_argument(
        "--folder", type=Path, default=Path("build/demo"), help="where it all goes (%(default)s)"
    )
    demo.set_defaults(run=_demo)
    doctor = verbs.add_parser("doctor", help="which layers of the seal this machine offers")
    doctor.set_defaults(run=_doctor)
    return parser


def _build(options: argparse.Namespace) -> None:
    from autograder import build

    build.main(options.lesson)


def _release(options: argparse.Namespace) -> None:
    from autograder import release

    release.main(options.lesson)


def _demo(options: argparse.Namespace) -> None:
    from autograder import demo

    demo.main(options.folder.resolve())


def _doctor(options: argparse.Namespace) -> None:
    from autograder.seal import doctor

    print(doctor.report())


if __name__ == "__main__":
    main()
