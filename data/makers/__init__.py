"""Makers of the files in `data/`: each runs as a module and writes its file and its checksum again."""

import hashlib
from pathlib import Path


def record_checksum(path: Path) -> None:
    """Write the line of `path` in the `SHA256SUMS` beside it, and leave the lines of other files alone."""
    sums = path.parent / "SHA256SUMS"
    lines = sums.read_text().splitlines() if sums.exists() else []
    others = [line for line in lines if line.split(maxsplit=1)[1:] != [path.name]]
    own = f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}"
    by_name = sorted([*others, own], key=lambda line: line.split(maxsplit=1)[-1])
    sums.write_text("".join(f"{line}\n" for line in by_name))
