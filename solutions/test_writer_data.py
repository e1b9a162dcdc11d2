"""The bundled small writer: whole, as its maker makes it, read rightly, and as data/README.md says."""

from __future__ import annotations

import hashlib
import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from autograder.exercises.errors import CourseError
from data.makers import two_writers as two_makers
from data.makers import writer as maker
from data.makers.writer import BUNDLED
from attention import grammatical, load_trained, load_writer, sentences, two_writers

loader = importlib.import_module("attention.writer")
WRITER = load_writer()
README = " ".join((BUNDLED.parent / "README.md").read_text(encoding="utf-8").split())

CLASSES = """person male female ruler people worker name_f name_m pet farm_animal wild_animal bird fruits dish drink
vessel surface building shop room way waters land settlement"""
GRAMMAR = importlib.import_module("attention.grammar")
NOUNS = {word for name in CLASSES.split() for word in GRAMMAR.words_of(name)}
CAT = [".", "the", "cat", "sat", "on", "the", "mat"]


def weights(sentence: list[str], layer: int, head: int) -> np.ndarray:
    Q, K, _ = WRITER.head(sentence, layer, head)
    scores = torch.tensor(Q @ K.T / np.sqrt(Q.shape[1]))
    later = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -torch.inf).softmax(-1).numpy()


def last_look(text: str, layer: int, head: int, at: str) -> float:
    """What the last word of a text gives to another word of it."""
    sentence = [".", *text.split()]
    return float(weights(sentence, layer, head)[-1, sentence.index(at)])


# --- the file ---------------------------------------------------------------------------------------------


def test_the_file_is_small_and_matches_its_checksum() -> None:
    data = BUNDLED.read_bytes()
    assert len(data) <= 400_000
    assert f"{len(data):,} bytes" in README
    line = f"{hashlib.sha256(data).hexdigest()}  {BUNDLED.name}"
    assert line in (BUNDLED.parent / "SHA256SUMS").read_text(encoding="utf-8").splitlines()


def test_made_again_it_begins_to_learn_in_the_same_way() -> None:
    """The whole training takes a minute; the first steps tell whether the recipe is still the same."""
    with np.load(BUNDLED) as file:
        first, shapes = file["first_losses"], {name: file[name].shape for name in file.files}
    model, losses = maker.train(steps=len(first))
    np.testing.assert_allclose(losses, first, atol=0.01)
    again = maker.as_arrays(model, losses)
    assert {name: array.shape for name, array in again.items()} == shapes


def test_a_missing_or_changed_file_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remedies = "Unpack the student kit again, or in the repository run: git restore data"
    monkeypatch.setattr(loader, "PATH", tmp_path / "writer.npz")
    with pytest.raises(CourseError, match=f"is missing. {remedies}"):
        load_writer()
    (tmp_path / "writer.npz").write_bytes(BUNDLED.read_bytes()[:-1])
    with pytest.raises(CourseError, match=f"has changed. {remedies}"):
        load_writer()


# --- lesson 08's two writers ------------------------------------------------------------------------------


def test_the_two_writers_are_small_and_match_their_checksum() -> None:
    data = two_makers.BUNDLED.read_bytes()
    assert len(data) <= 1_000_000
    assert f"{len(data):,} bytes" in README
    line = f"{hashlib.sha256(data).hexdigest()}  {two_makers.BUNDLED.name}"
    assert line in (two_makers.BUNDLED.parent / "SHA256SUMS").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", two_makers.NAMES)
def test_made_again_each_of_the_two_begins_to_learn_in_the_same_way(name: str) -> None:
    with np.load(two_makers.BUNDLED) as file:
        first = file[f"first losses/{name}"]
    _, losses = two_makers.train(name, steps=len(first))
    np.testing.assert_allclose(losses, first, atol=0.01)


@pytest.mark.parametrize("name", two_makers.NAMES)
def test_the_two_writers_read_as_well_as_is_said(name: str) -> None:
    with torch.no_grad():
        nats = two_makers.loss(load_trained(name), maker.text()[2])
    assert re.search(rf"\| {name} \| [^\n]*? \| {nats:.2f} \|", README)


def test_changed_writers_are_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_writers, "BUNDLED", tmp_path / "two_writers.npz")
    with pytest.raises(CourseError, match="is missing. Unpack"):
        load_trained("today")


# --- how it is read ---------------------------------------------------------------------------------------


def as_torch() -> maker.Writer:
    model = maker.Writer(len(WRITER.words))
    state: dict[str, Any] = {}
    with np.load(BUNDLED) as file:
        for name in model.state_dict().keys() - {"scores.weight"}:
            turned = file[name].T if "W_" in name or "feed_" in name else file[name]
            state[name] = torch.tensor(turned.astype(np.float32))
    model.load_state_dict({**state, "scores.weight": state["embedding.weight"]})
    return model


def test_numpy_reads_as_torch_does() -> None:
    model = as_torch()
    with torch.no_grad():
        assert f"{maker.loss(model, maker.text()[2]):.2f} nats a word" in README
    read: list[torch.Tensor] = []
    for block in model.blocks:
        block.attention.register_forward_pre_hook(lambda _, given: read.append(given[0][0]))
    with torch.no_grad():
        tokens = torch.tensor([[WRITER.words.index(word) for word in CAT]])
        chances = model(tokens)[0].softmax(-1)
    np.testing.assert_allclose(WRITER.next_words(CAT), chances, atol=1e-4)
    for ours, theirs in zip(WRITER.attention_inputs(CAT), read, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)


def test_a_head_is_a_share_of_the_columns() -> None:
    layer, rows = WRITER.layers[1], WRITER.attention_inputs(CAT)[1]
    d_k = WRITER.d_model // WRITER.num_heads
    for found, W in zip(WRITER.head(CAT, 1, 2), (layer.W_q, layer.W_k, layer.W_v), strict=True):
        np.testing.assert_allclose(found, (rows @ W)[:, 2 * d_k : 3 * d_k], atol=1e-5)


def test_what_it_cannot_read_is_said() -> None:
    for sentence, said in (
        (["quokka"], "has never met 'quokka'"),
        ([], "reads 1 to 16 words, not 0"),
        (["the"] * 17, "reads 1 to 16 words, not 17"),
        ("the cat", r"sentence.split\(\)"),
    ):
        with pytest.raises(CourseError, match=said):
            WRITER.attention_inputs(sentence)


# --- what can be seen in it -------------------------------------------------------------------------------


def test_what_the_readme_shows() -> None:
    rows = re.findall(r"\| (\d), (\d) \| [^|]+ \| \*([a-z ]+)\* … ([a-z]+) \| ([\d.]+) \|", README)
    assert len(rows) == 7
    for layer, head, text, at, weight in rows:
        assert last_look(text, int(layer), int(head), at) == pytest.approx(float(weight), abs=0.005), text


def test_a_head_looks_at_the_word_before() -> None:
    shares = [
        weights([".", *sentence], 0, 0).diagonal(-1)[1:].mean()
        for sentence in sentences(300, seed=9)
        if 4 <= len(sentence) < 16
    ]
    assert f"{np.mean(shares):.2f} on average" in README


def test_a_head_looks_from_pronouns_at_nouns() -> None:
    shares, equal = [], []
    for sentence in ([".", *drawn] for drawn in sentences(1500, seed=9) if len(drawn) < 16):
        for i, word in enumerate(sentence):
            nouns = [j for j in range(i) if sentence[j] in NOUNS]
            if word in ("it", "he", "she") and nouns:
                shares.append(weights(sentence, 1, 2)[i, nouns].sum())
                equal.append(len(nouns) / (i + 1))
    assert (
        f"{np.mean(shares):.2f} of their weight; looking everywhere alike would give {np.mean(equal):.2f}"
        in README
    )


def test_it_writes_what_the_grammar_accepts() -> None:
    """Each next word the likeliest, from a name or a noun on: most sentences are the grammar's own."""
    right = 0
    starts = (
        "tom",
        "the cat",
        "the king",
        "anna",
        "paris is",
        "the weather",
        "dogs",
        "the shop",
        "it is",
        "she",
    )
    for start in starts:
        text = [".", *start.split()]
        while len(text) < 16 and text[-1] != ".":
            text.append(WRITER.words[int(WRITER.next_words(text)[-1].argmax())])
        right += grammatical(text[1:-1])
    assert right >= len(starts) / 2
