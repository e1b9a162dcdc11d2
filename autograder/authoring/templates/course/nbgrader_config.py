"""nbgrader's settings for this course. Run every `nbgrader` command from this folder."""

import sys
from pathlib import Path

try:
    from autograder.nbgrader_plugin import settings
except Exception as error:  # nbgrader would go on with its own settings, and run student code unsealed
    sys.exit(f"✗ nbgrader_config.py cannot load the grader ({error}): activate the environment it is installed in")

c = get_config()  # nbgrader defines it

settings.apply(c, Path(__file__).parent)
