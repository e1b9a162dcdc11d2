"""The program `autograder <command>`; a course may install it under a name of its own, too.

The core's commands stand in `commands/core.py`. An optional package brings its own: it names the module that declares
them as an entry point of the group `autograder.commands`.
"""

from __future__ import annotations

import atexit
import gc
import sys

import click

from autograder.commands import core  # noqa: F401 - its import declares the core's commands
from autograder.commands.declaration import commands
from autograder.commands.optional import load_optional

SELDOM = 100_000, 20, 100
"""How much is made before the garbage collector looks: next to nothing that a class's data leaves is garbage."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command and print what comes back.

    An error meant for people is one line on stderr and exit code 1; so is what the system refuses: a file in a folder's
    place, a port that is taken. Ctrl+C ends it with one line and 130, as shells have it.
    """
    gc.set_threshold(*SELDOM)
    atexit.register(gc.freeze)  # to look for garbage in all that is there would hold up the end
    load_optional("autograder.commands")
    try:
        commands.main(arguments, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
