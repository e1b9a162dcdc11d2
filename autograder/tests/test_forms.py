"""A listed mistake keeps its name when it is written with a branch more, another fill, a helper or a loop."""

from __future__ import annotations

import pytest

from autograder.tests import forms


@pytest.mark.parametrize(
    ("lesson", "exercise"),
    [("02_toy_tensors", "simple_attention"), ("06_masks_and_heads", "additive_mask")],
)
def test_other_forms_of_a_mistake_keep_its_name(lesson: str, exercise: str) -> None:
    told = [(form.style, name in form.true) for _, form, name in forms.tried(lesson, exercise)]
    assert len(told) > 10
    lost = [style for style, named in told if not named]
    assert len(lost) <= 0.02 * len(told), lost
