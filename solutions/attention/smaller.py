"""What lesson 07's writer loses when less of each word is kept: heads that share, or one latent vector for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from .grammar import sentences
from .reading import draw_text, kibibytes, losses
from .two_writers import HEADS, WIDTH, TrainedWriter, waves

Mix = Callable[[int, torch.Tensor, int], torch.Tensor]
"""From the block, the normed words so far (batch, t, width) and the place t - 1 that asks, to (batch, width)."""


def with_shared_heads(writer: TrainedWriter, groups: int) -> TrainedWriter:
    """Return a copy of a writer whose heads of keys and of values are averaged in groups."""
    state = writer.state_dict()
    for name in state:
        if "W_k" in name or "W_v" in name:
            state[name] = state[name].unflatten(0, (groups, -1, WIDTH // HEADS)).mean(1).flatten(0, 1)
    copy = TrainedWriter(len(writer.words), nn.LayerNorm, groups, None)
    copy.load_state_dict(state)
    copy.words = writer.words
    return copy


def train_on(writer: TrainedWriter, steps: int, rate: float = 0.001) -> None:
    """Train a writer on newly drawn sentences, on 16 pieces of 16 words a step, at a rate that falls to 0."""
    number = {word: i for i, word in enumerate(writer.words)}
    text = torch.tensor([number[word] for sentence in sentences(2_000, seed=9) for word in [*sentence, "."]])
    optimizer, draws = torch.optim.AdamW(writer.parameters(), rate), torch.Generator().manual_seed(0)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for _ in range(steps):
        starts = torch.randint(len(text) - 16, (16, 1), generator=draws)
        pieces = text[starts + torch.arange(16)]
        optimizer.zero_grad()
        functional.cross_entropy(writer(pieces)[:, :-1].flatten(0, 1), pieces[:, 1:].flatten()).backward()
        optimizer.step()
        schedule.step()


def loss_with_shared_heads(
    writer: TrainedWriter, grouped_attention: Callable[..., torch.Tensor], pieces: torch.Tensor
) -> float:
    """Return nats a word on pieces (batch, n), n no more than the writer was trained on."""

    def mix(block: int, h: torch.Tensor, place: int) -> torch.Tensor:
        Q, K, V = _blocks(writer)[block].attention.split(h)
        return grouped_attention(Q[:, :, [place]], K, V)[:, :, 0].flatten(1)

    return _loss(writer, mix, pieces)


def compare_shared_heads(
    writer: TrainedWriter, grouped_attention: Callable[..., torch.Tensor], attend_new: Callable[..., Any]
) -> None:
    """Print for four, two and one kept heads the cache after 2,000 words, and the loss after 200 steps of training.

    Then whether the learner's function returns what PyTorch's does.
    """
    text = draw_text(writer.words)
    pieces = text[: 60 * 16].view(60, 16)
    for groups in (4, 2, 1):
        sharing = with_shared_heads(writer, groups)
        with torch.no_grad():
            kept = sharing.step(text[None, :2000], torch.arange(2000), None, attend_new)[1]
        train_on(sharing, steps=200)
        loss = loss_with_shared_heads(sharing, grouped_attention, pieces)
        print(f"kept heads: {groups} of 4, cache after 2,000 words {kibibytes(kept):5,.0f} KiB,", end=" ")
        print(f"loss {loss:.2f} nats a word")
    Q, (K, V) = torch.randn(1, 32, 5, 64), torch.randn(2, 1, 8, 5, 64)
    by_pytorch = functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
    print("as PyTorch's own function:", torch.allclose(grouped_attention(Q, K, V), by_pytorch, atol=1e-4))


def loss_with_latents(
    writer: TrainedWriter, latent_attention: Callable[..., np.ndarray], width: int, pieces: torch.Tensor
) -> float:
    """Return nats a word where each word keeps one latent vector of this width, which makes all keys and values.

    The matrices are those of the trained writer, replaced by the nearest ones of such a rank; nothing is trained.
    """
    made = [_factors(writer, i, width, pieces) for i in range(len(writer.blocks))]

    def mix(block: int, h: torch.Tensor, place: int) -> torch.Tensor:
        down, W_k, W_v = made[block]
        Q = _blocks(writer)[block].attention.split(h)[0]
        rows = []
        for queries, latents in zip(Q[:, :, [place]].double().numpy(), (h.double() @ down).numpy()):
            rows.append(torch.as_tensor(latent_attention(queries, latents, W_k, W_v), dtype=h.dtype).flatten())
        return torch.stack(rows)

    return _loss(writer, mix, pieces)


def compare_latent_widths(writer: TrainedWriter, latent_attention: Callable[..., np.ndarray]) -> None:
    """Print the loss with all keys and values, and with latent vectors of less and less numbers."""
    pieces = draw_text(writer.words)[: 60 * 16].view(60, 16)
    print(f"all 128 numbers: {losses(writer(pieces), pieces).mean():.2f} nats a word")
    for width in (64, 32, 16, 8):
        loss = loss_with_latents(writer, latent_attention, width, pieces)
        print(f"latent vectors of {width:2} numbers, 1/{128 // width} of the cache: {loss:.2f} nats a word")


@torch.no_grad()
def _loss(writer: TrainedWriter, mix: Mix, pieces: torch.Tensor) -> float:
    """The mean loss, each word predicted from those before it; each place asks by itself, so no mask is needed."""
    x = _inputs(writer, pieces)
    for number, block in enumerate(_blocks(writer)):
        h = block.norm_1(x)
        mixed = torch.stack([mix(number, h[:, : t + 1], t) for t in range(h.shape[1])], dim=1)
        x = _behind(block, x, mixed)
    logits = writer.scores(writer.norm(x))
    return float(functional.cross_entropy(logits[:, :-1].flatten(0, 1), pieces[:, 1:].flatten()))


def _blocks(writer: TrainedWriter) -> list[Any]:
    return list(writer.blocks)


def _inputs(writer: TrainedWriter, pieces: torch.Tensor) -> torch.Tensor:
    return writer.embedding(pieces) + waves(torch.arange(pieces.shape[1]))


def _behind(block: Any, x: torch.Tensor, mixed: torch.Tensor) -> torch.Tensor:
    x = x + block.attention.W_o(mixed)
    return x + block.feed_2(block.feed_1(block.norm_2(x)).relu())


@torch.no_grad()
def _factors(
    writer: TrainedWriter, number: int, width: int, pieces: torch.Tensor
) -> tuple[torch.Tensor, np.ndarray, np.ndarray]:
    """The matrix (width of the writer, width) that makes latent vectors, and W_k, W_v (heads, width, 16).

    Of all matrices of this rank they change the keys and values of these pieces least.
    """
    x = _inputs(writer, pieces)
    causal = torch.ones(pieces.shape[1], pieces.shape[1]).tril() > 0
    for block in _blocks(writer)[:number]:
        Q, K, V = block.attention.split(block.norm_1(x))
        x = _behind(
            block, x, functional.scaled_dot_product_attention(Q, K, V, attn_mask=causal).transpose(1, 2).flatten(2)
        )
    rows = _blocks(writer)[number].norm_1(x).flatten(0, 1).double()
    attention = _blocks(writer)[number].attention
    both = torch.cat([attention.W_k.weight, attention.W_v.weight]).double()
    common = (rows @ both.T).svd().V[:, :width]  # the directions in which keys and values vary most
    down = both.T @ common
    heads = common.T.unflatten(1, (2, attention.kv_heads, -1)).permute(1, 2, 0, 3)
    return down, heads[0].numpy(), heads[1].numpy()
