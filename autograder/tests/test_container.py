"""The container: its files fit the promised Pythons, what the doctor asks for, and each other.

No test builds it, which takes a container tool and an image from elsewhere. docs/container.md says what was tried.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from autograder.sandbox.layers import LAYERS
from autograder.tests import needs
from autograder.tests.clones import LISTED, make_clone
from autograder.tests.commands import run_typed
from autograder.tests.grading import hand_in, right
from autograder.tests.this_course import PROJECT, ROOT, find_lesson

PYTHON_OF = {"bookworm": "3.11.2", "trixie": "3.13.5"}
"""What Debian's releases call python3."""

STEPS = re.findall(
    r"^([A-Z]+) (.+)$", (ROOT / "Containerfile").read_text().replace("\\\n", " "), re.MULTILINE
)
DEVCONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
PAGE = (ROOT / "docs" / "container.md").read_text()
REMEDIES = [remedy for _, remedy in LAYERS.values()]


def said(step: str) -> list[str]:
    return [text for name, text in STEPS if name == step]


def flags(text: str) -> set[str]:
    """What `--security-opt` is given in a text."""
    return set(re.findall(r"--security-opt[ =](\S+=unconfined)", text))


def test_its_python_is_one_that_is_promised_and_it_installs_what_the_doctor_and_setup_ask_for():
    release = re.search(r"debian:(\w+)", said("FROM")[0])[1]
    assert PYTHON_OF[release] in SpecifierSet(PROJECT["requires-python"])
    (install,) = re.findall(r"apt-get install (.+?)&&", said("RUN")[0])
    asked = " ".join([*REMEDIES, (ROOT / ".ci" / "check_python.py").read_text()])
    named = set(re.findall(r"apt-get install ([\w-]+)", asked))
    assert named | {"make", "git"} <= set(install.split())
    assert len(named) >= 3


def test_the_flags_are_those_the_doctor_names():
    needed = flags(" ".join(REMEDIES))
    assert len(needed) == 2
    assert flags(" ".join(DEVCONTAINER["runArgs"])) == needed
    lines = [line for line in PAGE.splitlines() if re.match("(docker|podman) run ", line)]
    assert lines
    assert all(needed <= flags(line) for line in lines)


def test_the_devcontainer_builds_a_stage_that_is_there():
    build = DEVCONTAINER["build"]
    assert (ROOT / ".devcontainer" / build["dockerfile"]).resolve() == ROOT / "Containerfile"
    assert build["target"] in {text.split(" AS ")[1] for text in said("FROM")}
    for command in (DEVCONTAINER["postCreateCommand"], said("RUN")[-1]):
        subprocess.run([*command.split(), "--dry-run"], cwd=ROOT, capture_output=True, check=True)


def test_an_image_holds_what_the_repository_holds_and_no_class():
    let_in = re.findall("^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    listed = subprocess.check_output(LISTED, cwd=ROOT, text=True)
    tracked = {name.split("/")[0] for name in listed.split("\0") if name}
    hidden = {name for name in tracked if name.startswith(".")} - {".ci"}
    assert set(let_in) == tracked - {"CHANGELOG.md", "CONTRIBUTING.md", "Containerfile", "changes"} - hidden


@needs.seal
@pytest.mark.slow
def test_a_class_s_commands_do_as_they_are_written(tmp_path: Path):
    """Behind the image's name, in folders laid out as in the container."""
    lines = [line for line in PAGE.splitlines() if line.startswith("docker run") and " -v " in line]
    typed = [shlex.split(line) for line in lines]
    mounts = {words[words.index("-v") + 1] for words in typed}
    started = [words for words in typed if "-d" not in words]
    inside = [shlex.join(words[words.index("attention-course") + 1 :]) for words in started]
    assert (mounts, len(typed), len(inside)) == ({"$PWD/class:/home/teacher/class"}, 4, 3)
    lesson = find_lesson("01_weighted_sums")
    hand_in(tmp_path / "class", "amy", lesson, right(lesson, ["softmax"]))
    run_typed(*inside, folder=make_clone(tmp_path / "course"))
    assert "amy" in (tmp_path / "class" / "grades.csv").read_text()
    assert (tmp_path / "class" / "class.toml").exists()
