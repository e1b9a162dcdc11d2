"""The course's catalogue of mistakes, `mistakes.toml`: a name, an explanation and a question, once each."""

import tomllib
from pathlib import Path

from autograder.exercises import Misconception
from autograder.exercises.exercise import WrongAnswer

CATALOGUE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def mistake(
    name: str, *wrong: WrongAnswer, detail: str | None = None, question: str | None = None
) -> Misconception:
    """The mistake of this name, with wrong answers that make it; detail, question: where the catalogue's do not fit."""
    entry = CATALOGUE[name]
    if detail is None:
        detail = entry.get("detail", "")
    return Misconception(name, detail, question or entry["question"], *wrong)
