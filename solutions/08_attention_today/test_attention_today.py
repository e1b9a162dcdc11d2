"""Lesson 08: the references against other people's code, and what is judged: memory, time, frequencies, a pair kept."""

from __future__ import annotations

import importlib
import json
import math
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from autograder.exercises.argument_kinds import Tensor
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import CasePutBy, Observation
from autograder.exercises.verdict import State
from autograder.judging import judge, reference
from autograder.tests import fresh
from autograder.tests.taught_lesson import TaughtLesson
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, verdict_by
from autograder.views import figures
from attention import (
    load_austen,
    load_gpt2,
    load_trained,
    reading,
    reading_pictures,
    repeats,
    today_pictures,
    two_writers,
)

torch.set_num_threads(1)

LESSON = find_lesson("08_attention_today")
of_lesson = TaughtLesson(LESSON)
taught, answer, written = of_lesson.taught, of_lesson.answer, of_lesson.written
verdict, outputs, prose = of_lesson.verdict, of_lesson.outputs, of_lesson.prose
CHECKS = f"{COURSE.visible.package}.{LESSON.id}.checks"
asking = importlib.import_module(f"{CHECKS}.asking")


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
    assert verdict("scaled_frequencies", code).state is State.RIGHT


def test_the_examples_of_the_texts_are_right() -> None:
    text = prose()
    (row,) = taught("rotate")(torch.tensor([[1.0, 0, 1, 0]]), torch.tensor([2])).tolist()
    assert "[" + ", ".join(f"{number:.3f}" for number in row).replace("-", "−") + "]" in text
    assert f"(In the picture α is 1 radian, so 3α is {np.degrees(3):.0f}°.)" in text
    assert f"The mask is {taught('causal_mask_from')(2, 3).tolist()}." in text
    query, key = torch.zeros(1, 1, 4), normal(1, 3, 4)
    values = torch.tensor([[[2], [4], [9.0]]])
    output, kept = taught("attend_new")(query, key[:, 2:], values[:, 2:], (key[:, :2], values[:, :2]))
    assert f"the output is {output.int().tolist()}" in text
    assert f"the values to keep are {kept[1].int().tolist()}" in text
    assert f"`width` 2 leaves {taught('roll')(kept, 2)[1].int().tolist()}." in text
    frequencies = taught("scaled_frequencies")(4, trained=30, factor=4).tolist()
    assert "the result is [" + ", ".join(f"{frequency:.4g}" for frequency in frequencies) + "]" in text


# --- what one call does not show --------------------------------------------------------------------------


def test_a_mistake_in_the_mask_does_not_count_in_what_calls_it() -> None:
    wrong = answer("causal_mask_from", "tril of ones")
    assert verdict("causal_mask_from", wrong).misconception == "mask aligned at the top left"
    assert verdict("attend_new", wrong).state is State.RIGHT
    assert verdict("attend_new", wrong, answer("attend_new", "one word in mind")).state is State.WRONG


def test_what_is_kept_may_be_any_pair_and_goes_from_call_to_call() -> None:
    for pair in ("list((K, V))", "type('Kept', (tuple,), {})((K, V))"):
        code = LESSON.solution("attend_new").replace("(K, V)\n", f"{pair}\n")
        assert verdict("attend_new", code).state is State.RIGHT, pair
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


trained = fresh.margins(LESSON.id)
MARKDOWN = [cell for cell in LESSON.cells if cell.kind == "markdown"]


# --- what is said -----------------------------------------------------------------------------------------


def test_what_was_measured_is_what_the_text_says() -> None:
    """What a run gives now is looked at where nbval runs the notebook: `autograder.tests.fresh`."""
    trained.check(outputs())
    (shown,) = re.findall(r"> \*(the rabbits .*?) …\*", prose())
    assert shown in outputs()


def test_with_many_pairs_of_columns_no_text_has_a_twin() -> None:
    positions = np.arange(1, 1_000_001)
    first, second = (2 * abs(np.sin(positions / 10000 ** (i / 32) / 2)) < 0.001 for i in (0, 1))
    assert positions[first.argmax()] == taught("twin")
    assert not (first & second).any()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"rows added +1–127: 3.\d+", "rows added   1–127: 3.6"),
        (r"(window, with the bug +1–127: \S+ +128–255:) \S+", r"\1 3.05"),
        (r"(after 1,024 tokens: .*?): +\d+ times", r"\1: 2 times"),
        (r"last 16 words (\S+) before and \S+", r"last 16 words \1 before and 2.4"),
        (r"(query at 1005, key at 1002: score) +-[\d.]+", r"\1 0.12"),
        ("without a cache: True", "without a cache: False"),
        (r"(window of 128 +1–127: \S+ +128–255:) \S+", r"\1 3.30"),
        (r"(window of 16 +found.*?16:) 100%", r"\1 50%"),
        (r"(window of 16 +found.*?17:) +0%", r"\1 40%"),
        (r"(no window +found.*?45:) +\d+%", r"\1 90%"),
        (r"(; both 100%.*?)\d+% at 60", r"\1 60% at 60"),
        (r"(16 in block 1 +found.*?45:) +\d+%", r"\1 90%"),
        (r"head 0: distance \d+", "head 0: distance 7"),
        (r"(scaled by you +found.*?45:) +\d+%", r"\1 30%"),
        (r"(; both \S+ at 64–127 and) \S+", r"\1 3.19"),
        (r"(; window \S+ at 64–127 and) \S+", r"\1 9.99"),
    ],
)
def test_a_measurement_that_drifts_turns_red(old: str, new: str) -> None:
    drifted = re.sub(old, new, outputs(), count=1)
    assert drifted != outputs()
    with pytest.raises(AssertionError):
        trained.check(drifted)


def test_given_cells_are_short() -> None:
    given = [cell.text for cell in LESSON.cells if cell.kind == "code" and not cell.marker]
    lines = [[line for line in text.splitlines() if not line.startswith("# What this")] for text in given]
    assert max(map(len, lines)) <= 21


# --- the museum -------------------------------------------------------------------------------------------

PROJECTS = {
    "line_gemma": "google-deepmind/gemma#392",
    "line_veloxquant": "rajveer43/VeloxQuant-MLX#389",
}


def test_each_slip_has_its_project_and_a_short_quotation() -> None:
    shown = re.findall(r"\*\*`(\w+)`\*\* · (\S+): “(.+?)” ```", prose())
    assert {name: project for name, project, _ in shown} == PROJECTS
    assert all(len(words.split()) <= 15 for *_, words in shown)


@pytest.mark.parametrize("value", list(PROJECTS))
@pytest.mark.parametrize("further", [1, 2, 3])
def test_another_line_is_named(value: str, further: int) -> None:
    exercise = value.replace("line_", "real_bug_")
    names = {**reference.load_namespace(LESSON)}
    names[value] = (names[value] + further - 1) % 4 + 1
    found = verdict_by(LESSON, judge.visible_key(LESSON, exercise), names)
    assert found.state is State.WRONG
    assert found.misconception is not None
    project = PROJECTS[value].split("/")[1].split("#")[0].lower()
    assert project.startswith(found.misconception.split(":")[0].lower())


# --- the writers ------------------------------------------------------------------------------------------


def test_todays_writer_reads_alike_word_by_word_and_all_at_once() -> None:
    today, attend_new = load_trained("today", taught("rotate")), taught("attend_new")
    tokens = torch.randint(986, (2, 9), generator=torch.Generator().manual_seed(0))
    rows, kept = [], None
    for i in range(9):
        row, kept = today.step(tokens[:, [i]], torch.tensor([i]), kept, attend_new)
        kept = [taught("roll")(pair, 4) for pair in kept]
        rows.append(row)
    torch.testing.assert_close(torch.cat(rows, dim=1), today(tokens, window=5), atol=1e-3, rtol=1e-3)
    assert [rows.shape for pair in kept for rows in pair] == [(2, 4, 16)] * 4


def test_positions_turn_as_complex_numbers_do() -> None:
    X, places = torch.randn(2, 3, 5, 8), torch.tensor([0, 7, 3, 2000, 1])
    torch.testing.assert_close(
        taught("rotate")(X, places), two_writers.turned(X, places), atol=1e-3, rtol=1e-3
    )


def test_the_old_writer_is_built_as_lesson_07_builds_it() -> None:
    lesson = find_lesson("07_tiny_transformer")
    names = dict(reference.load_namespace(lesson))
    block, old = names["TransformerBlock"](64, 4, 256), load_trained("lesson 07")
    block.load_state_dict(old.blocks[0].state_dict())
    x, causal = torch.randn(1, 6, 64), torch.ones(6, 6).tril().bool()

    def attend(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
        return functional.scaled_dot_product_attention(Q, K, V, attn_mask=causal)

    with torch.no_grad():
        torch.testing.assert_close(old.blocks[0](x, attend), block(x, causal), atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(
        two_writers.waves(torch.arange(20)), names["positional_encoding"](20, 64).float()
    )


def test_the_learners_own_writer_gets_the_parameters_of_lesson_07() -> None:
    lesson = find_lesson("07_tiny_transformer")
    own, words = reading.give_parameters(
        reference.load_namespace(lesson)["TinyWriter"](986, 64, 4, 256, 2, context=64)
    )
    assert words == load_trained("lesson 07").words
    tokens = torch.randint(986, (2, 40), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        torch.testing.assert_close(own(tokens), load_trained("lesson 07")(tokens), atol=1e-4, rtol=1e-4)


def test_a_window_hides_from_the_reader_what_lies_behind_it() -> None:
    model = repeats.Repeater(two_writers.turned).requires_grad_(False)
    tokens = torch.randint(repeats.SIGNS, (1, 8), generator=torch.Generator().manual_seed(0))
    changed = tokens.clone()
    changed[0, 0] = (changed[0, 0] + 1) % repeats.SIGNS
    ours, theirs = model(tokens, window=3), model(changed, window=3)
    assert torch.equal(ours[0, 5:], theirs[0, 5:])  # two layers reach four back
    assert not torch.equal(ours[0, 4], theirs[0, 4])
    near, whole = model(changed, window=(3, None)), model(tokens, window=(3, None))
    assert not torch.equal(near[0, 7], whole[0, 7])  # the second layer looks at everything


@pytest.mark.parametrize("windows", [(None, None), (3, 3), (3, None)])
def test_sign_by_sign_the_reader_finds_what_masks_give(windows: tuple[int | None, int | None]) -> None:
    slower = reading.rotate_with(taught("rotate"), taught("scaled_frequencies")(16, 30, 4))
    model = repeats.load_reader(taught("rotate"), taught("attend_new"), taught("roll"))
    tokens, turns = repeats.twice(9, torch.Generator().manual_seed(0), batch=3), (taught("rotate"), slower)
    cached, masked = model.sign_by_sign(tokens, windows, turns), model(tokens, windows, turns)
    torch.testing.assert_close(cached, masked, atol=1e-3, rtol=1e-3)


def test_a_page_is_written_as_masks_and_turns_by_block_say() -> None:
    slower = reading.rotate_with(taught("rotate"), taught("scaled_frequencies")(32, 128, 4))
    model = load_austen([taught("rotate"), taught("rotate"), slower])
    tokens, kept, rows = torch.randint(1024, (1, 12), generator=torch.Generator().manual_seed(0)), None, []
    for i in range(12):
        row, kept = model.step(tokens[:, [i]], torch.tensor([i]), kept, taught("attend_new"))
        kept = [*(taught("roll")(pair, 3) for pair in kept[:2]), kept[2]]
        rows.append(row)
    torch.testing.assert_close(torch.cat(rows, dim=1), model(tokens, [4, 4, None]), atol=1e-3, rtol=1e-3)


def test_the_weight_of_a_distance_is_that_of_the_key_so_far_back() -> None:
    reader = repeats.load_reader()
    weights = repeats.weight_by_distance(reader, 15, two_writers.turned)
    assert weights.shape == (repeats.HEADS, 5)
    assert weights.argmax(1).tolist() == [
        1,
        0,
        1,
        1,
    ]  # at periods of the training: the sign just before, or itself
    assert weights[[0, 2, 3], 1].min() > 0.9


def test_scaled_frequencies_turn_the_reader_as_its_own_do_where_nothing_is_scaled() -> None:
    frequencies = taught("scaled_frequencies")(16, 30, 1)
    model, own = repeats.load_reader(), reading.rotate_with(taught("rotate"), frequencies)
    X, places = torch.randn(2, 4, 9, 16), torch.arange(9)
    torch.testing.assert_close(own(X, places), two_writers.turned(X, places), atol=1e-4, rtol=1e-4)
    assert repeats.found_again(model, 12, rotate=own) == repeats.found_again(model, 12)


# --- pictures ---------------------------------------------------------------------------------------------


def shown(draw: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """The text of the one picture that is drawn."""
    texts: list[str] = []
    monkeypatch.setattr(figures, "show", lambda figure, alt: texts.append(alt))
    draw()
    (text,) = texts
    return text


def test_the_reach_of_a_window_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    near = shown(lambda: reading_pictures.reach(12, widths=[4, 4]), monkeypatch)
    assert "The last of 12 words learns of 7 words" in near  # twice three before it, and itself
    both = shown(lambda: reading_pictures.reach(12, widths=[4, None]), monkeypatch)
    assert "block 2: all words. The last of 12 words learns of 12 words" in both


def test_a_pair_that_made_a_whole_turn_meets_nothing_new(monkeypatch: pytest.MonkeyPatch) -> None:
    paces = {"own": torch.tensor([1.0, 0.1]), "slower": torch.tensor([1.0, 0.025])}
    text = shown(lambda: reading_pictures.turns(paces, trained=30, read=120), monkeypatch)
    assert "own: 1 of 2 pairs come to new angles; slower: 0 of 2 pairs" in text


def test_hands_keep_their_angle(monkeypatch: pytest.MonkeyPatch) -> None:
    q, k = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    text = shown(lambda: today_pictures.two_clocks(taught("rotate"), q, k, (5, 2)), monkeypatch)
    degrees = np.degrees(3 - np.pi / 2)
    assert text.count(f"{degrees:.0f} degrees") == 3


# --- GPT-2 ------------------------------------------------------------------------------------------------

TOKENS = {"The": 0, "Ġcat": 1, "Ġsat": 2, "Ġon": 3, "Ċ": 4}


def stand_in() -> dict[str, torch.Tensor]:
    """Random numbers in the shapes of a GPT-2 with two blocks, two heads of 64 and eight positions."""
    draws = torch.Generator().manual_seed(0)
    shapes = {"wte.weight": (5, 128), "wpe.weight": (8, 128), "ln_f.weight": (128,), "ln_f.bias": (128,)}
    for i in range(2):
        for name, width in {"attn.c_attn": 384, "attn.c_proj": 128, "mlp.c_fc": 512}.items():
            shapes |= {f"h.{i}.{name}.weight": (128, width), f"h.{i}.{name}.bias": (width,)}
        shapes |= {f"h.{i}.mlp.c_proj.weight": (512, 128), f"h.{i}.mlp.c_proj.bias": (128,)}
        shapes |= {f"h.{i}.ln_{j}.{kind}": (128,) for j in (1, 2) for kind in ("weight", "bias")}
    return {name: 0.2 * torch.randn(shape, generator=draws) for name, shape in shapes.items()}


def as_safetensors(numbers: dict[str, torch.Tensor]) -> bytes:
    table: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, array in numbers.items():
        raw = array.numpy().tobytes()
        table[name] = {
            "dtype": "F32",
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    head = json.dumps(table).encode()
    return struct.pack("<Q", len(head)) + head + data


@pytest.fixture(params=["model.safetensors", "pytorch_model.bin"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "vocab.json").write_text(json.dumps(TOKENS), encoding="utf-8")
    if request.param == "pytorch_model.bin":
        torch.save(
            {f"transformer.{name}": array for name, array in stand_in().items()}, tmp_path / request.param
        )
    else:
        (tmp_path / request.param).write_bytes(as_safetensors(stand_in()))
    return tmp_path


def test_a_model_from_the_disk_reads_alike_word_by_word_and_all_at_once(folder: Path) -> None:
    model, attend_new = load_gpt2(folder), taught("attend_new")
    tokens = model.numbers_of("The cat sat on")
    whole, _ = model.step(tokens, None, attend_new)
    first, kept = model.step(tokens[:3], None, attend_new)
    last, kept = model.step(tokens[3:], kept, attend_new)
    torch.testing.assert_close(torch.cat([first, last]), whole, atol=1e-4, rtol=1e-4)
    assert kept[1][0].shape == (2, 4, 64)
    assert model.words[1] == " cat"
    with pytest.raises(CourseError, match="one token each; these are not: dog"):
        model.numbers_of("The dog")
    with pytest.raises(CourseError, match="8 positions"):
        model.step([0] * 9, None, attend_new)


def test_a_model_that_cannot_be_read_is_said_to_be_so(folder: Path) -> None:
    (weights,) = (path for path in folder.iterdir() if path.name != "vocab.json")
    weights.write_bytes(weights.read_bytes()[:2000])
    with pytest.raises(CourseError, match="cannot be read as GPT-2"):
        load_gpt2(folder)
    weights.unlink()
    with pytest.raises(CourseError, match="needs vocab.json and model.safetensors or pytorch_model.bin"):
        load_gpt2(folder)


def test_lessons_without_pytorch_do_not_wait_for_it() -> None:
    module = importlib.import_module("attention")
    assert "two_writers" in module.LATE
    with pytest.raises(AttributeError, match="no attribute 'three_writers'"):
        module.three_writers
