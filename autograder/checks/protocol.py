"""The protocol between processes: a question to a notebook's answers, and what they gave, as texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from autograder.calls import reference_stub
from autograder.calls.runner import ASKED, STATES, Answers, Question, ask_all
from autograder.checks import code_slips
from autograder.exercises import public_course, wire
from autograder.exercises.exercise import Observation, StudentError
from autograder.exercises.limits import MAX_BASES


def write_request(question: Question) -> str:
    """Return a question as text, to be put to a notebook's answers by `answer_request`."""
    return wire.dumps([*vars(question).values()])


def read_request(text: str) -> Question:
    """Return the question behind a request."""
    return Question(*wire.loads(text))


def answer_request(
    request: str,
    namespace: dict[str, Any],
    send: reference_stub.Send,
    tell: Callable[[dict[str, str]], object] = dict,
) -> str:
    """Put a request to the answers in a notebook's namespace, and return what `read_reply` reads.

    send: calls a stub's function; tell: is given pieces for `read_pieces`, as the answers come.
    """
    question = read_request(request)

    def tell_piece(place: int, observation: Observation) -> None:
        tell({"piece": wire.dumps([place, observation])})

    working = public_course.current_course().load_helpers(question.helpers) | reference_stub.make_stubs(
        question.reference_stubs, send
    )
    with reference_stub.replace_names(working, namespace):
        if question.mended_slip:
            answers = code_slips.ask_mended(question, namespace)
        else:
            answers = ask_all(question, namespace, tell_piece)
    return wire.dumps([answers.state, answers.library, answers.similar, *answers.observations])


def read_reply(text: Any, question: Question) -> Answers:
    """Return the answers in a reply from a student's process. Raises `wire.WireError` unless it is a proper reply."""
    if not isinstance(text, str) or not text.isascii():
        raise wire.WireError("not a reply")
    data = wire.loads(text)
    if not isinstance(data, list) or len(data) < 3 or not isinstance(data[0], str) or data[0] not in STATES:
        raise wire.WireError("not an answer's state")
    state, library, similar, *observations = data
    functions = question.library.values()
    if not isinstance(library, tuple) or not all(
        isinstance(name, str) and name in functions for name in library
    ):
        raise wire.WireError("not names of library functions")
    if not isinstance(similar, str) or (similar and not similar.isidentifier()):
        raise wire.WireError("not a name")
    if len(observations) != (max(1, len(question.cases)) if state == ASKED else 0):
        raise wire.WireError("not the observations that were asked for")
    return Answers(state, tuple(map(_bounded, observations)), library, similar[:80])


def read_pieces(pieces: Sequence[Any], question: Question, ended: str) -> Answers:
    """Return the answers in the pieces of a reply that was cut off. ended: how that came about.

    A case that was not asked again counts as having given the same. Raises `wire.WireError` for what is no piece.
    """
    observations = [Observation(error=StudentError("", f"no answer came ({ended})")) for _ in question.cases]
    for piece in pieces:
        try:
            place, data = wire.loads(piece)
            position = range(len(observations))[place]
        except (TypeError, ValueError, IndexError) as error:
            raise wire.WireError(str(error)) from None
        observation = _bounded(data)
        observations[position] = replace(
            observation, again=observation.value if observation.again is None else observation.again
        )
    return Answers(ASKED, tuple(observations), ended=ended) if pieces else Answers(ended)


def _bounded(observation: Any) -> Observation:
    """Return an observation with an error's texts cut to the lengths that the runner gives them."""
    if not isinstance(observation, Observation) or not isinstance(observation.after, tuple):
        raise wire.WireError("not an observation")
    error = observation.error
    if error is None:
        return observation
    if not isinstance(error, StudentError) or not isinstance(error.bases, tuple):
        raise wire.WireError("not an error")
    if not all(isinstance(text, str) for text in (error.kind, error.message, error.line, *error.bases)):
        raise wire.WireError("not an error")
    bases = tuple(name[:80] for name in error.bases[:MAX_BASES])
    bounded = StudentError(error.kind[:80], error.message[:300], error.line[:200], bases)
    return replace(observation, error=bounded)
