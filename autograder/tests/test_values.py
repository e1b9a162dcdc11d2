"""Values are compared by the shortest way, which comes to the same as the long one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder import values

NUMBERS = st.sampled_from([0.0, 1.0, -1.0, 1e-9, 1 + 1e-7, 1 + 1e-4, 1e6, 1e6 + 1, np.nan, np.inf, -np.inf])
SHAPES = hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3)
ARRAYS = hnp.arrays(float, SHAPES, elements=NUMBERS) | hnp.arrays(bool, SHAPES) | hnp.arrays(np.int64, SHAPES)


@given(seen=ARRAYS, expected=ARRAYS, tolerance=st.sampled_from([1e-6, 1e-4]))
def test_two_arrays_are_close_where_no_difference_is_found(seen, expected, tolerance):
    assert values.close(seen, expected, tolerance) == (values.difference(seen, expected, tolerance) is None)


@given(expected=ARRAYS, nudge=st.sampled_from([0.0, 1e-7, 1e-5, 1e-3]))
def test_an_array_and_nearly_the_same_one(expected, nudge):
    seen = expected + nudge
    assert values.close(seen, expected, 1e-5) == (values.difference(seen, expected, 1e-5) is None)
