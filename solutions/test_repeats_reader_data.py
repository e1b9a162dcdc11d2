"""The bundled reader of repeated signs: whole, as its maker makes it, and as data/README.md says."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from autograder.exercises.errors import CourseError
from data.makers import repeats_reader as maker
from attention import repeats

README = " ".join((maker.BUNDLED.parent / "README.md").read_text(encoding="utf-8").split())


def test_the_reader_is_small_and_matches_its_checksum() -> None:
    data = maker.BUNDLED.read_bytes()
    assert len(data) <= 92_000
    assert f"{len(data):,} bytes" in README
    line = f"{hashlib.sha256(data).hexdigest()}  {maker.BUNDLED.name}"
    assert line in (maker.BUNDLED.parent / "SHA256SUMS").read_text(encoding="utf-8").splitlines()


def test_made_again_it_begins_to_learn_in_the_same_way() -> None:
    with np.load(maker.BUNDLED) as file:
        first = file["first_losses"]
    _, losses = maker.train(steps=len(first))
    np.testing.assert_allclose(losses, first, atol=0.01)


def test_a_missing_reader_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "BUNDLED", tmp_path / "repeats_reader.npz")
    with pytest.raises(CourseError, match="is missing. Unpack"):
        repeats.load_reader()


def test_each_round_comes_twice_and_no_sign_comes_twice_in_it() -> None:
    rows = repeats.twice(20, torch.Generator().manual_seed(0), batch=5)
    assert torch.equal(rows[:, :20], rows[:, 20:])
    assert all(len(set(row)) == 20 for row in rows[:, :20].tolist())


def test_it_finds_what_is_said() -> None:
    torch.set_num_threads(1)
    reader = repeats.load_reader()
    for signs, share in re.findall(r"(\d+) % in rounds of (\d+)", README):
        assert 100 * repeats.found_again(reader, int(share)) == pytest.approx(float(signs), abs=1)
    assert len(re.findall(r"\d+ % in rounds of \d+", README)) == 4
