"""How `find_the_slips` is judged."""

from itertools import product

from autograder.exercises import Misconception

from .cases import prediction

EXERCISE = prediction(
    "each experiment has its cause",
    Misconception("order of the lengths blamed where there is one batch entry",
        "there is a single batch entry in the experiments",
        "Can a length reach another batch entry's rows when there is only one?",
        *(causes for causes in product("abcd", repeat=3) if "b" in causes)),
    Misconception("causes of two experiments exchanged", "of the second and the third",
        "In which of the two is there still a real score to compare with?",
        ("c", "a", "d")),
)
