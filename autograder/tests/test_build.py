"""A build changes what has changed, and nothing else."""

from __future__ import annotations

import base64
import copy
import io
import json
import shutil
from pathlib import Path

import nbformat
import numpy as np
import pytest
from matplotlib.image import imsave
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograder.authoring import build, scaffold, stable_output
from autograder.checks import answer_keys
from autograder.courses import open_course
from autograder.exercises import Case, RandomSource
from autograder.exercises.errors import CourseError
from autograder.judging import judge
from autograder.tests.this_course import COURSE, find_exercise

# --- what a change is ------------------------------------------------------------------------------------


def test_other_last_digits_are_no_change_and_all_else_is():
    """Beside a change the rest stays as it is stored."""
    same = [
        (1 / 3, 0.33333333),
        (np.array([1e6, 0.0]), np.array([1e6, 1e-3])),
        (np.array([1.0, np.nan, np.inf]), np.array([1.0000001, np.nan, np.inf])),
        (Case("a", (np.ones(2, np.float32),)), Case("a", (np.full(2, 1.000001, np.float32),))),
        ({"a": [(1.0, "text")]}, {"a": [(1.0000001, "text")]}),
    ]
    others = [
        (0.3334, 0.3333),
        (np.array([1.0, np.nan]), np.array([1.0, 2.0])),
        (np.ones(2), np.ones(2, np.float32)),
        (np.ones(2), np.ones(3)),
        (np.array([10**9]), np.array([10**9 + 1])),
        (RandomSource(20_240_101), RandomSource(20_240_102)),
        (True, 1),
        ((1.0, 2.0), [1.0, 2.0]),
        (None, 1.0),
    ]
    assert [repr(stable_output.data(*pair)) for pair in same] == [repr(stored) for _, stored in same]
    assert [repr(stable_output.data(*pair)) for pair in others] == [repr(made) for made, _ in others]
    made = {"changed": 2.0, "same": 1.0, "new": (1.0, 5.0)}
    stored = {"changed": 3.0, "same": 1.0000001, "new": (1.0000001,), "gone": 1}
    assert stable_output.data(made, stored) == {"changed": 2.0, "same": 1.0000001, "new": (1.0000001, 5.0)}


def drawn(shade):
    """A notebook whose one output is a picture in a shade of grey, with one white corner."""
    pixels = np.full((4, 5, 3), shade, np.uint8)
    pixels[0, 0] = 255
    buffer = io.BytesIO()
    imsave(buffer, pixels, format="png")
    data = {"image/png": base64.b64encode(buffer.getvalue()).decode()}
    return new_notebook(cells=[new_code_cell("draw()", id="a", outputs=[new_output("display_data", data)])])


def test_a_picture_that_looks_the_same_is_no_change_nor_is_what_may_vary_until_code_changes():
    stored = drawn(100)
    assert stable_output.notebook(drawn(101), stored) == stored
    assert stable_output.notebook(drawn(150), stored) == drawn(150)
    made = drawn(200)
    for notebook in (stored, made):
        notebook.cells[0].metadata["tags"] = [stable_output.VARIES]
    assert stable_output.notebook(copy.deepcopy(made), stored) == stored
    made.cells.append(new_code_cell("more()", id="b"))
    assert stable_output.notebook(copy.deepcopy(made), stored) == made


# --- the build -------------------------------------------------------------------------------------------


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """Of a small course of which nothing is built yet; its notebook is not run."""
    monkeypatch.setattr(build, "instructor_notebook", lambda lesson: "")
    scaffold.new_course(tmp_path / "weather")
    return open_course(tmp_path / "weather").lesson("01_temperatures")


def test_a_build_makes_what_changed_and_nothing_else(lesson, tmp_path, monkeypatch):
    monkeypatch.setattr(build, "instructor_notebook", lambda lesson: nbformat.writes(build.assemble(lesson)))
    build.build_lesson(lesson)
    keys, visible_key = [], judge.visible_key
    monkeypatch.setattr(judge, "visible_key", lambda of, name: keys.append(name) or visible_key(of, name))

    def built_again(file, old, new):
        folder = tmp_path / f"changed {len([*tmp_path.iterdir()])}"
        changed = open_course(shutil.copytree(lesson.course.root, folder)).lesson(lesson.id)
        text = (changed.folder / file).read_text()
        assert old in text
        (changed.folder / file).write_text(text.replace(old, new))
        keys.clear()
        return {path.name for path in build.build_lesson(changed)}, {*keys}, changed

    source, judging = lesson.source.name, lesson.judging("warmest_days").relative_to(lesson.folder)
    assert built_again(source, "freezes", "freezes")[:2] == (set(), set())
    names, made, changed = built_again(judging, "the right days", "another title")
    assert names == {examples_of(lesson).name, "boxes.json", lesson.built.name}
    assert made == {"to_celsius", "warmest_days"}
    lines = (examples_of(one).read_text().splitlines() for one in (changed, lesson))
    assert [new for new, old in zip(*lines, strict=True) if new != old] == [
        '    ["another title","autograder.exercises.common:agrees",["few"],1,false],'
    ]
    monkeypatch.setattr(build, "instructor_notebook", lambda lesson: pytest.fail("the notebook was run"))
    assert built_again(source, "Water freezes", "Water froze")[:2] == ({lesson.built.name}, set())
    derived = Path("..", examples_of(lesson).relative_to(lesson.course.solutions))
    for file, old, new in ((source, "* 5 / 9", "* 5 / 9 + 0"), (derived, "label", "lable")):
        with pytest.raises(pytest.fail.Exception, match="the notebook was run"):
            built_again(file, old, new)


def examples_of(lesson):
    return lesson.course.visible.examples(lesson.id)


def test_what_an_exercise_is_worth_lists_the_parts_that_earn_points():
    asked = find_exercise("02_toy_tensors", "predict_by_hand")
    assert 0 in [part.points for part in asked.criteria]
    listed = [line for line in build.points_note(asked).splitlines() if line.startswith("- ")]
    assert listed == ["- the output is right: 1 point"]


def test_what_is_printed_in_a_row_is_one_output():
    cell = new_code_cell("import time\nfor i in range(3):\n    print(i, flush=True)\n    time.sleep(0.2)")
    outputs = build.execute(new_notebook(cells=[cell]), COURSE).cells[0].outputs
    assert [output.text for output in outputs] == ["0\n1\n2\n"]


def test_files_are_made_whatever_lies_there(lesson):
    path, start = examples_of(lesson), lesson.course.start
    path.parent.mkdir(parents=True)
    start.parent.mkdir()
    for spoilt in ("<<<<<<< HEAD", json.dumps({"lesson": 1}), '{"nbformat": 4}', ""):
        path.write_text(spoilt)
        start.write_text(spoilt)
        build.build_lessons(lesson.course, [lesson.id])
        made = answer_keys.parse_keys(path.read_text(), lesson.course.visible)
        assert list(made.keys) == ["to_celsius", "warmest_days"]
        assert "Temperatures" in build.start_page(lesson.course)


def test_a_check_writes_nothing_and_names_what_would_change(lesson):
    course = lesson.course
    named = r"generated/01_temperatures/examples\.json, course/start_here\.ipynb"
    with pytest.raises(CourseError, match=named):
        build.build_lessons(course, [], check=True)
    assert not examples_of(lesson).exists()
    assert not course.released.exists()
    build.build_lessons(course, [])
    build.build_lessons(course, [], check=True)
