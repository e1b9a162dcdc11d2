"""Every command that the pages show can be typed where they stand; an instructor's way is gone from end to end."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from nbgrader.apps.nbgraderapp import NbGraderApp

from autograder.authoring import scaffold
from autograder.commands import cli
from autograder.commands.round import MEANING
from autograder.courses import CLASS
from autograder.demo import samples
from autograder.distribution import kit
from autograder.sandbox import layers
from autograder.sandbox.notes import NoteKind, Weight
from autograder.tests.clones import add_environment, make_clone
from autograder.tests.commands import run_typed
from autograder.tests.grading import right
from autograder.tests.this_course import COURSE, ROOT, find_lesson

GENERATED = ("attacks.md", "benchmark.md", "validity.md")
"""Pages that a program writes, to report what it ran."""

PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "data" / "README.md",
    kit.KIT_FILES / "README.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in GENERATED),
)
PROGRAMS = (
    *("make", "nbgrader", "autograder", "attention-course", "dask", "pip", "conda", "jupyter"),
    *("source", "sudo", "apt-get", "sha256sum", "python", "python3"),
)
LESSON = "03_word2vec_heatmap"
LIGHT = find_lesson("01_weighted_sums")
"""A lesson that is graded in its place, since it imports less."""

NOT_HERE = ("conda", "apt-get", "sudo")
"""Programs that not every machine has, or that change it."""

ROUND = (
    f"attention-course hand-out {LIGHT.id}",
    "attention-course grade",
    f"nbgrader generate_feedback {LIGHT.id}",
    "attention-course report",
    "nbgrader export",
    f"attention-course hand-out {LIGHT.id} --folder ../class-of-2026",
    f"attention-course round {LIGHT.id}",
    f"nbgrader release_assignment {LIGHT.id}",
)
"""What docs/instructors.md tells to do, in its order."""

PLACES = (
    ROOT,
    ROOT / "autograder",
    ROOT / "autograder" / "sandbox",
    ROOT / "autograder" / "tests",
    scaffold.TEMPLATES / "course",
)
"""Where paths begin that pages name."""

INVENTED = re.compile(
    "tiny_steps|small_world|guess_sharper|heatmap/word2vec_heatmap.ipynb|workflows/classroom.yml"
)
"""What pages make up."""


def commands(page: Path) -> list[str]:
    """The commands on a page, in their order: the lines of its blocks, and inline ones of more than a word."""
    blocks_and_spans = r"^```\w*\n(.*?)^```|((?:^    .*\n)+)|`([^`]+)`"
    found = []
    for fenced, indented, span in re.findall(blocks_and_spans, page.read_text(), re.MULTILINE | re.DOTALL):
        lines = [line.split("  #")[0].strip() for line in (fenced or indented).splitlines()]
        found += lines or [" ".join(span.split())]
    meant = {"<lesson>": LESSON, "$folder": kit.kit_folder(COURSE)}
    typed = [re.sub("<lesson>|[$]folder", lambda name: meant[name[0]], line) for line in found if " " in line]
    return [line for line in typed if line.split()[0] in PROGRAMS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_can_be_typed_where_the_page_shows_it(page, clone):
    """In one shell from the page's first line to its last; it begins as a reader's does, with nothing activated."""
    script = ["set -e"]
    for line in commands(page):
        program, *words = line.split()
        if program == "source":
            script.append(line)
        elif program not in NOT_HERE:
            script.append(f"command -v {program} >/dev/null || {{ echo 'not found: {line}'; exit 1; }}")
        if program in ("autograder", "attention-course"):
            parse(words)
        elif program == "nbgrader":
            assert words[0] in NbGraderApp.subcommands
    typed("\n".join(script), clone)


def parse(words: list[str]) -> None:
    """Read a command of ours as the program does, and run nothing."""
    name, *options = words
    cli.commands.commands[name].make_context(name, options)


def test_every_target_of_make_runs_what_there_is(clone):
    """`make` is called once, since each call looks first whether the environment works."""
    lines = [line.split()[1:] for page in PAGES for line in commands(page) if line.startswith("make ")]
    targets = " ".join(dict.fromkeys(itertools.chain(*lines)))
    recipes = typed(f"make --no-print-directory --dry-run {targets}", clone).splitlines()
    ours = [line.split()[1:] for line in recipes if line.startswith(".venv/bin/attention-course")]
    assert {words[0] for words in ours} >= {
        "demo",
        "doctor",
        "kit",
        "site",
        "round",
        "mark",
        "build",
        "release",
    }
    for words in ours:
        parse(words)
    assert all(find_spec(line.split()[2]) for line in recipes if line.startswith(".venv/bin/python -m"))


def typed(text: str, folder: Path) -> str:
    """What a shell says to these lines in which this run's environment is not activated."""
    ours = Path(sys.executable).parent
    paths = [path for path in os.environ["PATH"].split(os.pathsep) if Path(path).absolute() != ours]
    environment = {**os.environ, "PATH": os.pathsep.join(paths)}
    done = subprocess.run(["bash", "-c", text], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_picture_and_page_that_is_pointed_to_is_there():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} points to {target}"


FOLDERS = {path.name for place in PLACES for path in place.iterdir() if path.is_dir()} - {"build", "dist"}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "docs" / "validity.md"], ids=lambda page: page.stem)
def test_every_file_that_is_named_is_there(page):
    """`<lesson>` stands for any; a path may begin in the repository, the grader, its sandbox, or a new course."""
    for span in re.findall(r"`([\w<>./-]+)`", page.read_text()):
        is_path = span.endswith(".py") or (span.split("/")[0] in FOLDERS and "/" in span)
        if is_path and not INVENTED.search(span):
            pattern = re.sub("<[^>]+>", "*", span)
            assert any(any(place.glob(pattern)) for place in PLACES), f"{page.name} names {span}"


@pytest.mark.parametrize("weight", Weight)
def test_instructors_read_of_every_note_where_its_weight_puts_it(weight: Weight):
    """The table in docs/instructors.md has a bold row for each weight, and below it the lines that weigh so."""
    page = (ROOT / "docs" / "instructors.md").read_text()
    listed = page.split(f"| **{MEANING[weight]}** |")[1].split("\n\n")[0].split("| **")[0]
    for kind in (kind for kind in NoteKind if kind.wording.weight is weight):
        fixed = max(re.split(r"{[a-z]+}|\[[^]]*\]", kind.wording.instructor), key=len)
        assert fixed.strip() in listed, kind


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the repository with this one's environment."""
    return add_environment(make_clone(tmp_path_factory.mktemp("docs") / "clone"))


@pytest.mark.slow
def test_an_instructor_gets_from_a_clone_to_exported_grades(clone: Path):
    """docs/instructors.md with two students; what a shell finds is tested above."""
    page = ROOT / "docs" / "instructors.md"
    assert {line.split()[1] for line in ROUND} <= {line.split()[1] for line in commands(page)}
    blank = (clone / "course" / LIGHT.id / LIGHT.released.name).read_text()
    for student, answers in (("ada", right(LIGHT)), ("ben", {})):  # as `nbgrader collect` leaves them
        handed_in = {
            LIGHT.released.name: samples.filled(blank, answers),
            "timestamp.txt": "2026-03-01 12:00:00 UTC",
            "submission_secret.txt": f"{student}-secret",
        }
        for name, text in handed_in.items():
            samples.put_file(clone / "submitted", student, LIGHT.id, name, text.encode())
    exchange, other = clone.parent / "exchange", clone.parent / "class-of-2026"
    exchange.mkdir()
    exchange.chmod(0o777)
    with (clone / "nbgrader_config.py").open("a") as settings:
        settings.write(f"\nc.Exchange.root = {str(exchange)!r}\n")
        settings.write(f"c.SealedKernel.allow_unsealed = {not layers.sandbox_available()}\n")
    other.mkdir()
    (dates,) = re.findall("```toml\n(zone = .*?)```", page.read_text(), re.DOTALL)
    (other / CLASS).write_text(f"course = '{clone}'\n{dates.replace(LESSON, LIGHT.id)}")
    run_typed(*ROUND, folder=clone)
    assert "ada" in (clone / "grades.csv").read_text()
    assert "2026-12-01 23:59" in (other / "course" / LIGHT.id / LIGHT.released.name).read_text()
    assert (clone / "reports" / f"{LIGHT.id}.html").is_file()
    assert (clone / "feedback" / "ada" / LIGHT.id / f"{LIGHT.notebook}.html").is_file()
