"""Train lesson 08's reader of signs that come twice: `python -m data.makers.repeats_reader`."""

from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from data.makers import record_checksum
from attention import repeats, two_writers

BUNDLED = Path(__file__).parents[1] / "repeats_reader.npz"
STEPS, RATE = 600, 0.01
FIRST = 20
"""Losses of so many first steps are kept, so that a short training tells whether the recipe is still the same."""


def train(steps: int = STEPS) -> tuple[nn.Module, list[float]]:
    """The reader after the first `steps` of its training, and the loss at each of them: of the second round alone."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = repeats.Repeater(two_writers.turned)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=RATE, total_steps=STEPS)
    draws, losses = torch.Generator().manual_seed(1), []
    for _ in range(steps):
        period = int(torch.randint(repeats.SHORTEST, repeats.LONGEST + 1, (1,), generator=draws))
        tokens = repeats.twice(period, draws)
        logits = model(tokens)[:, period:-1]
        now = functional.cross_entropy(logits.flatten(0, 1), tokens[:, period + 1 :].flatten())
        losses.append(now.item())
        optimizer.zero_grad()
        now.backward()
        optimizer.step()
        schedule.step()
    return model, losses


def main() -> None:
    """Write the bundled file again, and its line in `SHA256SUMS`."""
    model, losses = train()
    arrays = {name: array.numpy().astype(np.float16) for name, array in model.state_dict().items()}
    np.savez_compressed(BUNDLED, **arrays, first_losses=np.array(losses[:FIRST], dtype=np.float32))
    record_checksum(BUNDLED)
    print(f"{BUNDLED}: {BUNDLED.stat().st_size:,} bytes, {losses[-1]:.4f} nats a sign")


if __name__ == "__main__":
    main()
