"""Runs a notebook in a sandbox, and puts the exercises' questions to its answers. No expected value comes here.

A test cell is not run. In its place the exercise's question is put to the code that ran before it, and plain data comes
back. The caller, who has the key, says whether an answer is right without reference stubs.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from nbformat import NotebookNode
from traitlets import Integer

from autograder.calls.runner import Answers, Question
from autograder.checks import code_slips, protocol
from autograder.execution import notebook_cells
from autograder.execution.kernel import SealedKernel
from autograder.execution.notebook_cells import grade_id_of
from autograder.execution.notes import Note, NoteKind
from autograder.execution.sanitize_outputs import sanitize_outputs
from autograder.exercises import wire
from autograder.exercises.limits import (
    MAX_LINE_BYTES,
    MAX_MENDED_REPLY_BYTES,
    MAX_NOTEBOOK_RUNS,
    MAX_REPLY_BYTES,
)
from autograder.sandbox import limited_process
from autograder.sandbox.session import (
    Interrupted,
    MalformedMessage,
    OutOfMemory,
    ProcessDied,
    Session,
    TimedOut,
    TooMuchOutput,
)

AnswerSet = tuple[Answers, ...]
"""The results of an exercise's answer as it is, and, if that is not right, those with stubs for earlier answers."""

IsRight = Callable[[str, Answers], bool]
"""Tells whether answers earn all points of a test cell's grade id; of a mended answer, all visible ones."""


@dataclass(frozen=True)
class NotebookRun:
    """The results of a notebook that was run, beside the outputs in it.

    Attributes:
        answers: The answers by the test cells' grade ids.
        notes: Notes on cells and answers that failed.
    """

    answers: dict[str, AnswerSet]
    notes: tuple[Note, ...]


CELL_NOTES: Mapping[type[Interrupted], NoteKind] = {
    TimedOut: NoteKind.CELL_TIMED_OUT,
    ProcessDied: NoteKind.CELL_DIED,
    MalformedMessage: NoteKind.CELL_GARBLED,
    TooMuchOutput: NoteKind.CELL_TOO_MUCH,
    OutOfMemory: NoteKind.CELL_FULL,
}
"""The note on a cell, by how its run ended."""

ANSWER_NOTES = {
    TimedOut.state: NoteKind.ANSWER_TIMED_OUT,
    ProcessDied.state: NoteKind.ANSWER_DIED,
    MalformedMessage.state: NoteKind.ANSWER_GARBLED,
    TooMuchOutput.state: NoteKind.ANSWER_TOO_MUCH,
    OutOfMemory.state: NoteKind.ANSWER_FULL,
}
"""The note on an answer, by the state in which its question ended."""

_SKIPPED = "(not run for grading: no answer depends on this cell)"


class SandboxDied(Exception):
    """A notebook's process ended in one of the lesson's own locked cells, which is not the student's fault."""


class ReferenceStubs:
    """Reference stubs for earlier answers, in a sandbox of their own in which no student code runs.

    A student's process sends calls, the grader passes them on unread, and sends back the results: the text of a stub is
    in no other process. The process is started at the first call.
    """

    def __init__(self, program: str, open_session: Callable[[], Session]) -> None:
        """Store the program that defines the stubs, and how to open a session."""
        self._program, self._open_session = program, open_session
        self._session: Session | None = None

    def call(self, names: Collection[str], call: Mapping[str, Any], seconds: float) -> str:
        """Return the result of a stub as text.

        Args:
            names: The stubs that may be called.
            call: The message of a student's process.
            seconds: Time for the call.

        Raises:
            Interrupted: The call failed, or took too long.
        """
        deadline, name, text = time.monotonic() + seconds, call.get("name"), call.get("call")
        if not isinstance(name, str) or name not in names or not isinstance(text, str):
            raise MalformedMessage
        try:
            request = {"name": name, "call": text}
            result = self._started(seconds).ask(request, deadline - time.monotonic())
        except Interrupted:
            self.close()
            raise
        if not isinstance(result, str):
            raise MalformedMessage
        return result

    def close(self) -> None:
        """End their process, if it was started."""
        if self._session is not None:
            self._session.close()
        self._session = None

    def _started(self, seconds: float) -> Session:
        if self._session is None:
            self._session = self._open_session()
            list(self._session.run(self._program, seconds, MAX_LINE_BYTES))
        return self._session


class NotebookExecutor(SealedKernel):
    """A notebook client that asks questions in the place of test cells.

    A cell or an answer that hangs or ends its process costs itself alone: a new process runs the cells before it again,
    and goes on after it. The kernel may also end a process, where memory is short. So a cell or an answer that ends its
    process is tried once more before it counts as fatal.
    """

    question_timeout = Integer(30, help="Seconds for one exercise's answer.").tag(config=True)
    notebook_timeout = Integer(300, help="Seconds for the notebook; the cells after them are not run.").tag(
        config=True
    )

    def execute_and_ask(
        self,
        questions: Mapping[str, Question],
        skipped: Collection[int] = (),
        stubs: str = "",
        is_right: IsRight = lambda grade_id, answers: False,
    ) -> NotebookRun:
        """Run the notebook in place and ask the questions in its test cells.

        Args:
            questions: One question for each test cell's grade id.
            skipped: The positions of cells that need not run.
            stubs: The program that defines reference stubs for earlier answers.
            is_right: Tells whether an answer is right without stubs.

        Raises:
            SandboxDied: The process ends in a locked cell each time that the notebook is run.
        """
        self._skipped, self._is_right = set(skipped), is_right
        self.deadline = time.monotonic() + self.notebook_timeout
        self._stubs = ReferenceStubs(stubs, lambda: Session(self.open_process(False)))
        try:
            for run in range(1, MAX_NOTEBOOK_RUNS + 1):
                self._reset(questions)
                try:
                    self._run()
                    break
                except SandboxDied:
                    if run == MAX_NOTEBOOK_RUNS:
                        raise
        except limited_process.LimitExceeded:
            self.notes.append(Note(NoteKind.GIVEN_UP))
        finally:
            self._stubs.close()
        for cell in self.nb.cells:
            if cell.cell_type == "code":
                sanitize_outputs(cell)
        if self._is_late():
            self.notes.append(Note(NoteKind.OUT_OF_TIME, detail=str(self.notebook_timeout)))
        answers = {name: self.answers.get(name, (Answers(TimedOut.state),)) for name in questions}
        return NotebookRun(answers, tuple(self.notes))

    def _reset(self, questions: Mapping[str, Question]) -> None:
        self.questions = questions
        self.answers: dict[str, AnswerSet] = {}
        self.notes: list[Note] = []
        self._fatal: set[int] = set()
        self._died: set[int] = set()
        self.kept_bytes, self._reply_bytes_left = 0, MAX_REPLY_BYTES

    def _run(self) -> None:
        with self.setup_kernel():
            for index, cell in enumerate(self.nb.cells):
                if not self._is_late():
                    self._run_or_ask(index, cell)

    def _run_or_ask(self, index: int, cell: NotebookNode) -> None:
        grade_id = grade_id_of(cell)
        if grade_id in self.questions:
            later = {question.name for name, question in self.questions.items() if name not in self.answers}
            question = self.questions[grade_id].withhold(later)
            self.answers[grade_id] = self._answer_set(index, grade_id, question)
            if note := note_on(self.answers[grade_id][-1]):
                self._go_on_after(index, self._note(note, grade_id.removeprefix("test_")))
            else:
                self.answers[grade_id] = self._with_code_slip(index, grade_id, question)
        elif index in self._skipped:
            cell.outputs = [notebook_cells.stream_output(_SKIPPED)]
        elif cell.cell_type == "code":
            self._run_cell(index, cell)

    def _run_cell(self, index: int, cell: NotebookNode) -> None:
        try:
            self.execute_cell(cell, index)
        except Interrupted as interruption:
            cell.execution_count = None  # the process may have sent it, or not, before it ended
            name, text = interruption.cell_error
            cell.outputs = [notebook_cells.error_output(name, text.format(memory=self.memory_mb))]
            if self._is_tried_again(index, interruption):
                self._restart_before(index)
                if not self._is_late():
                    self._run_cell(index, cell)
            else:
                self._go_on_after(
                    index,
                    self._note(CELL_NOTES[type(interruption)], grade_id_of(cell) or f"number {index + 1}"),
                )
        else:
            self._died.discard(index)

    def _note(self, kind: NoteKind, name: str) -> Note:
        detail = str(self.memory_mb) if kind in (NoteKind.CELL_FULL, NoteKind.ANSWER_FULL) else ""
        return Note(kind, (name,), detail)

    def _is_tried_again(self, index: int, interruption: Interrupted) -> bool:
        """Return whether a cell is run once more: it ended its process, for the first time.

        Raises `SandboxDied` where it is one of the lesson's own locked cells.
        """
        if not isinstance(interruption, ProcessDied):
            return False
        if self.nb.cells[index].metadata.get("nbgrader", {}).get("locked"):
            raise SandboxDied(
                f"its process ended in the lesson's own cell {grade_id_of(self.nb.cells[index])}, "
                f"{MAX_NOTEBOOK_RUNS} times: is there enough memory? Grade it again"
            )
        first = index not in self._died
        self._died.add(index)
        return first

    def _is_late(self) -> bool:
        return time.monotonic() > self.deadline

    def _answer_set(self, index: int, grade_id: str, question: Question) -> AnswerSet:
        unaided, seconds_left = self._ask_twice(index, question.without_stubs(), self.question_timeout)
        if not question.has_stubs or note_on(unaided) or self._is_right(grade_id, unaided):
            return (unaided,)
        aided, _ = self._ask_twice(index, question.without_listening(), seconds_left)
        return unaided, replace(aided, library=unaided.library)

    def _ask_twice(self, index: int, question: Question, seconds: float) -> tuple[Answers, float]:
        """Put a question, and once more where that ends its process. Return the answers and the seconds left."""
        for last in (False, True):
            start = time.monotonic()
            answers = self._ask(question, start + seconds)
            seconds -= time.monotonic() - start
            if last or answers.state != ProcessDied.state:
                break
            self._restart_before(index)
        return answers, seconds

    def _with_code_slip(self, index: int, grade_id: str, question: Question) -> AnswerSet:
        """Return the answers to a question, the last of them with its code slip if one is found."""
        states, deadline = [""], time.monotonic() + self.question_timeout
        answers = self.answers[grade_id]

        def put(question: Question) -> Answers:
            result = self._ask(question, deadline)
            states.append(result.state)
            return result

        question = question.without_listening() if len(answers) > 1 else question.without_stubs()
        bytes_left, self._reply_bytes_left = self._reply_bytes_left, MAX_MENDED_REPLY_BYTES
        with_slip = code_slips.find_code_slip(
            answers[-1], question, put, functools.partial(self._is_right, grade_id)
        )
        self._reply_bytes_left = bytes_left
        if states[-1] in ANSWER_NOTES:  # a mended answer may end its process too
            self._go_on_after(index)
        return *answers[:-1], with_slip

    def _ask(self, question: Question, deadline: float) -> Answers:
        """Put a question to the cells that have run. A failure becomes the answers' state.

        Args:
            question: The question.
            deadline: Time by which to have an answer, as time.monotonic() gives it.
        """
        bytes_at_start = self.session.received_bytes
        call_stub = functools.partial(self._stubs.call, question.reference_stubs)
        try:
            request = {"question": protocol.write_request(question)}
            try:
                limit = self.limit_to_deadline(deadline - time.monotonic())
                reply = self.session.ask(request, limit, self._reply_bytes_left, call_stub)
            except Interrupted as interrupted:
                return protocol.read_pieces(interrupted.pieces, question, interrupted.state)
            return protocol.read_reply(reply, question)
        except wire.WireError:
            return Answers(MalformedMessage.state)
        finally:
            self._reply_bytes_left -= self.session.received_bytes - bytes_at_start

    def _go_on_after(self, index: int, *notes: Note) -> None:
        """Go on after the cell at `index`, which was fatal, in a new process."""
        self.notes += notes
        self._fatal.add(index)
        self._restart_before(index)

    def _restart_before(self, index: int) -> None:
        """Start a new process, and run the cells before `index` in it, without those that were fatal."""
        while not self._is_late() and not self._rerun_before(index):
            pass

    def _rerun_before(self, index: int) -> bool:
        """Run the cells before `index` in a new process; return whether all have run.

        A cell that ends its process for the second time is fatal from then on.
        """
        self.session.close()
        self.session = Session(self.open_process(True))
        cells = self.nb.cells[:index]
        code = {i for i, cell in enumerate(cells) if cell.cell_type == "code"}
        tests = {i for i, cell in enumerate(cells) if grade_id_of(cell) in self.questions}
        for i in sorted(code - tests - self._skipped - self._fatal):
            if self._is_late():
                break
            try:
                self.execute_cell(NotebookNode(cells[i], outputs=[]), i, max_bytes=0)
            except Interrupted as interruption:
                if not self._is_tried_again(i, interruption):
                    self._fatal.add(i)
                return False
            self._died.discard(i)
        return True


def note_on(answers: Answers) -> NoteKind | None:
    """Return the note on answers that were not completed; None for others."""
    return ANSWER_NOTES.get(answers.ended or answers.state)
