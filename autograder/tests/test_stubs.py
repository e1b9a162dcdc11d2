"""What becomes of a solution in the release."""

from __future__ import annotations

from autograder.classroom.hand_out import stub_assignments


def test_assigned_names_stay_as_todos():
    cell = "# three weights\n### BEGIN SOLUTION\nw = [1, 2]\na, b = w\nw = 3\n### END SOLUTION\nprint('next')"
    assert (
        stub_assignments(cell)
        == "# three weights\nw = ...  # TODO\na = ...  # TODO\nb = ...  # TODO\nprint('next')"
    )


def test_what_is_changed_in_place_is_not_assigned():
    cell = "### BEGIN SOLUTION\nsizes[row] = 1\nleft, sizes[0] = 2, 3\n### END SOLUTION"
    assert stub_assignments(cell) == "left = ...  # TODO"


def test_nothing_of_the_solution_stays():
    assert "secret" not in stub_assignments("### BEGIN SOLUTION\nx = secret()\n### END SOLUTION")
