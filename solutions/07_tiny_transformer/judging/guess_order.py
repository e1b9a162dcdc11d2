"""How `guess_order` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import guesses
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("what becomes of the output for bites", guesses.bites_changes),
        Criterion("what becomes of the output for dog", guesses.dog_changes),
    ),
    Misconception("attention reads in order", "a sum over words does not depend on their order",
        "Which number in softmax(QKᵀ/√d_k) V tells where a word stands?",
        (True, True)),
    Misconception("a moved word has another query",
        "query, key and value are computed only from the vector of the word",
        "Does the vector of dog change if dog stands last?",
        (False, True)),
)
