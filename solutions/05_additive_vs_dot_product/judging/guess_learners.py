"""How `guess_learners` is judged."""


from ...judging.mistakes import mistake
from .cases import prediction

EXERCISE = prediction(
    "who can learn and who can not",
    mistake("learning without parameters", (True, True, True), (True, False, False), (True, False, True),
        (True, True, False)),
    mistake("learned map in front of the score overlooked", (False, True, False)),
)
