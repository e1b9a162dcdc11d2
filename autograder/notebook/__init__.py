"""Checks with their help, attempts, other solutions, practice and progress, as a notebook uses them."""
