"""A copy of a class to grade in, so that a round can be tried and nothing of the class changes."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from autograder.classroom.class_folder import CONFIG, directory_of
from autograder.courses import Course
from autograder.exercises.errors import CourseError
from autograder.submissions.submission_folder import is_plain_file

_FOLDERS = ("autograded", "handed_out")
"""What grading reads, and writes in; what was handed in is only read, and so is only pointed to."""


@contextlib.contextmanager
def copy_class(course: Course, folder: Path) -> Iterator[Path]:
    """Copy what grading needs of a class's folder. Raises `CourseError` where its gradebook lies elsewhere."""
    gradebook = folder / "gradebook.db"
    with TemporaryDirectory(prefix="autograder-preview-") as temporary:
        copy = Path(temporary).resolve()
        for path in filter(is_plain_file, folder.iterdir()):
            if path != gradebook and (path.name != CONFIG or not folder.samefile(course.root)):
                shutil.copy2(path, copy / path.name)
        if directory_of(course, copy).db_url != f"sqlite:///{copy / gradebook.name}":
            raise CourseError(f"a preview grades in a copy of {gradebook}, and the gradebook lies elsewhere")
        for name in _FOLDERS:
            if (folder / name).is_dir():
                shutil.copytree(folder / name, copy / name, symlinks=True)
        if gradebook.exists():
            readable = f"file:{quote(str(gradebook))}?mode=ro"
            with contextlib.closing(sqlite3.connect(readable, uri=True)) as database:
                database.execute("VACUUM INTO ?", (str(copy / gradebook.name),))
        (copy / "submitted").mkdir()
        for path in (folder / "submitted").iterdir():
            (copy / "submitted" / path.name).symlink_to(path.resolve())
        yield copy
