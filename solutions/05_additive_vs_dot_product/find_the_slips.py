"""How `find_the_slips` is judged."""

from autograder.model import Misconception

from .cases import prediction

EXERCISE = prediction(
    "each experiment has its cause",
    Misconception("lengths repeated in the wrong order",
        "but there is a single batch entry in the experiments",
        "Can a length reach another batch's rows when there is only one batch entry?",
        ("b", "d", "a"),
        ("c", "b", "a"),
        ("c", "d", "b")),
    Misconception("causes swapped", "between the second and the third experiment",
        "In which of the two is there still a real score to compare with?",
        ("c", "a", "d")),
)
