"""How `find_ming` is judged: any queries and keys with which *he* finds Ming are right."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part

from .shown import finding

SENTENCES = (
    "Ming bought apples then he went home",
    "Anna called Ming because he was late",
    "While he slept Ming dreamed of Anna and apples",
)


def examples() -> tuple[Case, ...]:
    return tuple(Case("sentence", (text.split(),), label=text, each=0) for text in SENTENCES)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    """The words of each sentence in another order, which is nothing to a key."""
    shuffled = (rng.permutation(text.split()).tolist() for text in SENTENCES)
    return tuple(Case("sentence", (words,), label="its words in another order", each=0) for words in shuffled)


ASKS, OFFERS = "[9, 0] if word == \"he\" else [0, 0]", "[1, 0] if word == \"Ming\" else [0, 1]"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    settled=finding.whom,
    parts=(
        Part("a query and a key for each word, all of one length", finding.of_one_length),
        Part("he looks at Ming more than at any other word", finding.most),
        Part("and with at least nine tenths of his weight", finding.nearly_all),
    ),
    misconceptions=(
        Misconception("he finds himself", "his own key fits his query as well as Ming's, or better",
            "What does the query of 'he' ask for, and does the key of 'he' say it, too?",
            (OFFERS, "[1, 0] if word in (\"Ming\", \"he\") else [0, 1]"),
            (OFFERS, "[1, 0] if word == \"he\" else [0, 1]")),
        Misconception("any name will do", "Anna's key fits his query as well as Ming's, or better",
            "What does Ming's key say that Anna's does not?",
            (OFFERS, "[1, 0] if word[0].isupper() and word != \"While\" else [0, 1]"),
            (OFFERS, "[1, 0] if word == \"Ming\" else [2, 0] if word == \"Anna\" else [0, 1]")),
        Misconception("all scores alike", "his query fits every key as well as any other",
            "What is the score of 'he' and 'bought', and what that of 'he' and 'Ming'?",
            (OFFERS, "[1, 0]"),
            (ASKS, "[0, 0]")),
        Misconception("scores too close together", "Ming has the largest weight, and the others keep too much",
            "How many points must Ming's score lie above all the others for a weight of 0.9?",
            (ASKS, "[1, 0] if word == \"he\" else [0, 0]"),
            (ASKS, "[3, 0] if word == \"he\" else [0, 0]")),
        Misconception("least where it should be most", "Ming has the smallest weight of all",
            "When is a sum of products large, and when is it below zero?",
            (ASKS, "[-9, 0] if word == \"he\" else [0, 0]"),
            (OFFERS, "[0, 1] if word == \"Ming\" else [1, 0]")),
        Misconception("query and key exchanged", "with the two in the other order he would find Ming",
            "Which of the two does your function return first?",
            ("return query, key", "return key, query")),
    ),
)
