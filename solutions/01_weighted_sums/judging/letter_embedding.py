"""How `letter_embedding` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import ascii_lowercase, letters


def examples() -> tuple[Case, ...]:
    return (
        Case("lower", ("cat",), label="small letters"),
        Case("lower", ("az",), label="the first and the last letter"),
        Case("capitals", ("The",), label="a capital in front"),
        Case("capitals", ("MELBOURNE",), label="capitals only"),
        Case("repeats", ("banana",), label="letters that come again"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        Case("lower", ("a",), label="one letter"),
        Case("lower", ("letters",), label="letters that come again"),
        Case("lower", (letters(rng, 6),), label="a word of small letters"),
        Case("lower", ("".join(rng.permutation(list(ascii_lowercase))),), label="all letters, shuffled"),
        Case("capitals", (letters(rng, 7).title(),), label="a capital in front"),
        Case("capitals", (letters(rng, 4).upper() + letters(rng, 4),), label="capitals and small letters"),
        Case("capitals", ("ZA",), label="the last and the first letter, as capitals"),
        Case("repeats", (letters(rng, 9, "oq"),), label="letters that come again"),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    variant=Variant(
        "The alphabet is counted from 0: a and A are 0, z and Z are 25.",
        ('ord("a") + 1', 'ord("a")'),
    ),
    by_error=("capitals not counted like small letters",),
    criteria=(
        Criterion("one number for each letter", rules.one_number_per_letter),
        Criterion("a is 1, z is 26", rules.counted_from_a, ("lower",)),
        Criterion("capitals count like small letters", rules.capitals_too, ("capitals",), plain=("lower",)),
        Criterion("a letter that comes again gets its number again", common.agrees, ("repeats",), plain=("lower",)),
    ),
    misconceptions=(
        mistake("letters counted from the wrong number", (" + 1", ""), (" + 1", "", ".lower()", ""),
            (" + 1", " + 2"), ('"a"', '"A"', ".lower()", ""), (' - ord("a") + 1', ""),
            (' - ord("a") + 1', "", ".lower()", "")),
        mistake("capitals not counted like small letters", (".lower()", ""),
            (".lower()", " if letter.islower()"),
            "return [ord(letter) - (96 if letter.islower() else 38) for letter in word]",
            "return [ord(letter) - 96 for letter in word[0].lower() + word[1:]]",
            "return ['abcdefghijklmnopqrstuvwxyz'.index(letter) + 1 for letter in word]",
            "return ['abcdefghijklmnopqrstuvwxyz'.find(letter) + 1 for letter in word]",
            "return [ord(letter) % 97 + 1 for letter in word]",
            "return [1 + list('abcdefghijklmnopqrstuvwxyz').index(letter) for letter in word]",
            "places = {chr(96 + place): place for place in range(1, 27)}; return [places[c] for c in word]"),
        mistake("a constant instead of the input's size",
            """
            numbers = np.zeros(9)
            for i, letter in enumerate(word.lower()):
                numbers[i] = ord(letter) - 96
            return numbers
            """, detail="nine numbers come back, whatever the word",
            question="How many numbers do you make room for, and how many letters has the word?"),
        mistake("repeated letter lost",
            (" for letter in word.lower()", " for letter in dict.fromkeys(word.lower())"),
            "return [(c not in word.lower()[:i]) * (ord(c) - 96) for i, c in enumerate(word.lower())]"),
    ),
)
