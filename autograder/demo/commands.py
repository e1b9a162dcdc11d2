"""The command `demo`."""

from __future__ import annotations

from typing import Any

from autograder.commands.declaration import command, target


@command(target("Where it all goes.", "build/demo"))
def demo(**options: Any) -> None:
    """Run the whole chain on the bundled sample submissions."""
    from autograder.demo.chain import grade_samples

    grade_samples(**options)
