"""How `twin_position` is judged."""

from autograder.model import Case, Exercise, Misconception, Part

from .shown import rules

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=lambda: (Case("values", tolerance=0.01),),
    parts=(Part("the first twin of position 0", rules.twin),),
    misconceptions=(Misconception("seven turns for 44", "", "How far is 44 from 7 · 2π?", (44,)),),
)
