"""The feedback page: nbgrader's own, on which nothing runs and nothing is fetched from elsewhere."""

from __future__ import annotations

from typing import Any

from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:"
"""A content security policy (W3C CSP 3): pictures and styles of the page's own, no script whatever."""

HEAD = f'<head>\n<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
STYLE = "<style>summary {display: list-item !important}</style>\n"


class QuietPage(HTMLExporter):
    """An HTML exporter whose pages carry `POLICY` before anything else."""

    def from_notebook_node(self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any) -> Any:
        page, resources = super().from_notebook_node(nb, resources, **kw)
        return page.replace("<head>", HEAD + STYLE, 1), resources
