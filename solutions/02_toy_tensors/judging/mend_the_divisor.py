"""How `mend_the_divisor` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("the number that the toy scores must be divided by", rules.divisor),),
    Misconception("divided by the root of the wrong length",
        "what stands under the root is not the number of features of a key",
        "Count the numbers in one row of toy_K. How many keys there are is another matter.",
        (2.0,)),
    Misconception("divided by the wrong power of d_k", "the formula has its root there",
        "Which function of d_k stands under the fraction line of the formula?",
        (3.0,),
        (1.5,),
        (9.0,)),
)
