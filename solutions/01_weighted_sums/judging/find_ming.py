"""How `find_ming` is judged: any queries and keys with which *he* finds the man's name are right."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception

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
        Criterion("and with at least nine tenths of his weight", finding.nearly_all, ("sentence",)),
        Criterion("another man's name is found as well", finding.another_man, ("another man",), plain=("sentence",)),
    ),
    misconceptions=(
        Misconception("he finds himself", "his own key fits his query as well as the man's name, or better",
            "What does the query of 'he' ask for, and does the key of 'he' say it, too?",
            (KEY, "key = [man, man]"),
            (KEY, "key = [word == \"he\", 0]")),
        Misconception("any name will do", "a woman's key fits his query as well as the man's, or better",
            "What does Ming's key say that Anna's does not?",
            (KEY, "key = [name, name]"),
            (KEY, "key = [name, woman]")),
        Misconception("only Ming's own name is known", "another man's key scores no more than an ordinary word's",
            "From what do you make Ming's key: from his name, or from what describe says of him?",
            (KEY, "key = [word == \"Ming\", 0]"),
            (KEY, "key = {\"Ming\": [1, 1], \"Anna\": [1, 0]}.get(word, [0, 0])")),
        Misconception("all scores alike", "his query fits every key as well as any other",
            "What is the score of 'he' and 'bought', and what that of 'he' and 'Ming'?",
            (KEY, "key = [1, 0]"),
            (QUERY, "query = [0, 0]")),
        Misconception("scores too close together", "the man's name has the most, and the others keep too much",
            "How many points must Ming's score lie above all the others for a weight of 0.9?",
            (QUERY, "query = [1, 1] if word == \"he\" else [0, 0]"),
            (QUERY, "query = [2, 2] if word == \"he\" else [0, 0]")),
        Misconception("least where it should be most", "the man's name has the smallest weight of all",
            "When is a sum of products large, and when is it below zero?",
            (QUERY, "query = [-5, -5] if word == \"he\" else [0, 0]"),
            (KEY, "key = [-name, -man]")),
        Misconception("query and key exchanged", "with the two in the other order he would find the man's name",
            "Which of the two does your function return first?",
            ("return query, key", "return key, query")),
    ),
)
