"""Write down the versions now installed: all for pip, and for conda those that pyproject.toml asks for."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.publish.kit import CONDA_NAMES, NOT_ON_CONDA

CONSTRAINTS, CONDA = Path("autograder/constraints.txt"), Path("environment.yml")
BY_PIP = (*NOT_ON_CONDA, "pyseccomp", "axe-playwright-python", "otter-grader")
"""What conda-forge does not have, or was not seen to have in these versions."""
HEAD = """\
# The versions of autograder/constraints.txt, for conda: `conda env create -f environment.yml`. `make lock` writes both.
name: attention-course
channels:
  - conda-forge
dependencies:
"""


def environment(project: dict, versions: dict[str, str]) -> str:
    """environment.yml for what a project asks for, in these versions."""
    oldest = re.search(r"3\.\d+", project["requires-python"])[0]
    extras = project["optional-dependencies"].values()
    wanted = [Requirement(line).name for line in (*project["dependencies"], *sum(extras, []))]
    names = [name for name in wanted if name not in (project["name"], *BY_PIP)]
    lines = [
        f"python={oldest}",
        *(f"{CONDA_NAMES.get(name, name)}={versions[name]}" for name in names),
        "pip",
        "pip:",
    ]
    by_pip = [*(f"{name}=={versions[name]}" for name in BY_PIP), "-e ."]
    return HEAD + "".join([*(f"  - {line}\n" for line in lines), *(f"      - {line}\n" for line in by_pip)])


def locked(text: str) -> dict[str, str]:
    """Package to version, from the text of the constraints."""
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in text.split())}


def main() -> None:
    frozen = subprocess.run(
        [sys.executable, "-m", "pip", "freeze", "--exclude-editable"],
        capture_output=True,
        text=True,
        check=True,
    )
    CONSTRAINTS.write_text(frozen.stdout.replace("+cpu", ""))
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    CONDA.write_text(environment(project, locked(CONSTRAINTS.read_text())))


if __name__ == "__main__":
    main()
