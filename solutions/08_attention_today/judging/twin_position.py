"""How `twin_position` is judged."""

from autograder.exercises import Case, Criterion, Exercise, Misconception

from ..checks import rules

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=lambda: (Case("values", tolerance=0.01),),
    criteria=(Criterion("the first twin of position 0", rules.twin),),
    misconceptions=(
        Misconception("the whole number nearest to one turn", "that is a quarter of a radian off",
            "How far is 6 from 2π, and how far may it be?",
            (6,)),
        Misconception("seven turns taken for 44 words", "22/7 is near π, but not near enough",
            "How far is 44 from 7 · 2π, and how far may it be?",
            (44,)),
        Misconception("an odd number of half turns", "the vector points the other way there",
            "How many half turns are 355 words, and where does the vector point then?",
            (355,)),
        Misconception("a turn of 1 degree a word", "the angle is in radians",
            "How many radians has a whole turn?",
            (360,)),
        Misconception("a later twin, not the first", "there is an earlier one",
            "Is there none before it?",
            (1420,)),
    ),
)
