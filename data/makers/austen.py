"""Train two writers of Jane Austen's novels: `python -m data.makers.austen`, once PACKED is there.

One is built as today's models are, the other of lesson 07's parts. The novels are those of Debian's package
r-cran-janeaustenr, version 1.0.0-1. Only this maker needs the package.
"""

from __future__ import annotations

import itertools
import math
import sys
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from data.makers import record_checksum
from attention import austen, two_writers

ROOT = Path(__file__).parents[2]
PACKED = (
    ROOT / "build" / "austen" / "usr" / "lib" / "R" / "site-library" / "janeaustenr" / "data" / "Rdata.rdb"
)
"""The novels as R keeps them, in the package unpacked by `dpkg -x`."""

BUNDLED = {"today": ROOT / "data" / "austen_writer.npz", "lesson 07": ROOT / "data" / "austen_07.npz"}
VOCABULARY = 1_024
EVERY = 40
"""Every so many-th paragraph is not learned from: with it the writer is tested."""

STEPS, BATCH, RATE = {"today": 2_500, "lesson 07": 3_000}, 16, 0.006
FIRST = 10
"""Losses of so many first steps are kept, so that a short training tells whether the recipe is still the same."""


def novels(packed: bytes) -> list[list[str]]:
    """The lines of each novel.

    Behind each other stand a number of four bytes and a compressed vector of strings, as R writes it: 14 bytes, the
    name of the encoding, then a mark and how many strings there are. Before each name or string stand 4 bytes with its
    length, before each string and the vector 4 more with its type.
    """
    found = []
    while packed:
        unpacking = zlib.decompressobj()
        data, packed = unpacking.decompress(packed[4:]), unpacking.unused_data
        at = 18 + int.from_bytes(data[14:18], "big")
        count, at = int.from_bytes(data[at + 4 : at + 8], "big"), at + 8
        lines = []
        for _ in range(count):
            start = at + 8
            at = start + int.from_bytes(data[at + 4 : start], "big")
            lines.append(data[start:at].decode())
        found.append(lines)
    return found


def paragraphs(lines: list[str]) -> list[str]:
    """Each paragraph in one line, without underscores. Headings, which end in a letter or a number, are left out."""
    blocks = "\n".join(lines).replace("_", "").split("\n\n")
    joined = (" ".join(block.split()) for block in blocks)
    return [text for text in joined if text and not text[-1].isalnum()]


def text() -> tuple[str, str]:
    """What to learn from, and what is held out; each paragraph ends with a line break."""
    found = [paragraph for lines in novels(PACKED.read_bytes()) for paragraph in paragraphs(lines)]
    held_out = found[EVERY - 1 :: EVERY]
    del found[EVERY - 1 :: EVERY]
    return "\n".join([*found, ""]), "\n".join([*held_out, ""])


def byte_pairs(text: str, size: int = VOCABULARY) -> list[str]:
    """The tokens of a text: its characters, then, again and again, the most frequent pair of neighbours as one."""
    counts = Counter(austen.PIECES.findall(text))
    parts = {piece: list(piece) for piece in counts}
    pairs: Counter[tuple[str, str]] = Counter()
    places: dict[tuple[str, str], set[str]] = {}

    def count(piece: str, times: int) -> None:
        for pair in itertools.pairwise(parts[piece]):
            pairs[pair] += times
            places.setdefault(pair, set()).add(piece)

    for piece, times in counts.items():
        count(piece, times)
    words = sorted(set(text))
    while len(words) < size:
        pair = max(pairs, key=lambda pair: (pairs[pair], pair))
        words.append("".join(pair))
        for piece in places[pair]:
            count(piece, -counts[piece])
            parts[piece] = joined(parts[piece], pair)
            count(piece, counts[piece])
    return words


def joined(parts: list[str], pair: tuple[str, str]) -> list[str]:
    """The parts, with each place where the pair stands made one part."""
    found: list[str] = []
    for part in parts:
        if found and (found[-1], part) == pair:
            found[-1] = "".join(pair)
        else:
            found.append(part)
    return found


def loss(model: nn.Module, tokens: torch.Tensor) -> torch.Tensor:
    """Nats a token, each predicted from those before it."""
    return functional.cross_entropy(model(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


class OfLesson07(two_writers.TrainedWriter):
    """The parts of lesson 07's `TinyWriter`. A smaller copy of the embeddings scores the tokens: the file holds one."""

    def __init__(self, vocabulary: int) -> None:
        width = austen.WIDTH
        super().__init__(vocabulary, nn.LayerNorm, austen.HEADS, None, width, austen.HEADS, austen.BLOCKS)
        nn.init.normal_(self.embedding.weight, std=0.5)
        del self.scores
        self.bias = nn.Parameter(torch.zeros(vocabulary))

    def scores(self, rows: torch.Tensor) -> torch.Tensor:
        return functional.linear(rows, self.embedding.weight / math.sqrt(austen.WIDTH), self.bias)


def untrained(name: str, tokens: austen.Tokens) -> two_writers.TrainedWriter:
    """The writer with random numbers in it."""
    return austen.AustenWriter(tokens) if name == "today" else OfLesson07(len(tokens.words))


@torch.no_grad()
def measured(model: nn.Module, tokens: austen.Tokens, text: str) -> tuple[float, float]:
    """Nats a token in pieces of CONTEXT tokens, and the same in bits a character."""
    read = torch.tensor(tokens.encode(text))
    pieces = read[: len(read) // austen.CONTEXT * austen.CONTEXT].view(-1, austen.CONTEXT)
    nats = sum(loss(model, part).item() * len(part) for part in pieces.split(16)) / len(pieces)
    return nats, nats / math.log(2) * len(read) / len(text)


def train(
    name: str, tokens: austen.Tokens, text: str, steps: int
) -> tuple[two_writers.TrainedWriter, list[float]]:
    """The writer after the first `steps` of all STEPS on a text, and the loss at each of them."""
    torch.set_num_threads(1)  # one thread repeats itself to the bit
    training = torch.tensor(tokens.encode(text))
    torch.manual_seed(1)
    model = untrained(name, tokens)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=RATE, total_steps=STEPS[name], pct_start=0.05
    )
    draws, losses = torch.Generator().manual_seed(2), []
    for step in range(1, steps + 1):
        starts = torch.randint(len(training) - austen.CONTEXT, (BATCH, 1), generator=draws)
        now = loss(model, training[starts + torch.arange(austen.CONTEXT)])
        losses.append(now.item())
        optimizer.zero_grad()
        now.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 500 == 0:
            print(f"{name}, step {step}: {np.mean(losses[-200:]):.2f} nats a token", flush=True)
    return model, losses


def numbers(name: str, model: nn.Module) -> dict[str, np.ndarray]:
    """A writer's parameters in half precision. Lesson 07's bear the names of `TinyWriter`."""
    state = {key: value.numpy().astype(np.float16) for key, value in model.state_dict().items()}
    if name == "today":
        del state["scores.weight"]  # the embedding's
        return state
    named = {"embedding.weight": "embed.weight", "bias": "unembed.bias"}
    return {named.get(key, key): value for key, value in state.items()}


def pairs(tokens: austen.Tokens, text: str) -> np.ndarray:
    """How often each token follows each other one, (before, after): twice the logarithm to the base 2, in a byte."""
    read = np.array(tokens.encode(text))
    counts = np.zeros((len(tokens.words), len(tokens.words)))
    np.add.at(counts, (read[:-1], read[1:]), 1)
    return np.round(2 * np.log2(1 + counts)).astype(np.uint8)


def write(name: str, tokens: austen.Tokens, training: str, held_out: str) -> None:
    """Train one writer, and write its file and the line in `SHA256SUMS`."""
    model, losses = train(name, tokens, training, STEPS[name])
    arrays = {
        "words": np.frombuffer("\0".join(tokens.words).encode(), dtype=np.uint8),
        "first losses": np.array(losses[:FIRST], dtype=np.float32),
        "first losses on what is held out": np.array(
            train(name, tokens, held_out, FIRST)[1], dtype=np.float32
        ),
    }
    if name == "today":
        arrays["held out"] = np.frombuffer(held_out.encode(), dtype=np.uint8)
        arrays["pairs"] = pairs(tokens, training)
    path = BUNDLED[name]
    np.savez_compressed(path, **numbers(name, model), **arrays)
    record_checksum(path)
    nats, bits = measured(model, tokens, held_out)
    print(f"{path}: {nats:.2f} nats a token, {bits:.2f} bits a character, {path.stat().st_size:,} bytes")


def main() -> None:
    """Write the bundled files again, or those of the writers that are named."""
    training, held_out = text()
    tokens = austen.Tokens(byte_pairs(training))
    for name in sys.argv[1:] or BUNDLED:
        write(name, tokens, training, held_out)


if __name__ == "__main__":
    main()
