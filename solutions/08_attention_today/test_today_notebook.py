"""Lesson 08's notebook: its numbers, its pictures, its writers, and GPT-2 from a folder."""

from __future__ import annotations

import importlib
import json
import re
import struct
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
import torch
from torch.nn import functional

from autograder.exercises.errors import CourseError
from autograder.exercises.verdict import State
from autograder.judging import judge, reference
from autograder.notebook import figures
from autograder.tests import fresh
from autograder.tests.this_course import find_lesson, verdict_by
from attention import load_gpt2, load_trained, repeats, today_pictures, two_writers, watch_text

torch.set_num_threads(1)

LESSON = find_lesson("08_attention_today")
trained = fresh.margins(LESSON.folder)
MARKDOWN = [cell for cell in LESSON.cells if cell.kind == "markdown"]


def taught(name: str) -> Any:
    return reference.namespace(LESSON)[name]


def outputs() -> str:
    """What the instructor's notebook printed, and what is said of its pictures."""
    return fresh.told(cell.get("outputs", []) for cell in nbformat.read(LESSON.built, as_version=4).cells)


def prose() -> str:
    return " ".join(" ".join(cell.text for cell in MARKDOWN).split())


# --- what is said -----------------------------------------------------------------------------------------


def test_what_was_measured_is_what_the_text_says() -> None:
    """What a run gives now is looked at where nbval runs the notebook: `autograder.tests.fresh`."""
    trained.check(outputs())
    (shown,) = re.findall(r"> \*(the painter .*?) …\*", prose())
    assert shown in outputs()
    (half,) = re.findall(r"linear state: .*? (\d+)% of 16,", outputs())
    assert "of 16 pairs about half are found again, of 128 hardly any" in prose()
    assert 40 < int(half) < 65


def test_the_price_of_sharing_is_what_was_measured_beforehand() -> None:
    """Turned positions, 300 steps, tested on new sentences. Two trainings differ by as much as the groups do."""
    assert "300 steps with 4, 2, 1 groups: 2.24, 2.26, 2.27 nats; again: 2.25, 2.23, 2.26" in outputs()


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


def test_with_many_pairs_of_columns_no_text_has_a_twin() -> None:
    positions = np.arange(1, 1_000_001)
    first, second = (2 * abs(np.sin(positions / 10000 ** (i / 32) / 2)) < 0.001 for i in (0, 1))
    assert positions[first.argmax()] == taught("twin")
    assert not (first & second).any()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"lesson 07 +1–15: 2.16", "lesson 07   1–15: 2.4"),
        (r"words kept +1–15: 2.17 +16–31: \S+", "words kept   1–15: 2.17   16–31: 1.90"),
        (r"after 1,024 words \d+", "after 1,024 words 2"),
        (r"last 16 anew +1–15: (\S+) +16–31: \S+", r"last 16 anew   1–15: \1   16–31: 2.40"),
        (r"turned +-?[\d.]+", "turned 0.12"),
        ("the same logits: True", "the same logits: False"),
        (r"[\d.]+% of 128", "40% of 128"),
        (r"(linear state: .*?) [\d.]+% of 16,", r"\1 88% of 16,"),
        (r"your function: 0.\d+", "your function: 0.40"),
        (r"in \d+ passes", "in 900 passes"),
        (r"second half: \d+%", "second half: 3%"),
        (r"(Grammatical: .*?) \d+ of", r"\1 20 of"),
    ],
)
def test_a_measurement_that_drifts_turns_red(old: str, new: str) -> None:
    drifted = re.sub(old, new, outputs(), count=1)
    assert drifted != outputs()
    with pytest.raises(AssertionError):
        trained.check(drifted)


def test_the_lesson_is_short() -> None:
    text = " ".join(cell.text for cell in MARKDOWN)
    words = [word for word in re.sub(r"<[^>]+>", " ", text).split() if re.search("[A-Za-z]", word)]
    assert len(words) <= 1900
    given = [cell.text for cell in LESSON.cells if cell.kind == "code" and not cell.marker]
    lines = [[line for line in text.splitlines() if not line.startswith("# What this")] for text in given]
    assert max(map(len, lines)) <= 12


def test_the_time_it_takes_covers_what_there_is_to_do() -> None:
    (core, more) = map(int, re.findall(r"about (\d+) minutes, and (\d+) more for the puzzles", prose())[0])
    timed = (
        (cell.name, re.search(r"^[★☆]{3} · (\d+) minutes$", cell.text, re.MULTILINE)) for cell in MARKDOWN
    )
    minutes = {name: int(found[1]) for name, found in timed if found}
    puzzles = {one.id for one in LESSON.exercises if one.puzzle}
    assert set(minutes) == {one.id for one in LESSON.exercises} | {"explain_windows"}
    assert more == sum(minutes[name] for name in puzzles)
    assert sum(minutes.values()) - more < core <= 120


# --- the museum -------------------------------------------------------------------------------------------

PROJECTS = {
    "line_pytorch": "pytorch/pytorch#144858",
    "line_gemma": "google-deepmind/gemma#392",
    "line_veloxquant": "rajveer43/VeloxQuant-MLX#389",
    "line_onnx": "onnx/onnx#7274",
    "line_mlx": "ml-explore/mlx-lm#1109",
    "line_lecture": "karpathy/ng-video-lecture#6",
}


def test_each_slip_has_its_project_and_a_short_quotation() -> None:
    shown = re.findall(r"\*\*`(\w+)`\*\* · (\S+): “(.+?)” ```", prose())
    assert {name: project for name, project, _ in shown} == PROJECTS
    assert all(len(words.split()) <= 15 for *_, words in shown)


@pytest.mark.parametrize("project", list(PROJECTS))
def test_each_line_is_judged_by_itself(project: str) -> None:
    names = {**reference.namespace(LESSON)}
    names[project] = names[project] % 4 + 1
    found = verdict_by(LESSON, judge.visible_key(LESSON, "find_the_lines"), names)
    assert found.state is not State.RIGHT
    assert found.misconception is not None
    assert found.misconception.split(":")[0].startswith(PROJECTS[project].split("/")[1].split("#")[0][:4])
    (failed,) = (line for line in found.lines if line.sight.name == "FAILED")
    assert project in " ".join(failed.details)


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
    names = dict(reference.namespace(lesson))
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


def test_guesses_that_are_refused_leave_nothing_behind() -> None:
    """Each word is drawn from the writer's own probabilities of what it had read, whatever the draft."""
    today, attend_new = load_trained("today"), taught("attend_new")
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


def test_a_window_hides_from_the_reader_what_lies_behind_it() -> None:
    model = repeats.Repeater(two_writers.turned)
    tokens = torch.randint(26, (1, 8), generator=torch.Generator().manual_seed(0))
    changed = tokens.clone()
    changed[0, 0] = (changed[0, 0] + 1) % 26
    with torch.no_grad():
        ours, theirs = model(tokens, window=3), model(changed, window=3)
    assert torch.equal(ours[0, 5:], theirs[0, 5:])  # two layers reach four back
    assert not torch.equal(ours[0, 4], theirs[0, 4])


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
    text = shown(lambda: today_pictures.lit_block(Q, K, V[:, :1], block=4), monkeypatch)
    for number, stop in ((1, 4), (2, 6)):
        (output,) = taught("streamed_attention")(Q[:1], K[:stop], V[:stop, :1], 4)[0]
        assert re.search(rf"block {number}: .*?output so far {output:.2f}", text)


def test_hands_keep_their_angle(monkeypatch: pytest.MonkeyPatch) -> None:
    q, k = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    text = shown(lambda: today_pictures.two_clocks(taught("rotate"), q, k, (5, 2)), monkeypatch)
    degrees = np.degrees(3 - np.pi / 2)
    assert text.count(f"{degrees:.0f} degrees") == 3


@pytest.mark.parametrize("static", [True, False])
def test_a_text_that_grows_is_one_page(
    static: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages: list[str] = []

    class Handle:
        def update(self, page: Any, raw: bool) -> None:
            pages[-1] = page["text/plain"]

    def display(page: Any, raw: bool, display_id: bool) -> Handle:
        pages.append(page["text/plain"])
        return Handle()

    monkeypatch.setattr("IPython.display.display", display)
    if not static:
        monkeypatch.delenv(figures.STATIC)
    words = [f"w{number}" for number in range(40)]
    assert watch_text(iter(words), every=5, shown=4) == words
    told = capsys.readouterr().out if static else pages[0]
    assert len(pages) == (not static)
    assert told.strip() == f"40 words: {' '.join(words[:14])} … {' '.join(words[26:])}"


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
