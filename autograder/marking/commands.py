"""The command `mark`."""

from __future__ import annotations

from typing import Any

from autograder.commands.declaration import CLASS_FOLDER, LESSONS, command, option


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
