"""Runs a notebook and asks its answers. Expected values never come here.

The notebook's cells run in a kernel. Where a test cell stands, the cell is not run: its question is put to the
kernel, and plain data comes back.
"""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from queue import Empty
from typing import Any

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbclient.util import run_sync
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute
from traitlets import Bool, Integer

from autograder import probe, wire
from autograder.cells import printed
from autograder.illustrations import unneeded
from autograder.passive import make_passive
from autograder.probe import Answers, Question
from autograder.seal.kernel import SealedKernel

Attempts = tuple[Answers, ...]


@dataclass(frozen=True)
class Ran:
    """What came of running a notebook, beside the outputs in it.

    answers: by the test cells' grade ids; notes: what went wrong on the way, a line each; sealed: whether it ran
    in a room.
    """

    answers: dict[str, Attempts]
    notes: tuple[str, ...]
    sealed: bool


TIMED_OUT, DIED, GARBLED = "timed out", "kernel died", "garbled"
LEFT_OUT = "(not run for grading: no answer depends on this cell)"


class Interview(SealedKernel, Execute):
    """nbgrader's `Execute`, which asks questions in the place of test cells.

    A cell or an answer that hangs or brings the kernel down costs itself: a new kernel runs the cells before it
    again, and goes on behind it.
    """

    question_timeout = Integer(30, help="Seconds that one exercise's answer may take in all.").tag(
        config=True
    )
    notebook_timeout = Integer(
        300, help="Seconds after which what is left of a notebook is no longer run."
    ).tag(config=True)

    record_timing = Bool(
        False, help="Whether to note when each cell ran: no two gradings would write the same."
    ).tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.questions: Mapping[str, Question] = {}
        self.answers: dict[str, Attempts] = {}
        self.notes: list[str] = []
        self._left_out: set[int] = set()
        self._fatal: set[int] = set()
        self._deadline = math.inf

    def interview(
        self,
        notebook: NotebookNode,
        resources: dict,
        questions: Mapping[str, Question],
        illustrations: Collection[str] = (),
    ) -> Ran:
        """Run `notebook` in place and ask `questions`, one for each test cell's grade id.

        illustrations: texts of cells that need not run where nothing depends on them.
        """
        self.questions, self.answers, self.notes, self._fatal = questions, {}, [], set()
        self._left_out = unneeded(notebook.cells, illustrations)
        self._deadline = math.inf
        super().preprocess(notebook, resources)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                make_passive(cell)
        self._ask_elsewhere(notebook, resources)
        if self.reached_for:
            self.notes.append(f"it reached for what is outside its room: {', '.join(self.reached_for)}")
        return Ran(self.answers, tuple(self.notes), self.sealed)

    def preprocess_cell(self, cell: NotebookNode, resources: dict, index: int) -> tuple[NotebookNode, dict]:
        grade_id = grade_id_of(cell)
        if index == 0:  # from now on: to start a kernel, the first above all, is not the student's time
            self._deadline = time.monotonic() + self.notebook_timeout
        if time.monotonic() > self._deadline:
            self._out_of_time(cell, grade_id)
        elif grade_id in self.questions:
            self.questions = {**self.questions, grade_id: self._without_answers_to_come(grade_id)}
            self.answers[grade_id] = ask(self, self.questions[grade_id], self.question_timeout)
            if self.answers[grade_id][0].state in (TIMED_OUT, DIED):
                self._revive(index, f"the answer of {grade_id}: {self.answers[grade_id][0].state}")
        elif index in self._left_out:
            cell.outputs = [printed(LEFT_OUT)]
        elif cell.cell_type == "code":
            self._run(cell, index)
        return cell, resources

    def _without_answers_to_come(self, grade_id: str) -> Question:
        """The question with no stand-in for an exercise that is still to be asked, see `stand_ins`."""
        to_come = {question.name for name, question in self.questions.items() if name not in self.answers}
        return self.questions[grade_id].withhold(to_come)

    def _run(self, cell: NotebookNode, index: int) -> None:
        name = grade_id_of(cell) or f"number {index + 1}"
        try:
            self.execute_cell(cell, index, store_history=True)
        except DeadKernelError:
            self._fail(cell, "KernelDied", "this cell ended the whole program")
            self._revive(index, f"cell {name}: {DIED}")
        except CellTimeoutError:
            self._fail(cell, "CellTimeoutError", "this cell could not be stopped")
            self._revive(index, f"cell {name}: {TIMED_OUT}")
        except Exception:  # messages that are none: whatever can be forged may be wrong in any way
            self._fail(cell, "MessageError", "this cell sent messages that are none")
            self._revive(index, f"cell {name}: {GARBLED}")

    def _out_of_time(self, cell: NotebookNode, grade_id: str) -> None:
        if grade_id in self.questions:
            self.answers[grade_id] = (Answers(TIMED_OUT),)
        note = f"the notebook took more than {self.notebook_timeout} seconds; the rest was not run"
        if note not in self.notes:
            self.notes.append(note)

    @staticmethod
    def _fail(cell: NotebookNode, name: str, text: str) -> None:
        cell.execution_count = None  # it may have been told, or not, before the end
        cell.outputs = [new_output("error", ename=name, evalue=text, traceback=[f"{name}: {text}"])]

    def _revive(self, index: int, note: str) -> None:
        """Go on in a new kernel that has run the cells before `index`, but for those that were fatal."""
        self.notes.append(note)
        self._fatal.add(index)
        while not self._run_again(index):
            pass

    def _run_again(self, index: int) -> bool:
        """Whether a new kernel has run the cells before `index`; one that it has not is fatal from now on."""
        run_sync(self._restart)()
        for i, cell in enumerate(self.nb.cells[:index]):
            if not self._runs(cell, i) or i in self._fatal or time.monotonic() > self._deadline:
                continue
            try:
                self.execute_cell(NotebookNode(cell, outputs=[]), i, store_history=True)
            except Exception:
                self._fatal.add(i)
                return False
        return True

    def _runs(self, cell: NotebookNode, index: int) -> bool:
        asked = grade_id_of(cell) in self.questions
        return cell.cell_type == "code" and not asked and index not in self._left_out

    def cells_before(self, notebook: NotebookNode, grade_id: str) -> list[NotebookNode]:
        """Fresh copies of the cells that run before the one with this grade id."""
        position = next(i for i, cell in enumerate(notebook.cells) if grade_id_of(cell) == grade_id)
        before = enumerate(notebook.cells[:position])
        return [NotebookNode(cell, outputs=[]) for i, cell in before if self._runs(cell, i)]

    async def _restart(self) -> None:
        client, manager = _running(self)
        client.stop_channels()
        await manager.restart_kernel(now=True)
        await self.async_start_new_kernel_client()

    def _ask_elsewhere(self, notebook: NotebookNode, resources: dict) -> None:
        """Ask the cases that need another process: the same cells in a kernel with another hash seed."""
        for grade_id, question in self.questions.items():
            asked = any(answers.state == probe.ASKED for answers in self.answers[grade_id])
            if asked and any(case.elsewhere for case in question.cases):
                there = _second_process(self, notebook, resources, grade_id, question)
                pairs = zip_longest(self.answers[grade_id], there, fillvalue=there[-1])
                self.answers[grade_id] = tuple(_joined(here, far) for here, far in pairs)


def grade_id_of(cell: NotebookNode) -> str:
    """The id by which nbgrader knows a cell; empty when it knows none."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def _joined(here: Answers, there: Answers) -> Answers:
    """The observations of one process with what another process gave."""
    if here.state != probe.ASKED or there.state != probe.ASKED:
        return here
    pairs = zip(here.observations, there.observations)
    return Answers(here.state, tuple(replace(seen, elsewhere=far.value) for seen, far in pairs))


def ask(client: NotebookClient, question: Question, timeout: float, elsewhere: bool = False) -> Attempts:
    """Put a question to a running kernel. Whatever goes wrong there becomes the answers' state."""
    kernel, manager = _running(client)
    expressions = {"answers": probe.request(question, elsewhere)}
    message = kernel.execute(
        "", silent=True, store_history=False, allow_stdin=False, user_expressions=expressions
    )
    try:
        return _read(run_sync(_reply_to)(client, message, timeout), question)
    except Empty:
        return (Answers(TIMED_OUT if run_sync(manager.is_alive)() else DIED),)


async def _reply_to(client: NotebookClient, message: str, timeout: float) -> dict[str, Any]:
    """The content of the reply to `message`. Raises `queue.Empty` when none came in time or ever will."""
    kernel, manager = _running(client)
    deadline = time.monotonic() + timeout
    while True:
        try:
            reply = await kernel.shell_channel.get_msg(
                timeout=min(1.0, max(0.0, deadline - time.monotonic()))
            )
        except Empty:
            if time.monotonic() >= deadline or not await manager.is_alive():
                raise
            continue
        except Exception:  # a message that is none
            reply = {}
        if _is_reply(reply, message):
            return reply["content"]
        if time.monotonic() >= deadline:
            raise Empty


def _is_reply(reply: dict[str, Any], message: str) -> bool:
    parent = reply.get("parent_header")
    return isinstance(parent, dict) and parent.get("msg_id") == message


def _running(client: NotebookClient) -> tuple[Any, Any]:
    """The kernel's client and manager, which are there once it has been started."""
    return client.kc, client.km


def _read(content: dict[str, Any], question: Question) -> Attempts:
    try:
        text = content["user_expressions"]["answers"]["data"]["text/plain"]
        packed = re.fullmatch(r"'([A-Za-z0-9+/=]*)'", text)
        if packed is None:
            return (Answers(GARBLED),)
        return probe.read_reply(packed[1], question)
    except (KeyError, TypeError, wire.WireError):
        return (Answers(GARBLED),)


def _second_process(
    parent: Interview, notebook: NotebookNode, resources: dict, grade_id: str, question: Question
) -> Attempts:
    cells = parent.cells_before(notebook, grade_id)
    copy = NotebookNode(notebook, cells=cells)
    client = SealedKernel(
        copy, resources=resources, parent=parent.parent, allow_errors=True, timeout=parent.timeout
    )
    client.shutdown_kernel = "immediate"
    with client.setup_kernel(env={**os.environ, "PYTHONHASHSEED": "20170612"}):
        for index, cell in enumerate(cells):
            client.execute_cell(cell, index)
        return ask(client, question, parent.question_timeout, elsewhere=True)
