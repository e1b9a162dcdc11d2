"""The feedback page: what `nbgrader generate_feedback` makes of a graded notebook.

Nothing runs on it and nothing is fetched. The notebook is read in `feedback_page`; the template, in `templates/`,
says how it looks.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from nbconvert.exporters import TemplateExporter
from nbformat import NotebookNode
from nbgrader.preprocessors import GetGrades
from nbgrader.utils import is_solution
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from traitlets import default

from autograder.nbgrader_plugin.feedback_page import read_page
from autograder.nbgrader_plugin.prose import prose
from autograder.nbgrader_plugin.the_course import course_of
from autograder.student import report

POLICY = "; ".join(
    (
        "default-src 'none'",
        "img-src data:",
        "style-src 'unsafe-inline'",
        "form-action 'none'",
        "base-uri 'none'",
    )
)
"""A content security policy (W3C CSP 3): pictures and styles of the page's own, no script whatever."""

TEMPLATES = Path(__file__).parent / "templates"


class ReadGrades(GetGrades):
    """nbgrader's `GetGrades`, which also says which scores wait for the instructor, and keeps to their own words.

    Where nothing was handed in for a cell, nbgrader writes a comment of its own; the page says so itself.
    """

    def _get_comment(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        comment = self.gradebook.find_comment(
            cell.metadata.nbgrader.grade_id, self.notebook_id, self.assignment_id, self.student_id
        )
        cell.metadata.nbgrader["comment"] = comment.manual_comment

    def _get_score(self, cell: NotebookNode, resources: dict[str, Any]) -> None:
        super()._get_score(cell, resources)
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader.grade_id, self.notebook_id, self.assignment_id, self.student_id
        )
        cell.metadata.nbgrader["waiting"] = grade.needs_manual_grade
        unread = is_solution(cell) and grade.manual_score is None
        cell.metadata.nbgrader["untouched"] = unread and grade.auto_score is not None


class QuietPage(TemplateExporter):
    """Makes pages that carry `POLICY` before anything else."""

    output_mimetype = "text/html"

    @default("file_extension")
    def _file_extension(self) -> str:
        return ".html"

    @default("template_name")
    def _template_name(self) -> str:
        return "feedback"

    @default("extra_template_basedirs")
    def _template_folders(self) -> list[str]:
        return [str(TEMPLATES)]

    def _create_environment(self) -> Environment:
        environment = super()._create_environment()
        environment.autoescape = True
        page = functools.partial(read_page, course_of(self.config))
        environment.globals.update(read_page=page, policy=POLICY, verdict_style=Markup(report.STYLE))
        environment.filters.update(prose=prose, card=_card, code=_code, points=_points)
        return environment


def _card(verdict: Any) -> Markup:
    return Markup(report.card(verdict))


def _code(text: str) -> Markup:
    return Markup(highlight(text, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)))


def _points(number: float) -> str:
    """4, 4.5, 4.25: no more digits than it takes."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
