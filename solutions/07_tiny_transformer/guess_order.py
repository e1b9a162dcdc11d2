"""How `guess_order` is judged."""

from autograder.exercises import Criterion, Misconception

from .cases import prediction
from .shown import guesses

EXERCISE = prediction(
    (
        Criterion("what becomes of the output for bites", guesses.bites_changes),
        Criterion("what becomes of the output for dog", guesses.dog_changes),
    ),
    Misconception("attention reads in order", "but it sums over words, wherever they stand",
        "Which number in softmax(QKᵀ/√d_k) V tells where a word stands?",
        (True, True)),
    Misconception("a moved word has another query", "but query, key and value come from its vector alone",
        "Is the vector of dog another one when dog stands last?",
        (False, True)),
)
