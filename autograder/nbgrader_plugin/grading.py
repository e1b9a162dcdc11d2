"""Grades a submission inside `nbgrader autograde`, and writes its scores where nbgrader looks for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import Execute
from traitlets import Unicode

from autograder.nbgrader_plugin import judging, kept
from autograder.nbgrader_plugin.judging import Work
from autograder.nbgrader_plugin.salt import secret
from autograder.sandbox.notebook_runner import Interview


class GradeAnswers(Interview, Execute):
    """Takes the place of nbgrader's `Execute` among the autograde preprocessors, and has its settings.

    Each test cell's output becomes a bare number, which is nbgrader's way of saying a score, with the verdict as
    its HTML. The score is reached by `judging`, from plain data; nothing that a notebook prints can become one.
    """

    salt = Unicode(
        "", help="Any text; another text draws other hidden cases. Empty: the secret beside the gradebook."
    ).tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Run the notebook, and judge it."""
        names = resources["nbgrader"]
        work = self.work(names["assignment"], names["student"], kept.read_outcome(nb).work)
        graded = judging.grade_notebook(work, nb, resources["metadata"]["path"])
        nb.cells = graded.notebook.cells
        kept.note(nb, names["student"], graded.notes, self.log)
        kept.keep_verdicts(nb, graded.sealed, graded.verdicts, graded.behaviours)
        return nb, resources

    def work(self, lesson: str, student: str, digest: str) -> Work:
        """What there is to do for a student's notebook of a lesson, in the course that nbgrader's settings are for.

        digest: of what was handed in.
        """
        settings = {name: getattr(self, name) for name in Interview.class_trait_names(config=True)}
        plain = {
            name: value for name, value in settings.items() if isinstance(value, (bool, int, float, str))
        }
        salt = (self.salt or secret(Path(self.config.CourseDirectory.root))) + digest
        return Work(str(self.config.TheCourse.folder), lesson, student, salt, plain)
