"""What crosses between processes: plain data, exactly, and nothing else."""

from __future__ import annotations

import contextlib
import json

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from autograder.exercises import common, limits, values, wire
from autograder.exercises.argument_kinds import RandomSource, Tensor
from autograder.exercises.exercise import Case, ModuleState, Observation, StudentError
from autograder.tests import toy
from attention import WordVectors

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
)
trees = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(trees)
@settings(deadline=None)
def test_plain_data_comes_back_as_it_was(tree):
    assert wire.loads(wire.dumps(tree)) == tree


@given(
    npst.arrays(st.sampled_from([np.float64, np.float32, np.int64, np.bool_]), npst.array_shapes(min_dims=0))
)
@settings(deadline=None)
def test_arrays_keep_type_shape_and_bits(array):
    back = wire.loads(wire.dumps(array))
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert np.array_equal(back, array, equal_nan=array.dtype.kind == "f")


def test_cases_and_observations_survive():
    state = ModuleState({"h": 2})
    case = Case("mask", (Tensor(np.eye(2)), RandomSource(3)), {"n": 2}, "a label", module=state)
    back = wire.loads(wire.dumps(case))
    assert np.array_equal(back.args[0].array, np.eye(2))
    assert (*back.args[1:], back.kwargs, back.label, back.module) == (
        RandomSource(3),
        {"n": 2},
        "a label",
        state,
    )
    seen = wire.loads(wire.dumps(Observation(value=1.5, error=StudentError("KeyError", "'x'", "line"))))
    assert (seen.value, seen.error.kind, seen.error.line) == (1.5, "KeyError", "line")
    vectors = wire.loads(wire.dumps(WordVectors(("a", "b"), np.ones((2, 3)))))
    assert vectors.words == ("a", "b")


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"city": ["Rome", None], "mean": [20.5, np.nan], "n": [1, 2], "warm": [True, False]}),
        pd.DataFrame({"day": pd.to_datetime(["2020-01-01", None]), "kind": pd.Categorical(["a", "b"])}),
        pd.DataFrame({("a", "b"): [1, 2], ("a", 3): [4, 5]}).set_index([("a", "b"), ("a", 3)], drop=False),
        pd.Series([1, None], index=pd.date_range("2020", periods=2), name="n", dtype="Int64"),
        pd.DataFrame(),
    ],
)
def test_a_table_crosses_both_ways(table):
    case = wire.loads(wire.dumps(Case("a", (table,))))
    (observation,) = toy.ask(lambda given: given if given.equals(table) else None, (case,)).observations
    back = wire.loads(wire.dumps(observation))
    assert values.are_close(back.value, case.args[0], 0.0)
    assert common.find_changed_argument(case, back) is None


def test_a_forged_table_is_refused():
    for columns in [[], ("a",), (("a", "int64", 1),), (("a", "int64", []), ("b", "int64", [1]))]:
        with pytest.raises(wire.WireError):
            wire.decode({"DataFrame": {"columns": wire.encode(columns), "index": wire.encode(())}})


class Agreeable:
    def __eq__(self, other):
        return True


@pytest.mark.parametrize(
    ("value", "arrived"),
    [
        (torch.arange(6.0, requires_grad=True).reshape(2, 3), np.arange(6.0).reshape(2, 3)),
        (Agreeable(), values.Opaque("Agreeable")),
        (values.Opaque("Agreeable"), values.Opaque("Agreeable")),
        (np.zeros(limits.MAX_ENTRIES + 1), values.Opaque("array of 200001 entries")),
    ],
    ids=["tensor", "object", "name of an object", "large array"],
)
def test_a_tensor_arrives_as_an_array_and_what_does_not_cross_as_its_name(value, arrived):
    assert values.are_close(wire.loads(wire.dumps(value)), arrived, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "[1, 2]",
        '{"what": 1}',
        '{"list": 5}',
        '{"array": {"dtype": "float64", "shape": [3], "data": [1, 2]}}',
        '{"array": {"dtype": "object", "shape": [1], "data": [1]}}',
        '{"array": {"dtype": "float64", "shape": [-1, -1], "data": [1]}}',
        '{"array": {"dtype": "<U900000000", "shape": [1], "data": ["x"]}}',
        '{"Case": {"nonsense": 1}}',
        '{"dict": [[{"list": []}, 1]]}',
        '{"dict": [[1]]}',
        "1" * 5000,
        json.dumps("x" * (limits.MAX_MESSAGE_BYTES + 1)),
        f'{{"list": [{"[]," * limits.MAX_MESSAGE_COMMAS}0,0]}}',
        '{"list": [' * 40 + "]}" * 40,
    ],
)
def test_what_dumps_did_not_write_is_refused(text):
    with pytest.raises(wire.WireError):
        wire.loads(text)


@given(st.text(max_size=200))
@settings(deadline=None)
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(wire.WireError):
        wire.loads(text)
    assert len(wire.loads(f'"{"x" * 100_000}"')) == limits.MAX_MESSAGE_TEXT
