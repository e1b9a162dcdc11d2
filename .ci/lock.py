"""Choose the versions of all packages, and write them down: for `make` with hashes, for kits, and for conda.

PyTorch stands in no list with hashes: it comes from an index of its own, see the Makefile.
"""

import re
import subprocess
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.distribution.kit import CONDA_NAMES, NOT_ON_CONDA

LOCK, CONSTRAINTS, CONDA = (
    Path("requirements.txt"),
    Path("autograder/constraints.txt"),
    Path("environment.yml"),
)
BY_PIP = (*NOT_ON_CONDA, "pyseccomp", "axe-playwright-python", "otter-grader", "towncrier")
"""What conda-forge does not have, or was not seen to have in these versions."""
HEAD = """\
# The versions of autograder/constraints.txt, for conda: `conda env create -f environment.yml`. `make lock` writes both.
name: attention-course
channels:
  - conda-forge
dependencies:
"""


def environment(project: dict, versions: dict[str, str]) -> str:
    """Return environment.yml for what a project asks for, in these versions."""
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
    """Return each package's version, from the text of a lock or of constraints."""
    pins = re.findall(r"^([\w.-]+)==([\w.+!-]+)", text, re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pins}


def main() -> None:
    """Resolve pyproject.toml for all systems and Pythons that it promises; write the three lists."""
    project = tomllib.loads(Path("pyproject.toml").read_text())
    oldest = re.search(r"3\.\d+", project["project"]["requires-python"])[0]
    options = [*("--all-extras", "--universal", "--generate-hashes", "--no-annotate", "--no-sources")]
    options += [*("--python-version", oldest, "--no-emit-package", "torch", "--output-file", str(LOCK))]
    options += ["--custom-compile-command", "make lock"]
    (torch,) = project["tool"]["uv"]["dependency-metadata"]
    pin = f"{torch['name']}=={torch['version']}"
    command = ["uv", "pip", "compile", "--quiet", "pyproject.toml", "-", *options]
    subprocess.run(command, input=pin, text=True, check=True)
    versions = {**locked(LOCK.read_text()), torch["name"]: torch["version"]}
    CONSTRAINTS.write_text("".join(f"{name}=={versions[name]}\n" for name in sorted(versions)))
    CONDA.write_text(environment(project["project"], versions))


if __name__ == "__main__":
    main()
