"""What this course's notebooks import from `autograder` beside `check`, and the kinds of argument it adds."""

# ruff: noqa: F401
from importlib import import_module
from typing import Any

from . import (
    kernel_pictures,
    looks,
    maps,
    mask_pictures,
    pronouns,
    reading_pictures,
    scale_pictures,
    today_pictures,
    toy_pictures,
    word_pictures,
    writing_pictures,
)
from .ablations import without
from .bodies import load_bodies
from .bring import bring_your_own, or_the_courses
from .counting import WordCounts
from .explorer import look_inside
from .grammar import grammatical, sentences
from .helpers import attention, softmax
from .kinds import WordVectors
from .learners import Learner, StepsOf
from .live import LossCurve
from .looks import who_he_looks_at
from .scores import NextWordScores
from .terms import glossary
from .vectors import load_vectors
from .writer import load_writer, run_writer

LATE = {
    **dict.fromkeys(("austen", "costs", "french_shop", "induction"), ""),
    **dict.fromkeys(("reading", "repeats", "smaller", "two_back", "two_writers"), ""),
    "GrammarText": "grammar_text",
    "compare_orders": "word_order",
    "load_austen": "austen",
    "load_gpt2": "gpt2",
    "load_trained": "two_writers",
}
"""By the name that a notebook imports, the module that holds it; empty where it is the module."""


def __getattr__(name: str) -> Any:
    """What needs PyTorch is imported once a notebook asks for it: lessons without it start sooner."""
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f".{LATE[name] or name}", __name__)
    return getattr(module, name) if LATE[name] else module
