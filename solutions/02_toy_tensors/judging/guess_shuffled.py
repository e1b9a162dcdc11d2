"""How `guess_shuffled` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("what each shuffle does to the output", rules.words),),
    Misconception("order of the keys taken to matter", "each value still goes with its own key",
        "Swap two books on the shelf, labels and pages together: what do you take home?",
        (["reordered", "reordered", "different"],),
        (["different", "reordered", "different"],)),
    Misconception("keys torn from their values", "K was shuffled, and V was not",
        "Swap only the labels of two books: which pages do you take home?",
        (["same", "reordered", "same"],),
        (["same", "reordered", "reordered"],)),
    Misconception("queries taken to share one answer", "every query has an answer of its own",
        "Two readers change places in the queue: what becomes of the books they take home?",
        (["same", "same", "different"],)),
    puzzle=True,
)
