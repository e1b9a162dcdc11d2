"""How `find_the_slip` is judged."""


from ...judging.mistakes import mistake
from .cases import prediction

EXERCISE = prediction(
    "the line at fault",
    mistake("blames the exponential", (1,)),
    mistake("blames the division", (3,)),
)
