"""Attacks that try to gain points."""

from __future__ import annotations

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


def test_cells(hand: Hand) -> None:
    for name in FULL:
        cell = hand.cell(f"test_{name}")
        cell.source = "100.0"
        cell.metadata["nbgrader"] = {**cell.metadata["nbgrader"], "locked": False, "checksum": "0" * 32}


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
    for name in FULL:
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


def reply_with(hand: Hand, reply: str) -> None:
    """Answer the grader's question with something of one's own."""
    hand.run(f"import autograder.student.probe as probe\nprobe.reply = lambda *asked: {reply}")


ASKED = """
        import json
        import autograder.student.probe as probe
        def forged(request, elsewhere, namespace):
            question = probe.Question(*probe.wire.loads(request))
            {seen}
            return json.dumps({{"list": [{{"list": ["asked", {{"tuple": []}}] + [seen] * len(question.cases)}}]}})
        probe.reply = forged
"""


def forge(seen: str):
    """A reply whose form is right, with observations of one's own."""
    return lambda hand: hand.run(ASKED.format(seen=seen))


def observation(value: str, after: str = '{"tuple": []}', error: str = "None") -> str:
    """The source of an observation as it crosses the wire."""
    fields = f'"value": {value}, "again": {value}, "after": {after}, "error": {error}, "elsewhere": {value}'
    return 'seen = {"Observation": {' + fields + "}}"


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
    hand.run("""
        line = get_ipython().line
        def out(**content):
            line.tell("execute_result", content)
        for score in ("100.0", "27.0", 100.0, [100]):
            out(data={"text/plain": score}, metadata={}, execution_count=1)
        from IPython.display import display
        for name in ("test_softmax", "softmax"):
            display({"text/plain": "7.0"}, raw=True, display_id=name)
            display({"text/plain": "7.0"}, raw=True, display_id=name, update=True)
        """)


def formatter(hand: Hand) -> None:
    hand.run("""
        formatter = get_ipython().display_formatter.formatters["text/plain"]
        formatter.for_type(str, lambda text, p, cycle: p.text("100.0"))
        formatter.for_type(float, lambda text, p, cycle: p.text("100.0"))
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
    """Its own tests, with the checksums that belong to them, a gradebook and a configuration."""
    cells = []
    for name in FULL:
        cell = hand.cell(f"test_{name}")
        cell.source = "100.0"
        cell.metadata["nbgrader"]["checksum"] = compute_checksum(cell)
        cells.append({"name": f"test_{name}", "source": cell.source, "locked": True, "cell_type": "code"})
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


KEEP = """
        import builtins, marshal
        from pathlib import Path
        from types import FunctionType
        places = [folder / "kept" for folder in map(Path, ("/tmp", "/dev/shm", "."))]
        def keep(function):
            builtins.kept = function
            for place in places:
                try:
                    place.write_bytes(marshal.dumps(function.__code__))
                except OSError:
                    pass
        def kept():
            if hasattr(builtins, "kept"):
                return builtins.kept
            code = next(place.read_bytes() for place in places if place.exists())
            return FunctionType(marshal.loads(code), globals())
"""
KEEPER = """
        def weighted_sum(weights, vectors):
            if pad_rows.__globals__ is not globals():
                keep(pad_rows)
            return weights @ pad_rows(vectors)
"""


def stand_in_kept(hand: Hand) -> None:
    """Keep what stands in for pad_rows, and answer pad_rows with it."""
    hand.run(KEEP)
    hand.answer("pad_rows", "def pad_rows(vectors):\n    return kept()(vectors)")
    hand.answer("weighted_sum", KEEPER)


def stand_in_before(hand: Hand) -> None:
    """The same, with the exercise that needs the stand-in asked first."""
    stand_in_kept(hand)
    moved = [hand.cell("weighted_sum"), hand.cell("test_weighted_sum")]
    hand.notebook.cells = [cell for cell in hand.notebook.cells if cell not in moved]
    place = hand.notebook.cells.index(hand.cell("pad_rows")) + 1
    hand.notebook.cells[place:place] = moved


def stand_in_revived(hand: Hand) -> None:
    """The same, and it ends the program, for pad_rows to be asked again in a new one."""
    stand_in_kept(hand)
    hand.answer(
        "weighted_sum",
        KEEPER.replace("keep(pad_rows)", "keep(pad_rows)\n                __import__('os')._exit(0)"),
    )
    again = hand.cell("test_pad_rows")
    hand.notebook.cells.insert(hand.notebook.cells.index(again), new_code_cell("print('once more')"))


NAN = '{"array": {"dtype": "<f8", "shape": [3], "data": [float("nan")] * 3}}'
ENDLESS = '{"array": {"dtype": "<f8", "shape": [10**12, 0], "data": []}}'
WORDS = '{"WordVectors": {"words": 5, "matrix": "x"}}'
DEEP = "__import__('functools').reduce(lambda x, _: {'list': [x]}, range(5000), None)"

ATTACKS = (
    Attack(
        "gain_ast_transformer",
        "input and AST transformers and display hooks that make 100.0",
        hooks,
        False,
    ),
    Attack("gain_constant", "answers 0 to everything", lambda hand: hand.answer_all("0"), False),
    Attack("gain_equal_objects", "returns objects equal to everything", equal_to_all, False),
    Attack("gain_forged_deep", "a reply nested 5000 deep", forge(observation(DEEP)), False),
    Attack("gain_forged_endless", "a reply of 10^12 empty rows", forge(observation(ENDLESS)), False),
    Attack(
        "gain_forged_error",
        "a reply whose error is a megabyte of HTML",
        forge(
            observation(
                "None",
                error='{"StudentError": {"kind": "<script>" * 9000, "message": "<b>" * 300000, "line": "x" * 9000}}',
            )
        ),
        False,
    ),
    Attack("gain_forged_nan", "a reply of NaN, which no comparison refuses", forge(observation(NAN)), False),
    Attack("gain_forged_types", "a reply of records where numbers belong", forge(observation(WORDS)), False),
    Attack(
        "gain_forged_text",
        "a reply that is no reply",
        lambda hand: reply_with(hand, "'100.0'"),
        False,
    ),
    Attack(
        "gain_forged_shape",
        "a reply of other types at every level",
        lambda hand: reply_with(hand, "[1, {'data': None}]"),
        False,
    ),
    Attack(
        "gain_forged_huge",
        "a reply of 40 MB",
        lambda hand: reply_with(hand, "'A' * 40_000_000"),
        False,
    ),
    Attack("gain_formatter", "a formatter that shows every value as 100.0", formatter, False),
    Attack("gain_frames", "searches the callers' frames for expected values", frames, False),
    Attack(
        "gain_looked_up",
        "returns the visible examples' stored results",
        looked_up,
        False,
        earns={"length_weights": 1},
    ),
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
    Attack("gain_send", "sends results over the grader's own line", send, False),
    Attack("gain_test_cells", "writes 100.0 into the test cells", test_cells, False, told="were edited"),
    Attack(
        "gain_source_cells",
        "brings test cells with their checksums, a gradebook and a configuration",
        source_cells,
        False,
        told="were edited",
    ),
    Attack(
        "gain_stand_in_before",
        "lets weighted_sum be asked first, and answers pad_rows with what stood in for it",
        stand_in_before,
        False,
    ),
    Attack(
        "gain_stand_in_kept",
        "answers pad_rows with what stood in for it while weighted_sum was asked",
        stand_in_kept,
        False,
        earns={"weighted_sum": FULL["weighted_sum"]},
    ),
    Attack(
        "gain_stand_in_revived",
        "the same, and ends the program, for pad_rows to be asked again",
        stand_in_revived,
        False,
        told="the answer of test_weighted_sum: kernel died",
    ),
    Attack(
        "gain_tests_twice", "brings a second set of test cells", poisoned_state, False, told="are there twice"
    ),
    Attack("gain_verdicts", "brings verdicts along in the metadata", verdicts, False),
)
