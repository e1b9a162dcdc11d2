"""nbgrader's settings for this class: those of its course, and what stands below. Run `nbgrader` from this folder."""

import sys
from pathlib import Path

try:
    from autograder.nbgrader_plugin import settings
except Exception as error:  # nbgrader would go on with its own settings, and run student code unsealed
    sys.exit(f"✗ nbgrader_config.py cannot load the grader ({error}): activate the environment it is installed in")

c = get_config()  # nbgrader defines it

settings.apply_to_class(c, Path(__file__).parent)

# What is this class's own, as: c.QuietPage.site = "https://…"
