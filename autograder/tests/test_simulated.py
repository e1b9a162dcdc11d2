"""A simulated class: drawn from its seed alone, and as uneven as a class is."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys

import nbformat
import numpy as np
import pytest

from autograder.author import corpus, scaffold
from autograder.courses import open_course
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.intake import taken_in
from autograder.sandbox.cells import grade_id_of
from autograder.tests import simulated
from autograder.tests.this_course import ROOT, find_lesson, lessons

LESSON = find_lesson("03_word2vec_heatmap")
STUDENTS = 200
RELEASE = LESSON.released


@pytest.fixture(scope="module")
def drawn():
    """The same class in every lesson."""
    return {lesson.id: simulated.simulated_class(lesson, STUDENTS, 1) for lesson in lessons()}


def share_right(given):
    return sum(bool(answer and answer.right) for answer in given.values()) / len(given)


def test_a_seed_gives_one_class_and_another_seed_another(drawn):
    state = random.getstate()
    assert simulated.simulated_class(LESSON, STUDENTS, 1) == drawn[LESSON.id]
    assert random.getstate() == state
    assert simulated.simulated_class(LESSON, STUDENTS, 2) != drawn[LESSON.id]


def test_a_larger_class_begins_with_the_smaller_one(drawn):
    small = simulated.simulated_class(LESSON, 3, 1)
    assert list(small) == ["student_001", "student_002", "student_003"]
    assert small == {student: drawn[LESSON.id][student] for student in small}


def test_the_class_is_the_same_in_every_process(drawn):
    program = (
        "from autograder.tests.simulated import simulated_class\n"
        "from autograder.tests.this_course import find_lesson\n"
        f"for given in simulated_class(find_lesson({LESSON.id!r}), 20, 1).values():\n"
        "    print([answer and answer.style for answer in given.values()])"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    there = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    here = [
        str([answer and answer.style for answer in given.values()])
        for given in list(drawn[LESSON.id].values())[:20]
    ]
    assert there.stdout.splitlines() == here


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_answers_are_the_corpus_s_to_their_exercise(drawn, lesson):
    known = set(corpus.answers(lesson))
    for given in drawn[lesson.id].values():
        assert list(given) == [exercise.id for exercise in lesson.exercises]
        assert all(answer.exercise == name for name, answer in given.items() if answer)
        assert {answer for answer in given.values() if answer} <= known


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)
def test_there_are_all_kinds_of_students(drawn, lesson):
    given = drawn[lesson.id]
    untouched = [student for student in given if not any(given[student].values())]
    stopped = [
        student for student in given if student not in untouched and not list(given[student].values())[-1]
    ]
    damaged = [student for student in given if simulated.damaged(lesson, student, 1)]
    mistaken = {answer.misconception for one in given.values() for answer in one.values() if answer}
    assert all(1 <= len(found) <= STUDENTS / 3 for found in (untouched, stopped, damaged))
    assert len(mistaken) > len(lesson.exercises)


def test_harder_exercises_are_missed_more(drawn):
    right, parts = [], []
    for lesson in lessons():
        for exercise in lesson.exercises:
            answers = [given[exercise.id] for given in drawn[lesson.id].values() if given[exercise.id]]
            right.append(np.mean([answer.right for answer in answers]))
            parts.append(len(exercise.parts))
    assert np.corrcoef(right, parts)[0, 1] < -0.9


def test_who_is_good_in_one_lesson_is_good_in_the_next(drawn):
    """Every pair of lessons correlates beyond chance: 0.14 is the 5 % bound for 200 students."""
    shares = [[share_right(given) for given in drawn[lesson.id].values()] for lesson in lessons()]
    between = np.corrcoef(shares)[np.triu_indices(len(shares), 1)]
    assert between.min() > 0.14


def test_who_holds_a_misconception_in_one_lesson_leans_to_it_in_the_next(drawn):
    """Of all misconceptions that several lessons list: how often its holders meet it again, and how often others do."""
    holders = {
        lesson: {
            (student, answer.misconception)
            for student, given in found.items()
            for answer in given.values()
            if answer and answer.misconception
        }
        for lesson, found in drawn.items()
    }
    before = set.union(*(holders[lesson.id] for lesson in lessons()[:3]))
    after = set.union(*(holders[lesson.id] for lesson in lessons()[3:]))
    shared = {name for _, name in before} & {name for _, name in after}
    everyone = {(student, name) for student in drawn[LESSON.id] for name in shared}
    again = len(before & after & everyone) / len(before & everyone)
    anew = len((everyone - before) & after) / len(everyone - before)
    assert again > 2 * anew


def test_the_notebooks_hold_the_answers(drawn, tmp_path):
    students = simulated.hand_in_class(LESSON, RELEASE, tmp_path, 30, 1)
    blank = {grade_id_of(cell): cell.source for cell in nbformat.read(RELEASE, as_version=4).cells}
    assert students == list(drawn[LESSON.id])[:30]
    for student in students:
        notebook, notes = taken_in(str(tmp_path / student / LESSON.id / RELEASE.name))
        assert bool(notes) == simulated.damaged(LESSON, student, 1)
        if notes:
            continue
        cells = {grade_id_of(cell): cell.source for cell in notebook.cells}
        for exercise, answer in drawn[LESSON.id][student].items():
            assert cells.pop(exercise) == (answer.code if answer else blank[exercise])
        written = cells.pop("explain_keys_and_values") != blank["explain_keys_and_values"]
        assert written == bool(next(reversed(drawn[LESSON.id][student].values())))
        assert cells == {name: blank[name] for name in cells}


@pytest.fixture
def own_lesson(tmp_path):
    """A lesson of a new course, in which no answer is on no list."""
    scaffold.new_course(tmp_path / "own")
    lesson = open_course(tmp_path / "own").lesson("01_temperatures")
    for path in lesson.folder.glob("*_answers.py"):
        path.write_text(re.sub("# %% unlisted=(.|\n)*?(?=# %%|$(?!\n))", "", path.read_text()))
    return lesson


@pytest.mark.parametrize("exercises", [0, 1, 2])
def test_a_lesson_of_few_exercises_has_a_class_too(own_lesson, tmp_path, exercises):
    vars(own_lesson)["exercises"] = own_lesson.exercises[:exercises]
    assert all(answer.right or answer.misconception for answer in corpus.answers(own_lesson))
    students = simulated.hand_in_class(own_lesson, RELEASE, tmp_path / "submitted", 100, 1)
    assert len(students) == len(list((tmp_path / "submitted").glob("*/*/*.ipynb"))) == 100


def test_an_exercise_without_answers_is_named(own_lesson):
    (own_lesson.folder / "to_celsius_answers.py").write_text("")
    with pytest.raises(CourseError, match="to_celsius: .* `autograder inspect`"):
        simulated.simulated_class(own_lesson, 100, 1)


@pytest.mark.slow
def test_the_command_makes_a_class_and_none_among_others(tmp_path, drawn, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    simulated.main(LESSON.id, "3", str(tmp_path / "class"))
    found = sorted((tmp_path / "class" / "submitted").glob(f"*/{LESSON.id}/{RELEASE.name}"))
    assert [path.parents[1].name for path in found] == list(drawn[LESSON.id])[:3]
    assert (tmp_path / "class" / "gradebook.db").is_file()
    with pytest.raises(SystemExit, match="already holds submissions .* student_003's among them"):
        simulated.main(LESSON.id, "2", str(tmp_path / "class"))
