"""How `real_bug_mlx` is judged: a slip as it happened in a public project."""


from autograder.exercises import Criterion

from ...judging.cases import prediction
from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = prediction(
    (Criterion("mlx-lm: what becomes of refused guesses", guesses.line_mlx),),
    mistake("mlx-lm: another line blamed", (1,), (3,), (4,)),
)
