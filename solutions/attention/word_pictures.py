"""The pictures and printouts of lesson 03, made with what the student wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.views import figures

from . import maps

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

Attend = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]

SOME_WORDS = "cat puppy rabbit | tea milk juice | bread cheese soup | sat slept stood waited danced | two seven nine"
SOME_WORDS += " | red green brown | happy sad angry | girl boy uncle | monday friday"
"""In groups, as `maps.show_words` takes them."""

STILLS = (0.05, 1)
STOPS = [0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8]
STOPS += [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10]


def try_out(embed: Callable[[str, KeyedVectors], np.ndarray], vectors: KeyedVectors) -> None:
    """Print what to ask of an embedding: is a new word itself, and how long is it."""
    once, again = (np.asarray(embed("quokka", vectors), dtype=float) for _ in range(2))
    ordinary = np.median(np.linalg.norm(vectors.vectors, axis=1))
    cosine = once @ again / np.linalg.norm(once) / np.linalg.norm(again)
    print(f"cosine of quokka with itself    {cosine:5.2f}")
    print(f"length of quokka                {np.linalg.norm(once):5.1f}")
    print(f"length of an ordinary word      {ordinary:5.1f}")


def turn_temperature(attend: Attend, queries: np.ndarray, keys: np.ndarray, rows: str, columns: str) -> None:
    """The weights of directions alone, while what their cosines are divided by is turned."""
    queries, keys = _unit(queries), _unit(keys)

    def weights_at(temperature: float) -> np.ndarray:
        # attend divides by the square root of the width: that is undone
        return attend(queries * np.sqrt(keys.shape[-1]) / temperature, keys, keys)[1]

    def draw(temperature: float, axes: Any) -> None:
        maps.heatmap(axes, weights_at(temperature), rows, columns)
        axes.set(xlabel="key", ylabel="query")

    surest = ", ".join(f"{weights_at(T).max(axis=-1).mean():.2f} at {T}" for T in STILLS)
    figures.explore(
        draw,
        STILLS,
        "temperature",
        alt=f"The same heatmap at several temperatures. The darkest cell of a row holds, on average, {surest}.",
        turn=STOPS,
    )


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)
