"""Runs a notebook and asks its answers. Expected values never come here.

The notebook's cells run in a room. Where a test cell stands, the cell is not run: its question is put to what ran
before it, and plain data comes back. Whether it is right without stand-ins is asked of whoever has the key.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from nbformat import NotebookNode
from traitlets import Integer

from autograder.checks import code_slips, protocol
from autograder.checks.runner import Answers, Question
from autograder.exercises import wire
from autograder.exercises.limits import MAX_LINE_BYTES, MAX_MENDED_REPLY_BYTES, MAX_REPLY_BYTES, MAX_RUNS
from autograder.sandbox import limited_process, notebook_cells
from autograder.sandbox.kernel import SealedKernel
from autograder.sandbox.notebook_cells import grade_id_of
from autograder.sandbox.notes import Note, NoteKind
from autograder.sandbox.sanitize_outputs import sanitize_outputs
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
"""What an exercise's answer gave as it stands, and where that was not right, with stand-ins for earlier answers."""

Right = Callable[[str, Answers], bool]
"""Whether what came for a test cell's grade id is all that can be earned; of a mended answer, all that is visible."""


@dataclass(frozen=True)
class NotebookRun:
    """What came of running a notebook, beside the outputs in it.

    answers: by the test cells' grade ids; notes: what went wrong on the way.
    """

    answers: dict[str, AnswerSet]
    notes: tuple[Note, ...]


TIMED_OUT, DIED, GARBLED, TOO_MUCH = (
    TimedOut.state,
    ProcessDied.state,
    MalformedMessage.state,
    TooMuchOutput.state,
)
ANSWER_ENDED = {
    end.state: end.of_answer for end in (TimedOut, ProcessDied, MalformedMessage, TooMuchOutput, OutOfMemory)
}

_LEFT_OUT = "(not run for grading: no answer depends on this cell)"


class SandboxDied(Exception):
    """A notebook's process ended in one of the lesson's own locked cells, which is no doing of the student's."""


class ReferenceStubs:
    """What stands in for earlier answers, in a sandbox in which nothing of a student's runs.

    A student's process sends calls, the grader passes them on unread, and back goes what that sandbox gives: the text
    of a stand-in is in no other process. The process is begun when one is called.
    """

    def __init__(self, program: str, begin: Callable[[], Session]) -> None:
        """program: what defines them; begin: opens a session."""
        self._program, self._begin = program, begin
        self._session: Session | None = None

    def call(self, names: Collection[str], call: Mapping[str, Any], seconds: float) -> str:
        """What a stand-in gives. names: of those that may be called; call: what a student's process has sent.

        Raises `Interrupted`, after as many seconds at the latest.
        """
        deadline, name, text = time.monotonic() + seconds, call.get("name"), call.get("call")
        if not isinstance(name, str) or name not in names or not isinstance(text, str):
            raise MalformedMessage
        try:
            given = self._begun(seconds).call(name, text, deadline - time.monotonic())
        except Interrupted:
            self.close()
            raise
        if not isinstance(given, str):
            raise MalformedMessage
        return given

    def close(self) -> None:
        """End their process, if it was begun."""
        if self._session is not None:
            self._session.close()
        self._session = None

    def _begun(self, seconds: float) -> Session:
        if self._session is None:
            self._session = self._begin()
            list(self._session.run(self._program, seconds, MAX_LINE_BYTES))
        return self._session


class NotebookExecutor(SealedKernel):
    """A notebook client that asks questions in the place of test cells.

    A cell or an answer that hangs or brings its process down costs itself: a new process runs the cells before it
    again, and goes on behind it. A process may also be ended from outside, as by the kernel where memory is short: so a
    cell or an answer with which it ends is tried once more before it is called fatal.
    """

    question_timeout = Integer(30, help="Seconds for one exercise's answer in all.").tag(config=True)
    notebook_timeout = Integer(300, help="Seconds; what is left then is not run.").tag(config=True)

    def execute_and_ask(
        self,
        questions: Mapping[str, Question],
        left_out: Collection[int] = (),
        stand_ins: str = "",
        right: Right = lambda grade_id, answers: False,
    ) -> NotebookRun:
        """Run the notebook in place and ask `questions`, one for each test cell's grade id.

        Args:
            left_out: The positions of cells that need not run.
            stand_ins: The program that defines what stands in for earlier answers.
            right: Whether an answer needs none of them.

        Raises:
            SandboxDied: The process ends in a locked cell each time that the notebook is run.
        """
        self._left_out, self._right = set(left_out), right
        self.opener.get_ready()  # what a start takes is not the notebook's time
        self.deadline = time.monotonic() + self.notebook_timeout
        self._stand_ins = ReferenceStubs(stand_ins, lambda: Session(self.opener.open(False)))
        try:
            for run in range(1, MAX_RUNS + 1):
                self._begin(questions)
                try:
                    self._run()
                    break
                except SandboxDied:
                    if run == MAX_RUNS:
                        raise
        except limited_process.LimitExceeded:
            self.notes.append(Note(NoteKind.GIVEN_UP))
        finally:
            self._stand_ins.close()
        for cell in self.nb.cells:
            if cell.cell_type == "code":
                sanitize_outputs(cell)
        if self._late():
            self.notes.append(Note(NoteKind.OUT_OF_TIME, detail=str(self.notebook_timeout)))
        answers = {name: self.answers.get(name, (Answers(TIMED_OUT),)) for name in questions}
        return NotebookRun(answers, tuple(self.notes))

    def _begin(self, questions: Mapping[str, Question]) -> None:
        self.questions: Mapping[str, Question] = questions
        self.answers: dict[str, AnswerSet] = {}
        self.notes: list[Note] = []
        self._fatal: set[int] = set()
        self._died: set[int] = set()
        self.shown, self._replies_left = 0, MAX_REPLY_BYTES

    def _run(self) -> None:
        with self.setup_kernel():
            for index, cell in enumerate(self.nb.cells):
                if not self._late():
                    self._run_or_ask(index, cell)

    def _run_or_ask(self, index: int, cell: NotebookNode) -> None:
        grade_id = grade_id_of(cell)
        if grade_id in self.questions:
            self.questions = {**self.questions, grade_id: self._without_answers_to_come(grade_id)}
            self.answers[grade_id] = self._attempts(index, grade_id, self.questions[grade_id])
            if ended := ended_by(self.answers[grade_id][-1]):
                self._revive(index, self._note(ended, grade_id.removeprefix("test_")))
            else:
                self.answers[grade_id] = self._with_slip(index, grade_id, self.answers[grade_id])
        elif index in self._left_out:
            cell.outputs = [notebook_cells.printed(_LEFT_OUT)]
        elif cell.cell_type == "code":
            self._run_cell(index, cell)

    def _run_cell(self, index: int, cell: NotebookNode) -> None:
        try:
            self.execute_cell(cell, index)
        except Interrupted as end:
            cell.execution_count = None  # it may have been told, or not, before the end
            name, text = end.shown
            cell.outputs = [notebook_cells.error(name, text.format(memory=self.memory_mb))]
            if self._is_tried_again(index, end):
                self._bring_up(index)
                if not self._late():
                    self._run_cell(index, cell)
            else:
                self._revive(index, self._note(end.of_cell, grade_id_of(cell) or f"number {index + 1}"))
        else:
            self._died.discard(index)

    def _note(self, kind: NoteKind, name: str) -> Note:
        detail = str(self.memory_mb) if kind in (OutOfMemory.of_cell, OutOfMemory.of_answer) else ""
        return Note(kind, (name,), detail)

    def _is_tried_again(self, index: int, end: Interrupted) -> bool:
        """Whether a cell is run once more: its process ended with it, and this is the first time.

        Raises `SandboxDied` where it is one of the lesson's own locked cells.
        """
        if not isinstance(end, ProcessDied):
            return False
        if self.nb.cells[index].metadata.get("nbgrader", {}).get("locked"):
            raise SandboxDied(
                f"its process ended in the lesson's own cell {grade_id_of(self.nb.cells[index])}, {MAX_RUNS} times: "
                "is there enough memory? Grade it again"
            )
        first = index not in self._died
        self._died.add(index)
        return first

    def _without_answers_to_come(self, grade_id: str) -> Question:
        """The question with no stand-in for an exercise that is still to be asked, see `stand_ins`."""
        to_come = {question.name for name, question in self.questions.items() if name not in self.answers}
        return self.questions[grade_id].withhold(to_come)

    def _late(self) -> bool:
        return time.monotonic() > self.deadline

    def _attempts(self, index: int, grade_id: str, question: Question) -> AnswerSet:
        own, left = self._ask_again(index, question.unaided(), self.question_timeout)
        if not question.aided or ended_by(own) or self._right(grade_id, own):
            return (own,)
        aided, _ = self._ask_again(index, question.unheard(), left)
        return own, replace(aided, library=own.library)

    def _ask_again(self, index: int, question: Question, seconds: float) -> tuple[Answers, float]:
        """Put a question, once more where its process ended. What comes, and the seconds that are left."""
        for last in (False, True):
            begun = time.monotonic()
            answers = self._ask(question, begun + seconds)
            seconds -= time.monotonic() - begun
            if last or answers.state != DIED:
                break
            self._bring_up(index)
        return answers, seconds

    def _with_slip(self, index: int, grade_id: str, attempts: AnswerSet) -> AnswerSet:
        """The attempts, the last one with its slip; what a mended answer brings down is brought up again."""
        states, end = [""], time.monotonic() + self.question_timeout

        def put(question: Question) -> Answers:
            given = self._ask(question, end)
            states.append(given.state)
            return given

        question = self.questions[grade_id]
        question = question.unheard() if len(attempts) > 1 else question.unaided()
        left, self._replies_left = self._replies_left, MAX_MENDED_REPLY_BYTES
        found = code_slips.with_slip(attempts[-1], question, put, functools.partial(self._right, grade_id))
        self._replies_left = left
        if states[-1] in ANSWER_ENDED:  # a mended answer may do anything
            self._revive(index)
        return *attempts[:-1], found

    def _ask(self, question: Question, end: float) -> Answers:
        """Put a question to what has run so far. Whatever goes wrong there becomes the answers' state.

        end: when to be done, by time.monotonic().
        """
        before = self.session.told
        stand_in = functools.partial(self._stand_ins.call, question.stand_ins)
        try:
            limit = self.in_time(end - time.monotonic())
            request = protocol.request(question)
            try:
                reply = self.session.ask(request, limit, self._replies_left, stand_in)
            except Interrupted as interrupted:
                return protocol.read_pieces(interrupted.pieces, question, interrupted.state)
            return protocol.read_reply(reply, question)
        except TimedOut:
            return Answers(TIMED_OUT)
        except wire.WireError:
            return Answers(GARBLED)
        finally:
            self._replies_left -= self.session.told - before

    def _revive(self, index: int, *notes: Note) -> None:
        """Go on behind the cell at `index`, which was fatal, in a new process."""
        self.notes += notes
        self._fatal.add(index)
        self._bring_up(index)

    def _bring_up(self, index: int) -> None:
        """Go on in a new process that has run the cells before `index`, but for those that were fatal."""
        while not self._late() and not self._run_again(index):
            pass

    def _run_again(self, index: int) -> bool:
        """Whether a new process has run the cells before `index`; one with which it ends twice is fatal then."""
        self.restart()
        for i, cell in enumerate(self.nb.cells[:index]):
            if not self._runs(cell, i) or self._late():
                continue
            try:
                self._run_copy(cell, i)
            except Interrupted as end:
                if not self._is_tried_again(i, end):
                    self._fatal.add(i)
                return False
            self._died.discard(i)
        return True

    def _run_copy(self, cell: NotebookNode, index: int) -> None:
        """Run a cell again for what it defines."""
        self.execute_cell(NotebookNode(cell, outputs=[]), index, most=0)

    def _runs(self, cell: NotebookNode, index: int) -> bool:
        left_out = index in self._left_out | self._fatal
        return cell.cell_type == "code" and grade_id_of(cell) not in self.questions and not left_out


def ended_by(answers: Answers) -> NoteKind | None:
    """What is noted where answering came to no end of its own."""
    return ANSWER_ENDED.get(answers.ended or answers.state)
