"""Tests, and commands that judge the judge or measure: with one thread, as in grading, set before numpy is loaded."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
