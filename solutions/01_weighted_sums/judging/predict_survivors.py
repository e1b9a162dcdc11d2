"""How `predict_survivors` is judged."""


from ...judging.mistakes import mistake
from .cases import prediction

EXERCISE = prediction(
    "how many numbers are left",
    mistake("as many numbers as the longest word", (9,)),
    mistake("as many numbers as words", (7,)),
    mistake("as many numbers as the first word has letters", (3,)),
)
