"""Answer keys as files: what a student's notebook needs to judge the visible examples.

One JSON file a lesson, `<lesson>/shown/examples.json`. It holds inputs, right results and what each misconception would
give on the same inputs (nothing where the judge could not tell it from right), but no code: neither a solution nor a
mistake. Where values are asked for, it holds what recognises them (`concealed`). A rule is stored by where it is
defined, `module:function`; a module of a lesson by its name below the package of the course's lessons.
"""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.checks import diagnosis
from autograder.checks.public_course import Visible, is_lessons
from autograder.exercises import argument_kinds, common, wire
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Case, Key, MistakenAnswers, Observation, Part
from autograder.exercises.values import mapped, rounded


@dataclass(frozen=True)
class LessonKeys:
    """The visible keys of one lesson, by exercise and in its order.

    minutes: what it says of how long it takes; 0 where it says nothing.
    """

    lesson: str
    title: str
    keys: Mapping[str, Key]
    minutes: int = 0


@functools.cache
def load(course: Visible, lesson: str) -> LessonKeys:
    """Return the stored keys of a lesson. Raises `CourseError` when there are none."""
    path = course.examples(lesson)
    if not path.is_file():
        raise CourseError(f"no lesson is called {lesson!r}; there are {', '.join(course.lessons)}")
    return read_keys(path.read_text(encoding="utf-8"), course)


@functools.cache
def load_twins(course: Visible, lesson: str) -> Mapping[str, Key]:
    """Return the stored keys of the twins of a lesson's exercises; none where none can be read."""
    try:
        return read_keys(course.opened(lesson, "twins.json").read_text(encoding="utf-8"), course).keys
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def read_keys(text: str, course: Visible) -> LessonKeys:
    """Return a lesson's keys from the text of its file."""
    data = json.loads(text)
    with argument_kinds.of_course(course.packages):
        keys = {key["exercise"]: _read(key, course) for key in data["exercises"]}
    return LessonKeys(data["lesson"], data["title"], keys, data.get("minutes", 0))


def write_keys(keys: LessonKeys) -> str:
    """Return a lesson's keys as the text of its file: one line a case, so that a change is readable."""
    data = {"lesson": keys.lesson, "title": keys.title, **({"minutes": keys.minutes} if keys.minutes else {})}
    return in_lines({**data, "exercises": [_write(key) for key in keys.keys.values()]}) + "\n"


def _write(key: Key) -> dict[str, Any]:
    steps = {"steps": [wire.encode(mapped(rounded, dict(step))) for step in key.steps]} if key.steps else {}
    return {
        **{name: value for name, value in vars(key).items() if name != "steps"},
        **steps,
        "library": dict(key.library),
        "parts": [
            [part.title, name_of(part.rule), part.tags, part.points, part.built, *part.plain]
            for part in key.parts
        ],
        "cases": [wire.encode(case) for case in key.cases],
        "expected": [write_seen(case, seen) for case, seen in zip(key.cases, key.expected)],
        "mistakes": [_write_mistake(key, mistake) for mistake in key.mistakes],
    }


def _write_mistake(key: Key, mistake: MistakenAnswers) -> dict[str, Any]:
    def write(case: Case, seen: Observation, right: Observation) -> Any:
        return None if diagnosis.same(seen, right, case.tolerance) else write_seen(case, seen)

    variants = [list(map(write, key.cases, seen, key.expected)) for seen in mistake.observations]
    data = {**vars(mistake), "observations": variants}
    if not mistake.by_error:
        del data["by_error"]
    return data


def name_of(rule: Callable[..., Any]) -> str:
    """Return the name by which a function of the grader or of the course's shown half is stored."""
    package, _, below = rule.__module__.partition(".")
    return f"{f'.{below}' if is_lessons(package) else rule.__module__}:{rule.__name__}"


@functools.cache
def found(name: str, course: Visible) -> Any:
    """Return the function of the grader or of this course that is stored by this name."""
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module, course.package), function)


def write_seen(case: Case, seen: Observation) -> Any:
    """Return an answer to a case as JSON data: value, error, arguments that changed, what was built.

    Numbers have seven figures.
    """
    after = mapped(rounded, seen.after) if common.written_into(case, seen) is not None else None
    return [wire.encode(part) for part in (mapped(rounded, seen.value), seen.error, after, seen.built)]


def read_seen(case: Case, data: Any) -> Observation:
    """Return what `write_seen` wrote. Raises `wire.WireError` for what is no value."""
    value, error, after, built = map(wire.decode, data)
    unchanged = tuple(argument_kinds.after(argument) for argument in (*case.args, *case.kwargs.values()))
    return Observation(value, value, after or unchanged, error=error, built=built)


def _read(data: Mapping[str, Any], course: Visible) -> Key:
    cases = tuple(map(wire.decode, data["cases"]))
    expected = tuple(map(read_seen, cases, data["expected"]))
    parts = [
        Part(title, found(rule, course), tuple(tags), points, built, tuple(plain))
        for title, rule, tags, points, built, *plain in data["parts"]
    ]
    return Key(
        **{
            **data,
            **{name: tuple(data[name]) for name in ("values", "builds_on", "results", "free")},
            "steps": tuple(map(wire.decode, data.get("steps", ()))),
            "parts": tuple(parts),
            "cases": cases,
            "expected": expected,
            "mistakes": tuple(_read_mistake(mistake, cases, expected) for mistake in data["mistakes"]),
        }
    )


def _read_mistake(
    data: Mapping[str, Any], cases: tuple[Case, ...], expected: tuple[Observation, ...]
) -> MistakenAnswers:
    def read(case: Case, seen: Any, right: Observation) -> Observation:
        return right if seen is None else read_seen(case, seen)

    variants = tuple(tuple(map(read, cases, variant, expected)) for variant in data["observations"])
    return MistakenAnswers(**{**data, "observations": variants})


def in_lines(data: Any, indent: str = "") -> str:
    """Return data as JSON with a line for each entry of the outer three levels and no line breaks below."""
    inner = indent + " "
    if len(indent) < 4 and isinstance(data, dict) and data:
        body = (f"{inner}{json.dumps(k)}: {in_lines(v, inner)}" for k, v in data.items())
        return "{\n" + ",\n".join(body) + f"\n{indent}}}"
    if len(indent) < 4 and isinstance(data, (list, tuple)) and data:
        return "[\n" + ",\n".join(inner + in_lines(item, inner) for item in data) + f"\n{indent}]"
    return json.dumps(data, separators=(",", ":"))
