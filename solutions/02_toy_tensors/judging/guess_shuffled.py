"""How `guess_shuffled` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("what each shuffle does to the output", rules.words),),
    mistake("order of the keys taken to matter", (["reordered", "reordered", "different"],),
        (["different", "reordered", "different"],)),
    mistake("keys torn from their values", (["same", "reordered", "same"],),
        (["same", "reordered", "reordered"],)),
    mistake("queries taken to share one answer", (["same", "same", "different"],)),
    puzzle=True,
)
