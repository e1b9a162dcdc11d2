"""How `find_ming` is judged: any queries and keys with which *he* finds the man's name are right."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import finding

SENTENCES = (
    "Ming bought apples then he went home",
    "Anna called Ming because he was late",
    "While he slept Ming dreamed of Anna and apples",
)
ANOTHER_MAN = "Mei waved when Omar said that he was hungry"
"""A sentence that the lesson does not show: its man has another name."""


def examples() -> tuple[Case, ...]:
    shown = tuple(Case("sentence", (text.split(),), label=text, each=0) for text in SENTENCES)
    return (*shown, Case("another man", (ANOTHER_MAN.split(),), label=ANOTHER_MAN, each=0))


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    """Each sentence with its words in another order, and each with another man's name."""
    cases = []
    for text in SENTENCES:
        words = rng.permutation(text.split()).tolist()
        cases.append(Case("sentence", (words,), label="its words in another order", each=0))
    for text, man in zip(SENTENCES, rng.choice(finding.OTHER_MEN, size=len(SENTENCES), replace=False)):
        words = text.replace("Ming", str(man)).split()
        cases.append(Case("another man", (words,), label="another man's name", each=0))
    return tuple(cases)


KEY, QUERY = "key = [name, man]", "query = [5, 5] if word == \"he\" else [0, 0]"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    canonical=finding.whom,
    criteria=(
        Criterion("a query and a key for each word, all of one length", finding.of_one_length),
        Criterion("he looks at Ming more than at any other word", finding.most, ("sentence",)),
        Criterion("he gives Ming a weight of 0.9 or more", finding.nearly_all, ("sentence",)),
        Criterion("another man's name is found as well", finding.another_man, ("another man",), plain=("sentence",)),
    ),
    misconceptions=(
        mistake("he finds himself", (KEY, "key = [man, man]"), (KEY, "key = [word == \"he\", 0]")),
        mistake("any name will do", (KEY, "key = [name, name]"), (KEY, "key = [name, woman]")),
        mistake("only Ming's own name is known", (KEY, "key = [word == \"Ming\", 0]"),
            (KEY, "key = {\"Ming\": [1, 1], \"Anna\": [1, 0]}.get(word, [0, 0])")),
        mistake("all scores alike", (KEY, "key = [1, 0]"), (QUERY, "query = [0, 0]")),
        mistake("scores too close together", (QUERY, "query = [1, 1] if word == \"he\" else [0, 0]"),
            (QUERY, "query = [2, 2] if word == \"he\" else [0, 0]"),
            detail="the man's name has the most, and the others keep too much",
            question="How many points must Ming's score lie above all the others for a weight of 0.9?"),
        mistake("least where it should be most", (QUERY, "query = [-5, -5] if word == \"he\" else [0, 0]"),
            (KEY, "key = [-name, -man]")),
        mistake("query and key exchanged", ("return query, key", "return key, query")),
    ),
)
