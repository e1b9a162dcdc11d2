"""What each patch of nbgrader relies on is there in the installed nbgrader, and works as the patch expects."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import nbgrader.api
import pytest
from nbgrader.apps import NbGraderApp, api, autogradeapp, generatefeedbackapp
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde, GenerateFeedback, base
from nbgrader.coursedir import CourseDirectory

from autograder.classroom.class_folder import directory_of
from autograder.classroom.gradebook import make_gradebook
from autograder.grading.batch import BatchGrader
from autograder.nbgrader_plugin import patches
from autograder.pages.feedback import FeedbackPages
from autograder.tests.this_course import COURSE, ROOT


@pytest.fixture
def directory(tmp_path: Path) -> CourseDirectory:
    """A new class's folder, with the course's settings."""
    directory = directory_of(COURSE, tmp_path)
    make_gradebook(directory.db_url, directory.course_id)
    return directory


def parameters(module: object, function: str) -> list[str]:
    """Return the parameters of a function as nbgrader's own source has it."""
    nodes = ast.walk(ast.parse(inspect.getsource(module)))
    (node,) = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == function]
    return [argument.arg for argument in node.args.args]


def test_no_other_module_reassigns_a_name_of_nbgrader_s():
    patched = list[str]()
    for path in {*(ROOT / "autograder").rglob("*.py")} - {*(ROOT / "autograder" / "tests").rglob("*.py")}:
        if "templates" in path.parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names, targets = set(), list[ast.expr]()
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                targets += node.targets
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = getattr(node, "module", None)
                aliases = (each for each in node.names if (module or each.name).split(".")[0] == "nbgrader")
                names |= {(each.asname or each.name).split(".")[0] for each in aliases}
        attributes = [ast.unparse(target) for target in targets if isinstance(target, ast.Attribute)]
        patched += [path.name for attribute in attributes if attribute.split(".")[0] in names]
    assert {*patched} == {"patches.py"}
    assert len(patched) <= 8


def test_a_converter_becomes_ours_and_takes_its_steps(directory, monkeypatch):
    assert parameters(base, "start") == ["self"]
    for module in (autogradeapp, api):
        assert module.Autograde is Autograde
    for module in (generatefeedbackapp, api):
        assert module.GenerateFeedback is GenerateFeedback
    steps = list[str]()
    for theirs, ours in ((Autograde, BatchGrader), (GenerateFeedback, FeedbackPages)):
        for name, function in inspect.getmembers(ours, inspect.isfunction):
            if name in vars(ours) and hasattr(theirs, name):
                expected = inspect.signature(getattr(theirs, name)).parameters
                assert [*inspect.signature(function).parameters] == [*expected], name
        for step in ("init_notebooks", "convert_notebooks"):
            monkeypatch.setattr(
                ours, step, lambda self, step=step: steps.append(f"{type(self).__name__} {step}")
            )
        theirs(coursedir=directory, config=directory.config).start()
    kinds = ("BatchGrader", "FeedbackPages")
    assert steps == [f"{kind} {step}" for kind in kinds for step in ("init_notebooks", "convert_notebooks")]


def commands_of(app: type[NbGrader], name: str = "") -> dict[str, type[NbGrader]]:
    """Return a program's commands, by the words that one types."""
    if not isinstance(app.subcommands, dict):  # it has none of its own
        return {name: app}
    commands = dict[str, type[NbGrader]]()
    for word, (other, _) in app.subcommands.items():
        commands |= commands_of(other, f"{name} {word}".strip())
    return commands


def test_the_commands_that_write_are_known():
    assert parameters(sys.modules["nbgrader.apps.nbgraderapp"], "start") == ["self"]
    writers = {name for name, app in commands_of(NbGraderApp).items() if issubclass(app, patches.WRITERS)}
    assert writers == {
        *("export", "update", "db upgrade"),
        *(f"db {kind} {verb}" for kind in ("student", "assignment") for verb in ("add", "import", "remove")),
    }


def test_a_new_gradebook_has_the_version_that_nbgrader_writes():
    assert parameters(nbgrader.api, "get_alembic_version") == []
    with nbgrader.api._temp_alembic_ini("sqlite://") as settings:
        command = [sys.executable, "-m", "alembic", "-c", settings, "heads"]
        heads = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert heads.split()[0] == patches.find_newest_version() == nbgrader.api.get_alembic_version()
