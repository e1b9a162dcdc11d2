"""Attacks that try to gain points."""

from __future__ import annotations

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
        from autograder import keys
        known = keys.load("01_weighted_sums").keys
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
        ip.kernel.do_execute = lambda *a, **k: {"status": "ok", "user_expressions": {"answers": {"status": "ok",
            "data": {"text/plain": "100.0"}}}, "execution_count": 1, "payload": []}
        """)


def expressions(hand: Hand, reply: str) -> None:
    """Answer the grader's question with text of one's own."""
    hand.run(f"get_ipython().user_expressions = lambda asked: {reply}")


ASKED = """
        import json, base64
        import autograder.probe as probe
        def forged(packed, elsewhere):
            question = probe.Question(*probe.wire.loads(base64.b64decode(packed).decode()))
            {seen}
            text = json.dumps({{"list": [{{"list": ["asked", {{"tuple": []}}] + [seen] * len(question.cases)}}]}})
            return base64.b64encode(text.encode()).decode()
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
        for module in (np, np.testing, json, base64, __import__("autograder.wire").wire):
            for name in ("allclose", "isclose", "array_equal", "assert_allclose", "array", "asarray"):
                if hasattr(module, name):
                    setattr(module, name, lambda *args, **kwargs: True)
        np.ndarray.__eq__ = None if False else getattr(np.ndarray, "__eq__")
        import autograder.ladder, autograder.values, autograder.report
        autograder.values.difference = lambda *args: None
        autograder.ladder.climb = autograder.ladder.best = lambda *args: "right"
        """)


def send(hand: Hand) -> None:
    hand.run("""
        kernel = get_ipython().kernel
        def out(**content):
            kernel.session.send(kernel.iopub_socket, "execute_result", content, parent=kernel.get_parent())
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


NAN = '{"array": {"dtype": "<f8", "shape": [3], "data": [float("nan")] * 3}}'
ENDLESS = '{"array": {"dtype": "<f8", "shape": [10**12, 0], "data": []}}'
WORDS = '{"WordVectors": {"words": 5, "matrix": "x"}}'
DEEP = "__import__('functools').reduce(lambda x, _: {'list': [x]}, range(5000), None)"

ATTACKS = (
    Attack(
        "gain_ast_transformer", "input and AST transformers and display hooks that make 100.0", hooks, False
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
        lambda hand: expressions(hand, "{'answers': {'status': 'ok', 'data': {'text/plain': '100.0'}}}"),
        False,
    ),
    Attack(
        "gain_forged_shape",
        "a reply of other types at every level",
        lambda hand: expressions(hand, "{'answers': [1, {'data': None}]}"),
        False,
    ),
    Attack(
        "gain_forged_huge",
        "a reply of 40 MB",
        lambda hand: expressions(
            hand, "{'answers': {'status': 'ok', 'data': {'text/plain': repr('A' * 40_000_000)}}}"
        ),
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
    Attack("gain_metadata_paths", "paths and other students in the metadata", paths, False),
    Attack("gain_metadata_points", "more points in the metadata", metadata_points, False),
    Attack("gain_metadata_tags", "tags that skip a cell or allow its error", metadata, False),
    Attack(
        "gain_patched_libraries",
        "patches NumPy, json, base64, the wire and the ladder",
        patched_libraries,
        False,
    ),
    Attack("gain_run_cell", "replaces run_cell and the kernel's do_execute", run_cell, False),
    Attack("gain_send", "sends results to the grader by session.send", send, False),
    Attack("gain_test_cells", "writes 100.0 into the test cells", test_cells, False, told="was edited"),
    Attack(
        "gain_tests_twice", "brings a second set of test cells", poisoned_state, False, told="is there twice"
    ),
    Attack("gain_verdicts", "brings verdicts along in the metadata", verdicts, False),
)
