"""The command `report`."""

from __future__ import annotations

from typing import Any

from autograder.commands.declaration import CLASS_FOLDER, LESSONS, command, option


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
