"""What three honest students lose who are graded beside an attack: points, seconds, the machine's memory."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import hand_in_times
from autograder.sandbox import memory_watchdog
from autograder.tests.attacks import (
    EXCHANGE,
    FULL,
    LESSON,
    ZIP,
    Attack,
    all_attacks,
    entry_points,
    in_gradebook,
)
from autograder.tests.attacks.run import HONEST, LIMITS, Scene, hand_in
from autograder.tests.bench import meter
from autograder.tests.bench.meter import Reading
from autograder.tests.dask_cluster import cluster

NEIGHBOURS = HONEST[0], HONEST[2], HONEST[-1]
DEAR = (
    *(
        "busy_code_magics",
        "busy_code_percent",
        "damage_page_tables",
        "damage_sockets",
        "damage_swarm",
        "damage_together",
        "damage_100_mb",
    ),
    *("damage_loop_in_answer", "damage_many_entries"),
)
"""How the names of attacks begin that are tried so, each alone: those that cost the grader most."""

TOGETHER = EXCHANGE, ZIP
"""The ways by which attacks come that are tried so all together."""

MORE_SECONDS, SANDBOX_MB = 30, 1500
EVERY = 0.1
"""Seconds between two looks at the memory."""


@dataclass(frozen=True)
class Cost:
    """What grading neighbours of attacks took beside what they take alone, and whether they have all points.

    peak_mb: of all processes together; sandbox_mb: of one sandbox.
    """

    name: str
    way: str
    more_seconds: float
    peak_mb: float
    sandbox_mb: float
    unharmed: bool

    @property
    def problems(self) -> list[str]:
        """What is too much, in words."""
        found = [] if self.unharmed else ["an honest student lost points"]
        found += [f"{self.more_seconds:.0f} s more"] if self.more_seconds > MORE_SECONDS else []
        return found + ([f"a sandbox of {self.sandbox_mb:.0f} MB"] if self.sandbox_mb > SANDBOX_MB else [])


def measured(course: Path, release: Path, only: str = "") -> list[Cost]:
    """The costs of the dear attacks, each in every way of grading. `course`: released, nothing handed in."""
    attacks = [attack for attack in all_attacks() if only in attack.name]
    groups = {attack.name: [attack] for attack in attacks if attack.name.startswith(DEAR)}
    groups |= {f"all by {way}": [attack for attack in attacks if attack.way == way] for way in TOGETHER}
    costs = []
    for way, options in _ways(course):
        # The first time, Dask's workers start what they need.
        alone = min(_graded(course, release, NEIGHBOURS, options)[0].seconds for _ in range(2))
        for name, group in groups.items():
            if group:
                taken, sandbox_mb, unharmed = _graded(course, release, (*NEIGHBOURS, *group), options)
                costs.append(Cost(name, way, taken.seconds - alone, taken.peak_mb, sandbox_mb, unharmed))
    return costs


def _ways(course: Path) -> Iterator[tuple[str, Sequence[str]]]:
    for jobs in ("1", "2"):
        yield f"--jobs {jobs}", ("--jobs", jobs)
    with cluster(course) as (address, _):
        yield "Dask", ("--scheduler", address)


def _graded(
    course: Path, release: Path, attacks: Sequence[Attack], options: Sequence[str]
) -> tuple[Reading, float, bool]:
    for folder in (
        "submitted",
        "autograded",
        *(sent.partition("/")[0] for sent in entry_points.SENT.values()),
    ):
        shutil.rmtree(course / folder, ignore_errors=True)
    scene = Scene(course, course, course / "secret.txt", "", 9)
    (course / hand_in_times.HANDED_IN).unlink(missing_ok=True)
    hands = [hand_in(attack, release.read_text(), scene) for attack in attacks]
    entry_points.collect(attacks, hands, course)
    settings = [f"--setting={limit.removeprefix('--')}" for limit in LIMITS]
    command = ["attention-course", "grade", LESSON, "--class", str(course), *settings, *options]
    memory = Memory()
    taken = meter.measure(command, course, 1, memory.read, EVERY)
    points = in_gradebook(course)
    unharmed = all(points[neighbour.name] == sum(FULL.values()) for neighbour in NEIGHBOURS)
    return taken, memory.sandbox_mb, unharmed


class Memory:
    """What this process's descendants hold, with page tables, files in memory and at most their sockets.

    sandbox_mb: the most that one sandbox held, in MiB.
    """

    def __init__(self) -> None:
        self.sandbox_mb = 0.0

    def read(self) -> float:
        """Return what all of them hold, in MiB."""
        outside, sandboxes = 0, dict[str, int]()
        for process in memory_watchdog.descendants([os.getpid()]) - {os.getpid()}:
            with contextlib.suppress(OSError):  # it has ended
                network, held = os.readlink(f"/proc/{process}/ns/net"), memory_watchdog.held(process)
                if network == os.readlink("/proc/self/ns/net"):
                    outside += held
                else:
                    if network not in sandboxes and not os.path.samefile(f"/proc/{process}/root", "/"):
                        sandboxes[network] = memory_watchdog.held_by_sandbox(process)
                    sandboxes[network] = sandboxes.get(network, 0) + held
        self.sandbox_mb = max(self.sandbox_mb, *(held / 2**20 for held in (0, *sandboxes.values())))
        return (outside + sum(sandboxes.values())) / 2**20
