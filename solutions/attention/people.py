"""Words that mean people: what lesson 01 lets one ask of a word."""

from __future__ import annotations

MEN = ("Ming", "Omar", "Ben", "Luca", "Ravi", "Pedro", "Kofi", "Jonas")
WOMEN = ("Anna", "Mei", "Sara", "Lena", "Aisha")


def describe(word: str) -> list[int]:
    """Return three numbers, each 0 or 1: whether a word is a name, means a man, means a woman."""
    name = word in MEN or word in WOMEN
    return [int(name), int(word in MEN or word in ("he", "him", "his")), int(word in WOMEN or word in ("she", "her"))]
