"""Code that is nearly the same, though few others wrote so."""

from __future__ import annotations

from autograder.class_report import similarity
from autograder.class_report.similarity import Comparison, compare

COMMON = "def double(numbers):\n    return [2 * number for number in numbers if number is not None]\n"
SPREAD = """
def spread(numbers):
    total, count, squares = 0.0, 0, 0.0
    while count < len(numbers):
        total += numbers[count]
        squares += numbers[count] * numbers[count]
        count = count + 1
    middle = total / max(count, 1)
    return max(0.0, squares / max(count, 1) - middle * middle) ** 0.5
"""
RENAMED = (
    SPREAD.replace("total", "t")
    .replace("squares", "sq")
    .replace("middle", "m")
    .replace("count = count + 1", "count = count + 1  # on")
)
OTHERS = [
    f"def spread(numbers):\n    import statistics\n    return statistics.pstdev(numbers){' + 0' * extra}\n"
    for extra in range(8)
]


def test_a_copy_with_other_names_is_found_and_nobody_else():
    texts = {f"student_{number}": COMMON + text for number, text in enumerate(OTHERS)}
    (group,) = compare({**texts, "amy": COMMON + SPREAD, "bo": COMMON + RENAMED}, {}).groups
    assert group.students == ("amy", "bo")
    assert group.share > 0.9


def test_what_most_of_a_class_writes_is_no_copy():
    assert compare({f"student_{number}": COMMON + SPREAD for number in range(12)}, {}).groups == []


def test_a_class_that_wrote_nothing_has_no_groups():
    assert compare({}, {}) == compare({"amy": "", "bo": ""}, {}) == Comparison([], [])


def test_whose_code_takes_too_much_is_left_out_and_said_to_be(monkeypatch):
    monkeypatch.setattr(similarity, "MAX_COMPARING_SECONDS", 1)
    slow, long = "\f\n" * 50_000, "x=1;" * similarity.MAX_COMPARED_CHARACTERS
    codes = {"slow": slow, "amy": COMMON + SPREAD, "long": long, "bo": COMMON + RENAMED, "cy": OTHERS[0]}
    stored = {"of a code that nobody has now": [1]}
    comparison = compare(codes, stored)
    assert [group.students for group in comparison.groups] == [("amy", "bo")]
    assert comparison.left_out == ["long", "slow"]
    monkeypatch.setattr(similarity, "fingerprints", None)  # those of the same code are not taken again
    del codes["slow"]
    assert compare(codes, stored).groups == comparison.groups
    assert len(stored) == 3
