"""Predicting by counting: which word follows which words before it."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

DISCOUNT = 0.7
"""What each count gives up for words not seen after a context; a shorter context shares it out among these."""


class WordCounts:
    """Counts of which word follows which words in a text."""

    def __init__(self, tokens: Sequence[int], vocabulary: int, longest: int = 5) -> None:
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

    def _chance(self, context: tuple[int, ...], word: int) -> float:
        shorter = self._chance(context[1:], word) if context else 1 / self._vocabulary
        counts = self._counts.get(context)
        if not counts:
            return shorter
        own = max(counts[word] - DISCOUNT, 0.0)
        return (own + DISCOUNT * len(counts) * shorter) / self._totals[context]
