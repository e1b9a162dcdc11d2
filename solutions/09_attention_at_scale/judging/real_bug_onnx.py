"""How `real_bug_onnx` is judged: a slip as it happened in a public project."""


from autograder.exercises import Criterion

from ...judging.cases import prediction
from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = prediction(
    (Criterion("onnx: which group each query head reads", guesses.line_onnx),),
    mistake("onnx: another line blamed", (1,), (3,), (4,)),
)
