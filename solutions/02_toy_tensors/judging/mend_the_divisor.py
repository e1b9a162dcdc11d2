"""How `mend_the_divisor` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("the number that the toy scores must be divided by", rules.divisor),),
    mistake("divided by the root of the wrong length", (2.0,),
        detail="what stands under the root is not the number of features of a key",
        question="Count the numbers in one row of toy_K. How many keys there are is another matter."),
    mistake("divided by the wrong power of d_k", (3.0,), (1.5,), (9.0,),
        detail="the formula has its root there",
        question="Which function of d_k stands under the fraction line of the formula?"),
)
