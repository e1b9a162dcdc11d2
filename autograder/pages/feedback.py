"""The feedback page: what `nbgrader generate_feedback` makes of a graded notebook, for its student's eyes.

Nothing runs on it and nothing is fetched. A verdict comes from the record store, never from an output. The template, in
`templates/`, says how it looks. A page stays as it is where nothing has changed that it is made of: a
digest of that stands in it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment
from nbconvert.exporters import TemplateExporter
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from nbgrader.api import Comment, Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Bool, List, Unicode

from autograder.classroom import group_work
from autograder.classroom.dates import format_time, read_dates
from autograder.classroom.gradebook import query_cells, read_scores
from autograder.courses import Course, UnknownName, changed_files, open_course, refuse_changed_course
from autograder.execution.notebook_cells import grade_id_of, with_attachments
from autograder.execution.sanitize_outputs import BASE64
from autograder.exercises.limits import MAX_OUTPUT_CHARACTERS, MAX_OUTPUTS, MAX_PICTURE_CHARACTERS
from autograder.exercises.verdict import State, Verdict
from autograder.pages.formatting import Text, format_texts, render_markdown, truncate
from autograder.records import fingerprint, grade_changes, marked_answers, record_store, submission_status
from autograder.records.discovery import find_folders, handed_in
from autograder.records.grade_table import number
from autograder.records.record_store import GradingRecord
from autograder.submissions import submission_folder
from autograder.views import verdict_view

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
"""A content security policy (W3C CSP 3): pictures and styles of the page's own, no script whatever."""

SET_BY_HAND = "set by hand"
PICTURES = ("image/png", "image/jpeg")


class FeedbackPages(GenerateFeedback):
    """nbgrader's own, for students who have not withdrawn; makes only pages that would be others than they are.

    It puts no files beside a page, which fetches nothing.
    """

    def init_notebooks(self) -> None:
        """Find the graded notebooks of those whose work is still there. Raises `NbGraderException` without any."""
        course = self.coursedir
        present = handed_in(course, course.assignment_id)
        self.notebooks = list[str]()
        self.assignments = {}
        for folder in find_folders(self):
            graded = Path(folder).glob(f"{course.notebook_id}.ipynb")
            if Path(folder).parent.name in present and (paths := [*map(str, graded)]):
                self.assignments[folder] = paths
        if not self.assignments:
            super().init_notebooks()  # says so, and ends

    def convert_notebooks(self) -> None:
        """Read once what the gradebook says of the whole class, and what all pages depend on."""
        directory, course = self.coursedir, open_course(self.config.TheCourse.folder)
        refuse_changed_course(course)
        lesson, package = directory.assignment_id, Path(__file__).parents[1]
        code = [str(path) for path in package.rglob("*.*") if path.is_file() and path.suffix != ".pyc"]
        self._of_all = [
            changed_files.digest_files(changed_files.stat_files(course.root), course.root),
            changed_files.digest_files(code, package),
            fingerprint.library_versions(course),
            json.dumps(self.config, sort_keys=True, default=repr),
        ]
        self._earned = read_scores(directory, lesson)
        statuses = submission_status.load_statuses(directory, lesson)
        self._best = {status.student: status.best for status in statuses}
        self._histories = record_store.load_histories(directory, lesson)
        self._changes = grade_changes.read_changes(directory, lesson)
        self._comments = defaultdict[str, dict[str, str]](dict)
        with Gradebook(directory.db_url, directory.course_id) as gradebook:
            for student, name, comment in query_cells(gradebook, lesson, Comment, Comment.manual_comment):
                self._comments[student][name] = comment
        super().convert_notebooks()

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        """Collect what a page says beside the graded notebook; return whether the page there says something else."""
        course, history = self.coursedir, self._histories[student_id]
        root = Path(course.root)
        record, dates = history.current, read_dates(root)
        work = record.work if record else ""
        about = {
            "attempt": dates.attempt,
            "best": self._best.get(student_id),
            "contact": dates.contact,
            "group": dates.groups_of(assignment_id).get(student_id, ""),
            "members": group_work.members_of(root, assignment_id, student_id),
            "submitter": group_work.submitter_of(root, assignment_id, student_id),
            "earned": self._earned[student_id],
            "comments": self._comments[student_id],
            "earlier": history.earlier,
            "changes": grade_changes.lines_for_student(self._changes, student_id, work) if record else [],
            "problem": history.problem(course, except_work=work) if record else None,
            "deadline": dates.of(assignment_id, student_id),
            "zone": dates.zone_of(student_id),
        }
        graded = record_store.graded_path(course, assignment_id, student_id).stat()
        made_of = repr([about, record, graded.st_mtime_ns, graded.st_size, self._of_all])
        digest = hashlib.sha256(made_of.encode(errors="replace")).hexdigest()
        folder = self._format_dest(assignment_id, student_id)
        page = submission_folder.notebook_of(folder).with_suffix(".html")
        end = f"<!-- made of {digest} -->"  # a page whose writing was interrupted does not have it
        if page.is_file() and page.read_bytes().rstrip().endswith(end.encode()):
            return False
        judged = record_store.load_histories(course, assignment_id, student_id)[student_id].current
        record = judged or GradingRecord(assignment_id, student_id)
        self.about = {**about, "made_of": digest, "record": record}
        return bool(super().init_destination(assignment_id, student_id))

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Put nothing beside a page."""


class ReadGrades(NbGraderPreprocessor):
    """nbgrader's `GetGrades`, with what was read once of the whole class.

    Of comments it takes the instructor's own. Where nothing was handed in for a cell, nbgrader writes another; the
    page says so itself.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Add the scores, when the work was handed in and due, what earlier work earned, and why later did not."""
        about = self.parent.parent.about
        for cell in nb.cells:
            if is_solution(cell):
                cell.metadata.nbgrader["comment"] = about["comments"][grade_id_of(cell)]
            if is_grade(cell):
                grade = about["earned"].cells[grade_id_of(cell)]
                unread = is_solution(cell) and grade.manual_score is None
                cell.metadata.nbgrader |= {
                    "score": grade.score,
                    "points": grade.max_score,
                    "waiting": grade.needs_manual_grade,
                    "by_hand": grade.manual_score is not None or bool(grade.extra_credit),
                    "untouched": unread and grade.auto_score is not None,
                }
        resources["nbgrader"] |= about
        return nb, resources


class QuietPage(TemplateExporter):
    """Makes pages that carry `POLICY` before anything else."""

    output_mimetype = "text/html"
    file_extension = Unicode(".html").tag(config=True)
    template_name = Unicode("feedback").tag(config=True, affects_template=True)
    extra_template_basedirs = List(Unicode(), [str(Path(__file__).parent / "templates")]).tag(
        config=True, affects_template=True
    )
    site = Unicode(help="The address of the course's site, to whose lessons pages then link.").tag(
        config=True
    )
    model_answers = Bool(True, help="Whether model answers are shown beside answers in writing.").tag(
        config=True
    )

    def _create_environment(self) -> Environment:
        environment = super()._create_environment()
        environment.autoescape = True
        course = open_course(self.config.TheCourse.folder)
        page = functools.partial(read_page, course, site=self.site, model_answers=self.model_answers)
        environment.globals.update(read_page=page, policy=POLICY, verdict_style=verdict_view.STYLE)
        environment.filters.update(
            prose=render_markdown, card=verdict_view.card, points=number, shown=_first_shown, at=format_time
        )
        return environment


@dataclass(frozen=True)
class Item:
    """An exercise, or a written answer.

    state: a verdict's "right", "wrong", "not started", or "set by hand", whatever the verdict was; of an answer in
        writing "waiting" for the instructor, or "graded".
    prompt: what was asked, in Markdown; empty where it stands in the cell itself.
    cell: the student's own, None where there is no such cell.
    grading: what nbgrader says of the graded cell: its score, of how many points.
    """

    name: str
    state: str
    prompt: str
    cell: NotebookNode | None
    grading: Mapping[str, Any]
    verdict: Verdict | None


def read_page(
    course: Course, notebook: NotebookNode, grades: Mapping[str, Any], site: str, model_answers: bool
) -> dict[str, Any]:
    """Return what the template shows of a graded notebook, whose cells carry scores and comments.

    grades: nbgrader's resources: assignment, notebook, student, and what `FeedbackPages` collects.
    site: where the course's site is, empty where it has none. model_answers: whether answers in writing have theirs.
    """
    graded: GradingRecord = grades["record"]
    title, prompts, passages, models = _asked(course, grades["assignment"])
    items = [] if graded.problem else list(_items(notebook.cells, prompts, graded.verdicts))
    cells = {item.name: item.cell for item in items if item.cell is not None}
    texts = format_texts([Text(cell.cell_type, with_attachments(cell)) for cell in cells.values()])
    page = f"{site.rstrip('/')}/{grades['assignment']}/{grades['notebook']}.html"
    return {
        "title": title or grades["notebook"],
        "sealed": graded.sealed,
        "refused": graded.problem,
        "remarks": dict.fromkeys(note.student_message for note in graded.notes if note.student_message),
        "changes": grades.get("changes", ()),
        "items": items,
        "answers": dict(zip(cells, texts)),
        "models": models if model_answers else {},
        "states": Counter(item.state for item in items),
        "objections": _objections([item.name for item in items if item.state != "waiting"], grades),
        "judged": sum(item.verdict is not None for item in items),
        "passages": {
            name: (passage, f"{page}#{_anchor(passage)}" if site else "")
            for name, passage in passages.items()
        },
    }


def _objections(exercises: Sequence[str], grades: Mapping[str, Any]) -> dict[str, str]:
    """Return links that write an e-mail to the class's address (RFC 6068), by exercise; `""`: on the whole notebook.

    There is none where the class has no address.
    """
    if not (contact := grades.get("contact")):
        return {}
    record, handed_in = grades["record"], grades["earned"].handed_in
    attempt = f"{len(grades['earlier']) + 1}{f', handed in {format_time(handed_in)}' if handed_in else ''}"
    links = {}
    for exercise in ("", *exercises):
        title = f"{grades['assignment']} {exercise or grades['notebook']}"
        body = (
            f"Student: {grades['student']}\r\nExercise: {title}\r\nAttempt: {attempt} ({record.work[:12]})\r\n\r\n"
            "I think this is wrong, because "
        )
        fields = {"subject": f"I think this is wrong: {title}", "body": body}
        links[exercise] = f"mailto:{quote(contact, safe='@')}?{urlencode(fields, quote_via=quote)}"
    return links


@functools.cache
def _asked(course: Course, name: str) -> tuple[str, dict[str, str], dict[str, str], dict[str, str]]:
    """Return a lesson's title, and by exercise: what is asked, the heading of its section, and the model answer.

    Empty for a lesson that is not the course's.
    """
    try:
        lesson = course.lesson(name)
    except UnknownName:
        return "", {}, {}, {}
    prompts, passages, models, section = {}, {}, {}, ""
    for cell in lesson.cells:
        if cell.kind == "markdown":
            headings = re.findall("^## .+$", cell.text, re.MULTILINE)
            section = render_markdown(headings[-1]).striptags() if headings else section
        if cell.marker == "prompt":
            prompts[cell.name], passages[cell.name] = cell.text, section
        if cell.marker == "written":
            models[cell.name] = marked_answers.split_prompt(cell)[1]
    passages = {name: passage for name, passage in passages.items() if passage}
    return lesson.title, prompts, passages, models


def _anchor(heading: str) -> str:
    """Return the site's anchor of a heading: as docutils makes names of texts."""
    ascii_only = unicodedata.normalize("NFKD", heading.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).lstrip("-0123456789").rstrip("-")


def _items(
    cells: Sequence[NotebookNode], prompts: Mapping[str, str], verdicts: Mapping[str, Verdict]
) -> Iterator[Item]:
    """Yield all that is graded, and what the instructor wrote a comment on, in the notebook's order."""
    named = {grade_id_of(cell): cell for cell in cells if grade_id_of(cell)}
    tests = {name for name, cell in named.items() if is_grade(cell) and not is_solution(cell)}
    tested = {name.removeprefix("test_") for name in tests}
    for name, cell in named.items():
        grading = cell.metadata.nbgrader
        if name in tests:
            name = name.removeprefix("test_")
            verdict, answer_cell = verdicts.get(name), named.get(name)
        elif grading.get("grade") or grading.get("comment") and name not in tested:
            verdict, answer_cell = None, cell
        else:
            continue
        state, prompt = _state(verdict, grading), prompts.get(name, "")
        yield Item(name, state, prompt, answer_cell, grading, verdict)


def _state(verdict: Verdict | None, grading: Mapping[str, Any]) -> str:
    if verdict is not None:
        return SET_BY_HAND if grading.get("by_hand") else verdict.state
    if grading.get("untouched"):
        return State.NOT_STARTED
    return "waiting" if grading.get("waiting") else "graded"


def _first_shown(outputs: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """Return the first few outputs: each a `text`, or a `picture` as a data URL with its `alt`.

    `cut` says what was left out.
    """
    shown = [_shown(output) for output in outputs[:MAX_OUTPUTS]]
    if len(outputs) > MAX_OUTPUTS:
        shown.append({"cut": f"{len(outputs) - MAX_OUTPUTS} more outputs were left out"})
    return [output for output in shown if any(output.values())]


def _shown(output: dict[str, Any]) -> dict[str, str]:
    data = output.get("data", {})
    for kind in PICTURES:
        if kind in data:
            if len(data[kind]) > MAX_PICTURE_CHARACTERS or not BASE64.fullmatch(data[kind]):
                return {"cut": "a picture was left out"}
            alt = output.get("metadata", {}).get(kind, {}).get("alt", "a picture that the cell drew")
            return {"picture": f"data:{kind};base64,{''.join(data[kind].split())}", "alt": alt}
    failed = output.get("output_type") == "error"
    text = _error(output) if failed else str(output.get("text", data.get("text/plain", "")))
    text, left_out = truncate(text, MAX_OUTPUT_CHARACTERS)
    return {"text": record_store.without_paths(strip_ansi(text)).rstrip(), "cut": left_out}


def _error(output: dict[str, Any]) -> str:
    """Return the frames of a traceback that lie in the notebook, and what was raised."""
    traceback = output.get("traceback", [])[:MAX_OUTPUTS]
    frames = (strip_ansi(frame[:MAX_OUTPUT_CHARACTERS]) for frame in traceback)
    lines = [frame for frame in frames if frame.lstrip().startswith("Cell In")]
    kind = output.get("ename", "error")
    if not any(f"{kind}:" in frame for frame in lines):  # a syntax error's own frame ends with it
        lines.append(f"{kind}: {output.get('evalue', '')}")
    return "\n".join(lines)
