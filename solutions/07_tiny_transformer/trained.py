"""What this lesson's long trainings must come to, whatever the processor: margins round what the texts call "about"."""

from __future__ import annotations

import math
import re

import pytest


def check(text: str) -> None:
    """Hold what the notebook printed, and what its pictures' texts say, against these margins."""

    def printed(pattern: str) -> list[float]:
        found = re.search(pattern, text)
        assert found, f"nowhere: {pattern}"
        return [float(number) for number in found.groups()]

    shorter, fourgram, longer = printed(r"'3-gram': ([\d.]+), '4-gram': ([\d.]+), '5-gram': ([\d.]+)")
    assert fourgram < min(shorter, longer)
    (untrained,), (trained,) = printed(r"step +0 +loss ([\d.]+)"), printed(r"step 600 +loss ([\d.]+)")
    assert math.log(986) < untrained < 7.3
    assert trained == pytest.approx(1.9, abs=0.1)
    assert trained < fourgram - 0.1

    on_new, counted = printed(r"new sentences: your model ([\d.]+), the 4-gram ([\d.]+) nats")
    assert trained < on_new < counted - 0.2
    assert fourgram < counted

    (perplexity,) = printed(r"perplexity (\d+)")
    assert perplexity == pytest.approx(7, abs=1)

    (learned,) = printed(r"mean training loss of the last 50 steps is (\d+\.\d+)")
    assert learned == pytest.approx(trained, abs=0.15)

    names = ("untrained", "trained, temperature 1", "trained, temperature 0.5")
    right = {name: printed(rf"{name}: (\d+)% grammatical")[0] for name in names}
    assert right["untrained"] == 0
    assert 100 / 3 < right["trained, temperature 1"] < 50
    assert right["trained, temperature 0.5"] > 80
    warm, cold = (printed(rf"{name}: .*, (\d+)% of these new")[0] for name in names[1:])
    assert cold < warm - 10
    (twice,) = printed(r"(\d+) of the 1,000 held-out sentences")
    assert twice == pytest.approx(1000 / 3, abs=30)

    (masked,), (cheat,) = printed(r"with mask +loss ([\d.]+)"), printed(r"without mask +loss ([\d.]+)")
    assert masked == pytest.approx(trained, abs=0.05)
    assert cheat < masked / 10
    assert re.findall(r"without mask, temperature \S+: (\d+)%", text) == ["0"]

    one_layer, two_layers = (
        printed(rf"loss ([\d.]+) in the second round +with {layers}")[0] for layers in ("1 layer", "2 layers")
    )
    (in_play,) = printed(r"loss ([\d.]+) in the second round +a rule")
    assert one_layer == pytest.approx(in_play, abs=0.5)
    assert two_layers < 0.6
    (before,), (behind,) = (
        printed(rf"{what}, with ([\d.]+) of the weight") for what in ("previous letter", "followed last time")
    )
    assert before >= 0.5
    assert behind >= 0.3

    pre, post, bare = (
        printed(rf"{name} +loss ([\d.]+) after 100 steps")[0]
        for name in ("pre-norm", "post-norm", "no residual connections")
    )
    (frequencies,) = printed(r"frequencies alone +loss ([\d.]+)")
    assert post < pre + 0.2
    assert pre == pytest.approx(3.3, abs=0.2)
    assert bare == pytest.approx(frequencies, abs=0.2)
