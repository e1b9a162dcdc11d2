"""What this course's notebooks import from `autograder` beside `check`, and the kinds of argument it adds."""

from .bodies import load_bodies
from .bring import bring_your_own
from .counting import WordCounts
from .grammar import grammatical, sentences
from .helpers import attention, softmax
from .kinds import WordVectors
from .live import LossCurve
from .scores import NextWordScores
from .vectors import load_vectors

__all__ = [
    "LossCurve",
    "NextWordScores",
    "WordCounts",
    "WordVectors",
    "attention",
    "bring_your_own",
    "grammatical",
    "load_bodies",
    "load_vectors",
    "sentences",
    "softmax",
]
