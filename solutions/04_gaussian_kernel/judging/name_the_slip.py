"""How `name_the_slip` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("which key wins", rules.winner),
        Criterion("the line where it goes wrong", rules.faulty_line),
    ),
    Misconception("blames the exponential", "it only turns scores into positive numbers",
        "Is what goes into the exponential what your table says?",
        (51, 3)),
    Misconception("blames the sum", "yet the weights do sum to 1",
        "Which line is the first to differ from your table?",
        (51, 4)),
    Misconception("blames the difference", "it is what the table has as well",
        "Which line is the first to differ from your table?",
        (51, 1)),
    Misconception("position or weight instead of the waist", "no waist in the table is so small",
        "Which of the three has the weight of 1, and what is their waist?",
        (0, 2),
        (1, 2)),
    Misconception("value instead of the key", "what that person weighs, in kg, is not the waist",
        "Which of the two is compared with the query?",
        (40, 2)),
)
