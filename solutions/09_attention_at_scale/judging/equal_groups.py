"""How `equal_groups` is judged."""


from autograder.exercises import Criterion

from ...judging.cases import prediction
from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = prediction(
    (Criterion("how many shared heads keep as much", guesses.equal_groups),),
    mistake("keys counted, but no values", (4.5,)),
    mistake("the turned numbers forgotten", (2,)),
    mistake("the latent vector counted for each head", (288,), (256,)),
    mistake("compared the wrong way round", (0.44,), (0.444,), (0.4444,)),
    mistake("values counted twice", (1.125,)),
    tolerance=0.01,
    puzzle=True,
)
