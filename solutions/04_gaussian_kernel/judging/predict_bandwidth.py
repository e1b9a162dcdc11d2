"""How `predict_bandwidth` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("bandwidth 0.1: who is still heard", rules.nearly_zero),
        Criterion("bandwidth 1000: who is still told apart", rules.enormous),
    ),
    Misconception("bandwidth taken upside down", "a small one counts few keys, a large one all of them",
        "Double the bandwidth: do the weights become sharper or flatter?",
        *((131 / 3, 43.0), (43.67, 43.0), (43.7, 43))),
    Misconception("both neighbours counted alike", "their average fits neither bandwidth",
        "What does the farther neighbour weigh at bandwidth 0.1, and what does waist 51 at 1000?",
        *((45.5, 45.5), (43.0, 45.5), (45.5, 131 / 3))),
    Misconception("no weight left for anybody", "as if weights could vanish together",
        "What do the three weights sum to, whatever the bandwidth?",
        *((0.0, 131 / 3), (0.0, 43.67), (0.0, 131.0))),
    Misconception("bandwidth 1 kept", "the number belongs to another bandwidth",
        "At bandwidth 1 the neighbours' scores are −0.08 and −1.28. What does the other bandwidth make of them?",
        *((44.16, 131 / 3), (43.0, 44.16), (44.16, 44.16))),
    Misconception("values added instead of averaged", "as if each of the three had all the weight",
        "What do the three weights sum to, whatever the bandwidth?",
        (43.0, 131.0)),
)
