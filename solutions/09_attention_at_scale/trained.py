"""What this lesson's measurements must come to, whatever the processor: margins round what the texts say."""

from __future__ import annotations

import re

import pytest

NUMBER = r"(-?[\d.,]+)"


def check(text: str) -> None:
    """Hold what the notebook printed, and what its pictures' texts say, against these margins."""

    def printed(pattern: str) -> list[float]:
        found = re.search(pattern, text)
        assert found, f"nowhere: {pattern}"
        return [float(number.replace(",", "").rstrip(".")) for number in found.groups()]

    (product,) = printed(rf"W @ v takes {NUMBER} times as long")
    assert product < 2
    assert printed(rf"same number of products: {NUMBER} times as fast")[0] > 1
    assert printed(rf"instead of one by one: {NUMBER} times as fast")[0] > 1.5

    sizes = [printed(rf"kept heads of keys and values: +{g}, cache: +{NUMBER} GiB")[0] for g in (32, 8, 1)]
    assert sizes == [62.5, 15.6, 2.0]
    assert "as PyTorch's own function: True" in text
    versions = [
        printed(
            rf"kept heads: {g} of 4, cache after 2,000 words +{NUMBER} KiB, "
            rf"loss {NUMBER} nats a word at once, {NUMBER} after"
        )
        for g in (4, 2, 1)
    ]
    assert [kibibytes for kibibytes, *_ in versions] == [2000, 1000, 500]
    four, two, one = (losses for _, *losses in versions)
    assert [four[0], two[0], one[0]] == pytest.approx([1.90, 2.52, 3.16], abs=0.06)
    assert [four[1], two[1], one[1]] == pytest.approx([1.94, 2.04, 2.23], abs=0.08)
    assert four[1] < two[1] < one[1]

    made, own_function = (
        printed(rf"{name} *: +{NUMBER} MiB, +{NUMBER} ms") for name in ("keys and values made first", "your function")
    )
    assert made[0] > 6 * own_function[0]
    assert made[1] > 2 * own_function[1]
    half, quarter, eighth, sixteenth = (
        printed(rf"1/{part} of the cache: {NUMBER} nats")[0] for part in (2, 4, 8, 16)
    )
    assert half == pytest.approx(four[0], abs=0.015)
    assert [quarter, eighth, sixteenth] == pytest.approx([1.93, 2.13, 2.60], abs=0.06)

    assert text.count("the same numbers: True") == 3
    for words, less in (("512", 4), ("1,024", 8), ("2,048", 15)):
        table, streamed, ratio = printed(
            rf"{words} words: +{NUMBER} MiB with the table, +{NUMBER} MiB without, +{NUMBER} times less"
        )
        assert table / streamed == pytest.approx(ratio, rel=0.1)
        assert ratio > less

    assert "2 parts as 1: True" in text
    assert "gives the same: True" in text

    short, long = (printed(rf"{n} words: softmax +{NUMBER} ms")[0] for n in ("1,000", "4,000"))
    assert long > 6 * short
    softmax, linear = printed(rf"4,000 words: softmax +{NUMBER} ms, linear +{NUMBER} ms")
    assert softmax > 2 * linear
    few, half_found, many = printed(rf"linear state: {NUMBER}% of 8, {NUMBER}% of 16, .* {NUMBER}% of 128")
    assert few > 75
    assert 40 < half_found < 70
    assert many < 10
    assert printed(rf"softmax: 100% of 8, .* {NUMBER}% of 128; linear")[0] > 90

    found = {
        name: printed(rf"{name} +4 keys, 8 values each: +{NUMBER}% found +16 keys, 1 value each: +{NUMBER}% found")
        for name in ("softmax", "plain sum", "fading sum", "delta rule")
    }
    assert found["softmax"][0] < 20
    assert found["plain sum"][0] < 20
    assert found["delta rule"][0] > 95
    assert 55 < found["fading sum"][0] < 90
    assert found["softmax"][1] == 100
    assert found["plain sum"][1] > found["delta rule"][1] + 5

    one_token, three = printed(rf"a pass over 1, 3 and 16 tokens: {NUMBER}, {NUMBER},")
    assert three < 2 * one_token
    assert printed(rf"your function: \[{NUMBER} ") == pytest.approx([0.5], abs=0.03)

    passes = [printed(rf"\b{n} guesses: {NUMBER} passes")[0] for n in range(5)]
    assert passes[0] == 400
    assert 170 < passes[2] < 250
    assert passes[1] > passes[2] > passes[3] * 0.97
    assert printed(rf"with 2 guesses {NUMBER} times as fast as without")[0] > 1.2
    nats = [printed(rf"{n} guesses, checked by you: {NUMBER} nats")[0] for n in range(5)]
    assert nats == pytest.approx([3.0] * 5, abs=0.4)
    assert printed(rf"2 guesses, not checked: +{NUMBER} nats")[0] > max(nats) + 0.8
    assert len(re.findall(r"(?m)^\d  A  .+\n   B  ", text)) == 5
    for n in range(1, 5):
        measured, computed = printed(rf"{n} guesses: {NUMBER} words a pass measured, {NUMBER} computed")
        assert measured == pytest.approx(computed, rel=0.2)
