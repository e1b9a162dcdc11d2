"""How `guess_shift` is judged."""

from autograder.exercises import Criterion

from ...judging.cases import prediction
from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = prediction(
    (
        Criterion("what should be predicted", guesses.targets),
        Criterion("the loss of a model that knows nothing", guesses.untrained_loss),
    ),
    mistake("targets not shifted", ([4, 1, 3, 2], 6.89), ([4, 1, 3, 2], 986), ([4, 1, 3, 2], 0.001),
        detail="each position would predict the token that it reads"),
    mistake("shifted the wrong way", ([4, 4, 1, 3], 6.89),
        detail="each position would predict the token before it",
        question="Should a position predict the next token, or the token before?"),
    mistake("shifted twice", ([3, 2, 4, 0], 6.89)),
    mistake("loss near 0", ([1, 3, 2, 4], 0.001)),
    mistake("the count taken for the loss", ([1, 3, 2, 4], 986)),
    mistake("another base than e", ([1, 3, 2, 4], 9.95), ([1, 3, 2, 4], 2.99)),
    tolerance=0.2,
)
