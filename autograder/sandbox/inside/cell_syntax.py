"""Translates IPython's own syntax in a cell to Python: magics, shell commands, help.

IPython reads the whole cell again for each line that has such syntax, up to 500 times. Here one pass changes all such
lines. Another pass follows only because a changed line may have hidden lines behind it.
"""

from __future__ import annotations

import contextlib

from IPython.core.inputtransformer2 import TokenTransformBase, TransformerManager, make_tokens_by_line

from autograder.exercises.limits import MAX_SYNTAX_PASSES


class CellTransformer(TransformerManager):
    """IPython's transformer, in time that grows with a cell's length and not with its square."""

    def do_token_transforms(self, lines: list[str]) -> list[str]:
        """Return the lines as Python. Raises RuntimeError where lines hide each other too often."""
        for _ in range(MAX_SYNTAX_PASSES):
            changed, lines = self.do_one_token_transform(lines)
            if not changed:
                return lines
        raise RuntimeError(f"magics that hide each other are read {MAX_SYNTAX_PASSES} times at most")

    def do_one_token_transform(self, lines: list[str]) -> tuple[bool, list[str]]:
        """Change all lines up to the first whose IPython syntax goes on into the next line."""
        chosen = []
        for tokens in make_tokens_by_line(lines):
            matches = [match for kind in self.token_transformers if (match := kind.find([tokens]))]
            if matches:
                chosen.append(sorted(matches, key=TokenTransformBase.sortby))
                if tokens[-1].end[0] > tokens[0].start[0]:
                    break
        changed = False
        for matches in reversed(chosen):  # positions before a change stay what they are
            for match in matches:
                with contextlib.suppress(SyntaxError):
                    lines, changed = match.transform(lines), True
                    break
        return changed, lines
