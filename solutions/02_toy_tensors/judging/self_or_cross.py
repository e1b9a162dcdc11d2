"""How `self_or_cross` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("each call has its right name", rules.words),),
    Misconception("everything called self-attention", "",
        "For each call: do queries and keys come from one and the same sequence?",
        (["self", "self", "self"],)),
    Misconception("queries of their own taken for self-attention",
        "in the first call they are not made from the keys' rows",
        "Which rows does the first call look up with, and which does it look through?",
        (["self", "self", "cross"],)),
    Misconception("two sequences taken for one", "they are equally long, and still two",
        "Where do the rows of Q come from, and where those of K?",
        (["cross", "self", "self"],)),
)
