"""What tests have judged before, kept in this clone by the content of all that it depends on.

What is kept lies in a file for each place. It holds for the judging that it names: once that changes, the file is
begun anew; an answer that it does not hold is judged, all others are not judged again. Files are written whole, so
that neither a second process nor one that is killed spoils them.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pickle
import tempfile
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import TypeVar

from autograder.author.corpus import crosses
from autograder.nbgrader_plugin import fingerprint
from autograder.tests.this_course import COURSE, ROOT, find_lesson

FOLDER = ROOT / ".pytest_cache" / "judged"

OWN = ("judged_before.py", "mutants.py", "outcomes.py", "this_course.py")
"""The modules here that put cases to an answer and judge what comes back."""

Asked = TypeVar("Asked", bound=Hashable)
Found = TypeVar("Found")


def judged(
    what: str, lesson: str, exercise: str, asked: Sequence[Asked], judge: Callable[[Asked], Found]
) -> tuple[Found, ...]:
    """What `judge` finds of each that is asked for, or has found before."""
    path = FOLDER / f"{lesson} {exercise} {what}"
    by = judging(lesson, exercise)
    before = _read(path, by)
    found = {one: before[one] if one in before else judge(one) for one in asked}
    if found.keys() - before.keys():
        _write(path, by, {**before, **found})
    return tuple(found[one] for one in asked)


@functools.cache
def judging(lesson: str, exercise: str) -> str:
    """The digest of all that decides how an answer is judged here: what decides grades, what it may cross, what was
    built, `OWN`.
    """
    read = [Path(__file__).parent / name for name in OWN]
    read.append(COURSE.visible.examples(find_lesson(lesson).id))
    own = [path.read_text(encoding="utf-8") for path in read]
    said = [fingerprint.of_judging(find_lesson(lesson)), dict(crosses(find_lesson(lesson), exercise)), own]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _read(path: Path, by: str) -> dict:
    """What is kept; nothing where it was judged otherwise, or cannot be read."""
    try:
        judging, found = pickle.loads(path.read_bytes())
    except Exception:  # whatever a file from elsewhere may raise, it is judged again
        return {}
    return found if judging == by else {}


def _write(path: Path, by: str, found: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(pickle.dumps((by, found)))
    os.replace(file.name, path)
