"""How `guess_masked` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("three shares that sum to 1", rules.guessed_shares),
        Criterion("the shares when the first key is hidden", rules.guessed_numbers),
    ),
    Misconception("masked after the softmax", "the hidden key's share went to nobody",
        "A query always has one whole unit to give away. Who gets the part that fell free?",
        ([0.0, 0.245, 0.09],)),
    Misconception("masked score not low enough", "the hidden key still gets a share, as if its score were 0",
        "What is exp(0)? And which score would make it nothing?",
        ([0.212, 0.576, 0.212],)),
    Misconception("mask inverted", "False was read as 'may look'",
        "In this course True means one thing, in some libraries the other. Which is ours?",
        ([1.0, 0.0, 0.0],), ([0.665, 0.0, 0.0],)),
    Misconception("not divided by √d_k", "the two that are left share by their dot products as they are",
        "What is done to the dot products before the softmax?",
        ([0.0, 0.881, 0.119],)),
    Misconception("divided by the wrong power of d_k", "the dot products are divided by d_k",
        "By what are the dot products divided: by the width of a key, or by its root?",
        ([0.0, 0.622, 0.378],)),
    Misconception("the rest shared evenly", "their scores still differ",
        "Which fits lemon better, flame or snow?",
        ([0.0, 0.5, 0.5],)),
    Misconception("mask ignored", "these are the shares without it",
        "Which of the three keys may the query not look at?",
        ([0.665, 0.245, 0.09],)),
)
