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
        return printed(rf"(?m:^){name} +1–127: {NUMBER} +128–255: {NUMBER}")

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
    old, new = course("rows added"), course("your rotate")
    assert old == pytest.approx([3.22, 4.88], abs=0.05)
    assert new == pytest.approx([3.11, 3.64], abs=0.05)

    # 3. The cache
    assert "the same logits with and without a cache: True" in text
    (few,), (many, _, faster) = (
        printed(rf"after +16 tokens: read anew +{NUMBER} ms"),
        printed(
            rf"after 1,024 tokens: read anew +{NUMBER} ms, with a cache of +768 KiB +{NUMBER} ms: +{NUMBER} times"
        ),
    )
    assert many > 8 * few
    assert faster > 5

    # 4. The window
    whole, rolled, miscounted = course("no window"), course("window of 128"), course("window, with the bug")
    assert whole == pytest.approx([3.11, 3.68], abs=0.05)
    assert rolled == pytest.approx([3.11, 3.03], abs=0.05)
    assert miscounted[1] > 4
    assert printed(rf"cache after 2,000 tokens: {NUMBER} KiB without a window, {NUMBER} KiB with it") == [1500, 95]

    def found(name: str) -> list[float]:
        shown = ",  ".join(rf"{signs}: +{NUMBER}%" for signs in (15, 16, 17, 30, 45, 60))
        return printed(rf"(?m:^){name} +found in rounds of {shown}")

    inside, at, *outside = found("window of 16")
    assert min(inside, at) > 97
    assert max(outside) < 4

    # 5. Scaled frequencies
    plain, scaled = found("no window"), found("scaled by you")
    assert plain == pytest.approx([100, 100, 100, 55, 26, 25], abs=8)
    assert scaled == pytest.approx([100, 100, 100, 77, 58, 45], abs=8)
    assert scaled[4] > 2 * plain[4]
    assert "as trained: 6 of 8 pairs come to new angles; scaled: 0 of 8 pairs come to new angles" in text

    # 6. Both together
    by_way = rf" {NUMBER} at 64–127 and {NUMBER} from 256 on"
    plain, near, scaled, both = (
        printed(rf"{name}{by_way}") for name in ("as trained", "window", "scaled", "both")
    )
    assert [course("as trained")[0], course("scaled")[0]] == pytest.approx([3.11, 3.15], abs=0.02)
    assert near[1] < both[1] < near[1] + 0.05
    assert both[1] < scaled[1] < plain[1] - 0.5
    shown = ", ".join(rf"{NUMBER}% at {signs}" for signs in (15, 16, 17, 20, 30, 45, 60))
    assert min(printed(rf"both {shown}")) > 94
    assert max(printed(rf"window {shown}")[2:]) < 4
    assert found("16 in block 1")[4] == pytest.approx(52, abs=8)

    # Go further
    assert re.findall(r"head (\d): distance (\d+): \S+, distance (\d+)", text) in (
        [("0", *a), ("1", "0", "19"), ("2", *b), ("3", *c)] for a in TWINS for b in TWINS for c in TWINS
    )


TWINS = ("1", "20"), ("20", "1")
