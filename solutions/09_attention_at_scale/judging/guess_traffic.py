"""How `guess_traffic` is judged."""


from autograder.exercises import Criterion

from ...judging.cases import prediction
from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = prediction(
    (Criterion("whether twice the arithmetic takes twice as long", guesses.product_takes_twice_as_long),),
    mistake("time counted in multiplications", (True,)),
)
