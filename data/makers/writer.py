"""Train the small writer that lessons look into, on sentences of our own: `python -m data.makers.writer`."""

import math
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from data.makers import record_checksum
from attention import sentences

BUNDLED = Path(__file__).parents[1] / "writer.npz"
LESSONS, EXAM = (20_000, 7), (1_000, 8)
"""How many sentences to learn from and to be tested on, and the seeds that draw them: lesson 07's own."""

WIDTH, HEADS, LAYERS, CONTEXT = 64, 4, 2, 16
STEPS, BATCH, RATE = 1_500, 64, 0.01
SEED = 0
FIRST = 20
"""Losses of so many first steps are kept, so that a short training tells whether the recipe is still the same."""


class Attention(nn.Module):
    """Causal attention with several heads, as in lesson 06."""

    def __init__(self) -> None:
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        batch, n, _ = h.shape
        Q, K, V = (W(h).view(batch, n, HEADS, -1).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        later = ~torch.ones(n, n, dtype=torch.bool).tril()
        weights = (
            (Q @ K.transpose(-1, -2) / math.sqrt(WIDTH // HEADS)).masked_fill(later, -math.inf).softmax(-1)
        )
        return self.W_o((weights @ V).transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Lesson 07's block."""

    def __init__(self) -> None:
        super().__init__()
        self.norm_1, self.attention = nn.LayerNorm(WIDTH), Attention()
        self.norm_2 = nn.LayerNorm(WIDTH)
        self.feed_1, self.feed_2 = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.norm_1(x))
        return x + self.feed_2(self.feed_1(self.norm_2(x)).relu())


class Writer(nn.Module):
    """Lesson 07's writer with learned positions, and with one matrix for reading and for scoring words."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.scores = nn.Linear(WIDTH, vocabulary, bias=False)
        nn.init.normal_(self.embedding.weight, std=WIDTH**-0.5)
        self.scores.weight = self.embedding.weight
        self.positions = nn.Parameter(torch.randn(CONTEXT, WIDTH) * 0.3)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens) + self.positions[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.scores(self.norm(x))


def text() -> tuple[list[str], torch.Tensor, torch.Tensor]:
    """The vocabulary, the tokens to learn from, and unseen pieces (250, CONTEXT); a full stop ends each sentence."""
    lessons, exam = (list(sentences(count, seed)) for count, seed in (LESSONS, EXAM))
    words = [".", *sorted({word for sentence in lessons + exam for word in sentence})]
    number = {word: i for i, word in enumerate(words)}
    training, unseen = (
        torch.tensor([number[word] for sentence in part for word in [*sentence, "."]])
        for part in (lessons, exam)
    )
    return words, training, unseen[: 250 * CONTEXT].view(250, CONTEXT)


def loss(model: Writer, tokens: torch.Tensor) -> torch.Tensor:
    """Nats a word, each predicted from those before it."""
    return functional.cross_entropy(model(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def train(steps: int = STEPS) -> tuple[Writer, list[float]]:
    """The writer after the first `steps` of all STEPS, and the loss at each of them."""
    torch.set_num_threads(1)  # on small tensors threads wait for each other; one repeats itself to the bit
    words, training, _ = text()
    torch.manual_seed(SEED)
    model = Writer(len(words))
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=RATE, total_steps=STEPS)
    draws, losses = torch.Generator().manual_seed(2), []
    for _ in range(steps):
        starts = torch.randint(len(training) - CONTEXT, (BATCH, 1), generator=draws)
        now = loss(model, training[starts + torch.arange(CONTEXT)])
        losses.append(now.item())
        optimizer.zero_grad()
        now.backward()
        optimizer.step()
        schedule.step()
    return model, losses


def as_arrays(model: Writer, losses: list[float]) -> dict[str, np.ndarray]:
    """What the file holds: vocabulary, parameters in half precision (used as `rows @ W`) and the first losses."""
    words, _, _ = text()
    arrays = {name: value.numpy() for name, value in model.state_dict().items() if name != "scores.weight"}
    turned = {name: array.T if "W_" in name or "feed_" in name else array for name, array in arrays.items()}
    return {
        **{name: np.ascontiguousarray(array, dtype=np.float16) for name, array in turned.items()},
        "words": np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
        "num_heads": np.array(HEADS),
        "first_losses": np.array(losses[:FIRST], dtype=np.float32),
    }


def main() -> None:
    """Write the bundled file again, and its line in `SHA256SUMS`."""
    model, losses = train()
    np.savez(BUNDLED, **as_arrays(model, losses))
    record_checksum(BUNDLED)
    with torch.no_grad():
        unseen = loss(model, text()[2]).item()
    print(f"{BUNDLED}: {unseen:.2f} nats a word, {BUNDLED.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
