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

    def course(name: str) -> list[float]:
        spans = "1–15", "16–31", "32–63", "64–127"
        return printed(rf"{name} +" + " +".join(f"{span}: {NUMBER}" for span in spans))

    old, new, rolled, miscounted = map(course, ("lesson 07", "today's", "words read", "words kept"))
    cropped, again = map(course, ("last 16 anew", "today's, anew"))
    assert old == pytest.approx([2.16, 3.61, 4.16, 4.36], abs=0.05)
    assert new == pytest.approx([2.17, 2.29, 3.25, 3.67], abs=0.05)
    assert abs(old[0] - new[0]) < 0.03
    assert rolled == pytest.approx([2.17, 1.86, 1.83, 1.76], abs=0.05)
    assert miscounted[0] == rolled[0]
    assert min(miscounted[1:]) > 3
    assert cropped[0] == old[0]
    assert 0.02 < sum(cropped[1:]) / 3 - sum(rolled[1:]) / 3 < 0.08
    assert again == pytest.approx(rolled, abs=0.015)
    of_16, of_256 = (printed(rf"ms a word: last {n} anew {NUMBER}, with a window {NUMBER}") for n in (16, 256))
    assert max(of_16) < 5 * min(of_16)
    assert of_256[0] > of_256[1]

    places = [printed(rf"query at +{q}, key at +{k}: turned +{NUMBER} +added +{NUMBER}")
              for q, k in ((5, 2), (15, 12), (1005, 1002))]
    assert len({turned for turned, _ in places}) == 1
    assert len({added for _, added in places}) == 3

    assert text.count("the same logits: True") == 3
    (faster,) = printed(rf"after 1,024 words {NUMBER} times as fast")
    assert faster > 5
    assert printed(rf"2,000 words: {NUMBER} KiB; rolled: {NUMBER} KiB") == [500, 3.75]

    (chance,) = printed(rf"chance is {NUMBER}")
    for window in (8, 12):
        inside, outside = printed(rf"window {window}: .*?{NUMBER} at {window}, {NUMBER} at {window + 1}")
        assert inside < 0.5
        assert outside > chance

    groups = [printed(rf"{g} groups: as PyTorch's: True; +{NUMBER} MiB; Llama 3\.1 8B: {NUMBER} GiB") for g in (32, 8)]
    assert groups[0][0] / groups[1][0] == pytest.approx(4, rel=0.02)
    assert [size for _, size in groups] == [62.5, 15.6]

    whole, streamed, ratio = printed(rf"the same: True; {NUMBER} MiB and {NUMBER}, {NUMBER} times less")
    assert whole / streamed == pytest.approx(ratio, rel=0.05)
    assert ratio > 8
    short, long = (printed(rf"{n} words: softmax +{NUMBER} ms")[0] for n in ("1,000", "4,000"))
    assert long > 6 * short
    (faster,) = printed(rf"4,000 words: softmax +\S+ ms, linear +\S+ ms, +{NUMBER} times as fast")
    assert faster > 2

    few, many = printed(rf"linear state: {NUMBER}% of 8, .* {NUMBER}% of 128")
    assert few > 75
    assert many < 10
    (half,) = printed(rf"linear state: .*? {NUMBER}% of 16,")
    assert 40 < half < 65
    (softmax,) = printed(rf"softmax: 100% of 8, .* {NUMBER}% of 128; linear")
    assert softmax > 90

    *p, own_first = printed(rf"p: {NUMBER}, {NUMBER}, {NUMBER}, {NUMBER}; your function: {NUMBER},")
    assert own_first == pytest.approx(p[0], abs=0.03)
    assert printed(rf"redrawn from p: {NUMBER},")[0] < p[0] - 0.05
    passes, faster = printed(rf"1,000 words in {NUMBER} passes instead of 1,000, {NUMBER} times as fast")
    assert passes < 650
    assert faster > 1

    assert "2,000 words: " in text
    first, second = printed(rf"first and second half: {NUMBER}% {NUMBER}%")
    assert first > 65
    assert second > max(65, first - 9)

    (told,) = re.findall("where they are not grammatical. Grammatical: (.*)", text)
    fallen, *others = ((int(right), int(of)) for right, of in re.findall(r"(\d+) of (\d+)", told))
    assert fallen[0] < 0.2 * fallen[1]
    assert len(others) == 2
    assert min(right / of for right, of in others) > 0.65
    assert min(of for _, of in others) > 150
