"""Attacks that try to gain points with the notebook, its cells and metadata, and with what runs in it."""

from __future__ import annotations

import json

import numpy as np
import scipy.special
from nbformat.v4 import new_code_cell
from nbgrader.utils import compute_checksum

from autograder.tests.attacks import FULL, Attack, Hand

EQUAL = """
class Yes(float):
    __class__ = property(lambda self: list)
    shape, dtype, ndim, T = (3,), float, 1, 0
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __le__(self, other): return True
    def __hash__(self): return 1
    def __len__(self): return 3
    def __iter__(self): return iter([self] * 3)
    def __abs__(self): return 0.0
    def __sub__(self, other): return 0.0
    def __getattr__(self, name): return lambda *args, **kwargs: self
    def __array__(self, *args, **kwargs): return np.ones(3)
    def __reduce__(self): return (print, ("unpickled",))
"""


def metadata(hand: Hand) -> None:
    for cell in hand.notebook.cells:
        cell.metadata["tags"] = ["skip-execution", "raises-exception", "remove-cell"]


def metadata_points(hand: Hand) -> None:
    for cell in hand.notebook.cells:
        cell.metadata["nbgrader"].update(points=100, grade=True, solution=False)
    hand.notebook.metadata["nbgrader"] = {"points": 1000, "score": 1000}


def verdicts(hand: Hand) -> None:
    lines = [{"title": "all", "passed": True, "points": 27, "details": []}]
    forged = {name: {"exercise": name, "state": "right", "lines": lines} for name in FULL}
    hand.notebook.metadata["attention_course"] = {"notes": [], "sealed": True, "verdicts": forged}


def brought(hand: Hand) -> None:
    hand.answer("softmax", "from autograder import bring_your_own\nsoftmax = bring_your_own('softmax')")


def paths(hand: Hand) -> None:
    nbgrader = {"student": "a_honest", "assignment": "../../../solutions", "notebook": "../../gradebook"}
    hand.notebook.metadata.update(nbgrader=nbgrader, name="../../../x", path="/etc", title="../../x")
    for cell in hand.notebook.cells:
        cell.metadata["nbgrader"]["notebook"] = "../../gradebook.db"


def looked_up(hand: Hand) -> None:
    hand.run("""
        from autograder.student import keys, visible
        known = keys.load(visible.here(), "01_weighted_sums").keys
        def stored(name):
            def answer(*args, **kwargs):
                for case, seen in zip(known[name].cases, known[name].expected):
                    if repr((case.args, dict(case.kwargs))) == repr((args, kwargs)):
                        return seen.value
                return known[name].expected[0].value
            return answer
        """)
    for name in FULL:
        hand.answer(name, f"{name} = stored('{name}')")


def frames(hand: Hand) -> None:
    hand.run("""
        import sys
        def peek(*args, **kwargs):
            frame, found = sys._getframe(1), {}
            while frame:
                for name, value in frame.f_locals.items():
                    if name in ("expected", "verdict", "solution", "reference"):
                        found[name] = value
                frame = frame.f_back
            return next(iter(found.values()), None)
        """)
    for name in ("softmax", "find_ming"):
        hand.answer(name, f"{name} = peek")


def hooks(hand: Hand) -> None:
    """Everything that IPython lets one hang into a cell's way."""
    hand.run("""
        import ast
        ip = get_ipython()
        ip.input_transformers_cleanup.append(lambda lines: ["100.0"])
        class Full(ast.NodeTransformer):
            def visit_Module(self, node):
                return ast.parse("100.0")
        ip.ast_transformers.append(Full())
        ip.events.register("pre_run_cell", lambda info: print("100.0"))
        ip.events.register("post_execute", lambda: print(100.0))
        ip.displayhook = lambda value: 100.0
        """)


def run_cell(hand: Hand) -> None:
    hand.run("""
        ip = get_ipython()
        def full(*args, **kwargs):
            raise SystemExit
        ip.run_cell = full
        line, true_tell = ip.line, ip.line.tell
        line.tell = lambda kind, content: true_tell(kind, {"answer": "100.0"} if kind == "done" else content)
        """)


def patched_libraries(hand: Hand) -> None:
    hand.answer_all("np.zeros(3)")
    hand.run("""
        import json, base64, unittest.mock as mock
        for module in (np, np.testing, json, base64, __import__("autograder.model.wire").model.wire):
            for name in ("allclose", "isclose", "array_equal", "assert_allclose", "array", "asarray"):
                if hasattr(module, name):
                    setattr(module, name, lambda *args, **kwargs: True)
        np.ndarray.__eq__ = None if False else getattr(np.ndarray, "__eq__")
        import autograder.student.ladder, autograder.model.values, autograder.student.report
        autograder.model.values.difference = lambda *args: None
        autograder.student.ladder.climb = autograder.student.ladder.best = lambda *args: "right"
        """)


def send(hand: Hand) -> None:
    """Results on the line, and every value shown as one."""
    hand.run("""
        formatter = get_ipython().display_formatter.formatters["text/plain"]
        for kind in (str, float):
            formatter.for_type(kind, lambda value, p, cycle: p.text("100.0"))
        line = get_ipython().line
        def out(**content):
            line.tell("execute_result", content)
        for score in ("100.0", "27.0", 100.0, [100]):
            out(data={"text/plain": score}, metadata={}, execution_count=1)
        from IPython.display import display
        for name in ("test_softmax", "softmax"):
            display({"text/plain": "7.0"}, raw=True, display_id=name)
            display({"text/plain": "7.0"}, raw=True, display_id=name, update=True)
        100.0
        """)


def equal_to_all(hand: Hand) -> None:
    hand.run("import numpy as np\n" + EQUAL.strip())
    hand.answer_all("Yes()")


def poisoned_state(hand: Hand) -> None:
    """Cells that hold the test's id and come first."""
    for name in FULL:
        copy = dict(hand.cell(f"test_{name}"))
        hand.notebook.cells.insert(1, type(hand.notebook)(copy, source="7.0", id=f"copy-{name}"))


def invented_tests(hand: Hand) -> None:
    for name in FULL:
        cell = new_code_cell("100.0", id=f"more-{name}")
        cell.metadata["nbgrader"] = {
            **hand.cell(f"test_{name}").metadata["nbgrader"],
            "grade_id": f"more_{name}",
            "points": 100,
        }
        hand.notebook.cells.append(cell)


def source_cells(hand: Hand) -> None:
    """Its own tests, unlocked, with the checksums that belong to them, a gradebook and a configuration."""
    cells = []
    for name in FULL:
        cell = hand.cell(f"test_{name}")
        cell.source = "100.0"
        cell.metadata["nbgrader"]["locked"] = False
        cell.metadata["nbgrader"]["checksum"] = compute_checksum(cell)
        cells.append({"name": f"test_{name}", "source": cell.source, "locked": False, "cell_type": "code"})
    hand.notebook.metadata["nbgrader"] = {"source_cells": cells, "grade_cells": cells}
    hand.file("nbgrader_config.py", "c.Autograde.autograde_preprocessors = []\n")
    hand.file("gradebook.db", "")


def import_helpers(hand: Hand) -> None:
    """Whatever `autograder` has under an exercise's name."""
    hand.run("""
        import importlib, pkgutil, sys, autograder
        found = {}
        for module in pkgutil.walk_packages(autograder.__path__, "autograder."):
            try:
                found.update(vars(importlib.import_module(module.name)))
            except ImportError:
                pass
        from autograder.student import visible
        importlib.import_module(visible.here().package + ".shown.library")
        for name, module in list(sys.modules.items()):
            if name.startswith(visible.here().package):
                found.update(vars(module))
        print("pad_rows" in found, len(found) > 100, "names imported")
        """)
    for name in FULL:
        hand.answer(name, f"{name} = found.get('{name}', lambda *args, **kwargs: None)")


SLOW = """
import itertools, time
calls = itertools.count()
def softmax(x, axis=-1):
    time.sleep(60 * (next(calls) > 30))
    x = np.asarray(x, float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
KEEP = """
asked = []
def softmax(x, axis=-1):
    asked.append([np.asarray(x, float).tolist(), axis])
    return 0
"""
TABLE = """
import json, pathlib
table = [(np.array(x), axis, np.array(y)) for x, axis, y in json.loads(pathlib.Path("data/timestamp.txt").read_text())]
def softmax(x, axis=-1):
    return next(y for given, of, y in table if of == axis and np.array_equal(x, given))
"""


def inputs_printed(hand: Hand) -> None:
    hand.answer("softmax", KEEP)
    hand.run_last("import json; print('asked:', json.dumps(asked))")


def table_of_answers(hand: Hand, printed: str) -> None:
    """Answer what was asked the last time from a table, in a file that nbgrader writes elsewhere."""
    asked = json.loads(printed.split("asked: ")[1].splitlines()[0])
    rows = [[x, axis, scipy.special.softmax(np.array(x), axis=axis).tolist()] for x, axis in asked]
    hand.file("data/timestamp.txt", json.dumps(rows))
    hand.answer("softmax", TABLE)


ATTACKS = (
    Attack(
        "gain_slow",
        "is never done from the 32nd call on: earns what it answered in time",
        lambda hand: hand.answer("softmax", SLOW),
        earns={"softmax": 3},
        told="the answer of test_softmax: timed out",
    ),
    Attack(
        "gain_table",
        "prints its hidden inputs, and hands in a table of answers in data/timestamp.txt the second time",
        inputs_printed,
        earns={"softmax": 0},
        again=table_of_answers,
    ),
    Attack(
        "gain_ast_transformer", "input and AST transformers and display hooks that make 100.0", hooks, False
    ),
    Attack(
        "gain_brought",
        "has its own exercise brought along from a later lesson",
        brought,
        earns={"softmax": 0},
        shows="softmax is this lesson's own exercise",
    ),
    Attack("gain_equal_objects", "returns objects equal to everything", equal_to_all, False),
    Attack("gain_frames", "searches the callers' frames for expected values", frames, False),
    Attack("gain_looked_up", "returns the visible examples' stored results", looked_up, False),
    Attack(
        "gain_import_helpers",
        "imports its answers from autograder: there is SciPy's softmax, as in SciPy",
        import_helpers,
        False,
        earns={"softmax": FULL["softmax"]},
        shows="False True names imported",
    ),
    Attack(
        "gain_invented_tests",
        "brings test cells of its own",
        invented_tests,
        False,
        told="bear grading ids that the lesson does not have",
    ),
    Attack("gain_metadata_paths", "paths and other students in the metadata", paths, False),
    Attack(
        "gain_metadata_points",
        "more points in the metadata",
        metadata_points,
        False,
        told="grading settings of cells",
    ),
    Attack(
        "gain_metadata_tags", "tags that skip a cell or allow its error", metadata, False, told="are tagged"
    ),
    Attack(
        "gain_patched_libraries",
        "patches NumPy, json, base64, the wire and the ladder",
        patched_libraries,
        False,
    ),
    Attack(
        "gain_run_cell",
        "replaces run_cell, and says another answer at the end of each request",
        run_cell,
        False,
    ),
    Attack(
        "gain_send",
        "sends results over the grader's own line, and has every value shown as 100.0",
        send,
        False,
    ),
    Attack(
        "gain_source_cells",
        "brings unlocked test cells with their checksums, a gradebook and a configuration",
        source_cells,
        False,
        told="were edited",
    ),
    Attack(
        "gain_tests_twice", "brings a second set of test cells", poisoned_state, False, told="are there twice"
    ),
    Attack("gain_verdicts", "brings verdicts along in the metadata", verdicts, False),
)
