"""How `find_the_lines` is judged: six slips as they happened in public projects."""

from autograder.exercises import Criterion, Exercise, Misconception

from .shown import guesses

RIGHT = (3, 3, 1, 2, 2, 4)


def blamed(which: int, *lines: int) -> tuple[tuple[int, ...], ...]:
    """The right lines, but for one project another one."""
    return tuple((*RIGHT[:which], line, *RIGHT[which + 1 :]) for line in lines)


EXERCISE = Exercise(
    graded=False,
    criteria=(
        Criterion("pytorch: one new word sees the first key alone", guesses.line_pytorch),
        Criterion("gemma: kept keys are turned again", guesses.line_gemma),
        Criterion("VeloxQuant: positions counted by what is kept", guesses.line_veloxquant),
        Criterion("onnx: groups dealt out in turn", guesses.line_onnx),
        Criterion("mlx-lm: refused guesses stay in the cache", guesses.line_mlx),
        Criterion("ng-video-lecture: scaled by the model's width", guesses.line_lecture),
    ),
    misconceptions=(
        Misconception(
            "pytorch: another line blamed",
            "the new keys belong behind the old ones, and the rest is attention",
            "One word asks, ten are there. Print the mask: which keys may it see?",
            *blamed(0, 1, 2, 4),
        ),
        Misconception(
            "gemma: another line blamed",
            "each key has to be turned once, when it comes",
            "How often has the oldest key been turned after five words?",
            *blamed(1, 1, 2, 4),
        ),
        Misconception(
            "VeloxQuant: another line blamed",
            "the window may roll: it is the number read off it that misleads",
            "After 100 words and with a window of 15, which position does the next word get?",
            *blamed(2, 2, 3, 4),
        ),
        Misconception(
            "onnx: another line blamed",
            "that line is right for any order of the heads",
            "Four query heads, two groups: which group's keys does query head 1 meet?",
            *blamed(3, 1, 3, 4),
        ),
        Misconception(
            "mlx-lm: another line blamed",
            "that line would be right if only the words that stay were kept",
            "Two guesses were refused: whose keys does the next word see?",
            *blamed(4, 1, 3, 4),
        ),
        Misconception(
            "ng-video-lecture: another line blamed",
            "that line does not touch the size of the scores",
            "How long is one row of q, and what is divided by?",
            *blamed(5, 1, 2, 3),
        ),
    ),
)
