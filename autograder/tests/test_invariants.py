"""What holds of every lesson; each message says what to do about it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import nbformat
import pytest
from nbgrader.utils import determine_grade

from autograder import build, judge, ladder, source
from autograder.lessons import lessons
from autograder.release import ROOT
from autograder.runner import grade_id_of

LESSONS = {lesson.id: lesson for lesson in lessons()}
EXERCISES = [(lesson.id, exercise) for lesson in lessons() for exercise in lesson.exercises]
WRITTEN = {
    "03_word2vec_heatmap": ["explain_keys_and_values"],
    "04_gaussian_kernel": ["explain_kernel"],
    "05_additive_vs_dot_product": ["explain_additive"],
    "06_masks_and_heads": ["explain_self_and_cross"],
}
SYLLABUS = {
    "01_weighted_sums": ["letter_embedding", "length_weights", "pad_rows", "weighted_sum", "softmax"],
    "02_toy_tensors": [
        "predict_by_hand",
        "simple_attention",
        "scaled_dot_product_attention",
        "predict_toy_queries",
        "self_attention",
        "score_variance",
    ],
    "03_word2vec_heatmap": [
        "word_embedding",
        "sentence_matrix",
        "scaled_dot_product_attention",
        "plot_attention_weights",
    ],
    "04_gaussian_kernel": [
        "gaussian_weights",
        "kernel_regression",
        "leave_one_out_error",
        "best_bandwidth",
        "dot_product_lookup",
    ],
    "05_additive_vs_dot_product": [
        "masked_softmax",
        "AdditiveAttention",
        "DotProductAttention",
        "scoring_cost",
    ],
    "06_masks_and_heads": [
        "create_causal_mask",
        "create_padding_mask",
        "additive_mask",
        "split_heads",
        "merge_heads",
        "MultiHeadAttention",
        "predict_who_sees_whom",
    ],
}


def exercise_ids(value):
    return value.id if hasattr(value, "id") else str(value)


def instructor(lesson):
    return nbformat.read(build.notebook_path(lesson), as_version=4)


def student(lesson):
    return nbformat.read(ROOT / "course" / lesson / build.notebook_path(lesson).name, as_version=4)


def test_the_lessons_are_those_of_the_syllabus():
    graded = {lesson.id: sorted(e.id for e in lesson.exercises if e.graded) for lesson in lessons()}
    assert graded == {lesson: sorted(exercises) for lesson, exercises in SYLLABUS.items()}
    assert {lesson: source.names(lesson, "written") for lesson in SYLLABUS} == {
        lesson: WRITTEN.get(lesson, []) for lesson in SYLLABUS
    }


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES, ids=exercise_ids)
def test_every_exercise_is_whole(lesson, exercise):
    where = f"in {source.path_of(lesson)}"
    markers = ["solution", "test", "prompt", "hint"] if exercise.graded else ["solution", "test"]
    for marker in markers:
        assert exercise.id in source.names(lesson, marker), (
            f"add a cell marked {marker}={exercise.id!r} {where}"
        )
    assert exercise.parts, f"give {exercise.id} at least one part"
    if exercise.graded:
        assert exercise.points > 0, f"give {exercise.id} parts with points"
        assert exercise.misconceptions, f"list at least one misconception for {exercise.id}"
    for mistake in exercise.misconceptions:
        assert mistake.question.endswith("?") or mistake.question.endswith("."), (
            f"end the question: {mistake.question}"
        )


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_source_holds_no_exercise_that_is_not_declared(lesson):
    declared = [exercise.id for exercise in LESSONS[lesson].exercises]
    assert source.names(lesson, "test") == declared, (
        "tests and LESSON.exercises must be the same, in the same order"
    )


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES, ids=exercise_ids)
def test_the_reference_is_right(lesson, exercise):
    for key in (judge.visible_key(lesson, exercise), judge.hidden_key(lesson, exercise.id, "amy")):
        question = judge.question(key)
        verdict = judge.judge(key, judge.probe.ask_all(question, judge.reference.namespace(lesson)))
        assert verdict.state == "right", f"the reference fails its own key: {verdict}"


@pytest.mark.parametrize("lesson", LESSONS)
def test_examples_are_fresh(lesson):
    stored = build.examples_path(lesson).read_text(encoding="utf-8")
    assert build.examples(LESSONS[lesson]) == stored, f"run `make build`: {lesson}.json is stale"


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES, ids=exercise_ids)
def test_no_processor_finds_right_what_another_finds_wrong(lesson, exercise):
    key = judge.visible_key(lesson, exercise)
    for mistake in key.mistakes:
        for variant in mistake.observations:
            for case, seen, right in zip(key.cases, variant, key.expected, strict=True):
                below, above = (ladder.same(seen, right, case.tolerance * factor) for factor in (0.99, 1.01))
                assert below == above, (
                    f"{mistake.name!r} is off by just the tolerance of the example {case.label!r}: change that"
                )


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_instructors_notebook_is_fresh(lesson):
    wanted = [(cell.id, cell.source) for cell in build.assemble(LESSONS[lesson]).cells]
    stored = [(cell.id, cell.source) for cell in instructor(lesson).cells]
    assert stored == wanted, f"run `make build`: the notebook of {lesson} is stale"


@pytest.mark.parametrize("lesson", LESSONS)
def test_graded_tests_pass_in_the_solution(lesson):
    for cell in instructor(lesson).cells:
        if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code":
            score, points = determine_grade(cell)
            assert score == points, f"{grade_id_of(cell)} fails in the instructor's notebook"


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_figure_has_a_text(lesson):
    for cell in instructor(lesson).cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                alt = output.metadata.get("image/png", {}).get("alt", "")
                assert len(alt) > 30, f"show the figure of cell {cell.id} with figures.show(figure, alt=...)"


@pytest.mark.parametrize("lesson", LESSONS)
def test_headings_descend_in_order(lesson):
    text = "\n".join(cell.source for cell in instructor(lesson).cells if cell.cell_type == "markdown")
    levels = [
        len(marks)
        for marks in re.findall(r"^(#+) ", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    ]
    assert levels.count(1) == 1
    assert levels[0] == 1, "begin with the one `# title`"
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:], strict=False)), (
        f"a heading skips a level: {levels}"
    )


@pytest.mark.parametrize("lesson", LESSONS)
def test_hints_open_and_close(lesson):
    class Balance(HTMLParser):
        depth = 0

        def handle_starttag(self, tag, attrs):
            self.depth += tag == "details"

        def handle_endtag(self, tag):
            self.depth -= tag == "details"

    for cell in instructor(lesson).cells:
        if cell.cell_type == "markdown":
            balance = Balance()
            balance.feed(cell.source)
            assert balance.depth == 0, f"cell {cell.id}: a <details> is not closed"


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_release_holds_no_word_of_a_solution(lesson):
    released = student(lesson)
    text = "\n".join(cell.source for cell in released.cells)
    for cell in source.read(lesson):
        if cell.marker in ("solution", "written") and source.BEGIN in cell.text:
            region = cell.text.split(source.BEGIN, 1)[1].split(source.END, 1)[0]
            lines = {line.strip() for line in region.splitlines()}
            leaked = [line for line in lines if len(line) > 25 and line in text]
            assert not leaked, f"{cell.name}: move these out of the lesson's other cells: {leaked}"
    assert all(not cell.get("outputs") for cell in released.cells)
    assert "SOLUTION" not in text


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_release_is_fresh_and_whole(lesson):
    made, released = instructor(lesson), student(lesson)
    assert [cell.id for cell in released.cells] == [cell.id for cell in made.cells], (
        f"run `make release` for {lesson}"
    )
    for ours, theirs in zip(made.cells, released.cells, strict=True):
        if ours.metadata.get("nbgrader", {}).get("solution"):
            assert "TODO" in theirs.source or "Your answer here" in theirs.source, f"{ours.id} has no stub"
        else:
            assert theirs.source == ours.source, f"run `make release`: cell {ours.id} is stale"


@pytest.mark.parametrize("lesson", LESSONS)
def test_credits_come_last(lesson):
    assert "credit" in instructor(lesson).cells[-1].source.lower(), "end the lesson with its credits"


def test_the_start_page_is_fresh_and_true():
    page = ROOT / build.START
    assert page.read_text(encoding="utf-8") == build.start_page(), (
        "run `make build`: start_here.ipynb is stale"
    )
    text = page.read_text(encoding="utf-8")
    for number, lesson in enumerate(LESSONS, start=1):
        assert f"[{number}]: {lesson}/{LESSONS[lesson].notebook}.ipynb" in text
        first = instructor(lesson).cells[0].source
        minutes = re.search(r"\b(\d+)\s+minutes", first)
        assert minutes, f"{lesson}: say in the first cell about how many minutes it takes"
        assert re.search(rf"\[{number} · [^|]*\|[^|]*\| {minutes[1]} \|", text), (
            f"start_here.py: lesson {number} takes {minutes[1]}"
        )
