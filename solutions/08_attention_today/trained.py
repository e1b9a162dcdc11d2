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
        return printed(rf"(?m:^){name} +" + " +".join(f"{span}: {NUMBER}" for span in spans))

    # 1. The problem
    whole = printed(rf"lesson 07 {NUMBER} before and {NUMBER} long after")
    cropped = printed(rf"last 16 words {NUMBER} before and {NUMBER} long after")
    assert whole == pytest.approx([2.2, 4.4], abs=0.1)
    assert cropped[0] == whole[0]
    assert cropped[1] < cropped[0]

    # 2. Rotary positions
    scores = re.findall(rf"query at +\d+, key at +\d+: score +{NUMBER}", text)
    assert len(set(scores[:3])) == 3
    assert scores[3:] == [scores[3]] * 3
    old, new = course("lesson 07"), course("today's")
    assert old == pytest.approx([2.16, 3.61, 4.16, 4.36], abs=0.05)
    assert new == pytest.approx([2.17, 2.29, 3.25, 3.67], abs=0.05)
    assert abs(old[0] - new[0]) < 0.03

    # 3. The cache
    assert "the same logits: True" in text
    (few,), (many, _, faster) = (
        printed(rf"after +16 words: +{NUMBER} ms"),
        printed(rf"after 1,024 words: +{NUMBER} ms if all are read anew, +{NUMBER} ms with a cache: +{NUMBER} times"),
    )
    assert many > 8 * few
    assert faster > 5

    # 4. The window
    rolled, miscounted = course("words read"), course(r"words kept \(the bug\)")
    assert rolled == pytest.approx([2.17, 1.86, 1.83, 1.76], abs=0.05)
    assert miscounted[0] == rolled[0]
    assert min(miscounted[1:]) > 3
    assert printed(rf"kept after 2,000 words: {NUMBER} KiB; with a window {NUMBER} KiB") == [500, 3.75]

    def found(name: str, rounds: tuple[int, ...] = (15, 30, 45, 60)) -> list[float]:
        shown = ",  ".join(rf" *{NUMBER}% of {signs}" for signs in rounds)
        return printed(rf"(?m:^){name} +found: {shown}")

    inside, at, outside, _ = found("window of 16", (15, 16, 17, 18))
    assert min(inside, at) > 97
    assert outside < 4
    assert min(found("no window", (15, 16, 17, 18))) > 97

    # 5. Scaled frequencies
    plain, scaled = found("as trained"), found("scaled by you")
    assert plain == pytest.approx([100, 55, 26, 25], abs=8)
    assert scaled == pytest.approx([100, 77, 58, 45], abs=8)
    assert scaled[2] > 2 * plain[2]
    assert "as trained: 6 of 8 pairs turn further than in training" in text
    by_way = rf" +loss at 64–127: {NUMBER}, at 256–511: {NUMBER}"
    plain, near, scaled = (printed(rf"(?m:^){name}{by_way}") for name in ("as trained", "window", "scaled"))
    assert plain[0] < scaled[0] < plain[0] + 0.1
    assert near[1] < scaled[1] < near[1] + 0.15
    assert scaled[1] < plain[1] - 0.5

    # Go further
    assert re.findall(r"head (\d): distance (\d+): \S+, distance (\d+)", text) in (
        [("0", *a), ("1", "0", "19"), ("2", *b), ("3", *c)] for a in TWINS for b in TWINS for c in TWINS
    )
    assert max(found("window in block 1, as trained")[2:]) < 60
    assert min(found("window in block 1, scaled by you")) > 90
    first, evenly = printed(rf"highest of eight heads: {NUMBER}; shared evenly: {NUMBER}")
    assert first <= evenly + 0.01
    divided, larger, yours = (
        printed(rf"(?m:^){name}{by_way}") + found(name, (15, 45))
        for name in ("position interpolation", "NTK, a larger base", "yours, factor 4")
    )
    assert yours[0] - 0.1 < plain[0] < yours[0] < divided[0] - 0.2
    assert yours[1] < larger[1] < plain[1]
    assert max(divided[2:]) < 20
    assert 0 <= yours[3] - larger[3] < 10


TWINS = ("1", "20"), ("20", "1")
