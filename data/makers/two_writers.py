"""Train lesson 08's two writers: `python -m data.makers.two_writers`."""

from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from data.makers import record_checksum
from data.makers.writer import CONTEXT, text
from attention import two_writers

BUNDLED = Path(__file__).parents[1] / "two_writers.npz"
NAMES = ("lesson 07", "today")
STEPS, BATCH, RATE = 600, 64, 0.01
FIRST = 20
"""Losses of so many first steps are kept, so that a short training tells whether the recipe is still the same."""


def loss(model: nn.Module, tokens: torch.Tensor) -> torch.Tensor:
    """Nats a word, each predicted from those before it."""
    return functional.cross_entropy(model(tokens)[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def train(name: str, steps: int = STEPS) -> tuple[nn.Module, list[float]]:
    """The writer after the first `steps` of lesson 07's training, and the loss at each of them."""
    torch.set_num_threads(1)
    words, training, _ = text()
    torch.manual_seed(1)
    model = two_writers.untrained(name, len(words))
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


def main() -> None:
    """Write the bundled file again, and its line in `SHA256SUMS`."""
    words, _, unseen = text()
    arrays = {"words": np.frombuffer("\n".join(words).encode(), dtype=np.uint8)}
    for name in NAMES:
        model, losses = train(name)
        state = model.state_dict().items()
        arrays |= {f"{name}/{key}": value.numpy().astype(np.float16) for key, value in state}
        arrays[f"first losses/{name}"] = np.array(losses[:FIRST], dtype=np.float32)
        with torch.no_grad():
            print(f"{name}: {loss(model, unseen).item():.2f} nats a word")
    np.savez(BUNDLED, **arrays)
    record_checksum(BUNDLED)
    print(f"{BUNDLED}: {BUNDLED.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
