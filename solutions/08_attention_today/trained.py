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

    # 1. The problem
    old, cropped = map(course, ("lesson 07", "last 16 anew"))
    assert old == pytest.approx([2.16, 3.61, 4.16, 4.36], abs=0.05)
    assert cropped[0] == old[0]
    assert max(cropped[1:]) < cropped[0]
    few, *_, many = printed(", ".join(rf"{n}: {NUMBER}" for n in (16, 64, 256, 1024)))
    assert many > 8 * few

    # 2. Rotary positions
    added = printed(r"\s+".join(rf"query at +{q}, key at +{k}: score with added rows +{NUMBER}" for q, k in PLACES))
    turned = printed(r"\s+".join(rf"query at +{q}, key at +{k}: score of turned vectors +{NUMBER}" for q, k in PLACES))
    assert len(set(turned)) == 1
    assert len(set(added)) == 3
    new = course("today's")
    assert new == pytest.approx([2.17, 2.29, 3.25, 3.67], abs=0.05)
    assert abs(old[0] - new[0]) < 0.03

    # 3. The cache
    assert text.count("the same logits: True") == 3
    (faster,) = printed(rf"after 1,024 words {NUMBER} times as fast")
    assert faster > 5

    # 4. The window
    rolled, miscounted = map(course, ("words read", "words kept"))
    assert rolled == pytest.approx([2.17, 1.86, 1.83, 1.76], abs=0.05)
    assert miscounted[0] == rolled[0]
    assert min(miscounted[1:]) > 3
    assert 0.02 < sum(cropped[1:]) / 3 - sum(rolled[1:]) / 3 < 0.08
    assert printed(rf"kept after 2,000 words: {NUMBER} KiB; with a window {NUMBER} KiB") == [500, 3.75]
    assert "1,000 words: " in text
    (told,) = re.findall("where they are not grammatical. Grammatical: (.*)", text)
    fallen, written = ((int(right), int(of)) for right, of in re.findall(r"(\d+) of (\d+)", told))
    assert fallen[0] < 0.2 * fallen[1]
    assert 0.72 < written[0] / written[1] < 0.9
    for window in (12, 16):
        inside, outside = printed(rf"window of {window}: .*?{NUMBER}% at {window}, {NUMBER}% at {window + 1},")
        assert inside > 97
        assert outside < 4
    first, evenly = printed(rf"highest of eight heads: {NUMBER}; shared evenly: {NUMBER}")
    assert first <= evenly + 0.01

    # 5. Scaled frequencies
    shares = [printed(rf"rounds of {signs} signs: +{NUMBER}% found")[0] for signs in (15, 30, 45, 90)]
    assert shares[0] > 97
    assert 40 < shares[1] < 70
    assert 18 < shares[2] < 33
    assert shares[3] < 15
    assert "as trained: 6 of 8 pairs turn further than in training; scaled by you: 0 of 8 pairs" in text
    names = "as trained", "position interpolation", "NTK, a larger base", "yours, factor 4"
    found = ", +".join(rf"{NUMBER}% of {signs}" for signs in (15, 45, 90))
    shown = rf" +loss at 64–127, 256–511: {NUMBER}, {NUMBER}; +found: +{found}"
    plain, divided, larger, yours = (printed(name + shown) for name in names)
    assert yours[3] > max(2 * plain[3], 50)
    assert 24 < yours[4] < 40
    assert yours[0] - 0.1 < plain[0] < yours[0] < divided[0] - 0.2
    assert yours[1] < larger[1] < plain[1]
    assert yours[1] < plain[1] - 0.2
    assert max(divided[2:]) < 20
    assert 0 <= yours[3] - larger[3] < 10
    by_way = rf" +loss at 256–511: {NUMBER}; +found: +{NUMBER}% of 45, +{NUMBER}% of 90"
    near, scaled = (printed(rf"(?m:^){name}{by_way}") for name in ("window", "scaled"))
    assert 0 < scaled[0] - near[0] < 0.15
    assert near[1:] == [0, 0]
    assert scaled[1:] == yours[3:]


PLACES = (5, 2), (15, 12), (1005, 1002)
