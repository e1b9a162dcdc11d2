"""What becomes of a solution in the release."""

from __future__ import annotations

from autograder.nbgrader_plugin.releasing import with_names_left


def test_assigned_names_stay_as_todos():
    cell = "# three weights\n### BEGIN SOLUTION\nw = [1, 2]\na, b = w\nw = 3\n### END SOLUTION\nprint('next')"
    assert (
        with_names_left(cell)
        == "# three weights\nw = ...  # TODO\na = ...  # TODO\nb = ...  # TODO\nprint('next')"
    )


def test_nothing_of_the_solution_stays():
    assert "secret" not in with_names_left("### BEGIN SOLUTION\nx = secret()\n### END SOLUTION")
