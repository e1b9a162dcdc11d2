"""What must hold of an answer, as small functions `rule(case, seen, expected) -> Problem | None`.

A rule holds no expected value of its own. Both sides use the rules: the notebook's `check` with stored
examples, the grader with hidden cases. A rule is stored by its name, `module.function`.
"""

from __future__ import annotations

import importlib
from typing import cast

from autograder.exercise import Rule


def name_of(rule: Rule) -> str:
    """The name under which a rule is stored: `common.agrees`."""
    return f"{rule.__module__.rsplit('.', 1)[1]}.{rule.__name__}"


def find(name: str) -> Rule:
    """The rule of that name. Raises `LookupError` when there is none."""
    module, _, function = name.partition(".")
    try:
        return cast(Rule, getattr(importlib.import_module(f"{__name__}.{module}"), function))
    except (ImportError, AttributeError):
        raise LookupError(f"no rule is called {name!r}; look in autograder/rules/") from None
