"""A grader for notebook courses, and what their notebooks import: `check`, figures, and what the course adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.student.checking import check as check

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "check":
        from autograder.student.checking import check

        return check
    if name == "step_through":
        return __getattr__("check").step_through
    if name in ("CMAP", "explore", "show", "figures"):
        from autograder.student import figures

        return figures if name == "figures" else getattr(figures, name)
    if name in ("show_progress", "cold_questions", "practice"):
        from autograder.student import practice

        return getattr(practice, name)
    if name.startswith("_"):
        raise AttributeError(f"module 'autograder' has no attribute {name!r}")
    from autograder.student import visible

    return visible.here().attribute(name)
