"""The text that lesson 07's model learns from: sentences of the course's grammar as tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

import torch
from torch import nn

from .grammar import grammatical, sentences

BATCH = 64


class GrammarText:
    """A training text of 20,000 sentences and a held-out text of 1,000, with a full stop after each sentence.

    Attributes:
        words: All words by their token ids; 0 is the full stop.
        training: The token ids of the training text, (n,).
        held_out: The token ids of the held-out text, (m,).
        pieces: The first 250 pieces of the held-out text, (250, context).
        shared: How many held-out sentences stand in the training text, too.
    """

    def __init__(self, context: int) -> None:
        """Draw both texts; context: how many tokens a piece has."""
        self.context = context
        training, held_out = list(sentences(20_000, seed=7)), list(sentences(1_000, seed=8))
        self.words = [".", *sorted({word for sentence in training + held_out for word in sentence})]
        self._number = {word: i for i, word in enumerate(self.words)}
        self._trained_on = {tuple(sentence) for sentence in training}
        self.shared = sum(tuple(sentence) in self._trained_on for sentence in held_out)
        self.training, self.held_out = self._in_a_row(training), self._in_a_row(held_out)
        self.pieces = self.held_out[: 250 * context].view(250, context)

    def _in_a_row(self, text: Sequence[Sequence[str]]) -> torch.Tensor:
        return torch.tensor([self._number[word] for sentence in text for word in [*sentence, "."]])

    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text."""
        return [self._number[word] for word in text.split()]

    def decode(self, tokens: Sequence[int] | torch.Tensor) -> str:
        """Return the text of some token ids."""
        return " ".join(self.words[token] for token in tokens)

    def batches(self, steps: int) -> Iterator[torch.Tensor]:
        """Yield `steps` batches of 64 pieces of the training text, (64, context), always the same."""
        draws = torch.Generator().manual_seed(2)
        for _ in range(steps):
            begins = torch.randint(len(self.training) - self.context, (BATCH, 1), generator=draws)
            yield self.training[begins + torch.arange(self.context)]

    @torch.no_grad()
    def write(
        self, model: nn.Module, probabilities: Callable[[torch.Tensor, float], torch.Tensor], temperature: float
    ) -> list[list[str]]:
        """Return 300 sentences, each written after a full stop; probabilities: from (logits, temperature)."""
        draws, tokens = torch.Generator().manual_seed(3), torch.zeros(300, 1, dtype=torch.long)
        for _ in range(self.context):
            logits = model(tokens[:, -self.context :])[:, -1]
            chances = torch.stack([probabilities(row, temperature) for row in logits]).float()
            tokens = torch.cat([tokens, torch.multinomial(chances, 1, generator=draws)], dim=1)
        return [[self.words[token] for token in takewhile(bool, row[1:])] for row in tokens.tolist()]

    def judge(self, name: str, texts: Sequence[Sequence[str]]) -> None:
        """Print how many sentences are grammatical, how many of all are new as well, and the longest new one."""
        right = [text for text in texts if grammatical(text)]
        new = [text for text in right if tuple(text) not in self._trained_on]
        longest = max(new or texts, key=len)
        shown = " ".join(longest) or "(a full stop at once, each time)"
        shares = f"{len(right) / len(texts):4.0%} grammatical, {len(new) / len(texts):4.0%} new, too"
        print(f"{name:30} {shares}   {shown}")
