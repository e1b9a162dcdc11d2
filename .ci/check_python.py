"""End with one line that says why this Python cannot run the course, if it cannot. Any Python can read this file."""

import re
import sys

WITH_PYTHON = ("bz2", "ctypes", "ensurepip", "sqlite3", "ssl", "venv", "zlib")

with open("pyproject.toml") as project:
    oldest, too_new = re.search(r'^requires-python = ">=3\.(\d+),<3\.(\d+)"', project.read(), re.M).groups()
version = "%d.%d.%d" % sys.version_info[:3]
if not (3, int(oldest)) <= sys.version_info[:2] < (3, int(too_new)):
    sys.exit(
        "%s is Python %s, and the course needs 3.%s to 3.%d. Name another: make PYTHON=python3.%s"
        % (sys.executable, version, oldest, int(too_new) - 1, oldest)
    )

missing = []
for module in WITH_PYTHON:
    try:
        __import__(module)
    except ImportError:
        missing.append(module)
if missing:
    sys.exit(
        "%s (Python %s) is not complete: it has no %s. On Debian and Ubuntu: apt-get install python3-venv"
        % (sys.executable, version, ", no ".join(missing))
    )
