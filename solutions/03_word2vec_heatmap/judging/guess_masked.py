"""How `guess_masked` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("three shares that sum to 1", rules.guessed_shares),
        Criterion("the shares when the first key is hidden", rules.guessed_numbers),
    ),
    mistake("masked after the softmax", ([0.0, 0.245, 0.09],)),
    mistake("masked score not low enough", ([0.212, 0.576, 0.212],)),
    mistake("mask inverted", ([1.0, 0.0, 0.0],), ([0.665, 0.0, 0.0],), detail="False was read as 'may look'"),
    mistake("not divided by √d_k", ([0.0, 0.881, 0.119],),
        detail="the two that are left share by their dot products as they are",
        question="What is done to the dot products before the softmax?"),
    mistake("divided by the wrong power of d_k", ([0.0, 0.622, 0.378],),
        detail="the dot products are divided by d_k",
        question="By what are the dot products divided: by the width of a key, or by its root?"),
    mistake("the rest shared evenly", ([0.0, 0.5, 0.5],)),
    mistake("mask ignored", ([0.665, 0.245, 0.09],)),
)
