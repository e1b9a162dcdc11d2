"""Other solutions of an exercise, encrypted: a right answer unlocks them.

The key is derived from the answer's results on inputs whose right results are stored nowhere. Numbers are rounded so
that all right answers give the same key, see `autograder/answers/locked_solutions.py`.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.calls.runner import Question, ask
from autograder.calls.timeout import interrupt_after
from autograder.checks.answer_keys import function_name, load_function
from autograder.exercises import values, wire
from autograder.exercises.exercise import AnswerKey, Case, Observation
from autograder.exercises.public_course import PublicCourse
from autograder.notebook.attempt_log import Unlocked, append_entry
from autograder.notebook.optional_quiz import load_quiz
from autograder.views.verdict_view import Section, paragraph

MAX_SECONDS = 10
"""The time limit for an answer's results on the inputs of a key."""

SCRYPT_COST = 2**12
"""The cost parameter of scrypt: about 10 ms and 4 MiB for each key that someone guesses."""

Settled = Callable[[Case, Any], Any] | None
"""The type of `Exercise.canonical`."""

INPUT_DIFFERS = """The visible checks pass, and that verdict stays. On one more input, whose right result is stored
nowhere, your answer, with what it calls, gives something else than the course's. Which number, size or case does it
take for granted? Once it is right there too, this opens the course's own answer and others."""


@dataclass(frozen=True)
class KeyInput:
    """An input from whose results a key is derived.

    step: the unit to which its results are rounded; places: those of the results that count.
    """

    case: Case
    step: float
    places: tuple[str, ...]
    settled: Settled = None

    def key_part(self, observation: Observation) -> list[Any]:
        """Return the rounded results that go into the key."""
        pieces = result_pieces(self.case, observation, self.settled)
        return [rounded(pieces.get(where), self.step) for where in self.places]


@dataclass(frozen=True)
class LockedSolutions:
    """Encrypted solutions; inputs and salt: what the key is derived from; encrypted: JSON as a Fernet token."""

    salt: str
    inputs: tuple[KeyInput, ...]
    encrypted: str

    def open_with_results(self, observations: Sequence[Observation]) -> Any:
        """Return the decrypted content.

        Raises:
            cryptography.fernet.InvalidToken: These are not the right results.
        """
        return self.open_with_key(self.derive_key(observations))

    def derive_key(self, observations: Sequence[Observation]) -> str:
        """Return the key that these results give."""
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

        key_parts = [key_input.key_part(result) for key_input, result in zip(self.inputs, observations)]
        derivation = Scrypt(salt=self.salt.encode(), length=32, n=SCRYPT_COST, r=8, p=1)
        return base64.urlsafe_b64encode(derivation.derive(json.dumps(key_parts).encode())).decode()

    def open_with_key(self, key: str) -> Any:
        """Return the decrypted content.

        Raises:
            cryptography.fernet.InvalidToken: This is another key.
            ValueError: This is not a key.
        """
        from cryptography.fernet import Fernet

        return json.loads(Fernet(key).decrypt(self.encrypted.encode()))


def unlock_solutions(
    course: PublicCourse, lesson: str, key: AnswerKey, namespace: Mapping[str, Any]
) -> list[Section]:
    """Return the sections that a right answer unlocks, or why they stay locked; none where there are none."""
    if not course.enabled_help["box"]:
        return []
    try:
        from cryptography.fernet import InvalidToken

        solutions = load_solutions(course, lesson, key)
    except ModuleNotFoundError:
        return [paragraph("Other solutions stay locked here", "To open them: pip install cryptography")]
    except (AttributeError, ImportError, LookupError, OSError, RecursionError, TypeError, ValueError):
        why = "The lesson's file of other solutions is damaged, or another lesson's."
        return [paragraph("Other solutions cannot be read", why)]
    if solutions is None:
        return []
    try:
        with interrupt_after(MAX_SECONDS) as limit:
            opening_key = solutions.derive_key(answer_key_inputs(solutions.inputs, key.exercise, namespace))
            content = solutions.open_with_key(opening_key)
    except InvalidToken:
        return [paragraph("One more input differs", INPUT_DIFFERS)]
    except KeyboardInterrupt:
        if not limit.passed:
            raise
        return [paragraph("One more input takes too long", f"No result came there in {limit.description}.")]
    append_entry(lesson, Unlocked(key.exercise, opening_key))
    sections = [Section(title, text, html, folded=True) for title, text, html in content["sections"]]
    near_miss, quiz = content["near_miss"], load_quiz("question_card")
    if near_miss and quiz:
        sections.insert(0, quiz.QuestionCard(**near_miss).as_section("A near miss", "check"))
    return sections


def answer_key_inputs(
    inputs: Sequence[KeyInput], exercise: str, namespace: Mapping[str, Any]
) -> tuple[Observation, ...]:
    """Return the results of the answer in a namespace on the inputs of a key."""
    question = Question(exercise, (), tuple(key_input.case for key_input in inputs))
    return ask(question, dict(namespace)).observations


def load_solutions(course: PublicCourse, lesson: str, key: AnswerKey) -> LockedSolutions | None:
    """Return an exercise's other solutions; None where there are none.

    Raises:
        ValueError: The file was changed. Damaged files raise other errors, too.
    """
    try:
        entry = json.loads(course.other_solutions(lesson).read_text(encoding="utf-8")).get(key.exercise)
    except FileNotFoundError:
        return None
    if entry is None:
        return None
    if entry.pop("whole") != _digest(key, entry):
        raise ValueError("not as it was made")
    settled = load_function(entry["settled"], course) if entry["settled"] else None
    inputs = [
        KeyInput(wire.decode(case), step, tuple(places), settled) for case, step, places in entry["inputs"]
    ]
    return LockedSolutions(entry["salt"], tuple(inputs), entry["sealed"])


def solutions_as_data(key: AnswerKey, solutions: LockedSolutions) -> dict[str, Any]:
    """Return encrypted solutions as JSON data."""
    inputs = [
        [wire.encode(key_input.case), key_input.step, list(key_input.places)]
        for key_input in solutions.inputs
    ]
    settled = solutions.inputs[0].settled and function_name(solutions.inputs[0].settled)
    entry = {"salt": solutions.salt, "settled": settled, "inputs": inputs, "sealed": solutions.encrypted}
    return {**entry, "whole": _digest(key, entry)}


def result_pieces(case: Case, observation: Observation, settled: Settled = None) -> dict[str, Any]:
    """Return a result's arrays and single values by their places; of an error, only that there was one."""
    if observation.error is not None:
        return {"": "an error"}
    try:
        with np.errstate(all="ignore"):
            return dict(_pieces(settled(case, observation.value) if settled else observation.value))
    except Exception:  # what came back may be anything
        return {}


def rounded(piece: Any, step: float) -> Any:
    """Return a piece of a result as it goes into a key: an array as its shape and its multiples of a step."""
    if not isinstance(piece, np.ndarray):
        return repr(piece)
    return [piece.shape, (np.rint(piece.astype(float) / step) + 0.0).tolist()]  # never -0.0


def _pieces(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    value = value.as_dict() if isinstance(value, values.Table) else value
    numbers = values.as_numbers(value)
    if numbers is not None or not isinstance(value, (dict, list, tuple)):
        yield where, value if numbers is None else numbers
        return
    for name, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _pieces(item, f"{where}/{name}")


def _digest(key: AnswerKey, entry: Mapping[str, Any]) -> str:
    text = json.dumps([key.exercise, key.signature, entry], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
