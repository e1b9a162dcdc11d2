"""The task that ends lesson 06: a word reports the word before it and the word before that, with one head or two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from autograder.views import figures

from .drawing import subplots
from .grammar import sentences
from .pronouns import short_texts
from .weights import draw_weights
from .writer import run_writer

WORDS, WIDTH, STEPS, TESTED = 8, 8, 300, 200
"""Words of a sentence, numbers of a word's vector, steps of a training, sentences kept for the test, if new."""
SHOWN = ["we", "ate", "bread", "and", "cheese", "in", "the", "garden"]

_texts = [words[:WORDS] for words in sentences(3000, seed=1) if len(words) >= WORDS]
VOCABULARY = sorted({word for words in [SHOWN, *_texts] for word in words})
_number = {word: i for i, word in enumerate(VOCABULARY)}
_vectors = torch.randn(len(VOCABULARY), WIDTH, generator=torch.Generator().manual_seed(0))


def tokens_of(texts: Sequence[Sequence[str]]) -> torch.Tensor:
    """Return the places (texts, WORDS) of words in the vocabulary."""
    return torch.tensor([[_number[word] for word in words] for words in texts])


TRAINING = tokens_of(_texts[:-TESTED])
TEST = tokens_of([words for words in _texts[-TESTED:] if words not in _texts[:-TESTED]])
CASES = len(TEST) * (WORDS - 2)
"""Words of the test with two words before them."""


def rows(tokens: torch.Tensor) -> torch.Tensor:
    """Return the rows (batch, WORDS, WIDTH + WORDS) that are read: a word's vector, then its position, one-hot."""
    return torch.cat([_vectors[tokens], torch.eye(WORDS).expand(*tokens.shape, WORDS)], dim=-1)


def train(module: nn.Module, mask: torch.Tensor) -> nn.Module:
    """Return the module, trained: its output, from the third word on, is the vectors of the two words before."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # many small calls: threads would wait for each other
    torch.manual_seed(0)
    for parameter in module.parameters():
        nn.init.xavier_uniform_(parameter)
    optimizer = torch.optim.Adam(module.parameters(), lr=0.01)
    for _ in range(STEPS):
        tokens = TRAINING[torch.randint(len(TRAINING), (64,))]
        wanted = _vectors[torch.stack([tokens[:, 1:-1], tokens[:, :-2]], dim=-1)].flatten(2)
        X = rows(tokens)
        loss = (module(X, X, X, mask)[:, 2:] - wanted).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.set_num_threads(threads)
    return module


@torch.no_grad()
def read(module: nn.Module, mask: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Return the words (batch, WORDS - 2, 2) that are nearest to what is reported: one back, two back."""
    X = rows(tokens)
    output = module(X, X, X, mask)[:, 2:].unflatten(-1, (2, WIDTH))
    return torch.cdist(output.flatten(0, 2), _vectors).argmin(dim=-1).view(output.shape[:-1])


def right_of_100(module: nn.Module, mask: torch.Tensor) -> int:
    """Return in how many of a hundred cases both reported words are right, rounded down, so that 100 means all."""
    right = read(module, mask, TEST) == torch.stack([TEST[:, 1:-1], TEST[:, :-2]], dim=-1)
    return int(100 * right.all(dim=-1).sum()) // CASES


def compare(learned: Mapping[str, nn.Module], mask: torch.Tensor) -> None:
    """What modules report on one sentence (✓ = right), how often they are right on others, and each head's weights."""
    shown, panels = tokens_of([SHOWN]), dict[str, torch.Tensor]()
    print(_line("the word", SHOWN[2:]))
    for title, module in learned.items():
        words = [[VOCABULARY[int(i)] for i in pair] for pair in read(module, mask, shown)[0]]
        heads: Any = module.attention_weights
        several = len(heads[0]) > 1
        panels |= {title + f": head {head}" * several: weights for head, weights in enumerate(heads[0])}
        numbers = sum(parameter.numel() for parameter in module.parameters())
        print(f"\n{title}, {numbers} numbers learned: both right in {right_of_100(module, mask)} % of {CASES} cases")
        for back, name in enumerate(("one back", "two back"), 1):
            pairs = zip((pair[back - 1] for pair in words), SHOWN[2 - back :], strict=False)
            print(_line(name, [word + " ✓" * (word == right) for word, right in pairs]))
    figure, row = subplots(1, len(panels), figsize=(figures.WIDTH, 3.6))
    told = []
    for axes, (title, weights) in zip(row, panels.items(), strict=True):
        draw_weights(axes, weights, title, SHOWN, SHOWN)
        axes.label_outer()
        steps = (float(weights.diagonal(-back)[2 - back :].mean()) for back in (1, 2))
        told.append("{}: {:.2f} one step back, {:.2f} two steps back".format(title, *steps))
    figure.colorbar(row[0].images[0], ax=list(row), label="weight")
    figures.show(figure, alt=f"Heatmaps of weights, the mean from the third word on. {'; '.join(told)}.")


def _line(name: str, words: Sequence[str]) -> str:
    return f"{name:10}" + "".join(f"{word:>12}" for word in words)


def steps_back(
    attention: Callable[[int, int], Any], causal_mask: Callable[[int], torch.Tensor], layer: str = "layer 0"
) -> dict[str, list[int]]:
    """Return for each head of the writer how many of 100 words, each behind three others, look most 1, 2, 3 back."""
    found: list[torch.Tensor] = []
    for words in short_texts():
        weights = run_writer(attention, words, causal_mask(len(words)))[layer]
        found.append((torch.arange(len(words)) - weights.argmax(dim=-1))[:, 3:])
    back = torch.cat(found, dim=-1)
    counts = {
        f"{layer}, head {head}": [round(100 * float((row == step).float().mean())) for step in (1, 2, 3)]
        for head, row in enumerate(back)
    }
    chance = torch.cat([1 / torch.arange(4.0, one.shape[-1] + 4) for one in found]).mean()
    return counts | {"chosen at random": [round(100 * float(chance))] * 3}


def count_steps_back(
    attention: Callable[[int, int], Any], causal_mask: Callable[[int], torch.Tensor]
) -> None:
    """Print `steps_back` as a table."""
    print(f"{'most weight on the word':24}{'1 back':>8}{'2 back':>8}{'3 back':>8}   (% of the words)")
    for name, counts in steps_back(attention, causal_mask).items():
        print(f"{name:24}" + "".join(f"{count:>8}" for count in counts))
