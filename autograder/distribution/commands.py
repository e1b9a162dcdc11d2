"""The commands `kit`, `gradescope` and `site`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autograder.commands.declaration import LESSONS, PATH, class_folder, command, option, target


@command(
    class_folder("The class whose dates it shows."),
    option("--to", "The file to write; else student-kit.zip in the class's folder or in dist/.", type=PATH),
    option("--self-study", "With all that a check can add, at last the answer.", is_flag=True),
)
def kit(**options: Any) -> str:
    """Put what students need, and nothing else, into one zip file."""
    from autograder.distribution.kit import write_kit

    return write_kit(**options)


@command(LESSONS, target("Where they go.", "dist"))
def gradescope(**options: Any) -> str:
    """Make an autograder for Gradescope for each lesson; for all lessons when none is named."""
    from autograder.distribution.gradescope import write_autograders

    return write_autograders(**options)


@command(target("Where it goes, made anew.", "build/site"))
def site(**options: Any) -> Path:
    """Make a web site of the lessons to read, without answers."""
    from autograder.distribution.site.builder import build_site

    return build_site(**options)
