"""Grading: one submission, from its file to its record, and many of them."""
