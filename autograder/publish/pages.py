"""Pages in one file: Jinja escapes all that is put into them, and no script runs there but their own."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

from jinja2 import Environment, PackageLoader, StrictUndefined


def environment(package: str, **filters: Callable[..., object]) -> Environment:
    """The templates of a package, with these filters."""
    made = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(filters)
    return made


def policy(script: str) -> str:
    """A content security policy (W3C CSP 3) under which `script` runs and no other, and nothing is fetched."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
