"""What lies beside a notebook: helpers come along, what would stand in a library's place does not."""

from __future__ import annotations

import pytest

from autograder.nbgrader_plugin.folders import passed_over, plain_files


@pytest.fixture
def put(tmp_path):
    def put(*names):
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("x = 1\n")
        return tmp_path

    return put


def copied(folder):
    """What nbgrader copies, with the course's own patterns."""
    found = plain_files(str(folder), [".ipynb_checkpoints", "__pycache__", "*.pyc", "*.py", "*.ipynb"])
    return sorted(name.removeprefix(f"{folder}/") for name in found)


def test_a_students_own_modules_come_along(put):
    names = ["data/table.csv", "my_helpers.py", "pieces/__init__.py", "pieces/numpy.py"]
    folder = put(*names, "weighted_sums.ipynb", "__pycache__/my_helpers.cpython-311.pyc")
    assert copied(folder) == names
    assert passed_over(folder) == []


@pytest.mark.parametrize(
    "name",
    [
        "numpy.py",
        "json.py",
        "sitecustomize.py",
        "usercustomize.py",
        "ipykernel_launcher.py",
        "torch.pyc",
        "scipy.cpython-311-x86_64-linux-gnu.so",
        "autograder/__init__.py",
        "ipykernel/kernelapp.py",
    ],
)
def test_a_shadow_is_left_out_and_named(put, name):
    folder = put(name, "my_helpers.py")
    assert copied(folder) == ["my_helpers.py"]
    shadow = name.split("/")[0]
    assert passed_over(folder) == [f"{shadow} has the name of a library's module: it was left out"]


def test_several_shadows_are_one_line(put):
    folder = put("numpy.py", "autograder/probe.py", "re.py")
    assert passed_over(folder) == [
        "autograder, numpy.py, re.py have the name of a library's module: they were left out"
    ]


def test_a_folder_of_tables_may_be_called_anything(put):
    folder = put("torch/table.csv")
    assert passed_over(folder) == []
    assert copied(folder) == ["torch/table.csv"]


def test_a_link_is_not_followed(put, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "secret.py").touch()
    folder = put("my_helpers.py")
    (folder / "numpy").symlink_to(elsewhere)
    assert copied(folder) == ["my_helpers.py"]
    assert passed_over(folder) == ["numpy is a link or is not a file: left out"]
