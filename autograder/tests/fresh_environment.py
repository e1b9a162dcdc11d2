"""A Python environment that holds nothing but some packages and what they need, made in a second, without a network.

The packages are links to those that this Python has; bin/ stays empty but for Python itself.
"""

from __future__ import annotations

import os
import subprocess
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path
from subprocess import PIPE, STDOUT

from packaging.requirements import Requirement

from autograder.tests.guard import GUARD, LOG


class FreshEnvironment:
    """An environment in `folder` with the distributions that `requirements` name, and those these need."""

    def __init__(self, folder: Path, requirements: Iterable[str]) -> None:
        self.folder = folder
        venv.create(folder, symlinks=True)
        self.python = folder / "bin" / "python"
        purelib = self.run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
        libraries = Path(purelib.strip())
        for found in needed(requirements):
            self._link(found, libraries)

    def add_program(self, name: str, text: str) -> None:
        """Put a program among this environment's."""
        program = self.python.with_name(name)
        program.write_text(text)
        program.chmod(0o755)

    def run(self, *arguments: object, cwd: Path | None = None, program: Path | None = None) -> str:
        """Run this environment's Python, or a program, in `cwd` or its own folder; stdout and stderr come back.

        Raises `AssertionError`, with what was printed, when it fails.
        """
        variables = {  # nothing of this process but that there is no network; pip takes what is here instead
            "HOME": str(self.folder),
            "PATH": f"{self.python.parent}:/usr/bin:/bin",
            "PYTHONPATH": str(GUARD),
            LOG: os.environ[LOG],
            "OMP_NUM_THREADS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # pip's way to say that there is none
        }
        command, outputs = (
            [program or self.python, *map(str, arguments)],
            {"stdout": PIPE, "stderr": STDOUT, "text": True},
        )
        done = subprocess.run(command, cwd=cwd or self.folder, env=variables, timeout=300, **outputs)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def _link(self, found: Distribution, libraries: Path) -> None:
        """The packages as a whole; files for the prefix (`share/jupyter`, `etc/jupyter`) one by one."""
        for path in found.files or ():
            if path.parts[0] != "..":
                target, link = found.locate_file(path.parts[0]), libraries / path.parts[0]
            elif {"share", "etc"} & set(path.parts):
                inside = [part for part in path.parts if part != ".."]
                target, link = found.locate_file(path), self.folder.joinpath(*inside)
            else:
                continue
            if path.parts[0] != "__pycache__" and not link.exists():
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(Path(str(target)).resolve())


def needed(requirements: Iterable[str]) -> list[Distribution]:
    """The installed distributions that satisfy the requirements, and all that these require in turn."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [Requirement(requirement) for requirement in requirements]
    while waiting:
        requirement = waiting.pop()
        for extra in {"", *requirement.extras} - {extra for name, extra in seen if name == requirement.name}:
            seen.add((requirement.name, extra))
            found[requirement.name] = distribution(requirement.name)
            asked = map(Requirement, found[requirement.name].requires or ())
            waiting += [one for one in asked if one.marker is None or one.marker.evaluate({"extra": extra})]
    return list(found.values())
