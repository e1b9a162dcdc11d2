"""The class report as a table: a row for each student and item."""

from __future__ import annotations

import csv
import io

from autograder.publish.class_report.records import ClassRecord

COLUMNS = (
    "student",
    "exercise",
    "points",
    "max_points",
    "state",
    "misconception",
    "first_failing_line",
)


def as_csv(record: ClassRecord) -> str:
    """Comma-separated values with a line of names; points stay empty while an answer waits to be marked."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for submission in record.submissions:
        for result in submission.results:
            points = "" if result.points is None else f"{result.points:g}"
            rows.writerow(
                (
                    submission.student,
                    result.item,
                    points,
                    f"{result.max_points:g}",
                    result.state,
                    result.misconception,
                    result.first_failing,
                )
            )
    return text.getvalue()
