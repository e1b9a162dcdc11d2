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
from autograder.commands.optional import load_optional
from autograder.commands.round import MEANING
from autograder.courses import CLASS
from autograder.demo import samples
from autograder.distribution import kit
from autograder.execution.notes import NoteKind, Weight
from autograder.sandbox import layers
from autograder.tests import texts
from autograder.tests.clones import add_environment, make_clone
from autograder.tests.commands import run_typed
from autograder.tests.grading import right
from autograder.tests.lms.files import moodle
from autograder.tests.this_course import COURSE, ROOT, find_lesson, lessons

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

FIRST_CLASS = ROOT / "docs" / "first-class.md"
FIRST_COMMANDS = [
    *("new-class", "roster", "hand-out", "kit", "collect"),
    *("round", "mark", "feedback-zip", "grades"),
]

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
    load_optional("autograder.commands")
    cli.commands.commands[name].make_context(name, options)


def test_every_target_of_make_runs_what_there_is(clone):
    """`make` is called once, since each call looks first whether the environment works."""
    lines = [line.split()[1:] for page in PAGES for line in commands(page) if line.startswith("make ")]
    targets = " ".join(dict.fromkeys(itertools.chain(*lines)))
    recipes = typed(f"make --no-print-directory --dry-run {targets}", clone).splitlines()
    ours = [line.split()[1:] for line in recipes if line.startswith(".venv/bin/attention-course")]
    assert {words[0] for words in ours} >= {"demo", "build", "release"}
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


def test_every_picture_page_and_passage_that_is_pointed_to_is_there():
    for page in {*PAGES, *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")}:
        for target, passage in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text()):
            path = page.parent / target if target else page
            assert path.exists(), f"{page.name} points to {target}"
            if passage:
                titles = re.findall("^#+ (.+)$", path.read_text(), re.MULTILINE)
                anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
                assert passage in anchors, f"{page.name} points to {target}#{passage}"


def test_the_readme_lists_every_lesson_with_its_title_and_minutes():
    rows = re.findall(
        r"^\| (\d) · \[(.+?)\]\((.+?)\) \| .+ \| (\d+) \|$", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    assert [(int(number), path, int(minutes)) for number, _, path, minutes in rows] == [
        (number, str(lesson.released.relative_to(ROOT)), texts.whole(lesson)[0])
        for number, lesson in enumerate(lessons(), start=1)
    ]
    assert all(lesson.title.startswith(title) for (_, title, *_), lesson in zip(rows, lessons(), strict=True))


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
    """docs/messages.md has a heading for each weight, and below it the lines that weigh so."""
    page = (ROOT / "docs" / "messages.md").read_text()
    listed = page.split(f"### {MEANING[weight]}\n")[1].split("\n#")[0]
    for kind in (kind for kind in NoteKind if kind.wording.weight is weight):
        fixed = max(re.split(r"{[a-z]+}|\[[^]]*\]", kind.wording.instructor), key=len)
        assert fixed.strip() in listed, kind


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the repository with this one's environment."""
    return add_environment(make_clone(tmp_path_factory.mktemp("docs") / "clone"))


def test_the_first_class_page_leads_from_a_clone_to_exported_grades(clone: Path):
    """Its commands in its order, with two students on Moodle; all but the page that waits for marks."""
    blank = (clone / "course" / LIGHT.id / LIGHT.released.name).read_text()
    work = {
        "Ada Byron_101": samples.filled(blank, right(LIGHT)).encode(),
        "Ben Chen_102": samples.filled(blank, {}).encode(),
    }
    moodle(clone / "submissions.zip", work)
    people = "First name,Last name,ID number,Email address"
    for name, column in (("people.csv", ""), ("gradebook.csv", ",Weighted sums")):
        cells = "," if column else ""
        rows = [f"Ada,Byron,,ada@example.edu{cells}", f"Ben,Chen,,ben@example.edu{cells}"]
        (clone / name).write_text("\n".join([people + column, *rows, ""]))
    with (clone / "nbgrader_config.py").open("a") as settings:
        settings.write(f"c.SealedKernel.allow_unsealed = {not layers.sandbox_available()}\n")
    ours = [line for line in commands(FIRST_CLASS) if line.startswith("attention-course ")]
    ours.remove("attention-course doctor")
    assert [line.split()[1] for line in ours] == FIRST_COMMANDS
    assert all(" --class ../class" in line for line in ours)
    new_class, *others = (line for line in ours if line.split()[1] != "mark")
    run_typed(new_class, folder=clone)
    (dates,) = re.findall("```toml\n(zone = .*?)```", FIRST_CLASS.read_text(), re.DOTALL)
    with (clone.parent / "class" / CLASS).open("a") as settings:
        settings.write(f"\n{dates}")
    run_typed(*others, folder=clone)
    folder = clone.parent / "class"
    assert "ada" in (folder / "grades.csv").read_text()
    assert "2026-10-19 23:59" in (folder / "course" / LIGHT.id / LIGHT.released.name).read_text()
    assert (folder / "reports" / f"{LIGHT.id}.html").is_file()
    assert (folder / "feedback" / "ada" / LIGHT.id / f"{LIGHT.notebook}.html").is_file()
    assert (
        f"ada@example.edu,{sum(exercise.points for exercise in LIGHT.graded)}"
        in (clone / "gradebook-filled.csv").read_text()
    )
