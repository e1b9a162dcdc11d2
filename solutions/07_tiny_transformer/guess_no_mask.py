"""How `guess_no_mask` is judged."""

from autograder.exercises import Criterion, Misconception

from .cases import prediction
from .shown import guesses

EXERCISE = prediction(
    (
        Criterion("what becomes of the loss", guesses.loss_without_mask),
        Criterion("what becomes of the text", guesses.text_without_mask),
    ),
    Misconception("more to see, better text", "but at its own text's end there is nothing ahead to see",
        "While it writes, what stands behind the last word?",
        ("lower", "better")),
    Misconception("a mask helps to learn", "it takes away what the answer could be copied from",
        "Position 3 is to predict word 4. May it look at word 4 now?",
        ("higher", "worse")),
    Misconception("the mask changes nothing", "the targets lie among what is read",
        "Where in the input does the target of position 3 stand?",
        ("same", "same")),
)
