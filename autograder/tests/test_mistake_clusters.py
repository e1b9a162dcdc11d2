"""Mistakes that a class met and nobody listed: put together by what they do, named once, told to all who make them."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
from pathlib import Path

import msgspec
import nbformat
import pytest
from nbformat import v4

from autograder.answers import corpus, trials
from autograder.answers.corpus import Answer
from autograder.class_report import report as class_report
from autograder.exercises.errors import CourseError
from autograder.exercises.verdict import State, Verdict
from autograder.judging import judge, unnamed_mistakes
from autograder.judging.unnamed_mistakes import Behaviour
from autograder.records import mistake_clusters, record_store
from autograder.tests.recorded import record
from autograder.tests.reports import LESSON
from autograder.tests.this_course import COURSE, find_lesson
from autograder.views import verdict_view

OF = find_lesson(LESSON)
EXERCISE = "length_weights"
TAKEN = "lengths not divided by their sum"
"""A listed mistake that these tests take from the list."""

LENGTHS = "def length_weights(words):\n    return [len(w) for w in words]  # by Amy\n"
LENGTHS_TOO = "def length_weights(words):\n    '''Amy's.'''\n    return list(map(len, words))\n"
PRINTED = "def length_weights(words):\n    print([len(w) / len(''.join(words)) for w in words])\n"
RIGHT = "def length_weights(words):\n    return [len(w) / sum(map(len, words)) for w in words]\n"
NAME, ASKED = "<b>shares</b> that are lengths", "What do they sum to?"


def judged(answer: Answer, mistakes: bool = True) -> tuple[Verdict, Behaviour | None]:
    """The verdict on an answer, and what it does. mistakes: whether any are listed; all but one then."""
    key = judge.hidden_key(OF, EXERCISE, "amy")
    listed = tuple(one for one in key.mistakes if mistakes and one.name != TAKEN)
    key = dataclasses.replace(key, mistakes=listed)
    names = trials.answered(OF, answer)
    attempts = judge.ask_in_process(OF, judge.make_question(OF, key), names, lambda own: False, key)
    verdict = judge.judge(key, attempts)
    return verdict, unnamed_mistakes.describe_behaviour(OF, key, attempts, verdict)


@functools.cache
def tried(code: str) -> tuple[Verdict, Behaviour | None]:
    return judged(Answer(EXERCISE, "tried", code))


def write(folder: Path, student: str, code: str, does: object = None) -> Path:
    """A graded notebook with one answer. does: what it keeps of what that does, where that is not what was seen."""
    verdict, seen = tried(code)
    shown = v4.new_output("execute_result", {"text/plain": "0", "text/html": verdict_view.as_html(verdict)})
    cells = [
        v4.new_code_cell(code, metadata={"nbgrader": {"grade_id": EXERCISE}}),
        v4.new_code_cell("check", metadata={"nbgrader": {"grade_id": f"test_{EXERCISE}"}}, outputs=[shown]),
    ]
    behaviours = {EXERCISE: does or seen} if does or seen else {}
    others = {one.id: Verdict(one.id, State.NOT_STARTED, ()) for one in OF.graded}
    kept = msgspec.to_builtins({"verdicts": {**others, EXERCISE: verdict}, "behaviours": behaviours})
    path = folder / "autograded" / student / LESSON / OF.released.name
    path.parent.mkdir(parents=True)
    (folder / "submitted" / student / LESSON).mkdir(parents=True)
    nbformat.write(v4.new_notebook(cells=cells), path)
    about = {"kept_verdicts": kept["verdicts"], "kept_behaviours": kept["behaviours"]}
    record(folder, LESSON, student, code={EXERCISE: code}, **about)
    return path


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The folder of a class in which two make one mistake, one another, and one none."""
    folder = tmp_path / "spring"
    for student, code in {"amy": LENGTHS, "ben": LENGTHS_TOO, "cy": PRINTED, "dan": RIGHT}.items():
        write(folder, student, code)
    mistake_clusters.update_clusters(OF, folder)
    return folder


def names_in(folder: Path) -> dict[str, str]:
    """What each student's verdict says, and its card."""
    names = {}
    for path in sorted(folder.glob(f"autograded/*/{LESSON}/*.ipynb")):
        verdict = record_store.load_record(OF, path.parts[-3], folder).verdicts[EXERCISE]
        (output,) = nbformat.read(path, as_version=4).cells[1].outputs
        assert output.data["text/html"] == verdict_view.as_html(verdict)
        names[path.parent.parent.name] = verdict.misconception
    return names


def name_mistake(folder: Path) -> str:
    """Write the three lines that the report shows for the most frequent mistake, filled in; its id comes back."""
    (mistake, *_), *_ = mistake_clusters.unnamed_clusters(folder, OF)
    lines = (f'["{mistake.id}"]', f'name = "{NAME}"', f'question = "{ASKED}"')
    (folder / mistake_clusters.NAMES).write_text("\n".join(lines))
    return mistake.id


def test_answers_that_do_the_same_are_one_mistake_and_its_name_is_told_to_all_who_make_it(made: Path) -> None:
    (mistake, here, before), (other, *_) = mistake_clusters.unnamed_clusters(made, OF)
    assert (here, before, mistake.example) == (2, 0, LENGTHS.partition("  #")[0])
    assert other.crosses == ["one weight for every occurrence of a word"]
    class_report.write_reports(COURSE, [LESSON], made)
    assert f'["{mistake.id}"]' in (made / "reports" / f"{LESSON}.html").read_text()
    name_mistake(made)
    mistake_clusters.update_clusters(OF, made)
    assert names_in(made) == {"amy": NAME, "ben": NAME, "cy": "", "dan": ""}
    verdict = record_store.load_record(OF, "amy", made).verdicts[EXERCISE]
    assert (verdict.points, verdict.question) == (tried(LENGTHS)[0].points, ASKED)
    class_report.write_reports(COURSE, [LESSON], made)
    text = (made / "reports" / f"{LESSON}.html").read_text()
    assert "&lt;b&gt;shares" in text
    assert "<b>shares" not in text

    write(made, "eve", LENGTHS_TOO)
    mistake_clusters.update_clusters(OF, made)
    assert names_in(made)["eve"] == NAME
    files = {path: path.stat().st_mtime_ns for path in made.rglob("*.*")}
    mistake_clusters.update_clusters(OF, made)
    assert files == {path: path.stat().st_mtime_ns for path in made.rglob("*.*")}
    (made / mistake_clusters.NAMES).unlink()
    mistake_clusters.update_clusters(OF, made)
    assert set(names_in(made).values()) == {""}


def test_names_go_on_in_the_next_term_also_from_the_release_before(made: Path, tmp_path: Path) -> None:
    name_mistake(made)
    later = tmp_path / "autumn"
    write(later, "zoe", LENGTHS)
    (later / mistake_clusters.NAMES).write_bytes((made / mistake_clusters.NAMES).read_bytes())
    before = json.loads((made / mistake_clusters.MEMORY).read_text())
    for mistake in before:
        mistake |= {"examples": [mistake.pop("example")], "said": ["a line"]}
    (later / mistake_clusters.MEMORY).write_text(json.dumps(before))
    mistake_clusters.update_clusters(OF, later)
    assert names_in(later) == {"zoe": NAME}
    write(later, "yan", PRINTED)
    mistake_clusters.update_clusters(OF, later)
    ((mistake, here, others),) = mistake_clusters.unnamed_clusters(later, OF)
    assert (here, others, "print(" in mistake.example) == (1, 1, True)


def test_what_students_sent_upsets_nothing_and_nobody_else(made: Path) -> None:
    _, does = tried(LENGTHS)
    assert does
    deep = "[" * 100_000
    for number, given in enumerate(("", "[]", "[1]", deep, does.given.replace("list", "dict"))):
        write(made, f"odd{number}", LENGTHS, dataclasses.replace(does, given=given))
    write(made, "form", LENGTHS, {"asked": 1})
    write(made, "other", LENGTHS, dataclasses.replace(does, asked="another time"))
    name_mistake(made)
    mistake_clusters.update_clusters(OF, made)
    assert {student for student, name in names_in(made).items() if name} == {"amy", "ben"}


def test_a_right_answer_a_wavering_and_a_large_one_have_no_behaviour(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tried(RIGHT)[1] is None
    noisy = "def length_weights(words):\n    return list(np.random.default_rng().random(len(words)))\n"
    assert tried(noisy)[0].state is State.WRONG
    assert tried(noisy)[1] is None
    monkeypatch.setattr(unnamed_mistakes, "MAX_BEHAVIOUR_CHARACTERS", 10)
    assert judged(Answer(EXERCISE, "large", LENGTHS))[1] is None


def test_what_is_written_by_hand_and_cannot_be_meant_is_said(made: Path) -> None:
    path, id = made / mistake_clusters.NAMES, name_mistake(made)
    for text, complaint in {
        "name = ": "cannot be read",
        '[12345678]\nname = "a"\nquestion = "b"': r"no mistake in mistakes.json is called \[12345678\]",
        f'["{id}"]\nname = "a"': "ask a question as well",
        f'["{id}"]\nname = "a\\nb"\nquestion = "c"': "write the name in one line, with 100 characters",
        f'["{id}"]\nnam = "a"': "cannot be read: Object contains unknown field `nam`",
    }.items():
        path.write_text(text)
        with pytest.raises(CourseError, match=complaint):
            mistake_clusters.update_clusters(OF, made)
    path.unlink()
    (made / mistake_clusters.MEMORY).write_text("[")
    with pytest.raises(CourseError, match=r"mistakes\.json cannot be read .* put back a copy"):
        mistake_clusters.update_clusters(OF, made)


def test_a_name_is_given_to_no_other_answer_of_the_corpus() -> None:
    """Even were nothing listed: answers that do the same have a name that is true of both."""
    answers = [answer for answer in corpus.answers(OF) if answer.exercise == EXERCISE]
    wrong = [(answer, does) for answer in answers if (does := judged(answer, mistakes=False)[1])]
    behaviours = [does for _, does in wrong]
    groups = unnamed_mistakes.group_behaviours(str(COURSE.root), LESSON, EXERCISE, behaviours)
    assert sum(bool(answer.misconception) for answer, _ in wrong) >= 8
    answers_by_group = zip(groups, (answer for answer, _ in wrong))
    for (group, named), (other_group, other) in itertools.permutations(answers_by_group, 2):
        if group == other_group and named.misconception:
            assert {*other.true} & {*named.true}, other.style
