"""Questions in a notebook: what a lesson opens with, what a right answer opens, and what the start page asks."""
