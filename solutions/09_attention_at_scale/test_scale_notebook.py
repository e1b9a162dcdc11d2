"""Lesson 09's notebook: its numbers, its prices, its pictures and its real bugs."""

from __future__ import annotations

import importlib
import re
from typing import Any

import nbformat
import numpy as np
import pytest
import torch
from torch.nn import functional

from autograder.exercises.verdict import State
from autograder.judging import judge, reference
from autograder.tests import fresh
from autograder.tests.this_course import find_lesson, verdict_by
from autograder.views import figures
from attention import load_austen, load_trained, scale_pictures, sentences, smaller, two_writers

torch.set_num_threads(1)

LESSON = find_lesson("09_attention_at_scale")
trained = fresh.margins(LESSON.id)
reading_on = importlib.import_module("attention.reading_on")
MARKDOWN = [cell for cell in LESSON.cells if cell.kind == "markdown"]


def taught(name: str) -> Any:
    return reference.load_namespace(LESSON)[name]


def outputs() -> str:
    """What the instructor's notebook printed, and what is said of its pictures."""
    return fresh.told(cell.get("outputs", []) for cell in nbformat.read(LESSON.built, as_version=4).cells)


def prose() -> str:
    return " ".join(" ".join(cell.text for cell in MARKDOWN).split())


# --- what is said -----------------------------------------------------------------------------------------


def test_what_was_measured_is_what_the_text_says() -> None:
    """What a run gives now is looked at where nbval runs the notebook: `autograder.tests.fresh`."""
    trained.check(outputs())


def test_numbers_in_the_text_are_those_that_are_computed() -> None:
    """The model answer of the written question names two numbers of a cell without chance."""
    assert "0.112 ms" in prose()
    assert "moved four times: 0.112 ms" in outputs()
    assert "all the arithmetic 0.035 ms" in prose()
    assert "all the arithmetic: 0.035 ms" in outputs()
    assert "four times as large as all the parameters together" in prose()
    assert 3.9 < 62.5 / 15.0 < 4.3
    writer = load_austen()
    assert "it has 650,000 parameters" in prose()
    assert sum(one.numel() for one in writer.parameters()) == pytest.approx(650_000, rel=0.01)
    assert (smaller_rows := load_trained("lesson 07").embedding.weight.shape[1]) == 64
    assert f"row itself has only {smaller_rows} numbers" in prose()


def test_softmax_finds_every_pair_whose_key_no_other_has() -> None:
    """Keys that differ in one column have scores that lie (30² + 30²) / √16 apart: nothing is left of the others."""
    rng = np.random.default_rng(128)
    for _ in range(20):
        keys, values = np.where(rng.random((128, 16)) < 0.25, 30.0, -30.0), rng.normal(size=(128, 16))
        raised = np.exp((keys @ keys.T - (keys @ keys.T).max(1, keepdims=True)) / 4)
        _, which, times = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
        alone = times[which.ravel()] == 1
        answers = raised @ values / raised.sum(1, keepdims=True)
        assert np.array_equal(answers[alone], values[alone])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"W @ v takes [\d.]+", "W @ v takes 2.4"),
        (r"(kept heads: 1 of 4, .*), \S+ after", r"\1, 1.90 after"),
        (r"1/4 of the cache: \S+", "1/4 of the cache: 2.40"),
        (r"as PyTorch's own: True", "as PyTorch's own: False"),
        (r"(your function +: +)[\d.]+ MiB", r"\1 30.0 MiB"),
        (r"(2,048 words:.*?) [\d.]+ MiB without", r"\1 90.0 MiB without"),
        (r"2 parts as 1: True", "2 parts as 1: False"),
        (r"gives the same: True", "gives the same: False"),
        (r"[\d.]+% of 128\.", "40% of 128."),
        (r"delta rule( +4 keys, 8 values each:) +\d+%", r"delta rule\1  50%"),
        (r"your function: 0.\d+", "your function: 0.40"),
        (r"2 guesses: \d+ passes", "2 guesses: 390 passes"),
        (r"(2 guesses, checked by you): \S+", r"\1: 4.6"),
    ],
)
def test_a_measurement_that_drifts_turns_red(old: str, new: str) -> None:
    drifted = re.sub(old, new, outputs(), count=1)
    assert drifted != outputs()
    with pytest.raises(AssertionError):
        trained.check(drifted)


# --- the real bugs ----------------------------------------------------------------------------------------

PROJECTS = {
    "line_onnx": "onnx/onnx#7274",
    "line_flashinfer": "flashinfer-ai/flashinfer#4051",
    "line_mlx": "ml-explore/mlx-lm#1109",
}


def test_each_slip_has_its_project_and_a_short_quotation() -> None:
    shown = re.findall(r"\*\*`(\w+)`\*\* · (\S+): “(.+?)” ```", prose())
    assert {name: project for name, project, _ in shown} == PROJECTS
    assert all(len(words.split()) <= 15 for *_, words in shown)


@pytest.mark.parametrize("line", list(PROJECTS))
def test_another_line_is_refused_by_the_project_s_name(line: str) -> None:
    names = {**reference.load_namespace(LESSON)}
    names[line] = names[line] % 4 + 1
    found = verdict_by(LESSON, judge.visible_key(LESSON, f"real_bug_{line.removeprefix('line_')}"), names)
    assert found.state is not State.RIGHT
    assert found.misconception is not None
    project = PROJECTS[line].split("/")[1].split("#")[0]
    assert found.misconception == f"{project}: another line blamed"


def test_the_slip_in_the_empty_sets_is_nan_from_its_line_on() -> None:
    empty = torch.tensor([-torch.inf])
    top = torch.maximum(empty, empty)
    assert not top.isnan().any()
    assert torch.exp(empty - top).isnan().all()


# --- the prices -------------------------------------------------------------------------------------------


def pieces() -> torch.Tensor:
    old = load_trained("lesson 07")
    number = {word: i for i, word in enumerate(old.words)}
    words = [number[word] for sentence in sentences(30, seed=8) for word in [*sentence, "."]]
    return torch.tensor(words[: 8 * 16]).view(8, 16)


def test_with_nothing_taken_away_the_writer_is_as_it_was() -> None:
    old, tokens = load_trained("lesson 07"), pieces()
    logits = old(tokens)[:, :-1].flatten(0, 1)
    right = functional.cross_entropy(logits, tokens[:, 1:].flatten()).item()
    sharing = smaller.with_shared_heads(old, 4)
    found = smaller.loss_with_shared_heads(sharing, taught("grouped_attention"), tokens)
    assert found == pytest.approx(right, abs=1e-4)
    found = smaller.loss_with_latents(old, taught("latent_attention"), 64, tokens)
    assert found == pytest.approx(right, abs=1e-3)


def test_what_lesson_08_gave_is_what_stands_in() -> None:
    X, places = (
        torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(0)),
        torch.tensor([0, 7, 3, 2000, 1]),
    )
    torch.testing.assert_close(
        reading_on.rotate(X, places), two_writers.turned(X, places), atol=1e-3, rtol=1e-3
    )
    Q, K, V = torch.randn(3, 2, 6, 4, generator=torch.Generator().manual_seed(1))
    first, kept = reading_on.attend_new(Q[:, :4], K[:, :4], V[:, :4])
    rest, kept = reading_on.attend_new(Q[:, 4:], K[:, 4:], V[:, 4:], kept)
    right = functional.scaled_dot_product_attention(Q, K, V, is_causal=True)
    torch.testing.assert_close(torch.cat([first, rest], 1), right)
    assert torch.equal(kept[0], K)
    with pytest.raises(ValueError, match="pairs"):
        reading_on.rotate(X[..., :7], places)


def test_heads_that_share_are_the_mean_of_their_group() -> None:
    old = load_trained("lesson 07")
    h = torch.randn(1, 3, 64, generator=torch.Generator().manual_seed(0))
    apart, shared = (
        writer.blocks[1].attention.split(h)[1] for writer in (old, smaller.with_shared_heads(old, 2))
    )
    torch.testing.assert_close(shared, apart.unflatten(1, (2, 2)).mean(2))


# --- guessing ahead ---------------------------------------------------------------------------------------


def test_guesses_that_are_refused_leave_nothing_behind() -> None:
    """Each word is drawn from the writer's own probabilities of what it had read, whatever the draft."""
    today, attend_new = load_trained("today"), reading_on.attend_new
    silly = np.full((986, 986), 1 / 986)
    seen: list[tuple[int, np.ndarray]] = []

    def never(guess: int, p: np.ndarray, q: np.ndarray, rng: np.random.Generator) -> int:
        seen.append((guess, p))
        return int(p.argmax())

    words, passes = two_writers.guess_and_check(today, silly, never, attend_new, 12, guesses=3, width=99)
    assert passes == len(seen) == 12
    greedy = today(torch.tensor([[0, *words]]))[0].argmax(-1).tolist()
    assert words == greedy[:12]


def test_a_bigram_counts_what_follows() -> None:
    rows = two_writers.follow_ups(torch.tensor([0, 1, 0, 1, 0, 2]), 3)
    assert rows[0] == pytest.approx([0, 2 / 3, 1 / 3], abs=0.001)


# --- pictures ---------------------------------------------------------------------------------------------


def shown(draw: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """The text of the one picture that is drawn."""
    texts: list[str] = []
    monkeypatch.setattr(figures, "show", lambda figure, alt: texts.append(alt))
    draw()
    (text,) = texts
    return text


def test_the_running_numbers_are_those_of_the_streamed_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    Q, K, V = np.random.default_rng(1).normal(size=(3, 6, 4))
    text = shown(lambda: scale_pictures.lit_block(Q, K, V[:, :1], block=4), monkeypatch)
    for number, stop in ((1, 4), (2, 6)):
        (output,) = taught("streamed_attention")(Q[:1], K[:stop], V[:stop, :1], 4)[0]
        assert re.search(rf"block {number}: .*?output so far {output:.2f}", text)


def test_the_parts_of_a_query_and_what_they_give(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(lambda: scale_pictures.weighed_parts([(1.0, 0.0), (4.0, np.log(3.0))], 3.25), monkeypatch)
    assert "part 1 has 25% and the output 1.00, part 2 has 75% and the output 4.00" in text
    assert text.endswith("they give 3.25.")


def test_what_is_refused_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.2, 0.6])
    text = shown(lambda: scale_pictures.kept_and_redrawn(p, q), monkeypatch)
    refused, again = (
        sum(map(float, re.findall(rf"{word} (\d\.\d+)", text))) for word in ("refused", "drawn again")
    )
    assert refused == pytest.approx(again) == pytest.approx(0.4)
