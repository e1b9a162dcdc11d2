"""Shows text and HTML in a notebook, or prints the text outside one."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from autograder.views import figures, verdict_view

VALIDATING, TESTING = "NBGRADER_VALIDATING", "PYTEST_VERSION"
"""Environment variables: nbgrader sets the first while it validates a notebook, pytest (and so nbval) the second."""


def is_unattended() -> bool:
    """Return whether no student sees the output: the notebook is built, tested, validated or graded."""
    return any(os.environ.get(name) for name in (VALIDATING, figures.STATIC, TESTING))


def running_shell() -> Any:
    """Return the notebook's IPython shell; None outside a notebook."""
    from IPython import get_ipython

    return get_ipython()


def display_as(text: str, html: str, widget: Callable[[], Any] | None = None) -> None:
    """Show HTML in a notebook, with a widget where widgets work; print the text outside a notebook."""
    from IPython.display import display

    if running_shell() is None:
        print(text)
    else:
        live = widget()._repr_mimebundle_() if widget else {}
        display({**live, "text/plain": text, "text/html": html}, raw=True)


def display_sections(added: Sequence[verdict_view.Section], widget: Callable[[], Any] | None = None) -> None:
    """Show sections that do not stand below a verdict."""
    display_as(verdict_view.sections_as_text(added), verdict_view.sections_as_html(added), widget)
