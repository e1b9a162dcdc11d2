"""How `guess_weights` is judged."""


from ...judging.mistakes import mistake
from .cases import prediction

EXERCISE = prediction(
    "the four weights of a row of length 3",
    mistake("mask ignored", ([0.1, 0.2, 0.3, 0.4],), detail="the hidden key still takes part",
        question="Which keys may share at all?"),
    mistake("masked after the softmax", ([0.1, 0.2, 0.3, 0.0],),
        detail="the hidden key's share is lost to everyone", question="What do your four weights sum to?"),
    mistake("valid length off by one", ([1 / 3, 2 / 3, 0, 0],)),
    mistake("equal weights whatever the scores", ([1 / 3, 1 / 3, 1 / 3, 0],), ([0.25, 0.25, 0.25, 0.25],)),
)
