"""The verb `propose`: named mistakes of a class as a change to its course, which a person reads before it is taken."""

from __future__ import annotations

import ast
import difflib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import indent

from autograder import judge
from autograder.author import corpus
from autograder.courses import Course, Lesson
from autograder.judge import behaviour
from autograder.judge.reference import WHOLE_CELL
from autograder.model.errors import CourseError
from autograder.model.exercise import Key, MistakenAnswers
from autograder.model.text import from_here
from autograder.nbgrader_plugin import met, whole
from autograder.nbgrader_plugin.met import MetMistake, MistakeName
from autograder.student import probe

PATCH = "proposed.patch"
_QUOTES = '"""'
_SOME_RENAMED = "  answers of the corpus that it would name another way:"
_NONE_RENAMED = "  no answer of the corpus gets or loses a name by it"


@dataclass(frozen=True)
class Proposal:
    """A mistake that an exercise's list lacks, or a further way to make one; ways: what was met of it."""

    lesson: Lesson
    exercise: str
    given: MistakeName
    ways: Sequence[MetMistake]


def propose_mistakes(course: Course, wanted: list[str], folder: Path) -> str:
    """Write `proposed.patch` into a class's folder, which lists its named mistakes in the course, with their answers;
    whom of the course's corpus they would name comes back, in words. wanted: their ids; all when there are none.

    Raises `CourseError` where none has a name.
    """
    known = met.read_met(folder)
    names = met.read_names(folder, known)
    for one in wanted:
        if one not in names:
            raise CourseError(f"no mistake [{one}] has a name: `{course.command} mistakes` gives it one")
    if not names:
        raise CourseError(f"no mistake has a name in {folder}: `{course.command} mistakes` gives them")
    there = {lesson.id: lesson for lesson in course.lessons}
    chosen = [known[one] for one in names if one in wanted or not wanted]
    stale = [one.id for one in chosen if one.lesson not in there or not one.is_asked_still(there[one.lesson])]
    ways = defaultdict[tuple[str, str, str], list[MetMistake]](list)
    for way in chosen:
        if way.id not in stale:
            ways[way.lesson, way.exercise, names[way.id].name].append(way)
    lines = [f"Left out, for their exercise asks something else by now: {', '.join(stale)}"] if stale else []
    texts = dict[Path, str]()
    for (lesson, exercise, name), those in sorted(ways.items()):
        proposal = Proposal(there[lesson], exercise, names[those[0].id], those)
        told = [*_renamed(proposal)]
        told[:0] = [_SOME_RENAMED if told else _NONE_RENAMED]
        lines += ["", f"{lesson}, {exercise}, “{name}”", *told, *_write(proposal, texts)]
    patch = "".join(_differences(course, texts))
    path = folder / PATCH
    whole.write_whole(path, patch.encode(), 0o600)
    apply = f"in a clone of the course: git apply {path}"
    taken = f"Read {from_here(path)}, students' code is in it; then, {apply}"
    after = f"`{course.command} build`, `{course.command} inspect` and the tests say what is missing then."
    return "\n".join([*lines, "", *([taken, after] if patch else ["Nothing to write."])]).strip()


def _renamed(proposal: Proposal) -> Iterator[str]:
    """The answers of the course's corpus that would be named another way, were the mistake listed, a line each. None of
    a student's code is run.
    """
    lesson, exercise = proposal.lesson, proposal.exercise
    key = judge.visible_key(lesson, exercise)
    listed = _listed(proposal, key)
    for answer in corpus.answers_to(lesson, exercise):
        with probe.quiet():
            names = corpus.names_with(lesson, answer.code)
        attempts = judge.attempts(lesson, key, names)
        before, after = (judge.judge(one, attempts).misconception or "no name" for one in (key, listed))
        if before != after:
            kind = "right" if answer.right else answer.misconception or "of no list"
            yield f"    {answer.style!r} ({kind}): {before} → {after}"


def _listed(proposal: Proposal, key: Key) -> Key:
    ways = tuple(behaviour.seen_on(proposal.lesson, proposal.exercise, one.does) for one in proposal.ways)
    name, question = proposal.given.name, proposal.given.question
    before = next((one for one in key.mistakes if one.name == name), MistakenAnswers(name, name, question))
    after = replace(before, observations=(*before.observations, *ways))
    return replace(key, mistakes=(*(one for one in key.mistakes if one.name != name), after))


def _write(proposal: Proposal, texts: dict[Path, str]) -> Iterator[str]:
    """Put a proposal into the texts of the course's files; what is left to do by hand comes back."""
    judging = proposal.lesson.folder / f"{proposal.exercise}.py"
    before = texts.get(judging) or judging.read_text(encoding="utf-8")
    wrong = [code for one in proposal.ways for code in _wrong(proposal, one)]
    new = [code for code in wrong if code not in before]
    if changed := _with_mistake(before, proposal.given, new):
        texts[judging] = changed
    else:
        yield f"  {judging.name} lists no misconceptions where they can be added to: write it there by hand"
    if not wrong:
        yield "  its code begins with neither def, class, import, from nor @: write the wrong code by hand"
    answers = judging.with_name(f"{proposal.exercise}_answers.py")
    text = texts.get(answers) or (answers.read_text(encoding="utf-8") if answers.exists() else "")
    texts[answers] = _with_answers(text, proposal)
    if sum(len(one.examples) for one in proposal.ways) < 2:
        yield "  one answer only is known: write another one, in another way"


def _wrong(proposal: Proposal, one: MetMistake) -> list[str]:
    """The wrong code that shows a mistake, as Python writes it in the exercise's file."""
    if proposal.lesson.exercise(one.exercise).values:
        return [repr(behaviour.given_values(proposal.lesson, one.exercise, one.does))]
    code = next(filter(WHOLE_CELL.match, one.examples), "")
    if not code:
        return []
    plain = "\\" not in code and _QUOTES not in code
    return [f"{_QUOTES}\n{indent(code, ' ' * 12)}\n            {_QUOTES}" if plain else repr(code)]


def _with_mistake(text: str, given: MistakeName, wrong: Sequence[str]) -> str:
    """The text of a module with a mistake added to the exercise's list, or ways to one that is there; "" where it has
    no such list.
    """
    given_by_name = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.keyword))
    lists = (node.value for node in given_by_name if node.arg == "misconceptions")
    listed = next((one for one in lists if isinstance(one, ast.Tuple) and one.elts), None)
    if listed is None:
        return ""
    calls = [one for one in listed.elts if isinstance(one, ast.Call) and one.args]
    same = next(
        (one for one in calls if ast.unparse(one.args[0]) == repr(given.name)),
        None,
    )
    body = "".join(f",\n            {code}" for code in wrong)
    if same is not None:
        return _inserted(text, same.args[-1], body)
    name, question = (json.dumps(one, ensure_ascii=False) for one in (given.name, given.question))
    new = f',\n        Misconception({name}, "",\n            {question}{body})'
    return _inserted(text, listed.elts[-1], new)


def _inserted(text: str, behind: ast.expr, more: str) -> str:
    """The text with more behind the end of a node in it."""
    lines = text.encode().splitlines(keepends=True)
    end = sum(map(len, lines[: (behind.end_lineno or 1) - 1])) + (behind.end_col_offset or 0)
    return (text.encode()[:end] + more.encode() + text.encode()[end:]).decode()


def _with_answers(text: str, proposal: Proposal) -> str:
    """The text of an exercise's answers with those that were met, and the parts that the mistake breaks."""
    name = json.dumps(proposal.given.name, ensure_ascii=False)
    first = '# %% crosses="'
    line = f"# {proposal.given.name} -> {'; '.join(proposal.ways[0].crosses)}\n"
    if first in text and f"# {proposal.given.name} ->" not in text:
        head, _, rest = text.partition(first)
        said, _, rest = rest.partition("\n")
        text = f"{head}{first}{said}\n{line}{rest}"
    for one in proposal.ways:
        for number, code in enumerate(one.examples, start=1):
            style = json.dumps(f"met in a class, {one.id}-{number}")
            if style not in text:
                text = f"{text.rstrip()}\n\n# %% mistake={name} style={style}\n{code}\n".lstrip()
    return text


def _differences(course: Course, texts: dict[Path, str]) -> Iterator[str]:
    for path, after in texts.items():
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        name = path.relative_to(course.root).as_posix()
        old, new = (text.splitlines(keepends=True) for text in (before, after))
        from_file = f"a/{name}" if before else "/dev/null"
        for line in difflib.unified_diff(old, new, from_file, f"b/{name}"):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
