"""A picture put to the test: whom a head of the course's writer looks at from *it*, and from *he*."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from autograder.views import figures

from .drawing import GREY, INK, KEY, PALE, RED, subplots
from .grammar import sentences, words_of
from .helpers import softmax
from .looks import arrows
from .maps import heatmap, in_words
from .writer import load_writer

LAYER, HEAD = 1, 2
PRETTY = ". the animal did not cross the street because it"
PAIRS = 50
READER = "a reader who understands"
CHANCE = "chosen at random"
ENOUGH = 90
"""Readings of a hundred in which a rule names a head's word, for it to describe the head."""
MEN, THINGS = words_of("male"), words_of("vehicle") + words_of("thing")

Rule = Callable[[list[str], list[str]], Any]
"""From the words of a beginning, and its two nouns in their order, to the word that the last one looks at."""
Look = Callable[..., Any]
"""From n words, Q, K and V to the word that the last one looks at: the lesson's `last_looks_at`."""


@dataclass(frozen=True)
class Reading:
    """A beginning that ends in a pronoun, its two nouns in their order, and the one that the pronoun can mean."""

    words: list[str]
    nouns: list[str]
    meant: str


@dataclass(frozen=True)
class Count:
    """What one rule did: hits and agreement of all readings, changes of all pairs."""

    hits: int
    changes: int
    agrees: int


def head(words: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return Q, (n, d_k), K, (n, d_k), and V, (n, d_v), of the head that the lesson opens with, for n words."""
    return load_writer().head(words, LAYER, HEAD)


def pretty_picture() -> None:
    """One sentence that the writer has read, with the weights of one head."""
    words = PRETTY.split()
    Q, K, _ = head(words)
    weights = softmax(K @ Q[-1] / np.sqrt(K.shape[-1]))
    arrows(words, weights, len(words) - 1, "Which words does 'it' look at? (weights of a trained model)")


def pairs() -> list[tuple[Reading, Reading]]:
    """A man and a thing, drawn 25 times, in both orders: 50 beginnings, once with *it* and once with *he*."""
    rng = random.Random(0)  # of which Python promises that random() stays the same
    drawn = sorted(product(MEN, THINGS), key=lambda _: rng.random())[: PAIRS // 2]
    orders = [order for man, thing in drawn for order in ((man, thing), (thing, man))]
    return [(_reading(*order, "it"), _reading(*order, "he")) for order in orders]


def _reading(first: str, second: str, pronoun: str) -> Reading:
    words = f". the {first} stood near the {second} because {pronoun}".split()
    return Reading(words, [first, second], first if (first in MEN) == (pronoun == "he") else second)


def show_swap(attend: Callable[..., Any]) -> None:
    """The rows of *it* and *he* for a man and a thing in both orders, weighed by `attend(Q, K, V, mask)`."""
    from matplotlib.patches import Rectangle

    figure, panels = subplots(2, 1, figsize=(8, 4.4))
    for axes, nouns in zip(panels, (("king", "car"), ("car", "king"))):
        readings = [_reading(*nouns, pronoun) for pronoun in ("it", "he")]
        rows = []
        for row, one in enumerate(readings):
            mask = np.tri(len(one.words), dtype=bool)
            rows.append(np.asarray(attend(*head(one.words), mask)[1])[-1])
            place = one.words.index(one.meant) + 0.03, row + 0.04
            axes.add_patch(Rectangle(place, 0.94, 0.92, fill=False, edgecolor=KEY, linewidth=3, zorder=5))
        heatmap(axes, np.array(rows), "it he", " ".join([*readings[0].words[:-1], "it/he"]))
        axes.tick_params("x", rotation=0)
        axes.set(ylabel="query")
    panels[1].set_xlabel("key: the word that is looked at", labelpad=10)
    panels[0].set_title("Framed: the noun that the pronoun is to mean (blank: weights below 0.005)")
    figures.show(figure, alt=f"{' '.join(map(in_words, panels))} Framed are the car for it and the king for he.")


def tally(rules: Mapping[str, Rule]) -> dict[str, Count]:
    """What each rule does on all pairs, and a reader who understands.

    `agrees` counts the readings for which a rule names the first rule's word.
    """
    both = pairs()
    said = {
        name: [[_answer(rule, one) for one in pair] for pair in both]
        for name, rule in rules.items()
    }
    first = next(iter(said.values()))
    said[READER] = [[one.meant for one in pair] for pair in both]
    return {
        name: Count(
            hits=sum(one == reading.meant for pair, given in zip(both, words) for reading, one in zip(pair, given)),
            changes=sum(with_it != with_he for with_it, with_he in words),
            agrees=sum(one == other for given, firsts in zip(words, first) for one, other in zip(given, firsts)),
        )
        for name, words in said.items()
    }


def count(look: Look, bet: float | None = None) -> None:
    """Draw bars of what the head does on 50 pairs, by `look`, and the nearest noun: hits, and changes.

    bet: how many hits of the head the learner expected; it is drawn beside them.
    """
    _bars(tally({"the head": _reads(look), "nearest noun": lambda words, nouns: nouns[-1]}), bet)


def verdict(look: Look, rule: Rule) -> None:
    """Print in how many readings a rule names the head's word, whether that is enough, and where it first differs."""
    readings = [reading for pair in pairs() for reading in pair]
    answers = [(_answer(_reads(look), reading), _answer(rule, reading)) for reading in readings]
    differing = [(reading, *words) for reading, words in zip(readings, answers) if words[0] != words[1]]
    agreeing = f"{len(readings) - len(differing)} of {len(readings)} sentences"
    enough = len(readings) - len(differing) >= ENOUGH
    sign, conclusion = ("✓", "it describes the head") if enough else ("✗", "the head does something else")
    print(f"{sign} my_rule names the head's word in {agreeing}: {conclusion}.")
    for reading, head_word, rule_word in differing[:1]:
        print(f"  In “{' '.join(reading.words[1:])}” the head looks at {head_word}, and my_rule says {rule_word}.")


def _reads(look: Look, layer: int = LAYER, number: int = HEAD) -> Rule:
    """Return the rule that one head of the writer follows, by `look`."""
    return lambda words, _: look(words, *load_writer().head(words, layer, number))


def _prefers(look: Look, layer: int, number: int) -> Rule:
    """Return the rule that names the noun to which one head of the writer gives more weight, by `look`."""

    def rule(words: list[str], nouns: list[str]) -> Any:
        Q, K, V = load_writer().head(words, layer, number)
        places = [words.index(noun) for noun in nouns]
        return look(nouns, Q[[places[0], -1]], K[places], V[places])

    return rule


def _answer(rule: Rule, reading: Reading) -> str:
    """Return the word that a rule names, in small letters."""
    return str(rule(list(reading.words), list(reading.nouns))).strip().lower()


def every_head(look: Look) -> None:
    """Draw two bars for each head of the writer, by `look`: its hits, and those between the two nouns alone."""
    writer = load_writer()
    each = [*product(range(len(writer.layers)), range(writer.num_heads))]
    titles = {
        f"hits, of {2 * PAIRS} sentences": _reads,
        f"noun that is meant gets more weight\nthan the other noun, of {2 * PAIRS} sentences": _prefers,
    }
    counts = {}
    for title, rule in titles.items():
        found = tally({f"layer {layer}, head {number}": rule(look, layer, number) for layer, number in each})
        counts[title] = {name: one.hits for name, one in found.items()}
    _bar_for_each(counts, PAIRS, READER)


def previous_word_counts(attend: Callable[..., Any]) -> dict[str, int]:
    """Return, for each head and for chance, how many of 100 words give most to the word before, by `attend`."""
    writer, texts = load_writer(), short_texts()
    counts = {}
    for layer, head in product(range(len(writer.layers)), range(writer.num_heads)):
        hits = []
        for words in texts:
            mask = np.tri(len(words), dtype=bool)
            weights = np.asarray(attend(*writer.head(words, layer, head), mask)[1])
            hits += [row.argmax() == place - 1 for place, row in enumerate(weights) if place]
        counts[f"layer {layer}, head {head}"] = round(100 * float(np.mean(hits)))
    chances = [1 / (place + 1) for words in texts for place in range(1, len(words))]
    return counts | {CHANCE: round(100 * float(np.mean(chances)))}


def every_previous_word(attend: Callable[..., Any]) -> None:
    """Draw a bar for each head: of 100 words, how many give their largest weight to the word before."""
    title = "% of words that give most to the previous word"
    _bar_for_each({title: previous_word_counts(attend)}, None, CHANCE)


def short_texts() -> list[list[str]]:
    """Return the first 100 sentences of the grammar that the writer can read, each behind a full stop."""
    writer = load_writer()
    texts = ([".", *words] for words in sentences(200, seed=7))
    readable = [one for one in texts if len(one) <= len(writer.positions) and set(one) <= set(writer.words)]
    return readable[:100]


def _bar_for_each(pictures: Mapping[str, Mapping[str, int]], line: float | None, pale: str) -> None:
    """Draw, under each title, a bar for each count of 100, one of them pale, with a dotted line."""
    names = [*next(iter(pictures.values()))]
    size = figures.WIDTH if len(pictures) > 1 else 7, 1 + 0.27 * len(names)
    figure, grid = subplots(1, len(pictures), figsize=size, sharey=True, squeeze=False)
    colors = [PALE if name == pale else INK for name in names]
    for axes, (title, counts) in zip(grid[0], pictures.items()):
        bars = axes.barh(names, list(counts.values()), color=colors, edgecolor=GREY)
        axes.bar_label(bars, padding=3, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0})
        if line is not None:
            axes.axvline(line, color=GREY, linestyle=":")
        axes.set(xlim=(0, 118 if len(pictures) > 1 else 110), xticks=[0, 50, 100], title=title)
        axes.spines[["top", "right"]].set_visible(False)
    grid[0, 0].invert_yaxis()
    told = [
        f"{' '.join(title.split())}: {'; '.join(f'{name}: {number}' for name, number in counts.items())}."
        for title, counts in pictures.items()
    ]
    figures.show(figure, alt=f"Bars for each head of the model, {' '.join(told)}")


def _bars(found: Mapping[str, Count], bet: float | None) -> None:
    first = next(iter(found))
    titles = {
        "hits": (f"hits, of {2 * PAIRS}", 2 * PAIRS),
        "changes": (f"changed with the pronoun,\nof {PAIRS} pairs", PAIRS),
    }
    size = min(3.4 * len(titles), figures.WIDTH), 1 + 0.4 * len(found)
    figure, panels = subplots(1, len(titles), figsize=size, sharey=True)
    for axes, (what, (title, most)) in zip(panels, titles.items()):
        numbers = [getattr(one, what) for one in found.values()]
        bars = axes.barh(list(found), numbers, color=[INK] + [PALE] * (len(found) - 1))
        axes.bar_label(bars, padding=3)
        axes.set(xlim=(0, 1.18 * most), xticks=[0, most // 2, most])
        axes.set_title(title)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].axvline(PAIRS, color=GREY, linestyle=":")
    panels[0].invert_yaxis()
    if bet is not None:
        panels[0].plot(bet, 0, marker="D", color=RED, markersize=9, clip_on=False)
        panels[0].set_xlabel(f"your bet (diamond): {bet:g}", color=RED)
    words = {"hits": "hits", "changes": "changed with the pronoun"}
    told = "; ".join(
        f"{name}: {', '.join(f'{words[what]} {getattr(one, what)}' for what in titles)}"
        for name, one in found.items()
    )
    told += "" if bet is None else f". The bet was {bet:g} hits of {first}"
    figures.show(figure, alt=f"Bars for each rule on {PAIRS} pairs. {told}.")
