"""Mistakes that a class met and nobody listed: put together by what they do, named once, told to all who make them."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

import msgspec
import nbformat
import pytest
from nbformat import v4

from autograder import judge
from autograder.author import corpus
from autograder.author.corpus import Answer
from autograder.judge import behaviour
from autograder.judge.behaviour import Behaviour
from autograder.model.errors import CourseError
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import met, store
from autograder.nbgrader_plugin.met import MistakeName
from autograder.nbgrader_plugin.store import NOTES
from autograder.publish import class_report
from autograder.student import report
from autograder.tests import outcomes
from autograder.tests.recorded import record
from autograder.tests.reports import LESSON
from autograder.tests.this_course import COURSE, find_lesson

OF = find_lesson(LESSON)
EXERCISE = "length_weights"
TAKEN = "lengths not divided by their sum"
"""A listed mistake that these tests take from the list."""

LENGTHS = "def length_weights(words):\n    return [len(w) for w in words]  # by Amy\n"
LENGTHS_TOO = "def length_weights(words):\n    '''Amy's.'''\n    return list(map(len, words))\n"
PRINTED = "def length_weights(words):\n    print([len(w) / len(''.join(words)) for w in words])\n"
RIGHT = "def length_weights(words):\n    return [len(w) / sum(map(len, words)) for w in words]\n"
GIVEN = MistakeName("<b>shares</b> that are lengths", "What do they sum to?")


@functools.cache
def judged(code: str, student: str = "amy") -> tuple[Verdict, Behaviour | None]:
    """The verdict on an answer, by a list that lacks a mistake, and what it does."""
    key = judge.hidden_key(OF, EXERCISE, student)
    key = dataclasses.replace(key, mistakes=tuple(one for one in key.mistakes if one.name != TAKEN))
    names = outcomes.answered(LESSON, Answer(EXERCISE, "tried", code))
    attempts = judge.ask_in_process(OF, judge.question(OF, key), names, lambda own: False, key)
    verdict = judge.judge(key, attempts)
    return verdict, behaviour.of_answer(OF, key, attempts, verdict)


def write(folder: Path, student: str, code: str, does: object = None) -> Path:
    """A graded notebook with one answer. does: what it keeps of what that does, where that is not what was seen."""
    verdict, seen = judged(code, student)
    shown = v4.new_output("execute_result", {"text/plain": "0", "text/html": report.as_html(verdict)})
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
    nbformat.write(v4.new_notebook(cells=cells, metadata={NOTES: {"verdicts": kept["verdicts"]}}), path)
    about = {"kept_verdicts": kept["verdicts"], "kept_behaviours": kept["behaviours"]}
    record(folder, LESSON, student, code={EXERCISE: code}, **about)
    return path


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The folder of a class in which two make one mistake, one another, and one none."""
    folder = tmp_path / "spring"
    for student, code in {"amy": LENGTHS, "ben": LENGTHS_TOO, "cy": PRINTED, "dan": RIGHT}.items():
        write(folder, student, code)
    met.learn(OF, folder)
    return folder


def names_in(folder: Path) -> dict[str, str]:
    """What each student's verdict says, and its card."""
    found = {}
    for path in sorted(folder.glob(f"autograded/*/{LESSON}/*.ipynb")):
        verdict = store.load_record(OF, path.parts[-3], folder).verdicts[EXERCISE]
        (output,) = nbformat.read(path, as_version=4).cells[1].outputs
        assert output.data["text/html"] == report.as_html(verdict)
        found[path.parent.parent.name] = verdict.misconception
    return found


def first(folder: Path) -> str:
    """The most frequent mistake's id."""
    return met.most_frequent(met.read_met(folder), LESSON)[0].id


def give_name(folder: Path, mistake: str) -> None:
    """Write the three lines that the report shows, filled in."""
    lines = (f'["{mistake}"]', f'name = "{GIVEN.name}"', f'question = "{GIVEN.question}"')
    (folder / met.NAMES).write_text("\n".join(lines))


def test_answers_that_do_the_same_are_one_mistake_and_its_name_is_told_to_all_who_make_it(made: Path) -> None:
    (one, here, before), (other, *_) = met.unnamed(made, OF)
    assert (here, before, one.examples[0]) == (2, 0, LENGTHS.partition("  #")[0])
    assert other.crosses == ["one weight for every occurrence of a word"]
    assert not any("Amy" in code for code in one.examples)
    points = judged(LENGTHS)[0].points
    give_name(made, one.id)
    met.learn(OF, made)
    assert names_in(made) == {"amy": GIVEN.name, "ben": GIVEN.name, "cy": "", "dan": ""}
    outcome = store.load_record(OF, "amy", made)
    assert outcome.verdicts[EXERCISE].points == points
    assert outcome.verdicts[EXERCISE].question == GIVEN.question

    write(made, "eve", LENGTHS_TOO)
    met.learn(OF, made)
    assert names_in(made)["eve"] == GIVEN.name

    files = {path: path.stat().st_mtime_ns for path in made.rglob("*.*")}
    met.learn(OF, made)
    assert files == {path: path.stat().st_mtime_ns for path in made.rglob("*.*")}

    (made / met.NAMES).unlink()
    met.learn(OF, made)
    assert set(names_in(made).values()) == {""}


def test_of_a_mistake_few_codes_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(met.limits, "MAX_EXAMPLES", 1)
    for student, code in {"amy": LENGTHS, "ben": LENGTHS_TOO}.items():
        write(tmp_path, student, code)
    met.learn(OF, tmp_path)
    (one,) = met.read_met(tmp_path).values()
    assert one.answers == {tmp_path.name: 2}
    assert len(one.examples) == 1


def test_names_go_on_in_the_next_term(made: Path, tmp_path: Path) -> None:
    give_name(made, first(made))
    later = tmp_path / "autumn"
    write(later, "zoe", LENGTHS)
    for name in (met.NAMES, met.MEMORY):
        (later / name).write_bytes((made / name).read_bytes())
    met.learn(OF, later)
    assert names_in(later) == {"zoe": GIVEN.name}
    found = met.most_frequent(met.read_met(later), LESSON)
    assert [one.counted(later) for one in found] == [(1, 2), (0, 1)]


def test_what_students_sent_upsets_nothing_and_nobody_else(made: Path) -> None:
    _, does = judged(LENGTHS)
    assert does
    deep = "[" * 100_000
    for number, given in enumerate(("", "[]", "[1]", deep, does.given.replace("list", "dict"))):
        write(made, f"odd{number}", LENGTHS, dataclasses.replace(does, given=given))
    write(made, "form", LENGTHS, {"asked": 1})
    write(made, "other", LENGTHS, dataclasses.replace(does, asked="another time"))
    give_name(made, first(made))
    met.learn(OF, made)
    named = {student for student, name in names_in(made).items() if name}
    assert named == {"amy", "ben"}


def test_a_right_answer_a_wavering_and_a_large_one_have_no_behaviour(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(RIGHT)[1] is None
    noisy = "def length_weights(words):\n    return list(np.random.default_rng().random(len(words)))\n"
    assert judged(noisy)[0].state is State.WRONG
    assert judged(noisy)[1] is None
    monkeypatch.setattr(behaviour, "MAX_KEPT_ANSWER", 10)
    assert judged(LENGTHS, "large")[1] is None


def test_what_is_written_by_hand_and_cannot_be_meant_is_said(made: Path) -> None:
    path, one = made / met.NAMES, first(made)
    for text, complaint in {
        "name = ": "cannot be read",
        '[12345678]\nname = "a"\nquestion = "b"': r"no mistake in mistakes.json is called \[12345678\]",
        f'["{one}"]\nname = "a"': "ask a question as well",
        f'["{one}"]\nname = "a\\nb"\nquestion = "c"': "write the name in one line, with 100 characters",
        f'["{one}"]\nnam = "a"': "cannot be read: Object contains unknown field `nam`",
    }.items():
        path.write_text(text)
        with pytest.raises(CourseError, match=complaint):
            met.learn(OF, made)
    path.unlink()
    (made / met.MEMORY).write_text("[")
    with pytest.raises(CourseError, match=r"mistakes\.json cannot be read .* put back a copy"):
        met.learn(OF, made)


def test_pages_show_what_was_typed_as_text(made: Path) -> None:
    class_report.write_reports(COURSE, [LESSON], made)
    told = (made / "reports" / f"{LESSON}.html").read_text()
    assert f'["{first(made)}"]' in told
    give_name(made, first(made))
    met.learn(OF, made)
    class_report.write_reports(COURSE, [LESSON], made)
    named = (made / "reports" / f"{LESSON}.html").read_text()
    assert "&lt;b&gt;shares" in named
    assert "<b>shares" not in named


def wrongly(names: dict[str, Answer], same: list[list[Answer]]) -> list[str]:
    """Answers that stand with a named one and are right, or have no name that is true of both."""
    return [
        other.style
        for together in same
        for named in together
        if named.style in names
        for other in together
        if not {*other.true} & {*named.true}
    ]


def test_a_name_is_given_to_no_other_answer_of_the_corpus() -> None:
    """Even were nothing listed; that the count can tell, shows what only the crossed lines would do."""
    answers = [one for one in corpus.answers(OF) if one.exercise == EXERCISE]
    found = [(one, does) for one in answers if (does := judged_without_names(one))]
    together = behaviour.put_together(str(COURSE.root), LESSON, EXERCISE, [does for _, does in found])
    by_doing, by_lines = dict[int, list[Answer]](), dict[tuple[str, ...], list[Answer]]()
    for (one, does), position in zip(found, together):
        by_doing.setdefault(position, []).append(one)
        by_lines.setdefault(does.sights, []).append(one)
    names = {one.style: one for one, _ in found if one.misconception}
    assert len(names) >= 8
    assert len(wrongly(names, [*by_lines.values()])) >= 5
    assert wrongly(names, [*by_doing.values()]) == []


def judged_without_names(one: Answer) -> Behaviour | None:
    key = dataclasses.replace(judge.hidden_key(OF, EXERCISE, "amy"), mistakes=())
    names = outcomes.answered(LESSON, one)
    attempts = judge.ask_in_process(OF, judge.question(OF, key), names, lambda own: False)
    return behaviour.of_answer(OF, key, attempts, judge.judge(key, attempts))
