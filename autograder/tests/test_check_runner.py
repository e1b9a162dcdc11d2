"""How answers are asked: each call with inputs of its own, in quiet, and across processes as text."""

from __future__ import annotations

import textwrap
import warnings
from decimal import Decimal
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.special
import torch
from scipy.special import softmax as renamed

from autograder.calls import runner
from autograder.calls.runner import Question
from autograder.checks import protocol
from autograder.exercises import common, values, wire
from autograder.exercises.argument_kinds import RandomSource, Tensor
from autograder.exercises.exercise import Call, Case, ModuleState
from autograder.tests import toy
from autograder.tests.this_course import find_exercise


def ask(answer, *cases):
    return runner.ask_all(Question("f", (), cases), {"f": answer}).observations


def test_every_call_is_quiet_and_meets_fresh_inputs(capsys):
    ids = []

    def noisy(x, rng):
        print("hello")
        warnings.warn("careful", stacklevel=1)
        ids.append(id(rng))
        x[0] += 1
        return x[0], rng.normal()

    for seen in ask(noisy, *[Case(str(tag), (np.zeros(2), RandomSource(5))) for tag in range(10)]):
        assert seen.value == seen.again
        assert seen.value[0] == 1
    assert capsys.readouterr() == ("", "")
    assert len(ids) == len({*ids}) == 20


def test_one_case_of_a_kind_is_asked_again_and_all_where_one_differs():
    calls = []

    def wavers(x):
        calls.append(x)
        return 0 if x != "b" else len(calls)

    cases = [Case("one", ("a",)), Case("one", ("a2",)), Case("two", ("c",))]
    assert [seen.again for seen in ask(wavers, *cases)] == [0, 0, 0]
    assert calls == ["a", "a2", "c", "c", "a"]
    calls.clear()
    assert [seen.again for seen in ask(wavers, *cases, Case("three", ("b",)))] == [0, 0, 0, 5]
    assert calls == ["a", "a2", "c", "b", "b", "c", "a", "a2"]


def test_tensors_arrive_as_tensors_and_gradients_come_back():
    case = Case("a", (Tensor(np.array([1.0, 2.0, 3.0])),), gradient_of=(0,))
    gradients = [ask(answer, case)[0].value["gradients"] for answer in (lambda x: x**2, torch.detach)]
    assert np.allclose(gradients[0][0], np.linspace(-1, 2, 3) * np.array([2.0, 4.0, 6.0]))
    assert gradients[1] == [None]


def test_elsewhere_the_last_of_several_items_is_asked_first_and_what_came_back_stands_in_their_order():
    asked = []

    def numbered(word):
        asked.append(word)
        if word == "z" and len(asked) > 2:
            raise ValueError(word)
        return f"{word}{len(asked) % 3}"

    (seen,) = ask(numbered, Case("a", (["a", "b", "c"],), each=0, elsewhere=True))
    assert "".join(asked) == "abcabccba"
    assert seen.value == seen.again == ["a1", "b2", "c0"]
    assert seen.elsewhere == ["a0", "b2", "c1"]
    asked.clear()
    (seen,) = ask(numbered, Case("a", (["z"],), each=0, elsewhere=True))
    assert (seen.value, seen.elsewhere) == (["z1"], None)


class Scaled(torch.nn.Module):
    def __init__(self, total=0):
        super().__init__()
        self.parts = torch.nn.ModuleList([torch.nn.Linear(1, 1, bias=False)])
        (self.W,) = self.parts
        self.total = total

    def forward(self, x, *others):
        self.total = self.total + x
        if x.sum() < 0:
            raise ValueError
        return self.W(x), self.total, [other is x for other in others]


def number(value):
    return Tensor(np.full((1, 1), value, dtype=np.float32))


def test_a_module_gets_its_parameters_by_the_names_that_are_asked_for():
    asked = ModuleState({}, {"W.weight": np.array([[3.0]])})
    (filled,) = ask(Scaled, Case("a", (number(1),), module=asked, gradient_of=(0,)))
    assert filled.built == {"parameters": {"W.weight": (1, 1)}}
    assert filled.value["value"]["output"][0] == 3
    assert list(filled.value["parameter_gradients"]) == ["W.weight"]
    for names, built in (("V.weight", "W.weight"), "W.weight"), ((), "parts.0.weight"):
        (seen,) = ask(Scaled, Case("a", (number(1),), module=ModuleState({}, named=names)))
        assert list(seen.built["parameters"]) == [built]
    missing = ModuleState({}, {"V.weight": np.array([[3.0]])})
    message = ask(Scaled, Case("a", (), module=missing))[0].error.message
    assert message == "the module has no parameter V.weight; it has parts.0.weight"


def test_arguments_of_a_module_that_are_alike_are_one_object_and_a_call_before_may_fail():
    for first, total in (2, 3), (-2, -1):
        state = ModuleState({}, called_before=(number(first),))
        (seen,) = ask(Scaled, Case("a", (number(1), number(1), number(2)), module=state))
        assert seen.value["output"][1:] == (total, [True, False])


def test_lines_bars_and_points_are_described_as_numbers():
    def draw(x, y, how):
        _, axes = plt.subplots()
        getattr(axes, how)(x, y) if how != "hist" else axes.hist(x, bins=y)
        return axes

    x, y = np.array([1.0, 2.0, 4.0]), np.array([3.0, 1.0, 2.0])
    for how, name in ("plot", "lines"), ("bar", "bars"), ("scatter", "points"), ("hist", "bars"):
        cases = tuple(Case("a", (n * x, 3 if how == "hist" else y, how)) for n in (1, 2))
        right, other = ask(draw, *cases)
        assert [key for key in ("lines", "bars", "points") if key in right.value["axes"]] == [name]
        assert common.plots(cases[0], right, right) is None
        assert common.plots(cases[0], other, right).message.startswith(
            f"{name}: first result: x: values differ"
        )


def test_methods_of_an_object_are_called_in_turn_with_fresh_inputs():
    class Basket:
        def __init__(self, items):
            self.items = items

        def add(self, more, times=1):
            self.items += more * times
            more.clear()

        def __len__(self):
            return len(self.items)

    calls = (Call("add", (["b"],), {"times": 2}), "items", Call("__len__"))
    case = wire.loads(wire.dumps(Case("a", (["a"],), calls=calls)))
    for _ in range(2):
        (seen,) = ask(Basket, case)
        assert seen.value == {"1. add": None, "2. items": ["a", "b", "b"], "3. __len__": 3}
        assert seen.after == (["a", "b", "b"], [], 2)
    (seen,) = ask(Basket, Case("a", ([],), calls=("itms",)))
    assert seen.error.message == "there is `items`, no `itms`"


def test_an_error_is_told_in_short_and_by_a_class_that_python_has():
    text = "expected one of these combinations of arguments " * 9
    names = {"__name__": "__main__", "text": text}
    code = """
        class Silent(Exception):
            def __str__(self): raise Silent
        class TooLong(ValueError): pass
        def f(x):
            if x == 0: raise Silent
            raise TooLong(text)
    """
    exec(textwrap.dedent(code), names)
    cases = (Case("a", (0,)), Case("b", (1,)))
    silent, long = (seen.error for seen in runner.ask_all(Question("f", (), cases), names).observations)
    assert silent.message == "(one that cannot be shown)"
    assert long.kind == "ValueError"
    assert 280 < len(long.message) <= 300
    assert text.startswith(long.message.removesuffix("…"))


@pytest.mark.parametrize(
    ("given", "arrives"),
    [
        (Fraction(1, 4), 0.25),
        ([Fraction(1, 2), Decimal(3)], [0.5, 3.0]),
        (np.array([3, 1, 20], dtype=object), np.array([3, 1, 20])),
        (np.array([[Fraction(1, 2)], [1]], dtype=object), np.array([[0.5], [1.0]])),
        (np.array([True, False], dtype=object), np.array([True, False])),
        (np.array(["1", None], dtype=object), values.Opaque("array of dtype object")),
        (np.array(["self", "1.5"]), ["self", "1.5"]),
        (Fraction(10**400), values.Opaque("Fraction")),
        (Decimal("sNaN"), values.Opaque("Decimal")),
        pytest.param(10**5000, values.Opaque("number of thousands of digits"), id="long"),
        (range(10**9), values.Opaque("range")),
        ({1, "a"}, values.Opaque("set")),
    ],
)
def test_what_an_answer_gives_arrives_as_what_it_holds_or_is_only_named(given, arrives):
    (seen,) = ask(lambda x: given, Case("a", (1,)))
    assert wire.dumps(seen.value) == wire.dumps(arrives)


def test_variables_are_read_by_name():
    question = Question("predict", ("a", "b"), (Case("values"),))
    assert runner.ask(question, {"a": [1, 2], "b": 3}).observations[0].value == {"a": [1, 2], "b": 3}
    assert runner.ask(question, {"a": ..., "b": 3}).observations[0].value == {"b": 3}
    assert runner.ask(question, {"a": ..., "b": ...}).state == runner.NOT_STARTED
    assert runner.ask(question, {}).state == runner.MISSING


def none_stands_in(name, call):
    raise AssertionError(f"{name} was called")


def answered(question, names):
    """What comes over the wire."""
    return protocol.read_reply(
        protocol.answer_request(protocol.write_request(question), names, none_stands_in), question
    )


def test_a_reply_reads_back():
    key = toy.key()
    back = answered(Question("double", (), key.cases), {"double": toy.double})
    assert np.array_equal(back.observations[0].value, key.expected[0].value)


@pytest.mark.parametrize(
    "forged",
    [
        *("", "!!!", "\xff\xfe", None, 5, wire.dumps("right"), wire.dumps(["right"])),
        wire.dumps(["asked", (), "", 1, 2]),
        wire.dumps(["asked", (), "", Case("a"), Case("a")]),
        wire.dumps(["asked", (), "", *toy.key().expected, *toy.key().expected]),
        wire.dumps(["asked"] * 3),
        wire.dumps(["not started", ("a name that was not asked for",), ""]),
        wire.dumps(["not started", (["a list"],), ""]),
        wire.dumps(["missing", (), "<b>no name</b>"]),
        wire.dumps(["missing", (), "", "a text"]),
    ],
)
def test_a_forged_reply_is_refused(forged):
    with pytest.raises(wire.WireError):
        protocol.read_reply(forged, Question("double", (), toy.key().cases))


def test_of_an_answer_that_draws_comes_its_content_and_no_figure_stays():
    def draw(weights):
        _, axes = plt.subplots()
        axes.imshow(weights)
        axes.set(title="T", xlabel="keys", ylabel="queries", xticks=[0, 1], xticklabels=["a", "b"])
        plt.show()
        return axes

    numbers_before = plt.get_fignums()
    question = Question("draw", (), (Case("w", (np.eye(2),)),), reference_stubs=("labels",))
    axes = answered(question, {"draw": draw}).observations[0].value["axes"]
    assert np.array_equal(axes["data"], np.eye(2))
    texts = [axes[name] for name in ("title", "x_name", "y_name", "x_labels")]
    assert texts == ["T", "keys", "queries", ["a", "b"]]
    assert plt.get_fignums() == numbers_before


def test_a_library_call_is_noticed_however_it_was_imported():
    library = find_exercise("01_weighted_sums", "softmax").library
    ways = [
        ("scipy.special.softmax", lambda x: scipy.special.softmax(x)),
        ("scipy.special.softmax", lambda x: renamed(x)),
        ("torch.softmax", lambda x: torch.softmax(torch.tensor(x), -1)),
        ("torch.nn.functional.softmax", lambda x: torch.nn.Softmax(dim=-1)(torch.tensor(x))),
        ("Tensor.softmax", lambda x: torch.tensor(x).softmax(-1)),
        (None, lambda x: np.exp(x)),
    ]
    question = Question("f", (), (Case("a", (np.ones((2, 3)),)),), library=library)
    for name, answer in ways:
        called = runner.ask_all(question, {"f": answer}).library
        assert name in called if name else called == ()


def test_an_answer_is_asked_with_the_libraries_settings_as_they_came():
    def settings(x):
        grad, dtype = torch.is_grad_enabled(), str(torch.get_default_dtype())
        return (str(np.exp(np.array(-x)) * np.array([1.0])), grad, dtype, torch.is_anomaly_enabled())

    with np.errstate(all="raise"), np.printoptions(precision=2, sign="+"), torch.no_grad():
        torch.set_default_dtype(torch.float64)
        torch.autograd.set_detect_anomaly(True)
        try:
            (seen,) = ask(settings, Case("a", (1000.0,)))
            assert torch.get_default_dtype() == torch.float64
            assert torch.is_anomaly_enabled()
            assert np.geterr()["under"] == "raise"
        finally:
            torch.set_default_dtype(torch.float32)
            torch.autograd.set_detect_anomaly(False)
    assert seen.value == seen.again == ("[0.]", True, "torch.float32", False)
