"""How `guess_shift` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import guesses
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("what should be predicted", guesses.targets),
        Criterion("the loss of a model that knows nothing", guesses.untrained_loss),
    ),
    Misconception("targets not shifted", "each position would predict the word that it reads",
        "Which word should position 3 predict?",
        ([4, 1, 3, 2], 6.89),
        ([4, 1, 3, 2], 986),
        ([4, 1, 3, 2], 0.001)),
    Misconception("shifted the wrong way", "each position would predict the word before it",
        "Should a position predict the next word, or the word before?",
        ([4, 4, 1, 3], 6.89)),
    Misconception("shifted twice", "each position would predict the word after the next",
        "Write the five words in a row, and under each one its target. What do you see?",
        ([3, 2, 4, 0], 6.89)),
    Misconception("loss near 0", "1/986 is a probability, and the loss is minus its logarithm",
        "What is −ln of that probability?",
        ([1, 3, 2, 4], 0.001)),
    Misconception("the count taken for the loss",
        "the loss is computed from a probability, not from the number of words",
        "If 986 words are equally likely, which probability does each of them get?",
        ([1, 3, 2, 4], 986)),
    Misconception("another base than e", "the loss is in nats here, not in bits or digits",
        "Which logarithm gives a loss in nats?",
        ([1, 3, 2, 4], 9.95),
        ([1, 3, 2, 4], 2.99)),
    tolerance=0.2,
)
