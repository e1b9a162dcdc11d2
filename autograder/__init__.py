"""A grader for notebook courses, and what their notebooks import: `check`, figures, and what the course adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.notebook.check import check as check

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "check":
        from autograder.notebook.check import check

        return check
    if name == "step_through":
        return __getattr__("check").step_through
    if name in ("CMAP", "explore", "show", "figures"):
        from autograder.notebook import figures

        return figures if name == "figures" else getattr(figures, name)
    if name in ("show_progress", "cold_questions", "practice"):
        from autograder.notebook import practice

        return getattr(practice, name)
    if name.startswith("_"):
        raise AttributeError(f"module 'autograder' has no attribute {name!r}")
    from autograder.checks import public_course

    return public_course.current_course().attribute(name)
