"""The ways to install the course name the same versions."""

from __future__ import annotations

import itertools
import re
import tomllib

from autograder.kit import CONDA_NAMES
from autograder.source import ROOT


def pinned() -> dict[str, str]:
    """Package to version, from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    return dict(entry.split("==") for entry in wanted if not entry.startswith(f"{project['name']}["))


def test_conda_and_pip_agree():
    listed = re.findall(
        r"^ +- ([a-z0-9-]+)==?([0-9.]+)$", (ROOT / "environment.yml").read_text(), re.MULTILINE
    )
    assert dict(listed) == {CONDA_NAMES.get(name, name): version for name, version in pinned().items()} | {
        "python": "3.11"
    }


def test_the_constraints_hold_the_same_versions():
    lines = (ROOT / "autograder" / "constraints.txt").read_text().lower().split()
    constraints = dict(line.split("==") for line in lines)
    assert {name: constraints.get(name) for name in pinned()} == pinned()


def test_every_dependency_says_what_it_is_for():
    text = (ROOT / "pyproject.toml").read_text()
    assert all(re.search(rf'"{name}=={version}",\s+# \w', text) for name, version in pinned().items())


def test_make_help_lists_every_verb():
    text = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split()
    assert phony == re.findall(r"^([a-z-]+):.*## ", text, re.MULTILINE)
