"""Hooks into IPython that follow a notebook's cells: which failed, and which only wait for an exercise.

A cell that runs into a TODO, or into a name that an exercise is to define, prints one line instead of a traceback, and
the cells behind it run. The same holds for a name that such a cell would have defined.
"""

from __future__ import annotations

import re
import symtable
import traceback
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from autograder.exercises.exercise import STUB, AnswerKey


class CellHooks:
    """Follows the cells of one notebook in which a lesson's exercises are answered."""

    def __init__(self, keys: Mapping[str, AnswerKey], check: Callable[[str], None]) -> None:
        """Take the lesson's keys by exercise, and the function that shows the verdict on an exercise."""
        self._keys, self._check = keys, check
        self.errors: dict[str, str] = {}
        """By exercise, the error that ended the last run of the cell that defines it."""
        self.syntax_errors: dict[str, str] = {}
        """By exercise, the syntax error because of which the last text of its cell was not run."""
        self._syntax_error_cell: dict[str, str | None] = {}
        """By exercise, the id of the cell with the syntax error; None where the notebook has no ids."""
        self._waiting: BaseException | None = None
        self._missing_exercise: dict[str, str] = {}
        """The exercise that a cell waits for, by each name that the cell would have defined."""

    def install(self, shell: Any) -> None:
        """Follow the cells of this shell, instead of hooks that were installed earlier."""
        for event, follow in (("pre_run_cell", self.before_cell), ("post_run_cell", self.after_cell)):
            for earlier in [callback for callback in shell.events.callbacks[event] if _is_hook(callback)]:
                shell.events.unregister(event, earlier)
            shell.events.register(event, follow)
        shell.set_custom_exc((NameError, NotImplementedError, TypeError), self.show_error)

    def before_cell(self, info: Any) -> None:
        """Forget the errors of the exercises that this cell defines."""
        written, cell_id = self._written_in(info.raw_cell), getattr(info, "cell_id", None)
        for exercise in written:
            self.errors.pop(exercise, None)
        for exercise in [*self.syntax_errors]:
            if exercise in written or cell_id and self._syntax_error_cell[exercise] == cell_id:
                del self.syntax_errors[exercise]

    def after_cell(self, result: Any) -> None:
        """Record the error of a cell for the exercises that it defines; a cell that only waits has not failed."""
        error = result.error_before_exec or result.error_in_exec
        for exercise in self._written_in(result.info.raw_cell) if error is not None else ():
            line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
            where = self.syntax_errors if error is result.error_before_exec else self.errors
            self._syntax_error_cell[exercise] = getattr(result.info, "cell_id", None)
            where[exercise] = f"{type(error).__name__}: {getattr(error, 'msg', error)}{line}"
        if result.error_in_exec is self._waiting:
            result.error_in_exec = None

    def show_error(
        self, shell: Any, kind: type, error: BaseException, tb: TracebackType, tb_offset: Any = None
    ) -> None:
        """Print which exercise a cell waits for; for any other error, show the traceback."""
        exercise, reason = self._find_missing_exercise(kind, error, tb, shell.user_ns)
        if not exercise:
            shell.showtraceback((kind, error, tb), tb_offset=tb_offset)
            return
        cell, self._waiting = shell.user_ns["In"][-1], error
        symbols = symtable.symtable(cell, "cell", "exec").get_symbols()
        self._missing_exercise |= {symbol.get_name(): exercise for symbol in symbols if symbol.is_assigned()}
        if re.search(rf"^check\(\s*{exercise}\s*\)", cell, re.MULTILINE):
            self._check(exercise)
        else:
            print(f"This cell waits for {reason}.")

    def _find_missing_exercise(
        self, kind: type, error: BaseException, tb: TracebackType, names: Mapping[str, Any]
    ) -> tuple[str, str]:
        """Return the exercise that a cell waits for and what to say about it; empty where it waits for none."""
        if kind is NameError:
            missing = getattr(error, "name", "")
            for exercise, key in self._keys.items():
                if missing == exercise or missing in key.values:
                    return exercise, f"{exercise}, which is not defined yet"
            maker = self._missing_exercise.get(missing, "")
            return maker, f"{missing}, which another cell makes with {maker}"
        if kind is NotImplementedError and str(error) == STUB:
            *_, (frame, _) = traceback.walk_tb(tb)
            name = frame.f_code.co_qualname.split(".")[0]
            return (name if name in self._keys else ""), f"{name}, which is still a TODO"
        if kind is TypeError and "ellipsis" in str(error).lower():
            for exercise, key in self._keys.items():
                if any(names.get(value) is ... for value in key.values):
                    return exercise, f"{exercise}, which is not filled in yet"
        return "", ""

    def _written_in(self, cell: str) -> list[str]:
        """Return the exercises that a cell defines."""
        exercises = []
        for exercise, key in self._keys.items():
            values = "|".join(key.values)
            assigns = rf"^\b[\w, *]*\b({values})\b[\w, *]*(:[^=\n]*)?=(?!=)"
            pattern = assigns if values else rf"^(def|class)\s+{exercise}\b|^{exercise}\s*(:[^=\n]*)?=(?!=)"
            if re.search(pattern, cell, re.MULTILINE):
                exercises.append(exercise)
        return exercises


def _is_hook(callback: Any) -> bool:
    return isinstance(getattr(callback, "__self__", None), CellHooks)
