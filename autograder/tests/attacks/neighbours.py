"""What three honest students lose who are graded beside an attack: points, seconds, the machine's memory."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.tests.attacks import FULL, LESSON, Attack, all_attacks, in_gradebook
from autograder.tests.attacks.run import HONEST, LIMITS, Scene, hand_in
from autograder.tests.bench import meter
from autograder.tests.bench.meter import Reading
from autograder.tests.dask_cluster import cluster

NEIGHBOURS = HONEST[0], HONEST[2], HONEST[-1]
DEAR = (
    *("busy_", "damage_forks", "damage_loop_in_answer", "damage_many_entries", "damage_wire_reply"),
    *("gain_forged_endless", "gain_forged_huge", "leak_stand_in"),
)
"""How the names of attacks begin that are tried so: those that cost the grader most."""

MORE_SECONDS, TREE_MB = 30, 1500


@dataclass(frozen=True)
class Cost:
    """What grading an attack's neighbours took beside what they take alone, and whether they have all points."""

    attack: Attack
    way: str
    more_seconds: float
    peak_mb: float
    unharmed: bool

    @property
    def problems(self) -> list[str]:
        """What is too much, in words."""
        found = [] if self.unharmed else ["an honest student lost points"]
        found += [f"{self.more_seconds:.0f} s more"] if self.more_seconds > MORE_SECONDS else []
        return found + ([f"{self.peak_mb:.0f} MB"] if self.peak_mb > TREE_MB else [])


def measured(course: Path, release: Path, only: str = "") -> list[Cost]:
    """The costs of the dear attacks, each in every way of grading. `course`: released, nothing handed in."""
    attacks = [attack for attack in all_attacks() if attack.name.startswith(DEAR) and only in attack.name]
    costs = []
    for way, options in _ways(course):
        # The first time, Dask's workers start what they need.
        alone = min(_graded(course, release, NEIGHBOURS, options)[0].seconds for _ in range(2))
        for attack in attacks:
            taken, unharmed = _graded(course, release, (*NEIGHBOURS, attack), options)
            costs.append(Cost(attack, way, taken.seconds - alone, taken.peak_mb, unharmed))
    return costs


def _ways(course: Path) -> Iterator[tuple[str, Sequence[str]]]:
    for jobs in ("1", "2"):
        yield f"--jobs {jobs}", ("--jobs", jobs)
    with cluster(course) as (address, _):
        yield "Dask", ("--scheduler", address)


def _graded(
    course: Path, release: Path, attacks: Sequence[Attack], options: Sequence[str]
) -> tuple[Reading, bool]:
    for folder in ("submitted", "autograded"):
        shutil.rmtree(course / folder, ignore_errors=True)
    scene = Scene(course, course, course / "secret.txt", "", 9)
    for attack in attacks:
        hand_in(attack, release.read_text(), scene)
    settings = [f"--setting={limit.removeprefix('--')}" for limit in LIMITS]
    command = ["attention-course", "grade", LESSON, "--folder", str(course), "--quiet", *settings, *options]
    taken = meter.measure(command, course, patience=1)
    points = in_gradebook(course)
    return taken, all(points[one.name] == sum(FULL.values()) for one in NEIGHBOURS)


def table(costs: Sequence[Cost]) -> list[str]:
    """The costs as rows of a page, an attack a row."""
    ways = list(dict.fromkeys(cost.way for cost in costs))
    lines = [
        f"| beside | {' | '.join(f'{way}: s more' for way in ways)} | MB at most | honest students |",
        f"| --- | {' | '.join('--:' for _ in ways)} | --: | --- |",
    ]
    for name in dict.fromkeys(cost.attack.name for cost in costs):
        own = [cost for cost in costs if cost.attack.name == name]
        seconds = " | ".join(f"{cost.more_seconds:.1f}" for cost in own)
        unharmed = "all points" if all(cost.unharmed for cost in own) else "harmed"
        lines.append(f"| `{name}` | {seconds} | {max(cost.peak_mb for cost in own):.0f} | {unharmed} |")
    return lines
