"""How `predict_lost_weight` is judged."""

from autograder.exercises import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the sum of the weights that are left",
    Misconception("loss by the dictionary overlooked", "it does not hold all the weight",
        "The second 'the' arrives at a dictionary that has a key 'the' already: what happens to the first?",
        (1.0,)),
    Misconception("both copies of the word taken as lost", "one of them keeps its entry",
        "When a key is assigned a second time, is the entry deleted or replaced?",
        (11 / 17,)),
    Misconception("weight that is lost, not weight that is left", "the two make 1 together",
        "What is asked for: what the dictionary holds, or what it has lost?",
        (3 / 17,)),
)
