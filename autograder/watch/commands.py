"""The command `watch`."""

from __future__ import annotations

from typing import Any

from autograder.commands.declaration import CLASS_FOLDER, command


@command(CLASS_FOLDER)
def watch(**options: Any) -> None:
    """Run rounds on what is handed in, as it comes, until Ctrl+C."""
    from autograder.watch.class_watcher import watch_class

    watch_class(**options)
