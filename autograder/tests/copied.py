"""Answers of a class: one, a copy of it with other names, and those of others."""

from __future__ import annotations

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
