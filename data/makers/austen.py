"""Train the writer of Jane Austen's novels: `make austen`, or `python -m data.makers.austen` once PACKED is there.

The novels are those of Debian's package r-cran-janeaustenr, version 1.0.0-1. Only this maker needs the package.
"""

from __future__ import annotations

import itertools
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder import austen
from data.makers import record_checksum

ROOT = Path(__file__).parents[2]
PACKED = ROOT / "build" / "austen" / "usr" / "lib" / "R" / "site-library" / "janeaustenr" / "data" / "Rdata.rdb"
"""The novels as R keeps them, in the package unpacked by `dpkg -x`."""

BUNDLED = ROOT / "data" / "austen_writer.npz"
VOCABULARY = 1_024
EVERY = 40
"""Every so many-th paragraph is not learned from: with it the writer is tested."""

STEPS, BATCH, RATE = 6_000, 16, 0.006
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


@torch.no_grad()
def bits(model: austen.AustenWriter, text: str) -> tuple[float, float]:
    """Nats a token in pieces of CONTEXT tokens, and the same in bits a character."""
    tokens = torch.tensor(model.encode(text))
    pieces = tokens[: len(tokens) // austen.CONTEXT * austen.CONTEXT].view(-1, austen.CONTEXT)
    nats = sum(loss(model, piece[None]).item() for piece in pieces) / len(pieces)
    return nats, nats / np.log(2) * len(tokens) / len(text)


def train(tokens: austen.Tokens, text: str, steps: int = STEPS) -> tuple[austen.AustenWriter, list[float]]:
    """The writer after the first `steps` of all STEPS on a text, and the loss at each of them."""
    torch.set_num_threads(1)  # one thread repeats itself to the bit
    training = torch.tensor(tokens.encode(text))
    torch.manual_seed(1)
    model = austen.AustenWriter(tokens)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=RATE, total_steps=STEPS, pct_start=0.05)
    draws, losses = torch.Generator().manual_seed(2), []
    for step in range(steps):
        starts = torch.randint(len(training) - austen.CONTEXT, (BATCH, 1), generator=draws)
        now = loss(model, training[starts + torch.arange(austen.CONTEXT)])
        losses.append(now.item())
        optimizer.zero_grad()
        now.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 500 == 499:
            print(f"step {step + 1}: {np.mean(losses[-200:]):.2f} nats a token", flush=True)
    return model, losses


def as_arrays(model: austen.AustenWriter, losses: list[float], held_out: str) -> dict[str, np.ndarray]:
    """What the file holds: tokens, parameters in half precision, what is held out, and the first losses."""
    state = {key: value for key, value in model.state_dict().items() if key != "scores.weight"}
    short = train(austen.Tokens(model.words), held_out, FIRST)[1]
    return {
        **{key: value.numpy().astype(np.float16) for key, value in state.items()},
        "words": np.frombuffer("\0".join(model.words).encode(), dtype=np.uint8),
        "held out": np.frombuffer(held_out.encode(), dtype=np.uint8),
        "first losses": np.array(losses[:FIRST], dtype=np.float32),
        "first losses on what is held out": np.array(short, dtype=np.float32),
    }


def main() -> None:
    """Write the bundled file again, and its line in `SHA256SUMS`."""
    training, held_out = text()
    model, losses = train(austen.Tokens(byte_pairs(training)), training)
    np.savez_compressed(BUNDLED, **as_arrays(model, losses, held_out))
    record_checksum(BUNDLED)
    nats, bits_a_character = bits(austen.load_austen(), held_out)
    print(f"{nats:.2f} nats a token, {bits_a_character:.3f} bits a character, held out")
    print(f"{BUNDLED}: {BUNDLED.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
