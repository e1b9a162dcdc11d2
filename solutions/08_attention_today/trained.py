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

    # 2. Rotary positions
    added = printed(
        r"\s+".join(rf"query at +{q}, key at +{k}: score with added rows +{NUMBER}" for q, k in PLACES)
    )
    turned = printed(
        r"\s+".join(rf"query at +{q}, key at +{k}: score of turned vectors +{NUMBER}" for q, k in PLACES)
    )
    assert len(set(turned)) == 1
    assert len(set(added)) == 3
    new = course("today's")
    assert new == pytest.approx([2.17, 2.29, 3.25, 3.67], abs=0.05)
    assert abs(old[0] - new[0]) < 0.03

    # 3. The cache
    few, *_, many = printed(", ".join(rf"{n}: {NUMBER}" for n in (16, 64, 256, 1024)))
    assert many > 8 * few
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
    whole_ms, window_ms = printed(rf"the next word: {NUMBER} ms; with a window {NUMBER} ms")
    assert window_ms < 1.5 * whole_ms
    for window in (12, 16):
        inside, outside = printed(
            rf"window of {window}: .*?{NUMBER}% at {window}, {NUMBER}% at {window + 1},"
        )
        assert inside > 97
        assert outside < 4

    # 5. Scaled frequencies
    def found(name: str) -> list[float]:
        shown = ",  ".join(rf" *{NUMBER}% of {signs}" for signs in (15, 30, 45, 60))
        return printed(rf"(?m:^){name} +found: {shown}")

    plain, scaled = found("as trained"), found("scaled by you")
    assert plain == pytest.approx([100, 55, 26, 25], abs=8)
    assert scaled == pytest.approx([100, 77, 58, 45], abs=8)
    assert "as trained: 6 of 8 pairs turn further than in training; scaled by you: 0 of 8 pairs" in text
    assert re.findall(r"head (\d): distance (\d+): \S+, distance (\d+)", text) in (
        [("0", *a), ("1", "0", "19"), ("2", *b), ("3", *c)] for a in TWINS for b in TWINS for c in TWINS
    )
    assert max(found("window in layer 1, as trained")[2:]) < 60
    assert min(found("window in layer 1, scaled by you")) > 90
    by_way = rf" +loss at 64–127: {NUMBER}, at 256–511: {NUMBER}"
    plain, near, scaled = (printed(rf"(?m:^){name}{by_way}") for name in ("as trained", "window", "scaled"))
    assert plain[0] < scaled[0] < plain[0] + 0.1
    assert near[1] < scaled[1] < near[1] + 0.15
    assert scaled[1] < plain[1] - 0.5

    # Go further
    first, evenly = printed(rf"highest of eight heads: {NUMBER}; shared evenly: {NUMBER}")
    assert first <= evenly + 0.01
    names = "as trained", "position interpolation", "NTK, a larger base", "yours, factor 4"
    shares = ", +".join(rf"{NUMBER}% of {signs}" for signs in (15, 45))
    shown = rf" +loss at 64–127, 256–511: {NUMBER}, {NUMBER}; +found: +{shares}"
    plain, divided, larger, yours = (printed(name + shown) for name in names)
    assert yours[0] - 0.1 < plain[0] < yours[0] < divided[0] - 0.2
    assert yours[1] < larger[1] < plain[1]
    assert max(divided[2:]) < 20
    assert 0 <= yours[3] - larger[3] < 10


TWINS = ("1", "20"), ("20", "1")
PLACES = (5, 2), (15, 12), (1005, 1002)
