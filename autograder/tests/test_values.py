"""Values are compared, and shown in few words."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.calls.serialize import to_plain_data
from autograder.exercises import values

NUMBERS = st.sampled_from([0.0, 1.0, -1.0, 1e-9, 1 + 1e-7, 1 + 1e-4, 1e6, 1e6 + 1, np.nan, np.inf, -np.inf])
SHAPES = hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3)
ARRAYS = hnp.arrays(float, SHAPES, elements=NUMBERS) | hnp.arrays(bool, SHAPES) | hnp.arrays(np.int64, SHAPES)

LEAVES = ARRAYS | NUMBERS | st.sampled_from(["a", "b", None, True, 2])
NESTED = st.recursive(
    LEAVES,
    lambda some: (
        st.lists(some, max_size=3) | st.tuples(some, some) | st.dictionaries(st.sampled_from("ab"), some)
    ),
    max_leaves=4,
)


@given(seen=NESTED, expected=NESTED)
def test_a_value_agrees_with_itself_and_of_others_it_is_said_what_differs(seen, expected):
    assert values.are_close(expected, expected, 1e-6)
    what, *_ = values.describe_difference(seen, expected, 1e-6) or [""]
    assert values.are_close(seen, expected, 1e-6) == (what == "")


Weighed = dataclasses.make_dataclass("Weighed", ["name", "weights"], frozen=True)
CITIES = pd.DataFrame({"city": ["Rome", "Oslo"], "mean": [20.5, 4.0]}, index=["r", "o"])


@pytest.mark.parametrize(
    ("seen", "expected", "said"),
    [
        (Weighed("a", [1.0, 2.0]), Weighed("a", np.array([1.0, 2 + 1e-6])), None),
        (
            Weighed("a", [1.0, 3.0]),
            Weighed("a", [1.0, 2.0]),
            ("weights: values differ", "[1. 3.]", "[1. 2.]"),
        ),
        (CITIES[["mean", "city"]], CITIES + {"city": "", "mean": 1e-5}, None),
        (CITIES.assign(mean=[20.5, 5]), CITIES, ("column 'mean': values differ", "[20.5 5. ]", "[20.5 4. ]")),
        (
            CITIES.assign(city=None),
            CITIES,
            (
                "column 'city': first result: returned something else",
                "nothing (None): is there a return?",
                "'Rome'",
            ),
        ),
        (
            CITIES.reset_index(drop=True),
            CITIES,
            ("index 0: first result: returned something else", "0", "'r'"),
        ),
        (CITIES[["city"]], CITIES, ("columns: returned something else", "'city'", "'city, mean'")),
        (CITIES[:1], CITIES, ("number of rows: values differ", "1", "2")),
        (
            CITIES["mean"],
            CITIES,
            (
                "returned the wrong kind of thing",
                "a Series of 2 rows",
                "a DataFrame of 2 rows and columns city, mean",
            ),
        ),
        (CITIES["mean"] + [0, 1], CITIES["mean"], ("values: values differ", "[20.5 5. ]", "[20.5 4. ]")),
    ],
)
def test_dataclasses_are_compared_by_fields_and_tables_by_columns(seen, expected, said):
    if not isinstance(expected, Weighed):
        seen, expected = to_plain_data(seen), to_plain_data(expected)
    assert values.describe_difference(seen, expected, 1e-4) == said


def test_numbers_agree_within_a_share_of_the_largest_expected_one():
    expected = np.array([0.0, 1000.0, np.nan, np.inf])
    assert values.are_close(expected + [0.09, 0, 0, 0], expected, 1e-4)
    assert not values.are_close(expected + [0.11, 0, 0, 0], expected, 1e-4)
    assert not values.are_close(np.array([0.0, 1000.0, 0.0, np.inf]), expected, 1e-4)
    assert not values.are_close(np.array([0.0, 1000.0, np.nan, -np.inf]), expected, 1e-4)


def test_a_collection_is_not_close_to_its_beginning():
    for whole in (["a", "b"], ("a", "b"), [np.ones(2), np.ones(3)]):
        assert not values.are_close(whole[:1], whole, 1e-6)
        assert not values.are_close([*whole, "c"], whole, 1e-6)
    assert not values.are_close({"a": 1.0, "b": 2.0}, {"a": 1.0}, 1e-6)
    assert not values.are_close({"a": 1.0}, {"a": 1.0, "b": 2.0}, 1e-6)


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        (0.5, 0.25, ("0.5", "0.25")),
        (1.0002, 1.0, ("1.0002", "1.")),
        ([0.25, 1 / 3], [0.25, 1 / 3 + 1e-6], ("[0.25 0.333333]", "[0.25 0.333334]")),
        (1e-4, 0.0, ("0.0001", "0.")),
        (1e-30, 0.0, ("1.e-30", "0.")),
        (-1e-4, 0.0, ("-0.0001", "0.")),
        ([-1e-30, 1.0], [0.0, 1.0], ("[-1.e-30 1.e+00]", "[0. 1.]")),
    ],
)
def test_numbers_that_differ_are_shown_apart(one, other, shown):
    assert values.format_difference(np.array(one), np.array(other)) == shown


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([4, 1, 3, 2, 4], "a list of 5 numbers"),
        ((0.5, 2), "2 numbers"),
        ([np.ones(2)] * 5, "5 results: " + "an array of shape (2,), " * 4 + "…"),
        (["cat", "sat"], "2 results: 'cat', 'sat'"),
        ([True, 1], "2 results: True, a number"),
        ([np.ones(2)], "1 result: an array of shape (2,)"),
        ((values.Opaque("Figure"), {"axes": {}}), "2 results: a Figure, an Axes"),
        ((1.0, ("cat", None)), "2 results: a number, (2 results: 'cat', nothing (None): is there a return?)"),
        (values.Opaque("array of 9 entries"), "an array of 9 entries"),
        (values.Opaque(""), "a "),
    ],
)
def test_a_value_is_told_by_what_it_holds(value, said):
    assert values.describe_kind(value) == said


def test_an_array_in_place_of_a_pair_is_told_as_what_it_is():
    seen, pair = np.ones((1, 3)), (np.ones((1, 3)), (np.ones(2), np.ones(2)))
    kind = "an array of shape (1, 3)"
    assert values.describe_difference(seen, pair, 1e-6)[1] == kind


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([4, 1, 3, 2, 4], "[4 1 3 2 4]"),
        (np.array(9.94544383637), "9.945444"),
        (0.0001, "0.0001"),
        (986, "986"),
        (True, "True"),
        ("lower", "'lower'"),
        (["cat", "sat"], "2 results: 'cat', 'sat'"),
    ],
)
def test_numbers_are_shown_and_of_all_else_its_kind(value, shown):
    assert values.format_value(value) == shown
