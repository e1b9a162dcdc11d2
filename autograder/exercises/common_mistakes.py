"""Misconceptions that any exercise may have, in words that fit all of them."""

from __future__ import annotations

from autograder.exercises.exercise import Misconception, WrongAnswer


def writes_into_its_input(
    *wrong: WrongAnswer,
    detail: str = "an argument is no longer what it was before the call",
    question: str = "Print the arguments before and after the call: which line of yours assigns into one of them?",
) -> Misconception:
    """Return the misconception of an answer that changes its arguments; `common.unchanged` sees it."""
    return Misconception("writes into its input", detail, question, *wrong)


def overwrites_what_the_gradient_needs(
    *wrong: WrongAnswer,
    detail: str = "an operation in place changes numbers that backward() still has to read",
    question: str = "Which of your lines ends in an underscore and a call, or assigns into a tensor that was computed?",
) -> Misconception:
    """Return the misconception of an answer that is right until it is differentiated: PyTorch itself sees it."""
    return Misconception("overwrites what the gradient needs", detail, question, *wrong)


def nothing_returned(
    *wrong: WrongAnswer,
    detail: str = "the result is made, and lost when the function ends",
    question: str = "What could someone who calls your function do with the result?",
) -> Misconception:
    """Return the misconception of an answer without a `return`."""
    return Misconception("nothing returned", detail, question, *wrong)
