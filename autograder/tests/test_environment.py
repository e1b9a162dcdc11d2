"""The ways to install the course name the same versions."""

from __future__ import annotations

import itertools
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import autograder
from autograder.tests.fresh_environment import needed
from autograder.tests.this_course import COURSE, PROJECT, ROOT

PROMISED = [f"3.{minor}" for minor in range(99) if f"3.{minor}.0" in SpecifierSet(PROJECT["requires-python"])]
"""The Pythons on which the course can be installed."""

LIBRARIES = sysconfig.get_path("purelib")

WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github" / "workflows").glob("*.yml")
}
STEPS = [
    step for workflow in WORKFLOWS.values() for job in workflow["jobs"].values() for step in job["steps"]
]


lock = runpy.run_path(str(ROOT / ".ci" / "lock.py"))
LOCKED: dict[str, str] = lock["locked"]((ROOT / "autograder" / "constraints.txt").read_text())
"""Package to version."""


def test_every_page_and_tool_names_the_pythons_that_are_promised():
    """The kit's are held against these in `test_kit`."""
    said = f"Python {PROMISED[0]} to {PROMISED[-1]}"
    text = (ROOT / "README.md").read_text()
    assert re.findall(r"Python \d[\d.]*(?: to [\d.]+\d| or \w+)?", text) == [said]
    assert WORKFLOWS["test"]["jobs"]["test"]["strategy"]["matrix"]["python"] == PROMISED
    assert re.search("python=(.+)", (ROOT / "environment.yml").read_text())[1] in PROMISED


def test_every_pinned_package_runs_on_every_python_that_is_promised():
    installed = {canonicalize_name(found.name): found for found in distributions(path=[LIBRARIES])}
    for name in LOCKED.keys() & installed:
        found = installed[name]
        assert found.version.split("+")[0] == LOCKED[name], f"{name} is another version: make setup"
        wanted = SpecifierSet(found.metadata.get("Requires-Python", ""))
        assert [python for python in PROMISED if f"{python}.0" not in wanted] == [], f"{name} wants {wanted}"


@pytest.mark.parametrize(
    ("promise", "without", "said"),
    [
        (">=3.97,<3.99", "", "3.97 to 3.98. Name another: make PYTHON="),
        (">=3.8,<3.10", "", "3.8 to 3.9. Name another: make PYTHON="),
        (PROJECT["requires-python"], "sqlite3", "no sqlite3"),
    ],
    ids=["old", "new", "half built"],
)
def test_make_turns_down_a_python_in_one_line_before_it_downloads(tmp_path, promise, without, said):
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    for name in ("Makefile", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    text = (ROOT / "pyproject.toml").read_text().replace(PROJECT["requires-python"], promise)
    (tmp_path / "pyproject.toml").write_text(text)
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    if without:
        (hidden / f"{without}.py").write_text("raise ImportError")
    offline = {"PYTHONPATH": str(hidden), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}
    command = ["make", "--no-print-directory", "setup", f"PYTHON={sys.executable}"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **offline}, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert not (tmp_path / ".venv").exists()
    (line,) = [line for line in done.stderr.splitlines() if not re.match(r"make(\[\d+\])?: \*\*\*", line)]
    assert said in line
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("begins", "anew"), [("#!/bin/sh", False), ("#!/nowhere/.venv/bin/python3", True)], ids=["whole", "moved"]
)
def test_an_environment_that_does_not_work_is_made_anew(tmp_path, begins, anew):
    for name in ("Makefile", "pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    program = tmp_path / ".venv" / "bin" / "pip"
    program.parent.mkdir(parents=True)
    program.write_text(f"{begins}\n")
    program.chmod(0o755)
    (program.parents[1] / "ready").touch()
    said = subprocess.check_output(["make", "-n", "setup"], cwd=tmp_path, text=True)
    assert ("What lies in .venv does not work" in said, "pip install" in said) == (anew, anew)


def test_all_lists_name_the_versions_of_the_lock_which_has_a_hash_for_each_package():
    text = (ROOT / "requirements.txt").read_text()
    assert {**lock["locked"](text), "torch": LOCKED["torch"]} == LOCKED, "make lock"
    entries = re.findall(r"^[\w.-]+==.*(?:\n    .*)+", text, re.MULTILINE)
    assert len(entries) == len(LOCKED) - 1
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
    made = lock["environment"](PROJECT, LOCKED)
    assert (ROOT / "environment.yml").read_text() == made, "make lock"


def test_no_second_index_stands_beside_pypi_and_actions_are_pinned_by_commit():
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    for name in filter(None, listed.split("\0")):
        if name.startswith(("docs/", ".github/", ".devcontainer/", "autograder/publish/")) or "/" not in name:
            text = (ROOT / name).read_text(errors="replace")
            assert not re.search("extra.index.url", text, re.IGNORECASE) or name == "CHANGELOG.md", name
            used = re.findall(r"uses: \S+@(\S+)", text)
            assert all(re.fullmatch("[0-9a-f]{40}", commit) for commit in used), name


def test_what_is_asked_for_is_a_range_that_holds_the_locked_version_and_says_what_it_is_for():
    text = (ROOT / "pyproject.toml").read_text()
    lines = [*PROJECT["dependencies"], *itertools.chain(*PROJECT["optional-dependencies"].values())]
    for one in (one for one in map(Requirement, lines) if one.name != PROJECT["name"]):
        assert LOCKED[canonicalize_name(one.name)] in one.specifier, one
        assert {part.operator for part in one.specifier} <= {">=", "<"}, one
        assert re.search(rf'"{one.name}>=[^"]*",\s+# \w', text), one


def test_what_the_grader_needs_is_as_large_as_its_page_says_and_holds_nothing_of_the_lessons():
    page = (ROOT / "docs" / "own-course.md").read_text()
    said = int(re.search(r"about (\d+) MB", page)[1])
    assert said <= 600
    found = needed([*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["site"]])
    files = (Path(one.locate_file(path)) for one in found for path in one.files or ())
    size = sum(file.stat().st_blocks * 512 for file in files if file.is_file()) / 2**20
    assert size == pytest.approx(said, rel=0.15)
    of_lessons = {Requirement(line).name for line in PROJECT["optional-dependencies"]["lessons"]}
    assert of_lessons == {*COURSE.packages}
    assert not of_lessons & {canonicalize_name(one.name) for one in found}


def test_make_help_lists_every_command_and_there_are_few():
    text = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)[1].split()
    assert phony == re.findall(r"^([a-z-]+):.*## ", text, re.MULTILINE)
    assert len(phony) <= 16


def test_every_place_names_the_same_version_and_its_changes_are_told():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())["version"]
    (newest, *_) = re.findall(r"^## (\S+) · ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert {PROJECT["version"], autograder.__version__, cited, newest} == {PROJECT["version"]}


def test_what_workflows_run_is_here_and_needs_no_shell_of_their_own():
    """A step is one command: of make, of `.ci/`, or of a program of the runner's."""
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in [step["run"] for step in STEPS if "run" in step]:
        program, *words = line.split()
        assert "\n" not in line.strip()
        if program == "make":
            assert words[0] in targets
        elif program.startswith(".ci/"):
            assert os.access(ROOT / program, os.X_OK), program
        else:
            assert program in ("sudo", "python", "build/empty/bin/pip", "docker", "gh"), line
