"""Writing by counting: which word follows which one, two or three words before it."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence

DISCOUNT = 0.7
"""What each count gives up for words not seen after a context; a shorter context shares it out among these."""


class WordCounts:
    """Counts of which word follows which words in a text."""

    def __init__(self, tokens: Sequence[int], vocabulary: int, longest: int = 4) -> None:
        self._vocabulary = vocabulary
        self._counts: dict[tuple[int, ...], Counter[int]] = defaultdict(Counter)
        for n in range(longest):
            for i in range(n, len(tokens)):
                self._counts[tuple(tokens[i - n : i])][tokens[i]] += 1
        self._totals = {context: counts.total() for context, counts in self._counts.items()}

    def loss(self, tokens: Sequence[int], n: int) -> float:
        """Nats a word of a text, each word predicted from the n - 1 before it."""
        words = range(n - 1, len(tokens))
        chances = (self._chance(tuple(tokens[i - n + 1 : i]), tokens[i]) for i in words)
        return -sum(map(math.log, chances)) / len(words)

    def next(self, tokens: Sequence[int], n: int, rng: random.Random, temperature: float = 1.0) -> int:
        """A word that has followed the last n - 1 words (or as many as there are); at 1 drawn as often as it did."""
        context = tuple(tokens[max(len(tokens) - n + 1, 0) :])
        counts = self._counts.get(context) or self._counts[()]
        return rng.choices(list(counts), [count ** (1 / temperature) for count in counts.values()])[0]

    def sentences(self, how_many: int, n: int, stop: int = 0, temperature: float = 1.0) -> list[list[int]]:
        """Words drawn by the n - 1 before them, always the same; `stop` ends a sentence and is left out."""
        rng, text = random.Random(3), [stop]
        found: list[list[int]] = [[]]
        while len(found) <= how_many:
            text.append(self.next(text, n, rng, temperature))
            if text[-1] == stop:
                found.append([])
            else:
                found[-1].append(text[-1])
        return found[:-1]

    def _chance(self, context: tuple[int, ...], word: int) -> float:
        shorter = self._chance(context[1:], word) if context else 1 / self._vocabulary
        counts = self._counts.get(context)
        if not counts:
            return shorter
        own = max(counts[word] - DISCOUNT, 0.0)
        return (own + DISCOUNT * len(counts) * shorter) / self._totals[context]
