"""What notebooks import: `check`, `step_through`, `practice`, and the showing of figures.

Each name is imported when it is first asked for, so that the grader's own modules load no more than they use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from autograder.exercises.course_helpers import install_finder

if TYPE_CHECKING:
    from autograder.notebook.checker import check, step_through
    from autograder.notebook.progress import show_progress
    from autograder.quiz.practice import cold_questions, practice
    from autograder.views import figures
    from autograder.views.figures import CMAP, explore, show

__all__ = [
    "CMAP",
    "check",
    "cold_questions",
    "explore",
    "figures",
    "practice",
    "show",
    "show_progress",
    "step_through",
]

__version__ = "1.0.0"

_MODULES = {
    "CMAP": "views.figures",
    "check": "notebook.checker",
    "explore": "views.figures",
    "show": "views.figures",
    "show_progress": "notebook.progress",
    "step_through": "notebook.checker",
}
"""By name, the module that defines it."""

install_finder()


def __getattr__(name: str) -> Any:
    if name == "figures":
        return import_module("autograder.views.figures")
    if name in ("cold_questions", "practice"):
        return import_module("autograder.notebook.optional_quiz").load_questions(name)
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"autograder.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
