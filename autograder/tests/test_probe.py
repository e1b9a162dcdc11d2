"""How answers are asked: each call with inputs of its own, in quiet, and across processes as text."""

from __future__ import annotations

import io
from decimal import Decimal
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from autograder.model import values, wire
from autograder.model.exercise import Case, ModuleState
from autograder.model.kinds import RandomSource, Tensor
from autograder.student import probe, replies
from autograder.student.probe import Question
from autograder.tests import toy
from autograder.tests.this_course import find_exercise


def ask(answer, *cases):
    return probe.ask_all(Question("f", (), cases), {"f": answer}).observations


def test_prints_and_warnings_are_held_back(capsys):
    def noisy(x):
        import warnings

        print("hello")
        warnings.warn("careful", stacklevel=1)
        return x

    ask(noisy, Case("a", (1,)))
    assert capsys.readouterr() == ("", "")


def test_every_call_meets_fresh_inputs():
    seen = ask(lambda x: x.__setitem__(0, 9) or x.sum(), Case("a", (np.zeros(2),)))[0]
    assert (seen.value, seen.again) == (9, 9)


def test_a_random_source_is_made_anew_for_each_call():
    seen = ask(lambda rng: rng.normal(), Case("a", (RandomSource(5),)))[0]
    assert seen.value == seen.again


def test_what_an_answer_met_before_has_another_id():
    seen = []
    ask(lambda rng: seen.append(id(rng)), *[Case(str(tag), (RandomSource(5),)) for tag in range(20)])
    assert len(seen) == len({*seen}) == 40


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
    value = ask(lambda x: x**2, case)[0].value
    assert np.allclose(value["gradients"][0], np.linspace(-1, 2, 3) * np.array([2.0, 4.0, 6.0]))


def test_a_cut_graph_has_no_gradient():
    case = Case("a", (Tensor(np.ones(3)),), gradient_of=(0,))
    assert ask(lambda x: x.detach() * 2, case)[0].value["gradients"] == [None]


def test_a_module_gets_its_parameters_by_name():
    import torch

    class Linear(torch.nn.Module):
        def __init__(self, n):
            super().__init__()
            self.W = torch.nn.Linear(n, 1, bias=False)

        def forward(self, x):
            return self.W(x)

    case = Case(
        "a",
        (Tensor(np.ones((1, 2), dtype=np.float32)),),
        module=ModuleState({"n": 2}, {"W.weight": np.array([[3.0, 4.0]])}),
    )
    assert ask(Linear, case)[0].value["output"] == 7
    missing = Case("a", (), module=ModuleState({"n": 2}, {"V.weight": np.array([[3.0, 4.0]])}))
    assert "no parameter V.weight; it has W.weight" in ask(Linear, missing)[0].error.message


def test_elsewhere_the_last_of_several_items_is_asked_first_and_what_came_back_stands_in_their_order():
    asked = []

    def numbered(word):
        asked.append(word)
        return f"{word}{len(asked) % 3}"

    (seen,) = ask(numbered, Case("a", (["a", "b", "c"],), each=0, elsewhere=True))
    assert "".join(asked) == "abcabccba"
    assert (seen.value, seen.again, seen.elsewhere) == (
        ["a1", "b2", "c0"],
        ["a1", "b2", "c0"],
        ["a0", "b2", "c1"],
    )


def test_an_answer_that_fails_elsewhere_gave_nothing_there():
    asked = []

    def four_times(word):
        asked.append(word)
        if len(asked) > 4:
            raise ValueError(word)
        return word

    (seen,) = ask(four_times, Case("a", (["a", "b"],), each=0, elsewhere=True))
    assert (seen.value, seen.elsewhere) == (["a", "b"], None)


def test_a_parameter_of_two_names_goes_by_the_one_that_is_asked_for():
    import torch

    class Scaled(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.parts = torch.nn.ModuleList([torch.nn.Linear(1, 1, bias=False)])
            (self.W,) = self.parts

        def forward(self, x):
            return self.W(x)

    x = Tensor(np.ones((1, 1), dtype=np.float32))
    asked = ModuleState({}, {"W.weight": np.array([[3.0]])})
    filled = ask(Scaled, Case("a", (x,), module=asked, gradient_of=(0,)))[0]
    assert filled.built == {"parameters": {"W.weight": (1, 1)}}
    assert filled.value["value"]["output"] == 3
    assert list(filled.value["parameter_gradients"]) == ["W.weight"]
    for names, built in (("V.weight", "W.weight"), "W.weight"), ((), "parts.0.weight"):
        own = ask(Scaled, Case("a", (x,), module=ModuleState({}, named=names)))[0]
        assert list(own.built["parameters"]) == [built]


def test_arguments_of_a_module_that_are_alike_are_one_object():
    import torch

    class Told(torch.nn.Module):
        def __init__(self):
            super().__init__()

        def forward(self, *given):
            return [one is given[0] for one in given]

    given = tuple(Tensor(np.full((1, 2), number)) for number in (1.0, 1.0, 2.0))
    (seen,) = ask(Told, Case("a", given, module=ModuleState({})))
    assert seen.value["output"] == [True, True, False]


def test_a_module_is_called_before_the_call_that_counts():
    import torch

    class Adding(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.total = 0

        def forward(self, x):
            self.total = self.total + x
            if x < 0:
                raise ValueError
            return self.total

    def second(first):
        return ask(Adding, Case("a", (1,), module=ModuleState({}, called_before=(first,))))[0]

    assert [second(first).value["output"] for first in (2, -2)] == [3, -1]


def test_figures_are_described_and_closed():
    def draw(data):
        figure, axes = plt.subplots()
        axes.imshow(data)
        axes.set(title="T", xlabel="keys", ylabel="queries", xticks=[0, 1], xticklabels=["a", "b"])
        plt.show()
        return axes

    before = plt.get_fignums()
    axes = ask(draw, Case("a", (np.eye(2),)))[0].value["axes"]
    assert np.array_equal(axes["data"], np.eye(2))
    told = [axes[name] for name in ("title", "x_name", "y_name", "x_labels")]
    assert told == ["T", "keys", "queries", ["a", "b"]]
    assert plt.get_fignums() == before


def test_an_error_that_cannot_be_shown_is_an_error():
    class Silent(Exception):
        def __str__(self):
            raise Silent

    def answer(x):
        raise Silent

    assert ask(answer, Case("a", (1,)))[0].error.message == "(one that cannot be shown)"


def test_an_error_of_a_class_of_one_s_own_is_what_that_is_made_from():
    names = {"__name__": "__main__"}
    exec("class TooLong(ValueError): pass\n\ndef f(x): raise TooLong(x)", names)
    (seen,) = probe.ask_all(Question("f", (), (Case("a", (1,)),)), names).observations
    assert (seen.error.kind, seen.error.message) == ("ValueError", "1")


def test_a_long_error_ends_with_a_whole_word():
    text = "expected one of these combinations of arguments " * 9

    def raising(x):
        raise ValueError(text)

    message = ask(raising, Case("one", (1.0,)))[0].error.message
    assert 280 < len(message) <= 300
    assert text.startswith(message.removesuffix("…"))


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


def test_an_argument_that_cannot_be_looked_at_again_is_an_error_of_the_call():
    (seen,) = ask(lambda x: x.append(x), Case("a", ([1],)))
    assert seen.error.kind == "RecursionError"


def test_variables_are_read_by_name():
    question = Question("predict", ("a", "b"), (Case("values"),))
    assert probe.ask(question, {"a": [1, 2], "b": 3}).observations[0].value == {"a": [1, 2], "b": 3}
    assert probe.ask(question, {"a": ..., "b": 3}).observations[0].value == {"b": 3}
    assert probe.ask(question, {"a": ..., "b": ...}).state == probe.NOT_STARTED
    assert probe.ask(question, {}).state == probe.MISSING


def none_stands_in(name, call):
    raise AssertionError(f"{name} was called")


def answered(question, names):
    """What comes over the wire."""
    return replies.read_reply(replies.reply(replies.request(question), names, none_stands_in), question)


def test_a_reply_reads_back():
    key = toy.key()
    back = answered(Question("double", (), key.cases), {"double": toy.double})
    assert np.array_equal(back.observations[0].value, key.expected[0].value)


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "!!!",
        "\xff\xfe",
        None,
        5,
        wire.dumps("right"),
        wire.dumps(["right"]),
        wire.dumps(["asked", (), "", None, 1, 2]),
        wire.dumps(["asked", (), "", None, Case("a"), Case("a")]),
        wire.dumps(["asked"] * 3),
        wire.dumps(["not started", ("a name that was not asked for",), "", None]),
        wire.dumps(["not started", (["a list"],), "", None]),
        wire.dumps(["missing", (), "<b>no name</b>", None]),
        wire.dumps(["missing", (), "", "a text"]),
        wire.dumps(["missing", (), "", np.zeros(3)]),
    ],
)
def test_a_forged_reply_is_refused(forged):
    with pytest.raises(wire.WireError):
        replies.read_reply(forged, Question("double", (), toy.key().cases))


@pytest.mark.parametrize(("size", "pixels"), [((6, 4), (600, 400)), ((200, 100), (800, 400))])
def test_of_an_answer_that_draws_comes_the_picture_within_bounds(size, pixels):
    def draw(weights):
        _, axes = plt.subplots(figsize=size)
        axes.imshow(weights)
        return axes

    before = plt.get_fignums()
    question = Question("draw", (), (Case("w", (np.eye(2),)),), stand_ins={"labels": "labels()"})
    answers = answered(question, {"draw": draw})
    assert "axes" in answers.observations[0].value
    with Image.open(io.BytesIO(answers.picture.tobytes())) as picture:
        assert (picture.format, picture.size) == ("PNG", pixels)
    assert plt.get_fignums() == before


def test_no_picture_is_drawn_where_it_cannot_be():
    answers = answered(Question("f", (), (Case("w", (np.eye(2),)),)), {"f": abs})
    assert answers.picture is None
    answers = answered(Question("predict", ("axes",), (Case("values"),)), {"axes": 2})
    assert (answers.picture, answers.observations[0].value) == (None, {"axes": 2})


def test_a_second_guess_is_refused():
    key = toy.key()
    answers = toy.ask(toy.thrice, key.cases), toy.ask(toy.double, key.cases)
    guesses = [[one.state, (), "", None, *one.observations] for one in answers]
    for both in (guesses, guesses[0] + guesses[1][4:]):
        with pytest.raises(wire.WireError):
            replies.read_reply(wire.dumps(both), Question("double", (), key.cases))


def test_a_library_call_is_noticed_however_it_was_imported():
    import scipy.special
    import torch
    from scipy.special import softmax as renamed

    known = find_exercise("01_weighted_sums", "softmax").library
    ways = {
        "scipy.special.softmax": [lambda x: scipy.special.softmax(x), lambda x: renamed(x)],
        "torch.softmax": [lambda x: torch.softmax(torch.tensor(x), -1)],
        "torch.nn.functional.softmax": [lambda x: torch.nn.Softmax(dim=-1)(torch.tensor(x))],
        "Tensor.softmax": [lambda x: torch.tensor(x).softmax(-1)],
    }
    for name, answers in ways.items():
        for answer in answers:
            question = Question("f", (), (Case("a", (np.ones((2, 3)),)),), library=known)
            assert name in probe.ask_all(question, {"f": answer}).library
    assert probe.ask_all(question, {"f": lambda x: np.exp(x)}).library == ()


def test_an_answer_is_asked_with_the_libraries_settings_as_they_came():
    import torch

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
