"""The commands `roster`, `collect`, `grades` and `feedback-zip`."""

from __future__ import annotations

from typing import Any

from autograder.commands.declaration import CLASS_FOLDER, LESSONS, NAMED, ROSTER, TABLE, command, option


@command(TABLE, CLASS_FOLDER, alone=True)
def roster(**options: Any) -> str:
    """Take students into the class's list from a CSV file that Moodle, Canvas or Gradescope exported."""
    from autograder.lms.identities import take_roster

    return take_roster(**options)


@command(
    *(TABLE, NAMED, ROSTER, CLASS_FOLDER),
    option(
        "--file-times",
        "Take the zip file's times for when work came, which may be the download's.",
        is_flag=True,
    ),
    alone=True,
)
def collect(**options: Any) -> str:
    """Put a platform's zip file of an assignment into `submitted/`, with the times when work came where it has them.

    Without a lesson's id, the notebooks' names say which lesson it is.
    """
    from autograder.lms import collection

    return collection.collect(**options)


@command(
    *(TABLE, LESSONS, CLASS_FOLDER),
    option("--column", "Which column is a lesson's, as 01_weighted_sums='Homework 1 (4711)'.", multiple=True),
    option("--scale", "Scale scores to the export's points, where the lesson has others.", is_flag=True),
)
def grades(column: tuple[str, ...], **options: Any) -> str:
    """Fill scores into the table of grades that Moodle or Canvas exported, in a new file beside it.

    It fills in all lessons that were handed out when none is named.
    """
    from autograder.lms.grades import fill_grades

    return fill_grades(columns=column, **options)


@command(TABLE, NAMED, ROSTER, CLASS_FOLDER)
def feedback_zip(**options: Any) -> str:
    """Put the students' pages under the names in Moodle's or Canvas's zip file of all submissions, to upload there.

    Without a lesson's id, the notebooks' names say which lesson it is.
    """
    from autograder.lms.collection import zip_feedback

    return zip_feedback(**options)
