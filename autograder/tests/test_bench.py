"""The benchmark measures what it says; what it measures is run by `make bench`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograder.model.errors import CourseError
from autograder.tests.bench import in_kernel, meter, otter, page, paired, scale
from autograder.tests.bench.meter import Reading
from autograder.tests.bench.paired import Agreement, Pair, Paired
from autograder.tests.bench.scale import Run
from autograder.tests.grading import hand_in
from autograder.tests.this_course import find_lesson

BURN = "import time\nend = time.process_time() + 0.6\nwhile time.process_time() < end: pass"


def measured(code: str, before: str = "") -> str:
    """Measure a program in a process of its own: it becomes the parent of what loses its own."""
    program = f"""
import sys
from pathlib import Path
from autograder.tests.bench import meter
{before}
reading = meter.measure([sys.executable, "-c", {code!r}], Path("."))
print(reading.cpu, reading.peak_mb, len(reading.lines))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_meter_counts_what_outlives_its_parent():
    code = (
        f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {BURN!r}], start_new_session=True)"
    )
    cpu = float(measured(code).split()[0])
    assert 0.6 < cpu < 3


def test_the_meter_does_not_count_what_was_begun_before():
    before = f"import subprocess; subprocess.Popen([sys.executable, '-c', {BURN!r}])"
    assert float(measured("pass", before).split()[0]) < 0.4


def test_the_meter_sees_lines_and_memory():
    _, peak, lines = measured(
        "import time; x = bytearray(200 * 2**20); time.sleep(1.5); print(1); print(2)"
    ).split()
    assert float(peak) > 190
    assert lines == "2"


def test_a_command_that_fails_says_what_it_said(tmp_path):
    with pytest.raises(CourseError, match="no such luck"):
        meter.measure(
            [sys.executable, "-c", "print('no such luck'); raise SystemExit(3)"], tmp_path, patience=0
        )


def run(submissions: int, cpu: float, jobs: int = 2, seconds: float = 10.0) -> Run:
    return Run(submissions, jobs, took(cpu, seconds))


def took(cpu: float, seconds: float) -> Reading:
    return Reading(cpu, seconds, 1000.0, ())


def test_a_line_is_fitted():
    line = scale.line([run(10, 12.0), run(100, 57.0), run(1000, 507.0)])
    assert (line.slope, line.intercept) == pytest.approx((0.5, 7.0))
    assert line.rvalue**2 == pytest.approx(1.0)


def test_the_start_does_not_count_for_the_speedup():
    few, many = (
        (run(10, 9.0, 1, 14.0), run(10, 9.0, 2, 13.0)),
        (run(100, 9.0, 1, 50.0), run(100, 9.0, 2, 33.0)),
    )
    faster = scale.speedup(few, many)
    assert (faster.alone, faster.together) == pytest.approx((0.4, 20 / 90))
    assert faster.efficiency == pytest.approx(0.9)


def test_what_the_machine_gives_is_what_it_takes_alone_over_what_it_takes_together(monkeypatch):
    monkeypatch.setattr(scale, "counting", lambda processes: 1.0 + processes / 10)
    assert scale.given_by_the_machine(2) == pytest.approx(1.1 / 1.2)


def test_the_ratio_of_a_round_is_over_all_lessons():
    costs = (("a", 8.0, 1.0, 9.0), ("b", 4.0, 1.0, 5.0), ("a", 9.0, 1.0, 6.0), ("b", 3.0, 3.0, 2.0))
    pairs = tuple(Pair(name, stock, ours, 9.0, 9.0, otter) for name, stock, ours, otter in costs)
    both = Paired(pairs, Agreement(), Agreement())
    assert both.ratios("stock") == [6.0, 3.0]
    assert both.ratios("otter") == [7.0, 2.0]
    assert both.median("b", "stock") == 3.5


def test_the_page_holds_what_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "PAGE", tmp_path / "benchmark.md")
    monkeypatch.setattr(page, "PICTURE", tmp_path / "benchmark.png")
    monkeypatch.setattr(page, "MEASURED", tmp_path / "build" / "benchmark.json")
    pairs = tuple(Pair("01_weighted_sums", 8.0 + i, 1.0, 9.0, 15.0, 6.0 + i) for i in range(3))
    by_stock, by_otter = Agreement(6), Agreement(2)
    by_stock.compare("round 0", {("amy", "softmax"): 1.0}, {("amy", "softmax"): 2.0})
    ours = {("bob", "softmax"): 7.0, ("bob", "pad_rows"): 6.0, ("bob", "batched_sums"): 0.0}
    by_otter.compare("round 2", dict.fromkeys(ours, 0.0), ours)
    results = page.Results(
        bare={"01_weighted_sums": 2.0},
        latency={
            "import": 0.1,
            "heavy": [],
            "check": {"01_weighted_sums/softmax": 12.0},
            "helped": {"a": 9.0, "b": 40.0},
        },
        paired=Paired(pairs, by_stock, by_otter),
        shares={"01_weighted_sums": {"in the room": 0.1, "talking with it": 0.04, "the coordinator": 0.2}},
        coordinator=[0.01, 0.02, 0.04],
        second_round=(3.25, {"submitted, opened": 2.0, "submitted, listed": 1.0}),
        started={"01_weighted_sums": {"the command": 1.25, "warm processes": 2.0}},
        small={"01_weighted_sums": (took(72.0, 70.0), took(8.0, 7.0))},
        first={"01_weighted_sums": took(5.5, 4.0)},
        changed={"grade": took(4.5, 4.0), "round": took(12.0, 9.5)},
        growth=(run(10, 12.0), run(100, 57.0), run(1000, 507.0)),
        whole=run(1200, 900.0, seconds=600.0),
        lightest=scale.Speedup(2, 0.3, 0.2),
        everything=scale.Speedup(2, 0.57, 0.3),
        counting=0.91,
    )
    page.keep(results)
    page.write()
    text = (tmp_path / "benchmark.md").read_text()
    assert "**9.0 times less CPU than stock nbgrader**" in text
    assert "0.500 CPU-s a submission" in text
    assert "| `01_weighted_sums` | 72.0 | 8.0 | 9.0 | 70.0 | 7.0 | 10.0 |" in text
    assert "| `01_weighted_sums` | 1.25 | 2.00 | 3.25 |" in text
    assert "| the first of `01_weighted_sums` | 5.5 | 4.0 |" in text
    assert "| one changed file, `round` | 12.0 | 9.5 |" in text
    assert "| lesson 01 | 0.300 | 0.200 | 0.75 |" in text
    assert "| all lessons | 0.570 | 0.300 | 0.95 |" in text
    assert "each of 3 submissions" in text
    assert "**0.020 CPU-s**" in text
    assert "with one changed file, takes 3.2 seconds" in text
    assert "\nsubmitted, opened 2;\nsubmitted, listed 1.\n" in text
    assert "reach 0.91 on this" in text
    assert "| `01_weighted_sums` | 0.10 | 0.04 | 0.20 | 0.34 |" in text
    assert "the slowest is `b` with\n40 ms" in text
    assert "6 of 7 exercises" in text
    assert "\n- round 0, amy softmax: theirs 1.0, ours 2.0\n" in text
    assert "| `01_weighted_sums` | 7.00 | 1.00 | 7.0 | 15.0 |" in text
    assert "7.0 times less, the median of 3 rounds, 6.0 to 8.0" in text
    assert "3 of 5 exercises" in text
    assert "\n- round 2, bob pad_rows: theirs 0.0, ours 6.0\n" in text
    assert "\n    make bench\n" in text
    assert (tmp_path / "benchmark.png").stat().st_size > 5000


def test_what_one_more_submission_costs_is_read_from_nbgrader_s_log():
    said = "[AutogradeApp | INFO] Sanitizing /course/submitted/{0}/01/x.ipynb"
    done = "[AutogradeApp | INFO] Setting destination file permissions to 644"
    lines = [(said.format("amy"), 3.0), (done, 5.0), (said.format("bo"), 5.5), (done, 7.0)]
    assert paired.costs(Reading(8.0, 9.0, 100.0, lines)) == (5.5, 1.5)


def passed_by_otter(folder: str) -> list[str]:
    """The exercises that otter passes in a notebook with one right and one wrong answer, and a cell that fails."""
    made, lesson = Path(folder), find_lesson("01_weighted_sums")
    key = in_kernel.write_key(lesson, made)
    given = {
        "letter_embedding": "def letter_embedding(word):\n    return []\nraise RuntimeError",
        "softmax": lesson.solution("softmax"),
    }
    hand_in(made, "amy", lesson, given)
    otter.prepare(made / "otter", lesson, key)
    cpu, points = otter.run(made / "otter", lesson, made / "submitted", "amy")
    assert cpu > 0.5
    assert points.keys() == {("amy", one.id) for one in lesson.graded}
    return [exercise for (_, exercise), earned in points.items() if earned]


@pytest.mark.slow
def test_otter_passes_what_is_right_and_goes_on_after_a_cell_that_fails(tmp_path):
    assert meter.alone(passed_by_otter, str(tmp_path)) == ["softmax"]
