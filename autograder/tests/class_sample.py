"""A small course and a class in it as this version makes them, to be graded by all later ones.

`python -m autograder.tests.class_sample` packs them into `samples/class_<version>.tar.xz`. Call it once for a release
whose classes go on, and never change the file after that release.
"""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

import autograder
from autograder.authoring import scaffold
from autograder.marking.marker_view import MarkerView
from autograder.records.manual_grades import GivenMark
from autograder.tests import small_course
from autograder.tests.commands import run_typed
from autograder.tests.grading import hand_in, right
from autograder.tests.small_course import CELSIUS, LESSON

SAMPLES = Path(__file__).parent / "samples"
PLACE = "/COURSE"
"""What stands in `class.toml` for the folder of the course."""


def make_sample(place: Path) -> None:
    """Make `course/` and `class/`: amy answers all and has a mark by hand, ben answers one exercise."""
    course = small_course.make(place / "course", question=small_course.QUESTION)
    folder = place / "class"
    scaffold.new_class(course, folder)
    run_typed(f"autograder hand-out {LESSON} --class {folder}", folder=course.root)
    lesson = course.lesson(LESSON)
    hand_in(folder, "amy", lesson, right(lesson) | {"why_kelvin": "There is nothing colder."})
    hand_in(folder, "ben", lesson, right(lesson, [CELSIUS]))
    run_typed(f"autograder round --class {folder}", folder=course.root)
    desk = MarkerView(course, folder, [lesson], "zoe")
    (answer,) = (
        answer for question in desk.questions() for answer in question.answers if answer.points is None
    )
    desk.give_marks(lesson.id, answer.name, [GivenMark(answer.id, answer.change, {"points": 3.0})])
    run_typed(f"autograder round --class {folder}", folder=course.root)
    settings = folder / "class.toml"
    settings.write_text(settings.read_text().replace(str(course.root), PLACE))


def unpack_sample(sample: Path, place: Path) -> Path:
    """Unpack a course and its class, and return the folder of the class."""
    with tarfile.open(sample) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
        archive.extractall(place)
    settings = place / "class" / "class.toml"
    settings.write_text(settings.read_text().replace(PLACE, str(place / "course")))
    return place / "class"


def main() -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        make_sample(place)
        for leftover in [
            *place.rglob("__pycache__"),
            place / "class" / "reports",
            place / "class" / "feedback",
        ]:
            shutil.rmtree(leftover, ignore_errors=True)
        sample = SAMPLES / f"class_{autograder.__version__}.tar.xz"
        with tarfile.open(sample, "w:xz") as archive:
            for name in ("class", "course"):
                archive.add(place / name, name)
    print(f"wrote {sample}: {sample.stat().st_size} bytes")


if __name__ == "__main__":
    main()
