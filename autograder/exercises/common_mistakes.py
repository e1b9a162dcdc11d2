"""Misconceptions that exercises on anything share, in words that fit any of them."""

from __future__ import annotations

from autograder.exercises.exercise import Misconception, WrongAnswer


def writes_into_its_input(
    *wrong: WrongAnswer,
    detail: str = "an argument is no longer what it was before the call",
    question: str = "Print the arguments before and after the call: which line of yours assigns into one of them?",
) -> Misconception:
    """An answer that changes what it was handed; `common.unchanged` gives it away."""
    return Misconception("writes into its input", detail, question, *wrong)


def overwrites_what_the_gradient_needs(
    *wrong: WrongAnswer,
    detail: str = "an operation in place changes numbers that backward() still has to read",
    question: str = "Which of your lines ends in an underscore and a call, or assigns into a tensor that was computed?",
) -> Misconception:
    """An answer that is right until it is differentiated: PyTorch says itself that it was written into."""
    return Misconception("overwrites what the gradient needs", detail, question, *wrong)


def nothing_returned(
    *wrong: WrongAnswer,
    detail: str = "the result is made, and lost when the function ends",
    question: str = "What could someone who calls your function do with the result?",
) -> Misconception:
    """An answer without a `return`."""
    return Misconception("nothing returned", detail, question, *wrong)
