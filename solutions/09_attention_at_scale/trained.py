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
    assert printed(rf"instead of one by one: {NUMBER} times as fast")[0] > 1.5
    assert printed(rf"instead of W @ v: {NUMBER} times as fast")[0] > 1.1

    sizes = [printed(rf"kept heads of keys and values: +{g}, cache: +{NUMBER} GiB")[0] for g in (32, 8, 1)]
    assert sizes == [62.5, 15.6, 2.0]
    assert "as PyTorch's own function: True" in text
    versions = [
        printed(rf"kept heads: {g} of 4, cache after 2,000 words +{NUMBER} KiB, loss {NUMBER} nats") for g in (4, 2, 1)
    ]
    assert [kibibytes for kibibytes, _ in versions] == [2000, 1000, 500]
    four, two, one = (loss for _, loss in versions)
    assert [four, two, one] == pytest.approx([1.94, 2.04, 2.23], abs=0.08)
    assert four < two < one
    assert [two - four, one - four] == pytest.approx([0.1, 0.3], abs=0.06)

    made, own_function = (
        printed(rf"{name} *: +{NUMBER} MiB, +{NUMBER} ms") for name in ("keys and values made first", "your function")
    )
    assert made[0] > 6 * own_function[0]
    assert made[1] > 2 * own_function[1]
    assert re.search(r"your function +: .*\nthe same numbers: True", text)
    half, quarter, eighth, sixteenth = (
        printed(rf"1/{part} of the cache: {NUMBER} nats")[0] for part in (2, 4, 8, 16)
    )
    assert half == pytest.approx(1.90, abs=0.03)
    assert half == pytest.approx(printed(rf"all 128 numbers: {NUMBER} nats")[0], abs=0.015)
    assert [quarter, eighth, sixteenth] == pytest.approx([1.93, 2.13, 2.60], abs=0.06)

    assert text.count("times less, the same numbers: True") == 3
    for words, less in (("512", 4), ("1,024", 8), ("2,048", 15)):
        table, streamed, ratio = printed(
            rf"{words} words: +{NUMBER} MiB with the table, +{NUMBER} MiB without, +{NUMBER} times less"
        )
        assert table / streamed == pytest.approx(ratio, rel=0.1)
        assert ratio > less
        assert table * 2**20 == pytest.approx(3 * 8 * int(words.replace(",", "")) ** 2, rel=0.03)

    at_once, whole = printed(rf"all keys at once: +{NUMBER} MiB of keys and values, +{NUMBER} ms")
    of_part, longest, merging = printed(
        rf"each of 4 parts: +{NUMBER} MiB of keys and values, +{NUMBER} ms at most, and {NUMBER} ms"
    )
    assert at_once == pytest.approx(4 * of_part, rel=0.02)
    assert longest < whole / 2
    assert merging < whole / 10
    assert "to merge them, the same numbers: True" in text
    assert "the writer's page from two parts is the same: True" in text

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
        for name in ("softmax", "plain sum", "delta rule")
    }
    assert found["softmax"][0] < 20
    assert found["plain sum"][0] < 20
    assert found["delta rule"][0] > 95
    assert found["softmax"][1] == 100
    assert found["plain sum"][1] > found["delta rule"][1] + 5

    one_token, three = printed(rf"a pass over 1, 3 and 16 tokens: {NUMBER}, {NUMBER},")
    assert three < 2 * one_token
    for word in ("think", "mean"):
        guessed, alone, out = printed(rf"{word}: {NUMBER}% guessed, {NUMBER}% alone, {NUMBER}% come out")
        assert guessed < 4 < 15 < alone
        assert out == pytest.approx(alone, abs=2)

    passes = [printed(rf"\b{n} guesses: {NUMBER} passes")[0] for n in range(5)]
    assert passes[0] == 400
    assert 170 < passes[2] < 250
    assert passes[1] > passes[2] > passes[3] * 0.97
    with_guesses, without, faster = printed(
        rf"{NUMBER} passes with 2 guesses instead of {NUMBER}, {NUMBER} times as fast"
    )
    assert [with_guesses, without] == [passes[2], 400]
    assert faster > 1.2
    assert len(re.findall(r"(?m)^\d  A  .+\n(?: {6}.+\n)*   B  ", text)) == 3
    one_head, all_heads = printed(rf"cache of 2,048 tokens: +{NUMBER} KiB instead of +{NUMBER}, the same page: True")
    assert [one_head, all_heads] == [1536, 6144]
    blocks, table = printed(rf"memory to read them: +{NUMBER} KiB instead of +{NUMBER}, the same page: True")
    assert table > 3 * blocks
    for n in range(1, 5):
        measured, computed = printed(rf"{n} guesses: {NUMBER} words a pass measured, {NUMBER} computed")
        assert measured == pytest.approx(computed, rel=0.2)
