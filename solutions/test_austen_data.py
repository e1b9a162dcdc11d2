"""The two writers of Jane Austen's novels: whole, as their maker makes them, and as data/README.md says."""

from __future__ import annotations

import hashlib
import importlib
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from autograder.exercises.errors import CourseError
from autograder.judging import reference
from autograder.tests.this_course import COURSE, lessons
from data.makers import austen as maker
from attention import austen, load_austen, two_writers

DATA = COURSE.visible.data
README = " ".join((DATA / "README.md").read_text(encoding="utf-8").split())
NAMES = tuple(maker.BUNDLED)
HELD_OUT = austen.held_out()
WRITER = load_austen()
LIMITS = {"today": 1_400_000, "lesson 07": 1_500_000}


def of_lesson_07() -> nn.Module:
    """The second writer's parameters in the classes that lesson 07 asks for."""
    (lesson,) = (lesson for lesson in lessons() if lesson.id == "07_tiny_transformer")
    tokens, parameters = austen.for_tiny_writer()
    sizes = austen.WIDTH, austen.HEADS, 4 * austen.WIDTH, austen.BLOCKS, austen.CONTEXT
    model = reference.load_namespace(lesson)["TinyWriter"](len(tokens.words), *sizes)
    model.load_state_dict(parameters)
    return model


# --- the files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_each_file_is_small_and_matches_its_checksum(name: str) -> None:
    path = maker.BUNDLED[name]
    data = path.read_bytes()
    assert len(data) <= LIMITS[name]
    assert f"| `{path.name}` | {len(data):,} |" in README
    line = f"{hashlib.sha256(data).hexdigest()}  {path.name}"
    assert line in (DATA / "SHA256SUMS").read_text(encoding="utf-8").splitlines()


TEXTS = ["held out", *(["novels"] if maker.PACKED.is_file() else [])]
"""What the first steps are taken on: a text of the file's own, and the novels where they were unpacked."""


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", NAMES)
def test_made_again_each_begins_to_learn_in_the_same_way(name: str, text: str) -> None:
    """The whole training takes a quarter of an hour; the first steps tell whether the recipe is still the same."""
    with np.load(maker.BUNDLED[name]) as file:
        first = file["first losses" if text == "novels" else "first losses on what is held out"]
    learned = maker.text()[0] if text == "novels" else HELD_OUT
    _, losses = maker.train(name, austen.Tokens(WRITER.words), learned, steps=len(first))
    np.testing.assert_allclose(losses, first, atol=0.01)


@pytest.mark.parametrize(("name", "model"), [("today", WRITER), ("lesson 07", of_lesson_07())], ids=NAMES)
def test_each_reads_as_well_as_is_said(name: str, model: nn.Module) -> None:
    nats, bits = maker.measured(model, austen.Tokens(WRITER.words), HELD_OUT)
    steps = f"{maker.STEPS[name]:,}"
    assert re.search(rf"\| {name} \| [^|]+ \| [^|]+ \| \d \| {steps} \| {nats:.2f} \| {bits:.2f} \|", README)
    assert f"{sum(p.numel() for p in model.parameters()):,} parameters" in README


def test_the_draft_guesses_as_well_as_is_said() -> None:
    np.testing.assert_allclose(WRITER.follow_ups.sum(1), 1)
    read = np.array(WRITER.encode(HELD_OUT))
    nats = -np.log(WRITER.follow_ups[read[:-1], read[1:]]).mean()
    assert f"guesses them at {nats:.2f} nats a token" in README


def test_pairs_are_counted_in_half_powers_of_two() -> None:
    assert maker.pairs(austen.Tokens(["a", "b", "c"]), "aabcab").tolist() == [[2, 3, 0], [0, 0, 2], [2, 0, 0]]


@pytest.mark.parametrize("path", ["BUNDLED", "OF_LESSON_07"])
def test_a_missing_file_is_found_out(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module(austen.load_austen.__module__)
    monkeypatch.setattr(module, path, tmp_path / "austen.npz")
    with pytest.raises(CourseError, match="is missing. Unpack"):
        load_austen() if path == "BUNDLED" else austen.for_tiny_writer()


# --- from the package to tokens -----------------------------------------------------------------------------


def as_r_writes(*lines: str) -> bytes:
    """A vector of strings as in R's `Rdata.rdb`."""

    def number(value: int) -> bytes:
        return value.to_bytes(4, "big")

    strings = b"".join(number(0x40009) + number(len(line.encode())) + line.encode() for line in lines)
    head = b"X\n" + number(3) + number(0x40201) + number(0x30500) + number(5) + b"UTF-8"
    data = head + number(16) + number(len(lines)) + strings
    return number(len(data)) + zlib.compress(data)


def test_novels_are_read_without_r() -> None:
    emma, persuasion = ["EMMA", "", "“£5”"], ["Persuasion"]
    assert maker.novels(as_r_writes(*emma) + as_r_writes(*persuasion)) == [emma, persuasion]


def test_paragraphs_are_unwrapped_and_headings_left_out() -> None:
    lines = ["CHAPTER I", "", "", "It is a _truth_", "universally  acknowledged.", "", '"Oh!"', "", "FINIS"]
    assert maker.paragraphs(lines) == ["It is a truth universally acknowledged.", '"Oh!"']


def test_the_most_frequent_pair_becomes_a_token() -> None:
    assert maker.byte_pairs("ababab cab", size=7) == [" ", "a", "b", "c", "ab", "abab", "cab"]


def test_the_longest_tokens_are_those_put_together_last() -> None:
    tokens = austen.Tokens(["\n", " ", "a", "b", "c", "ab", "bc", " ab", "abc"])
    assert tokens.encode(" abc\nbca") == [7, 4, 0, 6, 2]
    assert tokens.decode([7, 4, 0, 6, 2]) == " abc\nbca"
    assert tokens.encode("") == []


def test_tokens_give_the_text_back() -> None:
    tokens = austen.Tokens(WRITER.words)
    assert tokens.decode(tokens.encode(HELD_OUT)) == HELD_OUT
    assert WRITER.encode("\n") == [0]
    assert len(WRITER.words) == len(set(WRITER.words)) == maker.VOCABULARY
    assert austen.for_tiny_writer()[0].words == WRITER.words


def test_a_character_that_was_never_met_is_named() -> None:
    with pytest.raises(CourseError, match="has never met 'é' '“'"):
        WRITER.encode("“Café")


# --- how they are used --------------------------------------------------------------------------------------


def test_word_by_word_it_reads_as_at_once() -> None:
    def attend_new(
        Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, kept: tuple[torch.Tensor, ...] | None
    ) -> Any:
        if kept:
            K, V = (torch.cat(pair, 1) for pair in zip(kept, (K, V), strict=True))
        mask = torch.ones(Q.shape[1], K.shape[1]).tril(K.shape[1] - Q.shape[1]) > 0
        return functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask), (K, V)

    tokens = torch.tensor([WRITER.encode(HELD_OUT[:200])])
    kept, logits = None, []
    for first, last in ((0, 9), (9, 10), (10, tokens.shape[1])):
        new, kept = WRITER.step(tokens[:, first:last], torch.arange(first, last), kept, attend_new)
        logits.append(new)
    torch.testing.assert_close(torch.cat(logits, 1), WRITER(tokens), atol=1e-3, rtol=1e-3)
    assert kept is not None
    assert kept[0][0].shape == (1, tokens.shape[1], austen.WIDTH // austen.HEADS)


def test_positions_are_turned_by_the_function_that_is_handed_in() -> None:
    tokens = torch.tensor([WRITER.encode(HELD_OUT[:100])])
    still = load_austen(lambda X, positions: X)
    assert not torch.allclose(still(tokens), WRITER(tokens), atol=0.1)
    still.rotate = two_writers.turned
    torch.testing.assert_close(still(tokens), WRITER(tokens))


def test_a_page_is_wrapped_at_blanks(capsys: pytest.CaptureFixture[str]) -> None:
    austen.watch_page(["one", " two", " thr", "ee\n", " f", "our", "\n"], width=9)
    assert capsys.readouterr().out == "one two\nthree\n\n four\n\n\n"
