"""A writer that has read Jane Austen's novels, built as today's are, and its tokens: see data/README.md."""

from __future__ import annotations

import functools
import itertools
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import torch
from torch import nn

from autograder.exercises import public_course
from autograder.exercises.errors import CourseError

from .grammar_text import sample
from .two_writers import TrainedWriter, turned
from .writer import arrays_of

BUNDLED = public_course.find_course(__name__).data / "austen_writer.npz"
OF_LESSON_07 = BUNDLED.with_name("austen_07.npz")
Turning = Callable[..., torch.Tensor] | Sequence[Callable[..., torch.Tensor]]
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

    def continued(
        self,
        model: nn.Module,
        probabilities: Callable[[torch.Tensor, float], torch.Tensor],
        start: str,
        n_new: int,
        temperature: float,
        seed: int,
    ) -> Iterator[str]:
        """Continue a text by `n_new` tokens, drawn one after the other as `grammar_text.sample` does."""
        for token in sample(model, probabilities, self.encode(start), n_new, CONTEXT, temperature, seed):
            yield self.words[token]

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
    follow_ups: np.ndarray = np.empty((0, 0))
    """The cheapest draft, (tokens, tokens): row w is how probably each token follows w in the novels."""

    def __init__(self, tokens: Tokens, rotate: Turning = turned) -> None:
        super().__init__(len(tokens.words), nn.RMSNorm, 1, rotate, WIDTH, HEADS, BLOCKS, tied=True)
        self.words, self.encode, self.decode = tokens.words, tokens.encode, tokens.decode


def load_austen(rotate: Turning = turned) -> AustenWriter:
    """The trained writer, with `encode` and `decode` for its tokens. rotate: your own, for all blocks or one for each.

    Raises `CourseError` when the file is missing or is not the one that the course was written with.
    """
    found = arrays_of(BUNDLED)
    writer = AustenWriter(Tokens(found["words"].tobytes().decode().split("\0")), rotate)
    own = {key: torch.from_numpy(found[key]).float() for key in found.keys() & writer.state_dict().keys()}
    writer.load_state_dict({**own, "scores.weight": own["embedding.weight"]})
    writer.held_out = found["held out"].tobytes().decode()
    counts = 2 ** (found["pairs"].astype(float) / 2) - 1 + 0.02  # so that no pair is impossible
    writer.follow_ups = counts / counts.sum(1, keepdims=True)
    return writer.requires_grad_(False).eval()


def held_out() -> str:
    """Every 40th paragraph of the novels, which neither writer has read. Each ends with a line break."""
    return arrays_of(BUNDLED)["held out"].tobytes().decode()


def for_tiny_writer() -> tuple[Tokens, dict[str, torch.Tensor]]:
    """The tokens, and trained parameters for lesson 07's `TinyWriter` of WIDTH, HEADS and BLOCKS, by their names.

    Raises `CourseError` when the file is missing or is not the one that the course was written with.
    """
    found = arrays_of(OF_LESSON_07)
    own = {key: torch.from_numpy(value).float() for key, value in found.items() if value.dtype == np.float16}
    own["unembed.weight"] = own["embed.weight"] / math.sqrt(WIDTH)
    return Tokens(found["words"].tobytes().decode().split("\0")), own


def load_tiny_writer(writer: type[nn.Module], context: int = CONTEXT) -> tuple[Tokens, nn.Module]:
    """The tokens, and a learner's `TinyWriter` with the trained parameters."""
    tokens, parameters = for_tiny_writer()
    model = writer(len(tokens.words), WIDTH, num_heads=HEADS, d_ff=4 * WIDTH, n_blocks=BLOCKS, context=context)
    model.load_state_dict(parameters, strict=False)  # not strict: a class may keep more than is loaded, say a mask
    return tokens, model


def watch_page(pieces: Iterable[str], width: int = 96) -> None:
    """Print a text while its pieces come, and begin a new line at a blank where the line would become too long."""
    column = 0
    for piece in pieces:
        for part in re.findall(r"\n| ?[^ \n]*", piece):
            if part == "\n":
                print("\n", flush=True)
                column = 0
            elif part.startswith(" ") and column + len(part) > width:
                print("\n" + part[1:], end="", flush=True)
                column = len(part) - 1
            else:
                print(part, end="", flush=True)
                column += len(part)
    print()


def print_pairs(writer: AustenWriter, tokens: Sequence[int], count: int = 3) -> str:
    """Print pairs of beginnings of paragraphs, hers and the writer's; return the letters, A or B, of hers.

    Args:
        writer: Holds the paragraphs of hers that it has not read.
        tokens: What it has written.
        count: How many pairs.
    """
    order, by_writer = np.random.default_rng(5), _beginnings(writer.decode(tokens))[:count]
    by_her = order.choice(_beginnings(writer.held_out), count, replace=False)
    letters = "".join(order.choice(list("AB"), count))
    for pair, (letter, true, written) in enumerate(zip(letters, by_her, by_writer, strict=True), start=1):
        first, second = (true, written) if letter == "A" else (written, true)
        for mark, text in ((f"{pair}  A  ", first), ("   B  ", second)):
            print(textwrap.fill(text, 90, initial_indent=mark, subsequent_indent=" " * len(mark)))
        print()
    return letters


def print_page(writer: AustenWriter, tokens: Sequence[int], characters: int = 900) -> None:
    """Print the paragraphs that begin within the first so many characters of what was written."""
    text, printed = writer.decode(tokens), 0
    for paragraph in text.split("\n"):
        if printed > characters:
            break
        print("\n" + textwrap.fill(paragraph, 90))
        printed += len(paragraph)


def _beginnings(text: str) -> list[str]:
    """Return the first 130 characters of each longer paragraph, cut at a blank."""
    longer = (paragraph for paragraph in text.split("\n") if len(paragraph) > 140)
    return [textwrap.shorten(paragraph, 130, placeholder=" …") for paragraph in longer]
