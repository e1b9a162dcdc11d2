"""The course that `new-course` makes, built and released: two exercises, with NumPy alone."""

from __future__ import annotations

import functools
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.authoring import scaffold
from autograder.authoring.release import link_solutions
from autograder.classroom.class_folder import SECRET_FILE
from autograder.courses import Course, open_course
from autograder.tests.commands import run_nbgrader, run_typed
from autograder.tests.this_course import FIXED

NAME = "weather"
LESSON, NOTEBOOK = "01_temperatures", "temperatures"
CELSIUS, DAYS = "to_celsius", "warmest_days"
QUESTION = """
# %% [markdown] written="why_kelvin" points=4
# ### In your own words: `why_kelvin`
#
# Why does a scale begin where nothing moves? (4 points)
#
# ### BEGIN SOLUTION
# There is nothing colder.
# ### END SOLUTION
"""


SECOND = "02_weather"


def make(folder: Path, *, question: str = "", lessons: tuple[str, ...] = (LESSON,)) -> Course:
    """Make it in a folder; a class may be taught in the same one.

    question: a cell behind its exercises, in writing; lessons: the first, and others that are the same.
    """
    shutil.copytree(Path(_made(question, lessons).name, NAME), folder, dirs_exist_ok=True)
    return open_course(folder)


@functools.cache
def _made(question: str, lessons: tuple[str, ...]) -> TemporaryDirectory[str]:
    """The folder that holds the course of which all such courses are copies."""
    made = TemporaryDirectory(prefix="small-course-")
    folder = Path(made.name, NAME)
    scaffold.new_course(folder)
    with (folder / "solutions" / LESSON / f"{NOTEBOOK}.py").open("a", encoding="utf-8") as lesson:
        lesson.write(question)
    for other in lessons[1:]:
        again = shutil.copytree(folder / "solutions" / LESSON, folder / "solutions" / other)
        source = (again / f"{NOTEBOOK}.py").rename(again / f"{other.partition('_')[2]}.py")
        source.write_text(source.read_text(encoding="utf-8").replace(LESSON, other), encoding="utf-8")
    run_typed("autograder build", "autograder release", folder=folder)
    (folder / SECRET_FILE).write_text(FIXED)
    return made


def make_class(course: Course, folder: Path) -> Path:
    """A class's folder, which comes back, with all lessons handed out; what is copied of it has the same course."""
    folder.mkdir()
    link_solutions(course, folder)
    for lesson in course.lessons:
        run_nbgrader("generate_assignment", lesson.id, "--force", folder=folder, course=course)
    (folder / SECRET_FILE).write_text(FIXED)
    return folder
