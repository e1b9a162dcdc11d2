"""How `predict_lost_weight` is judged."""


from ...judging.mistakes import mistake
from .cases import prediction

EXERCISE = prediction(
    "the sum of the weights that are left",
    mistake("loss by the dictionary overlooked", (1.0,)),
    mistake("both copies of the word taken as lost", (11 / 17,)),
    mistake("weight that is lost, not weight that is left", (3 / 17,)),
)
