"""How `guess_no_mask` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import guesses
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("what becomes of the loss", guesses.loss_without_mask),
        Criterion("what becomes of the text", guesses.text_without_mask),
    ),
    Misconception("more to see, better text", "when the model writes, there is no later word to see",
        "Which word stands after the last one while the model writes?",
        ("lower", "better")),
    Misconception("a mask helps to learn", "without a mask the model can copy the answer from its input",
        "Position 3 has to predict word 4. May it look at word 4 if there is no mask?",
        ("higher", "worse")),
    Misconception("the mask changes nothing", "without a mask each position can look at its target",
        "Where in the input does the target of position 3 stand?",
        ("same", "same")),
)
