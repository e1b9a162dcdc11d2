"""The class report as self-contained HTML pages. Jinja escapes all that is put into them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.model.verdict import State
from autograder.publish.class_report import statistics, suggestions
from autograder.publish.class_report.records import ClassRecord
from autograder.publish.class_report.statistics import Held, ItemStatistics

MOST_BARS = 7
"""How many bars of an exercise's picture are misconceptions; where there are more, the last is for all others."""


@dataclass(frozen=True)
class Bar:
    """A bar of a picture: what it counts, how many, and the style it is drawn in."""

    label: str
    count: int
    style: str


@dataclass(frozen=True)
class Picture:
    """How an exercise went: a bar for each kind of answer, out of `students`."""

    exercise: str
    students: int
    bars: tuple[Bar, ...]


def report(record: ClassRecord) -> str:
    """A lesson's page."""
    held = statistics.misconceptions(record)
    items = statistics.items(record)
    return _render(
        "report.html.j2",
        record=record,
        overview=statistics.overview(record),
        items=items,
        held=held,
        pictures=[picture(item, held) for item in items],
        rungs=statistics.rungs(record),
        unreadable=statistics.unreadable(record),
        untouched=statistics.untouched(record),
        stopped=statistics.stopped(record),
        notes=statistics.notes(record),
        unsealed=statistics.unsealed(record),
        suggestions=suggestions.suggest(record),
        least=suggestions.least(record),
        most=suggestions.AT_MOST,
        too_few=statistics.TOO_FEW,
    )


def index(records: Sequence[ClassRecord]) -> str:
    """A page that leads to those of several lessons."""
    lessons = [(record, statistics.overview(record), statistics.unsealed(record)) for record in records]
    return _render("index.html.j2", lessons=lessons)


def picture(item: ItemStatistics, held: Sequence[Held]) -> Picture:
    """An item's answers by kind: right, each misconception, mistakes without a name, not started."""
    named = [one for one in held if one.exercise == item.name]
    shown = named if len(named) <= MOST_BARS else named[: MOST_BARS - 1]
    others = named[len(shown) :]
    counts = sum(len(one.students) for one in named)
    bars = [
        Bar("right", item.states.get(State.RIGHT, 0), "right"),
        *(Bar(one.misconception, len(one.students), "named") for one in shown),
        Bar(f"{len(others)} other misconceptions", sum(len(one.students) for one in others), "named"),
        Bar("a mistake without a name", item.states.get(State.WRONG, 0) - counts, "unnamed"),
        Bar("marked by hand", item.states.get("marked", 0), "right"),
        Bar("waiting to be marked", item.states.get("waiting", 0), "open"),
        Bar("not started", item.states.get(State.NOT_STARTED, 0), "open"),
    ]
    return Picture(item.name, sum(item.states.values()), tuple(bar for bar in bars if bar.count))


def _render(template: str, **values: object) -> str:
    environment = Environment(
        loader=PackageLoader("autograder.publish.class_report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = _number
    script = environment.get_template("sort.js").render()
    return environment.get_template(template).render(script=script, policy=_policy(script), **values)


def _number(value: float, digits: int = 1) -> str:
    """With so many decimals, but none that are zero."""
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"


def _policy(script: str) -> str:
    """A content security policy (W3C CSP 3) under which `script` runs and no other, and nothing is fetched."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
