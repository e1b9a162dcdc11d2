"""Answer keys as files, by which a student's notebook judges the visible examples.

One JSON file a lesson, `generated/<lesson>/examples.json`. It holds inputs, right results and what each misconception
would give on the same inputs (nothing where the judge could not tell it from right), but no code: neither a solution
nor a mistake. Where values are asked for, it holds what recognises them (`hidden_values`). A rule is stored by where it
is defined, `module:function`; a module of a lesson by its name below the package of the course's lessons.
"""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from autograder.checks import diagnosis
from autograder.exercises import argument_kinds, common, wire
from autograder.exercises.argument_kinds import map_nested
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import AnswerKey, Case, Criterion, MistakenAnswers, Observation
from autograder.exercises.public_course import PublicCourse, is_lessons
from autograder.exercises.values import round_array


@dataclass(frozen=True)
class LessonKeys:
    """The visible keys of one lesson, by exercise and in its order.

    minutes: how long the lesson takes, as it says itself; 0 where it does not.
    """

    lesson: str
    title: str
    keys: Mapping[str, AnswerKey]
    minutes: int = 0


@functools.cache
def load_keys(course: PublicCourse, lesson: str) -> LessonKeys:
    """Return the stored keys of a lesson. Raises `CourseError` when there are none."""
    path = course.examples(lesson)
    if not path.is_file():
        raise CourseError(f"no lesson is called {lesson!r}; there are {', '.join(course.lessons)}")
    return parse_keys(path.read_text(encoding="utf-8"), course)


@functools.cache
def load_variants(course: PublicCourse, lesson: str) -> Mapping[str, AnswerKey]:
    """Return the stored keys of the variants of a lesson's exercises; none where none can be read."""
    try:
        return parse_keys(course.help_file(lesson, "twins.json").read_text(encoding="utf-8"), course).keys
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def parse_keys(text: str, course: PublicCourse) -> LessonKeys:
    """Return a lesson's keys from the text of its file."""
    data = json.loads(text)
    keys = {key["exercise"]: _read(key, course) for key in data["exercises"]}
    return LessonKeys(data["lesson"], data["title"], keys, data.get("minutes", 0))


def format_keys(keys: LessonKeys) -> str:
    """Return a lesson's keys as the text of its file: one line a case, so that a change is readable."""
    data = {"lesson": keys.lesson, "title": keys.title, **({"minutes": keys.minutes} if keys.minutes else {})}
    return format_json({**data, "exercises": [_write(key) for key in keys.keys.values()]}) + "\n"


_STORED_NAMES = {"criteria": "parts"}
"""Fields of a key that have another name in the file."""


def _write(key: AnswerKey) -> dict[str, Any]:
    steps = [wire.encode(map_nested(round_array, dict(step))) for step in key.steps]
    return {
        **{_STORED_NAMES.get(name, name): value for name, value in vars(key).items() if name != "steps"},
        **({"steps": steps} if steps else {}),
        "library": dict(key.library),
        "parts": [
            [part.title, function_name(part.rule), part.tags, part.points, part.built, *part.plain]
            for part in key.criteria
        ],
        "cases": [wire.encode(case) for case in key.cases],
        "expected": [
            encode_observation(case, observation) for case, observation in zip(key.cases, key.expected)
        ],
        "mistakes": [_write_mistake(key, mistake) for mistake in key.mistakes],
    }


def _write_mistake(key: AnswerKey, mistake: MistakenAnswers) -> dict[str, Any]:
    def write(case: Case, observation: Observation, right: Observation) -> Any:
        is_right = diagnosis.is_same(observation, right, case.tolerance)
        return None if is_right else encode_observation(case, observation)

    variants = [
        list(map(write, key.cases, observations, key.expected)) for observations in mistake.observations
    ]
    data = {**vars(mistake), "observations": variants}
    if not mistake.by_error:
        del data["by_error"]
    return data


def function_name(rule: Callable[..., Any]) -> str:
    """Return the name by which a function of the grader or of the course's public half is stored."""
    package, _, below = rule.__module__.partition(".")
    return f"{f'.{below}' if is_lessons(package) else rule.__module__}:{rule.__name__}"


@functools.cache
def load_function(name: str, course: PublicCourse) -> Any:
    """Return the function of the grader or of this course that is stored by this name."""
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module, course.package), function)


def encode_observation(case: Case, observation: Observation) -> Any:
    """Return an answer to a case as JSON data: value, error, arguments that changed, what was built.

    Numbers have seven figures.
    """
    changed = common.find_changed_argument(case, observation) is not None
    arguments = map_nested(round_array, observation.after) if changed else None
    value = map_nested(round_array, observation.value)
    error = observation.error and replace(observation.error, bases=())
    return [wire.encode(item) for item in (value, error, arguments, observation.built)]


def decode_observation(case: Case, data: Any) -> Observation:
    """Return what `encode_observation` wrote. Raises `wire.WireError` for what is no value."""
    value, error, changed_arguments, built = map(wire.decode, data)
    unchanged = tuple(map(argument_kinds.describe_unchanged, case.inputs))
    return Observation(value, value, changed_arguments or unchanged, error=error, built=built)


def _read(data: Mapping[str, Any], course: PublicCourse) -> AnswerKey:
    cases = tuple(map(wire.decode, data["cases"]))
    expected = tuple(map(decode_observation, cases, data["expected"]))
    criteria = [
        Criterion(title, load_function(rule, course), tuple(tags), points, built, tuple(plain))
        for title, rule, tags, points, built, *plain in data["parts"]
    ]
    fields = {name: value for name, value in data.items() if name not in _STORED_NAMES.values()}
    return AnswerKey(
        **{
            **fields,
            **{name: tuple(data[name]) for name in ("values", "builds_on", "results", "free")},
            "steps": tuple(map(wire.decode, data.get("steps", ()))),
            "criteria": tuple(criteria),
            "cases": cases,
            "expected": expected,
            "mistakes": tuple(_read_mistake(mistake, cases, expected) for mistake in data["mistakes"]),
        }
    )


def _read_mistake(
    data: Mapping[str, Any], cases: tuple[Case, ...], expected: tuple[Observation, ...]
) -> MistakenAnswers:
    def read(case: Case, observation: Any, right: Observation) -> Observation:
        return right if observation is None else decode_observation(case, observation)

    variants = tuple(tuple(map(read, cases, variant, expected)) for variant in data["observations"])
    return MistakenAnswers(**{**data, "observations": variants})


def format_json(data: Any, indent: str = "") -> str:
    """Return data as JSON with a line for each entry of the outer three levels and no line breaks below."""
    inner = indent + " "
    if len(indent) < 4 and isinstance(data, dict) and data:
        body = (f"{inner}{json.dumps(k)}: {format_json(v, inner)}" for k, v in data.items())
        return "{\n" + ",\n".join(body) + f"\n{indent}}}"
    if len(indent) < 4 and isinstance(data, (list, tuple)) and data:
        return "[\n" + ",\n".join(inner + format_json(item, inner) for item in data) + f"\n{indent}]"
    return json.dumps(data, separators=(",", ":"))
