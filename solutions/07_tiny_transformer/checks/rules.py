"""Rules of lesson 07: positions, a block of a transformer, the loss of the next word, a text written by a model."""

from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem
from attention import common_rules, modules
from attention.numbers import like


def _differs(what: str, own: Any, wanted: Any, tolerance: float) -> Problem | None:
    found = values.describe_difference(own, wanted, tolerance)
    return Problem(f"{what}: {found[0]}", *found[1:]) if found else None


def _differs_again(what: str, again: Any, wanted: Any, tolerance: float) -> Problem | None:
    text = f"{what}: right the first time, something else when asked the same again"
    return None if values.are_close(again, wanted, tolerance) else Problem(text)


# --- positions --------------------------------------------------------------------------------------------


def first_row(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Row 0, of position 0, is the expected one."""
    return _part_of_table(case, seen, expected, (slice(0, 1), slice(None)), "row 0")


def first_columns(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Columns 0 and 1, the shortest wave, are the expected ones from row 1 on."""
    return _part_of_table(case, seen, expected, (slice(1, None), slice(0, 2)), "columns 0 and 1, from row 1 on")


def later_columns(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The columns from 2 on are the expected ones from row 1 on."""
    return _part_of_table(
        case, seen, expected, (slice(1, None), slice(2, None)), "from row 1 and column 2 on"
    )


def _part_of_table(
    case: Case, seen: Observation, expected: Observation, where: tuple[slice, slice], what: str
) -> Problem | None:
    common.require_same_kind(seen.value, expected.value)
    own, again, wanted = (_table(value, where) for value in (seen.value, seen.again, expected.value))
    return _differs(what, own, wanted, case.tolerance) or _differs_again(what, again, wanted, case.tolerance)


def _table(value: Any, where: tuple[slice, slice]) -> Any:
    table = values.as_numbers(value)
    return table[where] if table is not None and table.ndim == 2 else None


# --- the block --------------------------------------------------------------------------------------------

WEIGHTS = "attention.attention_weights"


def parts(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Of a module as it was made: the five parts' parameters, under their names, and no others."""
    problem = modules.parameters(case, seen, expected)
    if problem is None:
        return None
    own, wanted = set(seen.built["parameters"]), set(expected.built["parameters"])
    missing, spare = sorted(wanted - own), sorted(map(str, own - wanted))
    if not missing and not spare:
        sizes = seen.built["parameters"], expected.built["parameters"]
        name = next(name for name in sorted(wanted) if not values.are_close(sizes[0][name], sizes[1][name], 0))
        return Problem(f"shape of {name}", str(sizes[0][name]), str(sizes[1][name]))
    told = [f"missing: {', '.join(missing)}"] * bool(missing) + [f"not asked for: {', '.join(spare)}"] * bool(spare)
    biases = {"feed_1.bias", "feed_2.bias"}
    name = "bias missing" if missing and not spare and set(missing) <= biases else ""
    return Problem("; ".join(told), misconception=name)


def looks(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The attention weights that the part `attention` has kept are the expected ones."""
    return _agrees(case, seen, expected, WEIGHTS)


def block(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The output is the expected one; where it is so in evaluation alone, that is told."""
    problem = _agrees(case, seen, expected, "output")
    evaluated, wanted = (modules.under(one.value, "evaluated") for one in (seen, expected))
    if problem is None or wanted is None or not values.are_close(evaluated, wanted, case.tolerance):
        return problem
    return replace(problem, misconception="another answer in training than in evaluation")


def block_and_looks(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The output is the expected one, and so are the attention weights that the part `attention` has kept."""
    return block(case, seen, expected) or looks(case, seen, expected)


def gradients(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As `modules.gradients`, where output and attention weights are right; not reached where they are not."""
    wrong = block_and_looks(case, seen, expected)
    if wrong:
        raise NotReached(wrong.message, wrong.observed, wrong.expected)
    return modules.gradients(case, seen, expected)


@common.judges_inputs
def untouched(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments are as before; not reached unless numbers of the right shape came back."""
    _numbers(seen, expected, "output")
    return common.find_changed_argument(case, seen)


def _agrees(case: Case, seen: Observation, expected: Observation, name: str) -> Problem | None:
    own, wanted = _numbers(seen, expected, name), np.asarray(modules.under(expected.value, name))
    if modules.under(seen.value, WEIGHTS) is not None:
        _numbers(seen, expected, WEIGHTS)
    if not modules.same_parameters(seen, expected) and not case.facts.get("partly"):
        raise NotReached("parameters that were not asked for take part: their numbers are not known")
    again = modules.under(seen.again, name)
    return _differs(name, own, wanted, case.tolerance) or _differs_again(name, again, wanted, case.tolerance)


def _numbers(seen: Observation, expected: Observation, name: str) -> np.ndarray:
    """What came back under a name; not reached where it has another shape, or where there is none."""
    own, wanted = values.as_numbers(modules.under(seen.value, name)), np.asarray(modules.under(expected.value, name))
    if own is None:
        where = "is there a return?" if name == "output" else "nothing is kept there"
        raise NotReached(f"{name} is missing: {where}", "nothing", values.describe_kind(wanted))
    if own.shape != wanted.shape:
        raise NotReached(f"shape of {name}", str(own.shape), str(wanted.shape))
    return own


def block_shape(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The output has the shape of x."""
    own, wanted = (modules.under(one.value, "output") for one in (seen, expected))
    numbers = values.as_numbers(own)
    if numbers is not None and numbers.shape == wanted.shape:
        return None
    return Problem("shape of the output", values.describe_kind(own), values.describe_kind(wanted))


# --- the loss ---------------------------------------------------------------------------------------------


def loss_gradients(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The gradient of the logits is there, finite and right; not reached where the number is not right."""
    wrong = common_rules.numbers(case, seen, expected)
    if wrong:
        raise NotReached("the number is not right yet", wrong.observed, wrong.expected)
    return modules.gradients(case, seen, expected)


# --- probabilities ----------------------------------------------------------------------------------------


def sums_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The probabilities sum to 1, and none is negative."""
    own = like(common_rules.without_gradients(seen), common_rules.without_gradients(expected))
    if not abs(own.sum() - 1) < 1e-3:
        return Problem("their sum", values.format_numbers(own.sum()), "1")
    if own.min() >= 0:
        return None
    return Problem("a negative one", values.format_difference(own.min(), 0.0)[0], "0 or more")


# --- writing ----------------------------------------------------------------------------------------------


def plain_ints(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A list of plain ints came back."""
    own = seen.value
    if not isinstance(own, list):
        return Problem("returned the wrong kind of thing", values.describe_kind(own), "a list of ints")
    odd = next((word for word in own if type(word) is not int), None)
    if odd is None:
        return None
    name = "tensors or arrays in place of plain ints" if isinstance(odd, np.ndarray) else ""
    return Problem("not all of its entries are plain ints", values.describe_kind(odd, show=True), "an int", name)


def prompt_first(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The prompt, and as many new words as were asked for."""
    own, wanted, prompt = _as_list(seen.value), expected.value, list(case.args[1])
    if own is None:
        raise NotReached("no list of tokens came back", values.describe_kind(seen.value), "a list of ints")
    if len(own) == len(wanted) and own[: len(prompt)] == prompt:
        return None
    new = wanted[len(prompt) :]
    left_out = bool(new) and own in (new, prompt + wanted)
    name = "prompt not returned" if left_out else ""
    if len(own) != len(wanted):
        return Problem("how many tokens", str(len(own)), str(len(wanted)), misconception=name)
    return Problem("it does not begin with the prompt", str(own), f"{prompt} and new tokens", misconception=name)


def next_words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The new words are the expected ones; not reached unless the prompt and as many words came back."""
    own, again, wanted, prompt = seen.value, seen.again, expected.value, list(case.args[1])
    words = _as_list(own)
    if words is None or len(words) != len(wanted) or words[: len(prompt)] != prompt:
        raise NotReached("not the prompt and as many new tokens", values.describe_kind(own), "a list of ints")
    drawn = "drawn instead of chosen" if _as_list(again) != words else ""
    if words != wanted:
        return Problem("the new tokens", str(words[len(prompt) :]), str(wanted[len(prompt) :]), drawn)
    if drawn:
        return Problem("right the first time, something else when asked the same again", misconception=drawn)
    return None


def prompt_alone(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """With nothing to write the prompt comes back."""
    words, wanted = _as_list(seen.value), expected.value
    if words is None or len(words) != len(wanted):
        raise NotReached("not as many tokens as in the prompt came back", values.describe_kind(seen.value),
            "a list of ints")
    return None if words == wanted else Problem("with nothing to write", str(words), str(wanted))


def a_new_list(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """What comes back is no list that was handed in: more is written into it, and the prompt looked at again."""
    if prompt_alone(case, seen, expected):
        raise NotReached("the prompt did not come back")
    if len(seen.after) > 1 and not values.are_close(seen.after[1], case.args[1], 0):
        text = "the prompt's own list came back, not a new one"
        return Problem(text, misconception="the prompt's own list returned")
    return None


@common.judges_inputs
def prompt_unchanged(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The prompt is what it was; not reached unless a list came back."""
    if _as_list(seen.value) is None:
        raise NotReached("no list of tokens came back", values.describe_kind(seen.value), "a list of ints")
    return common.find_changed_argument(case, seen)


def _as_list(value: Any) -> list[Any] | None:
    """Words as a flat list, whatever holds them; None where they are none."""
    numbers = values.as_numbers(value)
    if numbers is None or numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        return None
    return [int(word) for word in numbers]


# --- keys and values that are kept ------------------------------------------------------------------------


def output(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The first of three results is right, whatever is kept."""
    return common.agrees(case, _first(seen), _first(expected))


def _first(seen: Observation) -> Observation:
    own, again = (
        found[0] if isinstance(found, (tuple, list)) and len(found) == 3 else None
        for found in (seen.value, seen.again)
    )
    return replace(seen, value=own, again=again)


def caches(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The second and the third of three results are right, whatever the first is."""
    common.require_same_kind(seen.value, expected.value)
    for name, own, wanted in zip(("keys", "values"), seen.value[1:], expected.value[1:]):
        if problem := _differs(name, own, wanted, case.tolerance):
            return problem
    return None
