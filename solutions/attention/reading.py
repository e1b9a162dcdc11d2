"""Lesson 08: trained parameters for the learner's own writer, and what its measurements have in common."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from .austen import CONTEXT, load_austen, load_tiny_writer, watch_page
from .grammar import sentences
from .two_writers import load_trained, waves

if TYPE_CHECKING:
    from .austen import AustenWriter
    from .two_writers import Kept, TrainedWriter

    Pair = tuple[torch.Tensor, torch.Tensor]
    Rotate = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
    Windows = Sequence[int | None]
    Turning = Sequence[Rotate]
    AttendNew = Callable[..., tuple[torch.Tensor, Pair]]

OTHER_NAMES = {"embedding": "embed", "scores": "unembed"}
"""What the bundled writer calls its parts, and what `TinyWriter` calls them."""
SPANS = ((1, 127), (128, 255), (256, 511))
"""The numbers of tokens read over which a printed loss is the mean."""
LENGTHS = (16, 64, 256, 1024)
SHOWN = ("as trained", "window", "both")
"""The ways of reading whose pages are shown."""


def give_parameters(model: nn.Module) -> tuple[nn.Module, list[str]]:
    """Copy the trained parameters of lesson 07's writer into a `TinyWriter`; return it, and the words it can say."""
    trained = load_trained("lesson 07")
    found = dict(model.named_parameters())
    with torch.no_grad():
        for name, parameter in trained.named_parameters():
            first, rest = name.split(".", 1)
            found[f"{OTHER_NAMES.get(first, first)}.{rest}"].copy_(parameter)
    return model.eval().requires_grad_(False), trained.words


def draw_text(words: Sequence[str], n: int = 60 * 128) -> torch.Tensor:
    """Return the numbers (n,) of the words of newly drawn sentences."""
    number = {word: i for i, word in enumerate(words)}
    drawn = [number[word] for sentence in sentences(1_000, seed=8) for word in [*sentence, "."]]
    return torch.tensor(drawn[:n])


def losses(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Return the loss in nats for each number of tokens read, 1 to n - 1, as the mean over all texts.

    Args:
        logits: (batch, n, vocabulary).
        tokens: What was read, (batch, n).
    """
    each = functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten(), reduction="none")
    return each.view(len(tokens), -1).mean(0)


def print_losses(curves: Mapping[str, torch.Tensor]) -> None:
    """Print the mean losses by how many tokens were read, a line for each way of reading."""
    for name, curve in curves.items():
        spans = [(a, b) for a, b in SPANS if b <= len(curve)]
        print(f"{name:24}", "   ".join(f"{a}–{b}: {curve[a - 1 : b].mean():.2f}" for a, b in spans))


def losses_with_and_without_cropping(model: nn.Module, tokens: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the losses of a model that reads the whole text, and only the last 16 words for each word."""
    ends = range(1, tokens.shape[1] + 1)
    cropped = torch.stack([model(tokens[:, max(0, end - 16) : end])[:, -1] for end in ends], dim=1)
    return {"lesson 07": losses(model(tokens), tokens), "last 16 words": losses(cropped, tokens)}


@torch.no_grad()
def continue_text(model: nn.Module, words: Sequence[str], n: int = 48) -> str:
    """Return n words that a model samples at temperature 0.5, and for each of them it reads the whole text again."""
    tokens, draws = [0], torch.Generator().manual_seed(1)
    for _ in range(n):
        chances = (model(torch.tensor([tokens]))[0, -1] / 0.5).softmax(-1)
        tokens.append(int(torch.multinomial(chances, 1, generator=draws)))
    return " ".join(words[token] for token in tokens[1:])


def load_novels(rotate: Rotate) -> tuple[AustenWriter, torch.Tensor]:
    """Return Austen's writer, and the numbers of the tokens of 60 pieces that it has not read, (60, 512)."""
    novelist = load_austen(rotate)
    return novelist, torch.tensor(novelist.encode(novelist.held_out))[: 60 * 512].view(60, 512)


def compare_with_rows(novelist: AustenWriter, writer: type[nn.Module], tokens: torch.Tensor) -> None:
    """Print the losses of lesson 07's writer of novels, which adds a row to each token, and of today's.

    Args:
        novelist: Today's writer.
        writer: `TinyWriter`, the learner's own.
        tokens: (batch, n).
    """
    _, model = load_tiny_writer(writer, context=tokens.shape[1])
    added = model.eval().requires_grad_(False)(tokens)
    print_losses({"rows added": losses(added, tokens), "your rotate": losses(novelist(tokens), tokens)})


def add_rows(X: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """Return X (n, d) with the rows of lesson 07's positional encoding added."""
    return X + waves(positions, X.shape[-1])


def print_scores(place: Rotate) -> None:
    """Print the score of one query and one key at three places, always three words apart.

    Args:
        place: Returns a row as it is at its position: `add_rows`, or the learner's `rotate`.
    """
    q, k = torch.randn(2, 1, 64, generator=torch.Generator().manual_seed(0))
    for q_at, k_at in ((5, 2), (15, 12), (1005, 1002)):
        score = place(q, torch.tensor([q_at])) @ place(k, torch.tensor([k_at])).T
        print(f"query at {q_at:4}, key at {k_at:4}: score {score.item():6.2f}")


def milliseconds(run: Callable[..., Any], *args: Any) -> float:
    """The processor time of the fastest of three calls."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        run(*args)
        taken.append(time.process_time() - began)
    return 1000 * min(taken)


def time_next_word(writer: TrainedWriter, text: torch.Tensor, attend_new: AttendNew) -> None:
    """Print the milliseconds for one more token, the whole text read anew and with a cache, and the cache's size."""
    for n in LENGTHS:
        anew = milliseconds(writer, text[None, :n])
        kept = writer.step(text[None, :n], torch.arange(n), None, attend_new)[1]
        cached = milliseconds(writer.step, text[None, n : n + 1], torch.tensor([n]), kept, attend_new)
        told = f"{anew / cached:3.0f} times as fast" if anew >= 1.5 * cached else "about as fast"
        size = f"{kibibytes(kept):4.0f} KiB"
        print(f"after {n:5,} tokens: read anew {anew:5.1f} ms, with a cache of {size} {cached:4.1f} ms: {told}")


def read_word_by_word(
    writer: TrainedWriter,
    tokens: torch.Tensor,
    attend_new: AttendNew,
    roll: Callable[[Pair, int], Pair] | None = None,
    width: int = 128,
    count_kept: bool = False,
) -> torch.Tensor:
    """Return the logits (batch, n, vocabulary) of a writer that reads one word after the other, with a cache.

    Args:
        writer: One that turns its queries and keys.
        tokens: (batch, n).
        attend_new: The learner's own.
        roll: Drops what is older than the window; without it all is kept.
        width: How many words each word sees, itself included.
        count_kept: Take the number of words that are kept for the position, which is a bug.
    """
    kept: Kept | None = None
    rows = []
    for read in range(tokens.shape[1]):
        place = kept[0][0].shape[1] if count_kept and kept else read
        row, kept = writer.step(tokens[:, [read]], torch.tensor([place]), kept, attend_new)
        if roll:
            kept = [roll(pair, width - 1) for pair in kept]
        rows.append(row)
    return torch.cat(rows, dim=1)


def compare_logits(writer: TrainedWriter, tokens: torch.Tensor, attend_new: AttendNew) -> None:
    """Print whether a text read word by word with a cache, and read at once, gets the same logits."""
    one_by_one, at_once = read_word_by_word(writer, tokens, attend_new), writer(tokens)
    print("the same logits with and without a cache:", torch.allclose(one_by_one, at_once, atol=1e-3))


def print_losses_in_a_window(
    writer: TrainedWriter, tokens: torch.Tensor, attend_new: AttendNew, roll: Callable[[Pair, int], Pair]
) -> None:
    """Print the losses with a window of 128, and with no window, and the size of both caches after 2,000 tokens."""
    window = read_word_by_word(writer, tokens, attend_new, roll)
    print_losses({"no window": losses(writer(tokens), tokens), "window of 128": losses(window, tokens)})
    kept = writer.step(tokens.flatten()[None, :2000], torch.arange(2000), None, attend_new)[1]
    rolled = kibibytes([roll(pair, 127) for pair in kept])
    print(f"cache after 2,000 tokens: {kibibytes(kept):,.0f} KiB without a window, {rolled:,.0f} KiB with it")


def print_losses_with_the_bug(
    writer: TrainedWriter, tokens: torch.Tensor, attend_new: AttendNew, roll: Callable[[Pair, int], Pair]
) -> None:
    """Print the losses with a window of 128 where positions count the tokens that are kept, not those read."""
    wrong = read_word_by_word(writer, tokens, attend_new, roll, count_kept=True)
    print_losses({"window, with the bug": losses(wrong, tokens)})


def kibibytes(kept: Kept) -> float:
    """How much memory the keys and values take that are kept for all blocks."""
    return sum(rows.numel() * rows.element_size() for pair in kept for rows in pair) / 1024


def rotate_with(rotate: Rotate, frequencies: torch.Tensor) -> Rotate:
    """Return a function like `rotate` that turns pair i by position · frequencies[i].

    It hands each pair of columns to `rotate` by itself: a single pair is turned by just the position.
    """

    def turn(X: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        pairs = [rotate(X[..., 2 * i : 2 * i + 2], positions * w) for i, w in enumerate(frequencies)]
        return torch.cat(pairs, dim=-1)

    return turn


def four_ways(
    rotate: Rotate, frequencies: torch.Tensor, blocks: int, window: int
) -> dict[str, tuple[list[int | None], list[Rotate]]]:
    """Return for each way of reading each block's window (None: all words), and what turns its queries and keys.

    Args:
        rotate: The learner's own, as in training.
        frequencies: Scaled ones.
        blocks: How many blocks the model has; with "both", all but the last are local.
        window: How many words each word sees in a local block, itself included.
    """
    scaled = rotate_with(rotate, frequencies)
    return {
        "as trained": ([None] * blocks, [rotate] * blocks),
        "window": ([window] * blocks, [rotate] * blocks),
        "scaled": ([None] * blocks, [scaled] * blocks),
        "both": ([window] * (blocks - 1) + [None], [rotate] * (blocks - 1) + [scaled]),
    }


def losses_by_way(
    writer: AustenWriter, tokens: torch.Tensor, ways: Mapping[str, tuple[Windows, Turning]]
) -> dict[str, torch.Tensor]:
    """Return the losses on paragraphs that the writer has not read, by way of reading.

    Args:
        writer: Austen's writer.
        tokens: (batch, n).
        ways: For each block its window, or None for all tokens, and for each block what turns its queries and keys.
    """
    curves, usual = {}, writer.rotate
    for name, (windows, turns) in ways.items():
        writer.rotate = turns
        curves[name] = losses(writer(tokens, windows), tokens)
    writer.rotate = usual
    return curves


def write_on(
    writer: AustenWriter,
    beginning: str,
    n: int,
    attend_new: AttendNew,
    roll: Callable[[Pair, int], Pair],
    windows: Windows,
    turns: Turning,
) -> Iterator[str]:
    """Yield n tokens after a beginning, sampled at temperature 0.7, with a mark where pieces of the training ended.

    Args:
        writer: Austen's writer.
        beginning: What it continues.
        n: How many tokens.
        attend_new: The learner's own.
        roll: Drops what is older than a block's window.
        windows: For each block its window, or None for all tokens.
        turns: For each block what turns its queries and keys.
    """
    usual, writer.rotate = writer.rotate, turns
    new, read = torch.tensor([writer.encode(beginning)]), 0
    kept: Kept | None = None
    draws = torch.Generator().manual_seed(8)
    for _ in range(n):
        places = torch.arange(read, read + new.shape[1])
        logits, kept = writer.step(new, places, kept, attend_new)
        kept = [roll(pair, window - 1) if window else pair for pair, window in zip(kept, windows)]
        read += len(places)
        new = torch.multinomial((logits[:, -1] / 0.7).softmax(-1), 1, generator=draws)
        yield writer.words[int(new)] + "▮" * (read == CONTEXT - 1)
    writer.rotate = usual


def print_pages(
    writer: AustenWriter,
    beginning: str,
    attend_new: AttendNew,
    roll: Callable[[Pair, int], Pair],
    ways: Mapping[str, tuple[Windows, Turning]],
) -> None:
    """Print what a writer writes behind the beginning of a paragraph: the end of it for two ways, a page for the last.

    Args:
        writer: Austen's writer.
        beginning: What it continues.
        attend_new: The learner's own.
        roll: The learner's own.
        ways: As `losses_by_way` takes them: "as trained", "window" and "both" are shown.
    """
    pages = {name: write_on(writer, f"\n{beginning}", 500, attend_new, roll, *ways[name]) for name in SHOWN}
    *others, last = SHOWN
    for name in others:
        watch_page([f"{name.upper()}: … ", "".join(pages[name])[-300:].lstrip(), "\n"])
    watch_page(chain([f"{last.upper()}: {beginning}"], pages[last]))
