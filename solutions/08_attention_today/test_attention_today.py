"""Lesson 08: the references against other people's code, and what is judged: memory, time, frequencies, a pair kept."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from autograder.authoring import corpus
from autograder.exercises.argument_kinds import Tensor
from autograder.exercises.exercise import CasePutBy, Observation
from autograder.exercises.verdict import State, Verdict
from autograder.judging import judge, reference
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, verdict_by

torch.set_num_threads(1)

LESSON = find_lesson("08_attention_today")
CHECKS = f"{COURSE.visible.package}.{LESSON.id}.checks"
asking = importlib.import_module(f"{CHECKS}.asking")


def taught(name: str) -> Any:
    return reference.load_namespace(LESSON)[name]


def answer(exercise: str, style: str) -> str:
    (found,) = (one for one in corpus.answers(LESSON) if (one.exercise, one.style) == (exercise, style))
    return found.code


def written(exercise: str, style: str) -> Callable[..., Any]:
    """An answer of the corpus, to be called."""
    names = dict(reference.load_namespace(LESSON))
    exec(answer(exercise, style), names)
    found: Callable[..., Any] = names[exercise]
    return found


def verdict(exercise: str, **answers: str) -> Verdict:
    """What is said of an exercise in a notebook in which all is answered as the course does, but for these."""
    names = {**reference.load_namespace(LESSON), "__name__": "__main__"}
    for code in answers.values():
        exec(code, names)
    return verdict_by(LESSON, judge.hidden_key(LESSON, exercise, "ada"), names)


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


# --- the references, against other people's code ----------------------------------------------------------


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 5), (3, 3), (2, 7)])
def test_the_mask_is_the_end_of_the_whole_causal_one(m: int, n: int) -> None:
    assert torch.equal(taught("causal_mask_from")(m, n), torch.ones(n, n).tril().bool()[n - m :])
    with pytest.raises(ValueError, match="cannot ask"):
        taught("causal_mask_from")(n + 1, n)


@pytest.mark.parametrize("positions", [[0, 1, 2], [7, 3, 2000], [0.5, 1.25, 3.0]])
def test_rotation_is_multiplication_by_complex_numbers(positions: list[float]) -> None:
    X, at = normal(2, 3, 8).double(), torch.tensor(positions)
    turned = taught("rotate")(X, at, base=500.0)
    units = torch.exp(1j * at.double()[:, None] * 500.0 ** (-torch.arange(0, 8, 2).double() / 8))
    right = torch.view_as_real(torch.view_as_complex(X.unflatten(-1, (4, 2))) * units).flatten(-2)
    torch.testing.assert_close(turned, right, atol=1e-3, rtol=0)


def test_a_score_of_turned_vectors_depends_on_how_far_apart_they_stand() -> None:
    q, k = normal(1, 8, seed=1), normal(1, 8, seed=2)

    def score(one: int, other: int) -> float:
        turn = taught("rotate")
        return float(turn(q, torch.tensor([one])) @ turn(k, torch.tensor([other])).T)

    assert score(5, 2) == pytest.approx(score(15, 12), abs=1e-4) == pytest.approx(score(1005, 1002), abs=1e-3)
    assert score(5, 2) != pytest.approx(score(5, 3), abs=1e-2)


@pytest.mark.parametrize("cut", [(9,), (1,) * 9, (5, 1, 1, 2)])
def test_a_text_in_pieces_gets_what_the_whole_one_gets(cut: tuple[int, ...]) -> None:
    Q, K, V = normal(2, 9, 4, seed=3), normal(2, 9, 4, seed=4), normal(2, 9, 6, seed=5)
    outputs, kept, start = [], None, 0
    for m in cut:
        output, kept = taught("attend_new")(*(one[:, start : start + m] for one in (Q, K, V)), kept)
        outputs.append(output)
        start += m
    torch.testing.assert_close(
        torch.cat(outputs, 1), functional.scaled_dot_product_attention(Q, K, V, is_causal=True)
    )
    assert torch.equal(kept[0], K)
    assert torch.equal(kept[1], V)
    keys, values = taught("roll")(kept, 4)
    assert torch.equal(keys, K[:, 5:])
    assert torch.equal(values, V[:, 5:])


@pytest.mark.parametrize(
    ("d", "trained", "factor", "base"), [(16, 30, 4.0, 1e4), (64, 128, 2.5, 500.0), (2, 6, 3.0, 1e4)]
)
def test_frequencies_are_scaled_as_the_formula_says(d: int, trained: int, factor: float, base: float) -> None:
    right = []
    for i in range(d // 2):
        wavelength = 2 * math.pi * base ** (2 * i / d)
        right.append(2 * math.pi / (wavelength if wavelength <= trained else factor * wavelength))
    found = taught("scaled_frequencies")(d, trained, factor, base).double().numpy()
    np.testing.assert_allclose(found, right, rtol=1e-6)


def test_no_case_lies_near_the_limit_and_both_sides_and_the_extremes_are_there() -> None:
    """Within a hundredth of a whole turn a rounding could decide."""
    exercise = find_exercise(LESSON.id, "scaled_frequencies")
    kept: set[tuple[bool, bool]] = set()
    for seed in range(20):
        for case in (*exercise.examples(), *exercise.draw(np.random.default_rng(seed))):
            d, trained, _ = case.args
            if d % 2:
                continue
            turns = trained * case.kwargs.get("base", 1e4) ** (-np.arange(0, d, 2) / d) / (2 * math.pi)
            assert (abs(turns - 1) > 0.01).all(), case
            kept.add((bool((turns >= 1).any()), bool((turns >= 1).all())))
    assert kept == {(False, False), (True, False), (True, True)}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_frequencies_in_single_precision_are_right(dtype: torch.dtype) -> None:
    code = f"""
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = torch.exp(-torch.arange(0, d, 2).to({dtype}) * (math.log(base) / d))
    return torch.where(w * trained >= 2 * math.pi, w, w / factor)
"""
    assert verdict("scaled_frequencies", own=code).state is State.RIGHT


# --- what one call does not show --------------------------------------------------------------------------


def test_a_mistake_in_the_mask_does_not_count_in_what_calls_it() -> None:
    wrong = answer("causal_mask_from", "tril of ones")
    assert verdict("causal_mask_from", mask=wrong).misconception == "mask aligned at the top left"
    assert verdict("attend_new", mask=wrong).state is State.RIGHT
    assert (
        verdict("attend_new", mask=wrong, own=answer("attend_new", "one word in mind")).state is State.WRONG
    )


def test_what_is_kept_may_be_any_pair_and_goes_from_call_to_call() -> None:
    for pair in ("list((K, V))", "type('Kept', (tuple,), {})((K, V))"):
        code = LESSON.solution("attend_new").replace("(K, V)\n", f"{pair}\n")
        assert verdict("attend_new", own=code).state is State.RIGHT, pair
    steps = [case for case in judge.visible_key(LESSON, "attend_new").cases if isinstance(case, CasePutBy)]
    assert [case.facts["cut"] for case in steps] == [(1, 2, 1)]


def test_every_exercise_lists_six_mistakes() -> None:
    for exercise in LESSON.graded:
        assert len(find_exercise(LESSON.id, exercise.id).misconceptions) >= 6, exercise.id


def test_the_pair_is_recognised_whatever_holds_it() -> None:
    rules = importlib.import_module(f"{CHECKS}.rules")
    case = judge.visible_key(LESSON, "roll").cases[0]
    right = judge.visible_key(LESSON, "roll").expected[0].value
    for pair in (right, list(right)):
        assert rules.last_words(case, Observation(pair, pair), Observation(right)) is None
    assert isinstance(case.args[0][0], Tensor)
