"""How `guess_shift` is judged."""

from autograder.exercises import Criterion, Misconception

from .cases import prediction
from .shown import guesses

EXERCISE = prediction(
    (
        Criterion("what should be predicted", guesses.targets),
        Criterion("the loss of one who knows nothing", guesses.untrained_loss),
    ),
    Misconception("targets not shifted", "each position would predict the word that it reads",
        "Which word should position 3 predict?",
        ([4, 1, 3, 2], 6.89),
        ([4, 1, 3, 2], 986),
        ([4, 1, 3, 2], 0.001)),
    Misconception("shifted the wrong way", "each position would predict the word before it",
        "Does it predict the next word or the last one?",
        ([4, 4, 1, 3], 6.89)),
    Misconception("shifted twice", "each position would predict the word after the next",
        "Write the five words in a row, and below each its target: what stands there?",
        ([3, 2, 4, 0], 6.89)),
    Misconception("loss near 0", "1/986 is a probability; its logarithm, without the sign, is the loss",
        "What is −ln of that probability?",
        ([1, 3, 2, 4], 0.001)),
    Misconception("the count taken for the loss", "it has to be made a probability first, then a loss",
        "With 986 words equally likely, which probability does each get?",
        ([1, 3, 2, 4], 986)),
    Misconception("another base than e", "the loss is in nats here, not in bits or digits",
        "Which logarithm is meant?",
        ([1, 3, 2, 4], 9.95),
        ([1, 3, 2, 4], 2.99)),
    tolerance=0.2,
)
