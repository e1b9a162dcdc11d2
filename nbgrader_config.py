"""nbgrader's settings for this course. Run every `nbgrader` command from this folder."""

import os
import sys
from pathlib import Path

from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ComputeChecksums,
    IgnorePattern,
    IncludeHeaderFooter,
    InstantiateTests,
    LimitOutput,
    LockCells,
    OverwriteKernelspec,
    SaveAutoGrades,
    SaveCells,
)

try:
    from autograder.nbgrader_plugin.defusing import DefuseContent
    from autograder.nbgrader_plugin.exchange import ReleaseFeedback
    from autograder.nbgrader_plugin.feedback import QuietPage, ReadGrades
    from autograder.nbgrader_plugin.grading import GradeAnswers
    from autograder.nbgrader_plugin.handed_out import KeptRelease
    from autograder.nbgrader_plugin.reading import SubmissionReader
    from autograder.nbgrader_plugin.restoring import RestoreCells
    from autograder.nbgrader_plugin.stubs import TodoStubs
except Exception as error:  # nbgrader would go on with its own settings, and run student code unsealed
    sys.exit(
        f"✗ nbgrader_config.py cannot load the course's grader ({error}): run `make setup`, and use its .venv"
    )

c = get_config()  # noqa: F821 - nbgrader defines it

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small arrays: waiting threads cost ten times more

c.CourseDirectory.root = str(Path(__file__).parent)
c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "course"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", "*.py"]

# A release: every solution becomes a TODO; what was handed out is kept.
c.GenerateAssignment.exporter_class = KeptRelease
c.TodoStubs.code_stub = {
    "python": '# TODO: your code here\nraise NotImplementedError("this is still a TODO")'
}
c.TodoStubs.text_stub = "*Your answer here.*"
c.GenerateAssignment.preprocessors = [
    IncludeHeaderFooter,
    InstantiateTests,
    LockCells,
    TodoStubs,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    SaveCells,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
]

# Grading: read anything, take only the student's own cells from it, and judge outside the student's process.
c.Autograde.exporter_class = SubmissionReader
c.SubmissionReader.optimistic_validation = True  # once, when it is written
c.Autograde.pre_convert_hook = "autograder.nbgrader_plugin.reading.expect_lesson_notebook"
c.Autograde.sanitize_preprocessors = [ClearOutput, RestoreCells, OverwriteKernelspec]
c.Autograde.autograde_preprocessors = [
    GradeAnswers,
    DefuseContent,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
]

# Feedback: a page on which nothing runs and nothing is fetched, made anew each time; the exchange takes it to those
# who handed in there.
c.GenerateFeedback.exporter_class = QuietPage
c.GenerateFeedback.force = True
c.ExchangeFactory.release_feedback = ReleaseFeedback
c.GenerateFeedback.preprocessors = [ReadGrades]

# Limits, in seconds: one cell, one exercise's answers, a whole notebook.
c.Execute.timeout = 60
c.GradeAnswers.question_timeout = 30
c.GradeAnswers.notebook_timeout = 300

# The seal: student code sees nothing of this machine, and may use no more than this (see docs/sealed-grading.md).
c.SealedKernel.allow_unsealed = False
c.SealedKernel.cpu_seconds = 600
c.SealedKernel.memory_mb = 4096
c.SealedKernel.processes = 256
c.SealedKernel.scratch_mb = 256
c.Execute.shutdown_kernel = "immediate"
