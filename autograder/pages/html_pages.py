"""Pages in one file: Jinja escapes all that is put into them, and no script runs there but their own."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined

Filters = Mapping[str, Callable[..., object]]


def render_with_script(
    package: str, name: str, script: str, filters: Filters, **values: object
) -> tuple[str, str]:
    """Return a page from a package's templates, with one of them as its `script`, and its security policy (W3C CSP 3).

    Under the policy, which the template is given too, that script runs and no other, and nothing is fetched.
    """
    code = render(package, script)
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return render(package, name, filters, script=code, policy=policy, **values), policy


def render(package: str, name: str, filters: Filters | None = None, **values: object) -> str:
    """Return a page from a package's templates in which no script runs, or a piece of one."""
    templates = Environment(trim_blocks=True, lstrip_blocks=True, autoescape=True, undefined=StrictUndefined)
    templates.loader = PackageLoader(package)
    templates.filters.update(filters or {})
    return templates.get_template(name).render(**values)
