"""Checks with their help, attempts, other solutions and progress, as a notebook uses them."""
