"""The repository as it is checked out, elsewhere: a test may change it and run the documented commands in it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from autograder.classroom.class_folder import SECRET_FILE
from autograder.tests.this_course import FIXED, ROOT

LISTED = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]


def make_clone(target: Path) -> Path:
    """Copy what is checked out here, changes included, to the folder `target`; it comes back."""
    listed = subprocess.run(LISTED, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name, follow_symlinks=False)
    (target / SECRET_FILE).write_text(FIXED)
    return target


def add_environment(clone: Path) -> Path:
    """Give a clone this run's environment as its own; the clone comes back."""
    programs = clone / ".venv" / "bin"
    programs.mkdir(parents=True)
    for program in Path(sys.executable).parent.iterdir():
        (programs / program.name).symlink_to(program)
    (clone / ".venv" / "ready").touch()
    return clone
