"""Which of the course's files a student's code may see: what a notebook needs, and nothing that judges."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parent
DATA = PACKAGE / "data"
"""In the repository a link to `data/`; where the course was installed, the files themselves."""

MODULES = (
    "__init__",
    "bodies",
    "checking",
    "errors",
    "exercise",
    "figures",
    "helpers",
    "keys",
    "ladder",
    "listening",
    "probe",
    "progress",
    "report",
    "values",
    "vectors",
    "wire",
)
"""The modules of `autograder` on the student's side, beside all of `rules/`, `examples/` and `data/`."""


def files() -> list[Path]:
    """All files of the package that a student's process needs, as absolute paths."""
    modules = [PACKAGE / f"{name}.py" for name in MODULES]
    return [
        *modules,
        *sorted((PACKAGE / "rules").glob("*.py")),
        *sorted((PACKAGE / "examples").glob("*.json")),
        *_data(),
    ]


def _data() -> list[Path]:
    """The files that `data/SHA256SUMS` lists, that list, and where they come from."""
    sums = DATA / "SHA256SUMS"
    listed = [line.split()[1] for line in sums.read_text(encoding="utf-8").splitlines()]
    return [DATA / name for name in (*listed, sums.name, "README.md")]
