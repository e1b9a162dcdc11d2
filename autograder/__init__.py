"""The course's own helpers. A notebook needs two of them: `check` and `load_vectors`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.checking import Check
    from autograder.vectors import load_vectors

    check: Check

__all__ = ["check", "load_vectors"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "check":
        from autograder.checking import Check

        globals()["check"] = Check()
        return globals()["check"]
    if name == "load_vectors":
        from autograder.vectors import load_vectors

        return load_vectors
    raise AttributeError(f"module 'autograder' has no attribute {name!r}")
