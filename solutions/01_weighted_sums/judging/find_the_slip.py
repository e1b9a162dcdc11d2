"""How `find_the_slip` is judged."""

from autograder.exercises import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the line at fault",
    Misconception("blames the exponential", "that line works score by score",
        "How many rows are there, how many totals, and in which line are the totals made?",
        (1,)),
    Misconception("blames the division", "that line divides by what it is given",
        "How many rows are there, how many totals, and in which line are the totals made?",
        (3,)),
)
