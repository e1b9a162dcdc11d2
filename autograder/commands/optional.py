"""Optional packages: whatever is installed registers itself as an entry point, and nothing else imports it."""

from __future__ import annotations

from importlib.metadata import entry_points
from importlib.util import find_spec
from types import ModuleType


def load_optional(group: str) -> list[ModuleType]:
    """Import the modules that are registered for a group, in the order of their names.

    Args:
        group: An entry point group: `autograder.commands` for modules that declare commands, `autograder.reports` for
            modules that write reports at the end of a round.

    Returns:
        The modules. A module whose package was removed is left out.
    """
    entries = sorted(entry_points(group=group), key=lambda entry: entry.name)
    return [entry.load() for entry in entries if _is_there(entry.module)]


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its package has gone
        return False
