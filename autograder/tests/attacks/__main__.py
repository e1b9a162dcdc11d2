"""`python -m autograder.tests.attacks`: grade every attack, print what went wrong, and write docs/attacks.md."""

from __future__ import annotations

import sys
import tempfile
import textwrap
from collections.abc import Sequence
from pathlib import Path

from autograder.authoring.release import release
from autograder.classroom.class_folder import SECRET_FILE
from autograder.sandbox import layers
from autograder.tests.attacks import FULL, LESSON, all_attacks, neighbours
from autograder.tests.attacks.neighbours import Cost
from autograder.tests.attacks.run import Outcome, Report, run
from autograder.tests.this_course import FIXED, ROOT, find_lesson

PAGE = ROOT / "docs" / "attacks.md"

KINDS = {
    "gain_": "To gain points",
    "leak_": "To read secrets",
    "damage_": "To stop the grader, or harm other students",
    "busy_": "To keep the grader busy",
    "mishap_": "Clumsy, not hostile",
    "exchange_": "By nbgrader's exchange",
    "zip_": "In a platform's zip file",
    "gradescope_": "By Gradescope",
}
"""The page's groups, by the first word of an attack's name."""


def main(only: str = "") -> int:
    """Run all attacks, print what went wrong and write the page; return 1 when an attack succeeded."""
    if not layers.sandbox_available():
        print(layers.layer_report())
        return 1
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        course = Path(folder)
        (course / SECRET_FILE).write_text(FIXED)
        chosen = [attack for attack in all_attacks() if only in attack.name]
        report = run(course, release(find_lesson(LESSON), course), chosen)
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        course = Path(folder)
        costs = neighbours.measured(course, release(find_lesson(LESSON), course), only)
    print(_summary(report), f"{report.seconds:.0f} s; the grader took {report.grader_mb} MB at most.")
    print(*costs, sep="\n")
    if not only:
        PAGE.write_text(page(report, costs), encoding="utf-8")
    outcomes = {f"{name} ({outcome.attack.does})": outcome for name, outcome in report.outcomes.items()}
    checked = outcomes | {f"{cost.name} {cost.way}": cost for cost in costs}
    bad = [f"{name}: {'; '.join(each.problems)}" for name, each in checked.items() if each.problems]
    print(*(f"✗ {problem}" for problem in [*report.damaged, *bad]), sep="\n")
    return int(bool(bad or report.damaged))


def page(report: Report, costs: Sequence[Cost]) -> str:
    """Return the results as a page of the documentation."""
    attacks = [outcome for outcome in report.outcomes.values() if "_honest" not in outcome.attack.name]
    lines = [
        "# What was tried against the grading\n",
        "    make attack\n",
        f"hands these submissions of `{LESSON}` in beside honest ones, grades all of them in sandboxes with one",
        "`nbgrader autograde`, and writes this page. What each of them does stands in `autograder/tests/attacks/`.\n",
        f"**{_summary(report)}**\n",
        f"Each submission earned exactly the points of its right answers: {sum(FULL.values())}, or the number in",
        "parentheses. The instructor is told of those with a †.",
    ]
    for kind, title in KINDS.items():
        names = [_named(attack, kind) for attack in attacks if attack.attack.name.startswith(kind)]
        lines += ["", *textwrap.wrap(f"**{title}** (`{kind}…`): {', '.join(names)}", 118)]
    unharmed = all(cost.unharmed for cost in costs)
    slowest = max(costs, key=lambda cost: cost.more_seconds)
    largest = max(costs, key=lambda cost: cost.sandbox_mb)
    lines += [
        "\n**Neighbours**: three honest students were graded beside each of the costliest submissions, by `--jobs 1`,",
        f"`--jobs 2` and Dask. {'All had' if unharmed else 'Not all had'} all their points. They",
        f"waited at most {slowest.more_seconds:.0f} s longer (`{slowest.name}`), and a sandbox took at most",
        f"{largest.sandbox_mb:.0f} MB (`{largest.name}`). One run.",
    ]
    return "\n".join([*lines, ""])


def _named(outcome: Outcome, kind: str) -> str:
    attack, due = outcome.attack, sum(outcome.attack.earned.values())
    points = "" if due == sum(FULL.values()) else f" ({due})"
    if outcome.gained or outcome.points is None or outcome.lost:
        points = f" (**{_got(outcome)}**, not {due})"
    is_told = any(attack.told and attack.told in note for note in outcome.notes)
    return f"{attack.name.removeprefix(kind)}{'†' * is_told}{points}"


def _summary(report: Report) -> str:
    outcomes = list(report.outcomes.values())
    honest = [outcome for outcome in outcomes if "_honest" in outcome.attack.name]
    gained = sum(outcome.gained > 0 for outcome in outcomes)
    leaked = sum(bool(outcome.leaked) for outcome in outcomes)
    damaged = sum(bool(outcome.damaged) for outcome in outcomes) + len(report.damaged)
    harmed = sum(bool(outcome.problems) for outcome in honest)
    return (
        f"{len(outcomes) - len(honest)} submissions: {gained} gained, {leaked} leaked, {damaged} damaged; "
        f"{harmed} of {len(honest)} honest students harmed."
    )


def _got(outcome: Outcome) -> str:
    return "not graded" if outcome.points is None else str(sum(outcome.points.values()))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
