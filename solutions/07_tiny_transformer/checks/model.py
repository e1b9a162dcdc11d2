"""Rules of lesson 07 for the whole model, and for a step of its training."""

from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds, common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem
from attention import common_rules, modules

from . import rules


def parts(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Of a model as it was made: its parts' parameters, under their names, and no others."""
    problem = rules.parts(case, seen, expected)
    if problem is None:
        return None
    own, wanted = set(seen.built["parameters"]), set(expected.built["parameters"])
    missing = wanted - own
    name = ""
    if missing and not own - wanted:
        if missing == {"unembed.bias"}:
            name = "bias missing"
        elif missing == {"unembed.weight"}:
            name = "one matrix to read and to score"
        elif missing == {one for one in wanted if one.startswith("blocks.")}:
            name = "blocks not registered"
        elif later := _later_blocks_alone(missing, own):
            repeated = all(number_of_block(i) in seen.built for i in later)
            name = "one block, many times" if repeated else "too few blocks"
    return Problem(problem.message, problem.observed, problem.expected, name)


def number_of_block(i: int | str) -> str:
    """By which a block can be seen in a model, whether its numbers are its own or another one's."""
    return f"blocks.{i}.norm_1.bias"


def _later_blocks_alone(missing: set[str], own: set[str]) -> set[str]:
    """The numbers of the blocks that are missing, where nothing else is, and not the first one; else none."""
    blocks = {name.split(".")[1] if name.startswith("blocks.") else "0" for name in missing}
    whole = "0" not in blocks and not any(name.startswith(f"blocks.{i}.") for i in blocks for name in own)
    return blocks if whole else set()


def score_shape(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """(batch, n, vocabulary)."""
    return rules.block_shape(case, seen, expected)


def within_context(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A `ValueError` where one is expected, and none where the text is as long as the context."""
    if seen.error is None and modules.under(seen.value, "output") is None:
        raise NotReached("no scores came back: is there a return?")
    if expected.error is not None:
        return common_rules.value_error(case, replace(seen, value=modules.under(seen.value, "output")), expected)
    if seen.error is None:
        return None
    if seen.error.kind != "ValueError":
        raise NotReached(seen.error.message)
    text = "a text of as many tokens as the context holds was refused"
    return Problem(text, misconception="a full context refused")


def gradients(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every parameter has its gradient; not reached where the scores are not right."""
    wrong = rules.block(case, seen, expected)
    if wrong:
        raise NotReached("the scores are not right yet", wrong.observed, wrong.expected)
    return modules.gradients(case, seen, expected)


# --- a step -----------------------------------------------------------------------------------------------


def a_float(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A plain number came back, or NumPy's; float32 is what tensors hold."""
    own = seen.value
    if isinstance(own, (int, float)) and not isinstance(own, bool):
        return None
    if isinstance(own, np.ndarray) and own.shape == () and own.dtype == np.float64:
        return None
    name = "a tensor in place of a float" if isinstance(own, np.ndarray) and own.shape == () else ""
    got = "a tensor" if name else values.describe_kind(own, show=True)
    return Problem("returned the wrong kind of thing", got, "a float", name)


def loss_before(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The loss that the model had before the step."""
    own = values.as_numbers(seen.value)
    if own is None or own.size != 1:
        raise NotReached("no number came back", values.describe_kind(seen.value), "a float")
    found = values.describe_difference(float(own.ravel()[0]), expected.value, case.tolerance)
    return Problem(f"the loss: {found[0]}", *found[1:]) if found else None


def stepped(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The parameters after the step are the expected ones."""
    own, wanted = _model(seen)[:-1], _model(expected)[:-1]
    before = argument_kinds.describe_unchanged(case.args[0])[:-1]
    if not values.are_close(wanted, before, case.tolerance) and values.are_close(own, before, case.tolerance):
        return Problem("the parameters are where they were before the step")
    found = values.describe_difference(own, wanted, case.tolerance)
    return Problem(f"the parameters after the step: {found[0]}", *found[1:]) if found else None


def loss_and_step(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Both the loss and the parameters are the expected ones."""
    return loss_before(case, seen, expected) or stepped(case, seen, expected)


@common.judges_inputs
def left_alone(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The model is in the mode in which it came, and the tokens are what they were."""
    if _model(seen)[-1] != _model(expected)[-1]:
        modes = ("evaluation", "training")
        was = modes[int(_model(expected)[-1])]
        now = modes[int(_model(seen)[-1])]
        return Problem("the model is in another mode", now, was, "the model's mode changed")
    if not values.are_close(seen.after[2], case.args[2].array, 0.0):
        return Problem("the tokens are no longer what they were", misconception="writes into its input")
    return None


def _model(seen: Observation) -> Any:
    if seen.value is None:
        raise NotReached("nothing came back: is there a return?")
    found = seen.after[0] if len(seen.after) > 2 else None
    if not isinstance(found, np.ndarray) or found.ndim != 1 or len(found) < 2:
        raise NotReached("the model's parameters cannot be read", values.describe_kind(found), "numbers")
    return found
