"""A build changes what has changed, and nothing else."""

from __future__ import annotations

import base64
import dataclasses
import io
import json

import numpy as np
import pytest
from matplotlib.image import imsave
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograder import build, judge, keys, reference, settled
from autograder.errors import CourseError
from autograder.exercise import Case, RandomSource
from autograder.lessons import find_lesson
from autograder.tests.processors import processors

LESSON = find_lesson("01_weighted_sums")


# --- what a change is ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "stored"),
    [
        (1 / 3, 0.33333333),
        (np.array([1e6, 0.0]), np.array([1e6, 1e-3])),
        (np.array([1.0, np.nan, np.inf]), np.array([1.0000001, np.nan, np.inf])),
        (Case("a", (np.ones(2, np.float32),)), Case("a", (np.full(2, 1.000001, np.float32),))),
        ({"a": [(1.0, "text")]}, {"a": [(1.0000001, "text")]}),
    ],
    ids=repr,
)
def test_other_last_digits_are_no_change(made, stored):
    assert repr(settled.data(made, stored)) == repr(stored)


@pytest.mark.parametrize(
    ("made", "stored"),
    [
        (0.3334, 0.3333),
        (np.array([1.0, np.nan]), np.array([1.0, 2.0])),
        (np.ones(2), np.ones(2, np.float32)),
        (np.ones(2), np.ones(3)),
        (np.array([10**9]), np.array([10**9 + 1])),
        (RandomSource(20_240_101), RandomSource(20_240_102)),
        (True, 1),
        ("text", "texts"),
        ((1.0, 2.0), [1.0, 2.0]),
        (None, 1.0),
    ],
    ids=repr,
)
def test_all_else_is(made, stored):
    assert repr(settled.data(made, stored)) == repr(made)


def test_beside_a_change_the_rest_stays_as_stored():
    made = {"changed": 2.0, "same": 1.0, "new": (1.0, 5.0)}
    stored = {"changed": 3.0, "same": 1.0000001, "new": (1.0000001,), "gone": 1}
    assert settled.data(made, stored) == {"changed": 2.0, "same": 1.0000001, "new": (1.0000001, 5.0)}


def drawn(shade):
    """A notebook whose one output is a picture in a shade of grey, with one white corner."""
    pixels = np.full((4, 5, 3), shade, np.uint8)
    pixels[0, 0] = 255
    buffer = io.BytesIO()
    imsave(buffer, pixels, format="png")
    data = {"image/png": base64.b64encode(buffer.getvalue()).decode()}
    return new_notebook(cells=[new_code_cell("draw()", id="a", outputs=[new_output("display_data", data)])])


@pytest.mark.parametrize(("shade", "kept"), [(100, True), (101, True), (150, False)])
def test_a_picture_that_looks_the_same_is_no_change(shade, kept):
    made, stored = drawn(shade), drawn(100)
    assert (settled.notebook(drawn(shade), stored) == stored) == kept
    assert (settled.notebook(drawn(shade), stored) == made) == (not kept or shade == 100)


# --- the build -------------------------------------------------------------------------------------------


def test_a_parts_new_title_changes_that_line_alone():
    lesson = find_lesson("04_gaussian_kernel")
    *others, last = lesson.exercises
    part = dataclasses.replace(last.parts[0], title="another title")
    renamed = dataclasses.replace(last, parts=(part, *last.parts[1:]))
    made = build.examples(dataclasses.replace(lesson, exercises=(*others, renamed))).splitlines()
    stored = build.examples_path(lesson.id).read_text(encoding="utf-8").splitlines()
    changed = [new for new, old in zip(made, stored, strict=True) if new != old]
    assert len(changed) == 1
    assert "another title" in changed[0]


def test_what_is_printed_in_a_row_is_one_output():
    cell = new_code_cell("import time\nfor i in range(3):\n    print(i, flush=True)\n    time.sleep(0.2)")
    outputs = build.execute(new_notebook(cells=[cell])).cells[0].outputs
    assert [output.text for output in outputs] == ["0\n1\n2\n"]


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Where the examples are written instead, by a process that remembers none; the notebook is as it is stored."""
    remembered = (keys.load, reference.namespace, judge._seen)
    stored = build.notebook_path(LESSON.id).read_text(encoding="utf-8")
    monkeypatch.setattr(build, "instructor_notebook", lambda lesson: stored)
    monkeypatch.setattr(keys, "FOLDER", tmp_path)
    for memory in remembered:
        memory.cache_clear()
    yield tmp_path / f"{LESSON.id}.json"
    for memory in remembered:
        memory.cache_clear()


@pytest.mark.parametrize("before", [None, "", "<<<<<<< HEAD", json.dumps({"lesson": 1})])
def test_examples_are_made_whatever_lies_there(elsewhere, before):
    if before is not None:
        elsewhere.write_text(before)
    build.main([LESSON.id])
    assert list(keys.loads(elsewhere.read_text()).keys) == [one.id for one in LESSON.exercises]


def test_a_check_writes_nothing_and_names_what_would_change(elsewhere):
    with pytest.raises(CourseError, match=r"01_weighted_sums\.json"):
        build.main([LESSON.id], check=True)
    assert not elsewhere.exists()
    build.main([LESSON.id])
    build.main([LESSON.id], check=True)


# --- other processors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "names"),
    [
        ([], ["without extensions"]),
        (["ASIMDHP", "ASIMDDP"], ["without extensions"]),
        (["X86_V3"], ["without extensions", "with AVX2"]),
        (["X86_V3", "X86_V4", "AVX512_ICL"], ["without extensions", "with AVX2"]),
    ],
    ids=str,
)
def test_only_what_this_processor_can_do_is_switched_off(found, names):
    settings = processors(found)
    off = [one["NPY_DISABLE_CPU_FEATURES"].split() for one in settings.values()]
    assert list(settings) == names
    assert off == [found, [name for name in found if name != "X86_V3"]][: len(names)]
