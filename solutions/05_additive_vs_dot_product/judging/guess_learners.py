"""How `guess_learners` is judged."""

from autograder.exercises import Misconception

from .cases import prediction

EXERCISE = prediction(
    "who can learn and who can not",
    Misconception("learning without parameters", "a step of training would change nothing there",
        "What does the optimizer change, and how much of it does this contestant have?",
        (True, True, True),
        (True, False, False),
        (True, False, True),
        (True, True, False)),
    Misconception("learned map in front of the score overlooked", "but a map in front of it has parameters too",
        "How many parameters has nn.Linear(8, 8, bias=False)?",
        (False, True, False)),
)
