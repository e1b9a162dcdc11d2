"""Lesson 08's two writers: lesson 07's, and one as they are built today. Both come trained: see data/README.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder.exercises import public_course

from .writer import arrays_of

if TYPE_CHECKING:
    Kept = list[tuple[torch.Tensor, torch.Tensor]]
    """For each block the keys and values of the words read so far, each (batch * key-value heads, t, 16)."""
    Rotate = Callable[..., torch.Tensor]
    """`rotate(X, positions)` turns the rows of X (..., n, d) as their positions (n,) say."""

BUNDLED = public_course.find_course(__name__).data / "two_writers.npz"
WIDTH, HEADS, BLOCKS = 64, 4, 2


def turned(X: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """Rotary positions by complex numbers: each pair of columns of X (..., n, d) is one number, turned by its angle."""
    d = X.shape[-1]
    angles = positions[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
    pairs = torch.view_as_complex(X.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


def waves(positions: torch.Tensor, width: int = WIDTH) -> torch.Tensor:
    """Lesson 07's encoding of these positions, (n, width)."""
    angles = positions[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.view_as_real(torch.polar(torch.ones_like(angles), angles)).flip(-1).flatten(1)


def within(n: int, window: int | None) -> torch.Tensor:
    """(n, n) booleans: each of n words may look at the last `window`, itself one; None: at all before it."""
    return torch.ones(n, n).triu(1 - (window or n)).tril() > 0


def for_each(blocks: Sized, one_or_more: Any) -> Sequence[Any]:
    """What each block gets: one thing for all of them, or a sequence with one for each."""
    return one_or_more if isinstance(one_or_more, Sequence) else [one_or_more] * len(blocks)


class Attention(nn.Module):
    """Several heads of queries, and as many heads of keys and values as the writer has."""

    def __init__(self, kv_heads: int, width: int = WIDTH, heads: int = HEADS) -> None:
        super().__init__()
        self.kv_heads, self.width = kv_heads, width // heads
        self.W_q, self.W_o = (nn.Linear(width, width, bias=False) for _ in range(2))
        self.W_k, self.W_v = (nn.Linear(width, kv_heads * self.width, bias=False) for _ in range(2))

    def split(self, h: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """h (batch, n, width) -> queries (batch, heads, n, d), keys and values (batch, kv_heads, n, d)."""
        Q, K, V = (W(h).unflatten(-1, (-1, self.width)).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        return Q, K, V


class Block(nn.Module):
    """Lesson 07's block; what attention does with queries, keys and values is handed in."""

    def __init__(self, norm: type[nn.Module], kv_heads: int, width: int = WIDTH, heads: int = HEADS) -> None:
        super().__init__()
        self.norm_1, self.attention, self.norm_2 = norm(width), Attention(kv_heads, width, heads), norm(width)
        self.feed_1, self.feed_2 = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor, attend: Callable[..., torch.Tensor]) -> torch.Tensor:
        """x (batch, n, width) -> the same; attend: Q, K, V by heads -> (batch, heads, n, d)."""
        mixed = attend(*self.attention.split(self.norm_1(x)))
        x = x + self.attention.W_o(mixed.transpose(1, 2).flatten(2))
        return x + self.feed_2(self.feed_1(self.norm_2(x)).relu())


class TrainedWriter(nn.Module):
    """A writer: of the course's sentences, with the widths and the two blocks that stand here, or of another text.

    rotate: `rotate(X, positions)` turns queries and keys, one for all blocks or one for each; without it waves are
    added to the words, as in lesson 07.
    tied: one matrix both reads words and scores them.
    """

    def __init__(
        self,
        vocabulary: int,
        norm: type[nn.Module],
        kv_heads: int,
        rotate: Rotate | Sequence[Rotate] | None,
        width: int = WIDTH,
        heads: int = HEADS,
        blocks: int = BLOCKS,
        tied: bool = False,
    ) -> None:
        super().__init__()
        self.rotate, self.heads = rotate, heads
        self.words: list[str] = []
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(norm, kv_heads, width, heads) for _ in range(blocks))
        self.norm, self.scores = norm(width), nn.Linear(width, vocabulary, bias=not tied)
        if tied:
            nn.init.normal_(self.embedding.weight, std=width**-0.5)
            self.scores.weight = self.embedding.weight

    def forward(self, tokens: torch.Tensor, window: int | None | Sequence[int | None] = None) -> torch.Tensor:
        """tokens (batch, n) -> logits (batch, n, vocabulary); each word sees the last `window` words, itself one.

        window: one for all blocks, or one for each.
        """
        positions = torch.arange(tokens.shape[1])
        windows = for_each(self.blocks, window)
        x = self._placed(tokens, positions)
        for i, block in enumerate(self.blocks):

            def attend(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, i: int = i) -> torch.Tensor:
                Q, K = self._turn(Q, positions, i), self._turn(K, positions, i)
                mask = within(len(positions), windows[i])
                return functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask, enable_gqa=True)

            x = block(x, attend)
        return self.scores(self.norm(x))

    def step(
        self,
        tokens: torch.Tensor,
        positions: torch.Tensor,
        kept: Kept | None,
        attend_new: Callable[..., tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]],
    ) -> tuple[torch.Tensor, Kept]:
        """Read new words alone: tokens (batch, m) at `positions` (m,), behind those whose keys and values are kept.

        Returns logits (batch, m, vocabulary) and the longer `kept`. To `attend_new` each batch entry's heads are heads.
        """
        longer: Kept = []
        x = self._placed(tokens, positions)
        for i, block in enumerate(self.blocks):

            def attend(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, i: int = i) -> torch.Tensor:
                Q, K = self._turn(Q, positions, i), self._turn(K, positions, i)
                repeats = self.heads // K.shape[1]
                old = kept and tuple(rows.repeat_interleave(repeats, 0) for rows in kept[i])
                new = (rows.flatten(0, 1).repeat_interleave(repeats, 0) for rows in (K, V))
                output, pair = attend_new(Q.flatten(0, 1), *new, old)
                longer.append((pair[0][::repeats], pair[1][::repeats]))
                return output.unflatten(0, (-1, self.heads))

            x = block(x, attend)
        return self.scores(self.norm(x)), longer

    def _turn(self, rows: torch.Tensor, positions: torch.Tensor, block: int) -> torch.Tensor:
        if not self.rotate:
            return rows
        return for_each(self.blocks, self.rotate)[block](rows, positions).to(rows.dtype)

    def _placed(self, tokens: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        return x if self.rotate else x + waves(positions, x.shape[-1])


def untrained(name: str, vocabulary: int, rotate: Callable[..., torch.Tensor] = turned) -> TrainedWriter:
    """The writer called "lesson 07" or "today", with random numbers in it."""
    if name == "today":
        return TrainedWriter(vocabulary, nn.RMSNorm, 1, rotate)
    return TrainedWriter(vocabulary, nn.LayerNorm, HEADS, None)


def load_trained(name: str, rotate: Callable[..., torch.Tensor] = turned) -> TrainedWriter:
    """The trained writer called "lesson 07" or "today"; its `words` are what it can say. rotate: your own.

    Raises `CourseError` when the file is missing or is not the one that the course was written with.
    """
    found = arrays_of(BUNDLED)
    words = found["words"].tobytes().decode().split("\n")
    model = untrained(name, len(words), rotate)
    own = {key.removeprefix(f"{name}/"): value for key, value in found.items() if key.startswith(f"{name}/")}
    model.load_state_dict({key: torch.from_numpy(value).float() for key, value in own.items()})
    model.words = words
    return model.requires_grad_(False)


def follow_ups(text: torch.Tensor, vocabulary: int) -> np.ndarray:
    """The cheapest draft: row w is how often each word has followed w in the text, (vocabulary, vocabulary)."""
    counts = torch.full((vocabulary, vocabulary), 0.001).double()
    counts.index_put_((text[:-1], text[1:]), torch.ones(len(text) - 1).double(), accumulate=True)
    return (counts / counts.sum(1, keepdim=True)).numpy()


@torch.no_grad()
def guess_and_check(
    writer: TrainedWriter,
    draft: np.ndarray,
    keep_or_redraw: Callable[..., int],
    attend_new: Callable[..., Any],
    n: int,
    guesses: int = 2,
    width: int = 15,
    temperature: float = 1.0,
) -> tuple[list[int], int]:
    """Write n words or a few more, in passes that each read the last word and some guesses of the draft behind it.

    draft: (vocabulary, vocabulary), row w the probabilities of what follows w, at this temperature as well. Returns the
    words and how many passes.
    """
    rng, text, kept, passes = np.random.default_rng(0), [0], None, 0
    while len(text) <= n:
        tokens = text[-1:]
        for _ in range(guesses):
            tokens.append(int(rng.choice(len(draft), p=draft[tokens[-1]])))
        places = torch.arange(len(text) - 1, len(text) + guesses)
        logits, longer = writer.step(torch.tensor([tokens]), places, kept, attend_new)
        p = (logits[0].double() / temperature).softmax(-1).numpy()
        right = 0
        for guess, before, row in zip(tokens[1:], tokens, p):
            text.append(int(keep_or_redraw(guess, row, draft[before], rng)))
            if text[-1] != guess:
                break
            right += 1
        else:
            text.append(int(rng.choice(len(draft), p=p[-1])))
        refused = guesses - right  # their keys and values must not stay
        held = [tuple(rows[:, : rows.shape[1] - refused] for rows in pair) for pair in longer]
        kept = [(keys[:, -width:], values[:, -width:]) for keys, values in held]
        passes += 1
    return text[1:], passes
