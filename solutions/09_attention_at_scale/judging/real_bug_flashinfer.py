"""How `real_bug_flashinfer` is judged: a slip as it happened in a public project."""


from autograder.exercises import Criterion

from ...judging.cases import prediction
from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = prediction(
    (Criterion("flashinfer: what becomes of two sets without keys", guesses.line_flashinfer),),
    mistake("flashinfer: another line blamed", (1,), (3,), (4,)),
    puzzle=True,
)
