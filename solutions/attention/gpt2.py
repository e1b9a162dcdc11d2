"""GPT-2 from a folder on the disk, read word by word with attention of one's own. Nothing is fetched."""

from __future__ import annotations

import json
import pickle
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from autograder.exercises.errors import CourseError

Kept = list[tuple[torch.Tensor, torch.Tensor]]
"""For each block the keys and values of the tokens read so far, each (heads, t, 64)."""

HEAD_WIDTH = 64
DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


class GPT2:
    """GPT-2 of any size, with the cache outside: lesson 07's writer with learned positions, biases and GELU."""

    def __init__(self, numbers: dict[str, torch.Tensor], tokens: dict[str, int]) -> None:
        self.numbers, self.tokens = numbers, tokens
        self.words = {number: token.replace("Ġ", " ").replace("Ċ", "\n") for token, number in tokens.items()}
        self.blocks = sum(name.endswith("attn.c_attn.weight") for name in numbers)

    def numbers_of(self, text: str) -> list[int]:
        """Each word's token. Raises `CourseError` for a word that is no token of its own."""
        pieces = [("Ġ" if i else "") + word for i, word in enumerate(text.split())]
        unknown = [piece.lstrip("Ġ") for piece in pieces if piece not in self.tokens]
        if unknown or not pieces:
            found = ", ".join(unknown) or "no words"
            raise CourseError(f"Choose words that are one token each; these are not: {found}.")
        return [self.tokens[piece] for piece in pieces]

    @torch.no_grad()
    def step(self, tokens: list[int], kept: Kept | None, attend_new: Callable[..., Any]) -> tuple[torch.Tensor, Kept]:
        """m new tokens behind those whose keys and values are kept -> logits (m, vocabulary) and the longer `kept`."""
        start = kept[0][0].shape[1] if kept else 0
        table = self.numbers["wpe.weight"]
        if start + len(tokens) > len(table):
            raise CourseError(f"GPT-2 has {len(table)} positions, and no word can stand behind the last one.")
        x = self.numbers["wte.weight"][tokens] + table[start : start + len(tokens)]
        longer: Kept = []
        for i in range(self.blocks):
            heads = self._linear(self._norm(x, f"h.{i}.ln_1"), f"h.{i}.attn.c_attn").chunk(3, dim=-1)
            new = (rows.unflatten(-1, (-1, HEAD_WIDTH)).transpose(0, 1) for rows in heads)
            output, pair = attend_new(*new, kept[i] if kept else None)
            longer.append(pair)
            x = x + self._linear(output.transpose(0, 1).flatten(1), f"h.{i}.attn.c_proj")
            inner = self._linear(self._norm(x, f"h.{i}.ln_2"), f"h.{i}.mlp.c_fc")
            x = x + self._linear(functional.gelu(inner, approximate="tanh"), f"h.{i}.mlp.c_proj")
        return self._norm(x, "ln_f") @ self.numbers["wte.weight"].T, longer

    def _linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return x @ self.numbers[f"{name}.weight"] + self.numbers[f"{name}.bias"]

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.layer_norm(x, x.shape[-1:], self.numbers[f"{name}.weight"], self.numbers[f"{name}.bias"])


def load_gpt2(folder: str | Path) -> GPT2:
    """GPT-2 from a folder with `vocab.json` and `model.safetensors` or `pytorch_model.bin`, as Hugging Face has them.

    Raises `CourseError` where a file is missing or is not what its name says.
    """
    here = Path(folder).expanduser()
    readers = {"model.safetensors": _safetensors, "pytorch_model.bin": _pickled}
    weights = next((here / name for name in readers if (here / name).is_file()), None)
    if weights is None or not (here / "vocab.json").is_file():
        files = f"vocab.json and {' or '.join(readers)}"
        raise CourseError(f"{here} needs {files}: download them from huggingface.co/gpt2.")
    try:
        found = readers[weights.name](weights)
        tokens = json.loads((here / "vocab.json").read_text(encoding="utf-8"))
        named = {name.removeprefix("transformer."): array.float() for name, array in found.items()}
        model = GPT2(named, tokens)
        model.step([0], None, lambda Q, K, V, kept: (V, (K, V)))  # all parts are there, and fit each other
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, pickle.UnpicklingError) as error:
        raise CourseError(f"{weights} cannot be read as GPT-2 ({error}). Download it again.") from None
    return model


def _pickled(path: Path) -> dict[str, torch.Tensor]:
    return torch.load(path, map_location="cpu", weights_only=True)


def _safetensors(path: Path) -> dict[str, torch.Tensor]:
    """Eight bytes say how long a table in JSON is; behind it lie the numbers (github.com/huggingface/safetensors)."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        if length > path.stat().st_size:
            raise ValueError("its table is longer than the file")
        table, data = json.loads(file.read(length)), bytearray(file.read())
    found = {}
    for name, about in table.items():
        if name == "__metadata__" or about["dtype"] not in DTYPES:
            continue
        start, end = about["data_offsets"]
        found[name] = torch.frombuffer(data[start:end], dtype=DTYPES[about["dtype"]]).reshape(about["shape"])
    return found
