"""How `guess_doubled` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("what doubling does to scores, weights and favourites", rules.guessed_each),),
    Misconception("only one of the two vectors doubled", "each score was doubled once",
        "A score is a product. Are only the queries doubled?",
        (2, 0.5, False)),
    Misconception("temperature multiplied", "larger scores were taken for a higher temperature",
        "What does one do to scores with a temperature: multiply or divide?",
        (4, 4, False),
        (2, 2, False)),
    Misconception("favourites change", "the order of the scores was taken to change",
        "If all scores grow by the same positive factor, which one is the largest?",
        (4, 0.25, True)),
    puzzle=True,
)
