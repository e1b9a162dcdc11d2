"""How long a student waits for `check`: every exercise, right answers, the notebook's imports done.

`python -m autograder.bench.latency` prints one JSON object: seconds to import `check`, the heavy libraries that this
alone brought in, and milliseconds by exercise, medians of five.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import statistics
import subprocess
import sys
import time

from autograder.bench import course

HEAVY = sorted({name.split(".")[0] for name in course().visible.libraries} - {"numpy"})
TIMES = 5
IMPORT = f"""
import sys, time
start = time.perf_counter()
from autograder import check
print(time.perf_counter() - start, *(name for name in {HEAVY!r} if name in sys.modules))
"""


def main() -> None:
    """Measure both."""
    told = [
        subprocess.run(
            [sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True
        ).stdout.split()
    ]
    told += [
        subprocess.run(
            [sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(TIMES - 1)
    ]
    seconds = statistics.median(float(one[0]) for one in told)
    heavy = sorted({name for one in told for name in one[1:]})
    json.dump({"import": seconds, "heavy": heavy, "check": _latencies()}, sys.stdout)


def _latencies() -> dict[str, float]:
    from autograder.judge import reference

    for name in HEAVY:
        importlib.import_module(name)
    found = {}
    for lesson in course().lessons:
        names = dict(reference.namespace(lesson))
        for exercise in lesson.exercises:
            found[f"{lesson.id}/{exercise.id}"] = _latency(lesson.id, exercise.id, names)
    return found


def _latency(lesson: str, exercise: str, names: dict[str, object]) -> float:
    """Milliseconds from asking to the verdict's HTML, as `check` does it, the key having been read."""
    from autograder.student import keys, ladder, probe, report, visible

    def once() -> float:
        start = time.perf_counter()
        key = keys.load(visible.here(), lesson).keys[exercise]
        question = probe.Question(key.exercise, key.values, key.cases, key.library)
        report.as_html(ladder.best(key, probe.ask_all(question, dict(names))))
        return 1000 * (time.perf_counter() - start)

    with contextlib.redirect_stderr(io.StringIO()):
        once()
        return statistics.median(once() for _ in range(TIMES))


if __name__ == "__main__":
    main()
