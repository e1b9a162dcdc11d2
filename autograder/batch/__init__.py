"""Grading a class: many submissions at once, each once, through nbgrader's own converter and one writer."""
