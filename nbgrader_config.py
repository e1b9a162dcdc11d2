"""nbgrader's settings for this course. Run every `nbgrader` command from this folder."""

import sys
from pathlib import Path

try:
    from autograder.nbgrader_plugin import settings
except Exception as error:  # nbgrader would go on with its own settings, and run student code unsealed
    sys.exit(
        f"✗ nbgrader_config.py cannot load the course's grader ({error}): run `make setup`, and use its .venv"
    )

c = get_config()  # noqa: F821 - nbgrader defines it

settings.apply(c, Path(__file__).parent)

# The seal: student code sees nothing of this machine, and may use no more than this (see docs/sealed-grading.md).
c.SealedKernel.allow_unsealed = False
c.SealedKernel.cpu_seconds = 600
c.SealedKernel.memory_mb = 1000
c.SealedKernel.processes = 64
c.SealedKernel.scratch_mb = 256

# Limits, in seconds: one cell, one exercise's answers, a whole notebook.
c.Execute.timeout = 60
c.GradeAnswers.question_timeout = 30
c.GradeAnswers.notebook_timeout = 300
