"""How `find_the_slips` is judged."""

from itertools import product

from ...judging.mistakes import mistake
from .cases import prediction

EXERCISE = prediction(
    "each experiment has its cause",
    mistake("order of the lengths blamed where there is one batch entry",
        *(causes for causes in product("abcd", repeat=3) if "b" in causes)),
    mistake("causes of two experiments exchanged", ("c", "a", "d")),
)
