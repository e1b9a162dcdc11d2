"""`nbgrader release_feedback` for a class in which some handed in by other ways than nbgrader's exchange."""

from __future__ import annotations

import glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

from autograder.nbgrader_plugin.folders import WRITTEN_ON_SUBMIT


def came_through(submitted: Path, lesson: str) -> bool:
    """Whether any work on a lesson came through the exchange."""
    return any(
        all(_is_text(folder / name) for name in WRITTEN_ON_SUBMIT) for folder in submitted.glob(f"*/{lesson}")
    )


class ReleaseFeedback(ExchangeReleaseFeedback):
    """nbgrader's own, which would end at the first submission that did not come through the exchange."""

    src_path: str

    def copy_files(self) -> None:
        """Release the feedback of one student after the other, and name those who have to get theirs otherwise."""
        for folder in sorted(map(Path, glob.glob(self.src_path))):
            missing = [name for name in WRITTEN_ON_SUBMIT if not _is_text(folder / name)]
            if missing:
                self.log.warning(
                    "%s is left out: this work did not come through the exchange (no %s beside it)",
                    folder,
                    " and no ".join(missing),
                )
            else:
                self.src_path = glob.escape(str(folder))
                super().copy_files()


def _is_text(path: Path) -> bool:
    try:
        return bool(path.read_text())
    except (OSError, UnicodeDecodeError):
        return False
