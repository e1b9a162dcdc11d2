"""How `self_or_cross` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("each call has its right name", rules.words),),
    mistake("everything called self-attention", (["self", "self", "self"],)),
    mistake("queries of their own taken for self-attention", (["self", "self", "cross"],)),
    mistake("two sequences taken for one", (["cross", "self", "self"],)),
)
