"""How `predict_survivors` is judged."""

from autograder.exercises import Misconception

from .cases import prediction

EXERCISE = prediction(
    "how many numbers are left",
    Misconception("as many numbers as the longest word", "the list starts long but does not stay so",
        "Call list(zip([0, 0, 0], [9, 19])): how many pairs come out, and how long is the next total?",
        (9,)),
    Misconception("as many numbers as words", "that is how many weights there are",
        "Position by position letters are added up: what does one number of the result belong to?",
        (7,)),
    Misconception("as many numbers as the first word has letters", "a shorter word follows",
        "The total may get shorter with every word: which word shortens it most?",
        (3,)),
)
