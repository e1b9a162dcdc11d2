"""The text that lesson 07's model learns from: sentences of the course's grammar as tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

import torch
from torch import nn

from .counting import WordCounts
from .grammar import grammatical, sentences

BATCH = 64
Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
Probabilities = Callable[[torch.Tensor, float], torch.Tensor]


class GrammarText:
    """A training text of 20,000 sentences and a held-out text of 1,000, with a full stop after each sentence.

    Attributes:
        words: All words by their token ids; 0 is the full stop.
        training: The token ids of the training text, (n,).
        held_out: The token ids of the held-out text, (m,).
        pieces: The first 250 pieces of the held-out text, (250, context).
        shared: How many held-out sentences stand in the training text, too.
    """

    def __init__(self, context: int, loss: Loss, probabilities: Probabilities) -> None:
        """Draw both texts.

        Args:
            context: How many tokens a piece has.
            loss: From (logits, tokens) to the mean loss of the next token.
            probabilities: From (logits, temperature) to those of the next token.
        """
        self.context, self._loss, self._probabilities = context, loss, probabilities
        training, held_out = list(sentences(20_000, seed=7)), list(sentences(1_000, seed=8))
        self.words = [".", *sorted({word for sentence in training + held_out for word in sentence})]
        self._number = {word: i for i, word in enumerate(self.words)}
        self._trained_on = {tuple(sentence) for sentence in training}
        self.shared = sum(tuple(sentence) in self._trained_on for sentence in held_out)
        self.training, self.held_out = self._in_a_row(training), self._in_a_row(held_out)
        self.pieces = self.held_out[: 250 * context].view(250, context)
        self._new = self._in_a_row([text for text in held_out if tuple(text) not in self._trained_on])

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
    def held_out_loss(self, model: nn.Module) -> float:
        """Return the loss on the pieces of the held-out text."""
        return self._loss(model(self.pieces), self.pieces).item()

    @torch.no_grad()
    def compare_on_new(self, model: nn.Module, counts: WordCounts) -> None:
        """Print the losses of a model and of a 4-gram model on the held-out sentences that the training text lacks."""
        pieces = self._new[: len(self._new) // self.context * self.context].view(-1, self.context)
        learned, counted = self._loss(model(pieces), pieces).item(), counts.loss(self._new.tolist(), 4)
        print(f"{1_000 - self.shared} new sentences: your model {learned:.2f}, the 4-gram {counted:.2f} nats a token")

    def sampled(self, model: nn.Module, start: str = "the", seed: int = 0) -> str:
        """Continue a text by nine tokens, at temperature 0.7."""
        tokens = self.encode(start)
        return self.decode([*tokens, *sample(model, self._probabilities, tokens, 9, self.context, 0.7, seed)])

    @torch.no_grad()
    def write(self, model: nn.Module, temperature: float) -> list[list[int]]:
        """Return 300 sentences, each written after a full stop, which ends it and is left out."""
        draws, tokens = torch.Generator().manual_seed(3), torch.zeros(300, 1, dtype=torch.long)
        for _ in range(self.context):
            logits = model(tokens[:, -self.context :])[:, -1]
            chances = torch.stack([self._probabilities(row, temperature) for row in logits]).float()
            tokens = torch.cat([tokens, torch.multinomial(chances, 1, generator=draws)], dim=1)
        return [[*takewhile(bool, row[1:])] for row in tokens.tolist()]

    def judge(self, name: str, texts: Sequence[Sequence[int]]) -> None:
        """Print how many sentences are grammatical, how many of these are new, and the longest that is both."""
        read = [[self.words[token] for token in text] for text in texts]
        right = [text for text in read if grammatical(text)]
        new = [text for text in right if tuple(text) not in self._trained_on]
        longest = max(new or read, key=len)
        shown = " ".join(longest) or "(a full stop at once, each time)"
        of_these = f", {len(new) / len(right):.0%} of these new" if right else ""
        print(f"{name}: {len(right) / len(read):.0%} grammatical{of_these}\n    {shown}")


@torch.no_grad()
def sample(
    model: nn.Module,
    probabilities: Probabilities,
    tokens: Sequence[int],
    n_new: int,
    context: int,
    temperature: float = 0.7,
    seed: int = 0,
) -> Iterator[int]:
    """Continue a text by drawing each next token, and give it as soon as it is drawn.

    Args:
        model: From (1, m) tokens, m at most `context`, to logits (1, m, vocabulary).
        probabilities: From (logits, temperature) to those of the next token.
        tokens: What the text begins with.
        n_new: How many tokens to draw.
        context: How many tokens the model reads at most.
        temperature: The lower, the surer.
        seed: The same seed gives the same text.
    """
    text, draws = list(tokens), torch.Generator().manual_seed(seed)
    for _ in range(n_new):
        window = torch.tensor(text).unsqueeze(0)[:, -context:]
        chances = probabilities(model(window)[0, -1], temperature)
        text.append(int(torch.multinomial(chances, 1, generator=draws)))
        yield text[-1]
