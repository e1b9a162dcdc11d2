"""The page that students open first: its picture is what it says it is."""

from __future__ import annotations

import importlib
import re

import numpy as np
import torch

from autograder.judging import reference
from autograder.tests.this_course import COURSE, find_lesson

looks = importlib.import_module("attention.looks")


def test_the_weights_of_the_picture_are_what_the_lessons_own_code_makes_of_its_scores(monkeypatch) -> None:
    texts = []
    monkeypatch.setattr(looks.figures, "show", lambda figure, alt: texts.append(alt))
    looks.who_he_looks_at()
    lesson_1, lesson_6 = (
        reference.namespace(find_lesson(name)) for name in ("01_weighted_sums", "06_masks_and_heads")
    )
    weights = lesson_6["masked_weights"](torch.tensor(looks.SCORES)).numpy()
    np.testing.assert_allclose(lesson_1["softmax"](looks.SCORES), weights, atol=1e-6)
    order = np.argsort(-weights, kind="stable")
    shares = ", ".join(f"{looks.WORDS[i]} {weights[i]:.2f}" for i in order)
    assert texts == [
        "Whom does he look at? (weights of made-up scores). Arrows from he to the words it weighs, "
        f"thick where the weight is large: {shares}."
    ]
    assert looks.WORDS[order[0]] == "Ming"
    assert weights.max() > 0.5


def test_each_lesson_has_one_title() -> None:
    page = (COURSE.solutions / "start_here.py").read_text(encoding="utf-8")
    assert re.findall(r"^# \| \[\d+ · (.+?)\]", page, re.MULTILINE) == [one.title for one in COURSE.lessons]
