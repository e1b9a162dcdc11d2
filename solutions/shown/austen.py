"""A writer that has read Jane Austen's novels, built as today's are, and its tokens: see data/README.md."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Sequence

import torch
from torch import nn

from autograder.model.errors import CourseError
from autograder.student import visible

from .two_writers import TrainedWriter, turned
from .writer import arrays_of

BUNDLED = visible.owner(__name__).data / "austen_writer.npz"
WIDTH, HEADS, BLOCKS, CONTEXT = 128, 4, 3, 128
PIECES = re.compile(r" ?[A-Za-z]+| ?[0-9]+| ?[^A-Za-z0-9\s]+|\s")
"""A text is cut into these first: a word or a run of signs with the blank before it. No token reaches beyond one."""


class Tokens:
    """Byte pair encoding: a text as the numbers of its tokens, and back.

    words: the vocabulary, characters first, then each token in the order in which it was put together from two.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self.number = {word: i for i, word in enumerate(self.words)}
        self._piece = functools.cache(self._encode_piece)

    def encode(self, text: str) -> list[int]:
        """Return the numbers of the tokens of a text. Raises `CourseError` for a character that none of them has."""
        unknown = sorted(set(text) - self.number.keys())
        if unknown:
            raise CourseError(f"The writer has never met {' '.join(map(repr, unknown))}.")
        return [token for piece in PIECES.findall(text) for token in self._piece(piece)]

    def decode(self, tokens: Sequence[int]) -> str:
        """Return the text of some tokens."""
        return "".join(self.words[token] for token in tokens)

    def _encode_piece(self, piece: str) -> list[int]:
        parts, last = list(piece), len(self.words)
        while len(parts) > 1:
            joint = [self.number.get(a + b, last) for a, b in itertools.pairwise(parts)]
            if min(joint) == last:
                break
            i = joint.index(min(joint))
            parts[i : i + 2] = [self.words[joint[i]]]
        return [self.number[part] for part in parts]


class AustenWriter(TrainedWriter):
    """Three blocks of width 128 with rotary positions, RMSNorm, four heads of queries and one of keys and values."""

    held_out: str = ""
    """Every 40th paragraph of the novels: the writer has not read them. Each ends with a line break."""

    def __init__(self, tokens: Tokens, rotate: Callable[..., torch.Tensor] = turned) -> None:
        super().__init__(len(tokens.words), nn.RMSNorm, 1, rotate, WIDTH, HEADS, BLOCKS, tied=True)
        self.words, self.encode, self.decode = tokens.words, tokens.encode, tokens.decode


def load_austen(rotate: Callable[..., torch.Tensor] = turned) -> AustenWriter:
    """The trained writer, with `encode` and `decode` for its tokens. rotate: your own.

    Raises `CourseError` when the file is missing or is not the one that the course was written with.
    """
    found = arrays_of(BUNDLED)
    writer = AustenWriter(Tokens(found["words"].tobytes().decode().split("\0")), rotate)
    own = {key: torch.from_numpy(found[key]).float() for key in found.keys() & writer.state_dict().keys()}
    writer.load_state_dict({**own, "scores.weight": own["embedding.weight"]})
    writer.held_out = found["held out"].tobytes().decode()
    return writer.requires_grad_(False).eval()
