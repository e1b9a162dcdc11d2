"""How `guess_traffic` is judged."""

from autograder.exercises import Misconception

from ..checks import guesses
from .cases import prediction

EXERCISE = prediction(
    "whether twice the arithmetic takes twice as long",
    guesses.product_takes_twice_as_long,
    Misconception("time counted in multiplications", "most of the time goes into something that both do alike",
        "How many numbers does each of the two have to fetch from memory?",
        (True,)),
)
