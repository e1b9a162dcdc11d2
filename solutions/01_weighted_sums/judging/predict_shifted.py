"""How `predict_shifted` is judged."""


from ...judging.mistakes import mistake
from .cases import prediction

EXERCISE = prediction(
    "the two shares",
    mistake("nearly equal shares for nearly equal scores", ([0.5, 0.5],)),
    mistake("largest score takes all", ([1.0, 0.0],)),
    mistake("what the code gives, not the formula", ([float("nan"), float("nan")],)),
    mistake("shares in the wrong order", ([0.269, 0.731],)),
)
