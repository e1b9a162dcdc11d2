"""The core works without any of the optional packages, and nothing imports them."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from autograder.tests.this_course import ROOT

ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
REGISTERED = {module.split(".")[1] for group in ENTRY_POINTS.values() for module in group.values()}
OPTIONAL = sorted({*REGISTERED, "quiz"})
IMPORT_ALL = """
import importlib, pkgutil, autograder
for module in pkgutil.walk_packages(autograder.__path__, "autograder."):
    if not any(name in module.name for name in ("autograder.tests", "inside.init", "sphinx")):
        importlib.import_module(module.name)
print(autograder.__path__[0])
"""
GUARD = "autograder/tests/network_guard"
NOTHING_BUT_THE_COPY = """
sys.meta_path[:] = [finder for finder in sys.meta_path if "__editable__" not in getattr(finder, "__module__", "")]
"""
NOT_IN_A_COPY = (
    *("test_docs", "test_house", "test_optional_packages"),
    *("test_environment", "test_submission_folder"),
)
"""Tests of pages, tables and lock files that name every package, and one that runs commands as a user who may not read
the copy.
"""


def copy_without(packages: list[str], folder: Path) -> Path:
    """Copy the repository without some packages and without the tests that import one of them."""
    left_out = shutil.ignore_patterns(
        ".git", ".venv", "build", "dist", "__pycache__", ".*_cache", "*.egg-info"
    )
    shutil.copytree(ROOT, folder, ignore=left_out, symlinks=True)
    for package in packages:
        shutil.rmtree(folder / "autograder" / package)
        shutil.rmtree(folder / "autograder" / "tests" / package, ignore_errors=True)
    with (folder / GUARD / "sitecustomize.py").open("a", encoding="utf-8") as customization:
        customization.write(NOTHING_BUT_THE_COPY)
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = {"PYTHONPATH": os.pathsep.join([str(folder / GUARD), str(folder)])}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | paths,
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )


@pytest.mark.parametrize("package", OPTIONAL)
def test_the_rest_imports_and_keeps_its_commands_where_a_package_was_removed(
    package: str, tmp_path: Path
) -> None:
    copy = copy_without([package], tmp_path / "copy")
    imported = run(copy, "-c", IMPORT_ALL)
    assert imported.stdout.strip() == str(copy / "autograder"), imported.stderr
    help_text = run(copy, "-m", "autograder.commands.cli", "--help").stdout
    commands = {"class_report": "report", "distribution": "kit", "lms": "roster", "marking": "mark"}
    shown = {line.split()[0] for line in help_text.splitlines() if line.startswith("  ") and line.split()}
    names = {commands.get(name, name) for name in REGISTERED}
    assert names - shown == {commands.get(package, package)} & names


def modules_needed(path: Path, tests: dict[str, Path], visited: set[str]) -> set[str]:
    """Return what a test module imports of the grader, also through other modules of the tests."""
    needed = set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("autograder"):
            continue
        for name in (f"{node.module}.{alias.name}" for alias in node.names):
            needed.add(name)
            for module in {name, node.module} & tests.keys() - visited:
                needed |= modules_needed(tests[module], tests, visited | {module})
    return needed


def test_the_core_s_quick_tests_pass_where_all_of_them_were_removed(tmp_path: Path) -> None:
    copy = copy_without(OPTIONAL, tmp_path / "copy")
    paths = [*(copy / "autograder" / "tests").rglob("*.py")]
    tests = {".".join(path.relative_to(copy).with_suffix("").parts): path for path in paths}
    removed = tuple(f"autograder.{package}" for package in OPTIONAL)
    needed = {path: modules_needed(path, tests, {name}) for name, path in tests.items()}
    for path, modules in needed.items():
        if path.stem in NOT_IN_A_COPY or any(module.startswith(removed) for module in modules):
            path.unlink()
    done = run(copy, "-m", "pytest", "-q", "-n", "2", "-m", "not slow", "autograder/tests")
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(done.stdout.split(" passed")[0].split()[-1]) > 450
