"""How `predict_bandwidth` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("bandwidth 0.1: which people count", rules.nearly_zero),
        Criterion("bandwidth 1000: which people count", rules.enormous),
    ),
    mistake("bandwidth taken upside down", *((131 / 3, 43.0), (43.67, 43.0), (43.7, 43))),
    mistake("both neighbours counted alike", *((45.5, 45.5), (43.0, 45.5), (45.5, 131 / 3))),
    mistake("no weight left for anybody", *((0.0, 131 / 3), (0.0, 43.67), (0.0, 131.0))),
    mistake("bandwidth 1 kept", *((44.16, 131 / 3), (43.0, 44.16), (44.16, 44.16))),
    mistake("values added instead of averaged", (43.0, 131.0)),
)
