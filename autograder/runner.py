"""Runs a notebook and asks its answers. Expected values never come here.

The notebook's cells run in a kernel. Where a test cell stands, the cell is not run: its question is put to the
kernel, and plain data comes back.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from queue import Empty
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbclient.util import run_sync
from nbformat import NotebookNode
from nbgrader.preprocessors import Execute
from traitlets import Integer

from autograder import probe, wire
from autograder.kernels import PrivateSockets
from autograder.probe import Answers, Question

Attempts = tuple[Answers, ...]
TIMED_OUT, DIED, GARBLED = "timed out", "kernel died", "garbled"


class Interview(PrivateSockets, Execute):
    """nbgrader's `Execute`, which asks questions in the place of test cells.

    After `preprocess`, `answers` maps each test cell's grade id to what its answer gave.
    """

    question_timeout = Integer(30, help="Seconds that one exercise's answer may take in all.").tag(
        config=True
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.questions: Mapping[str, Question] = {}
        self.answers: dict[str, Attempts] = {}

    def interview(
        self, notebook: NotebookNode, resources: dict, questions: Mapping[str, Question]
    ) -> dict[str, Attempts]:
        """Run `notebook` in place and ask `questions`, one for each test cell's grade id."""
        self.questions, self.answers = questions, {}
        try:
            super().preprocess(notebook, resources)
        except DeadKernelError:
            self.log.warning("the kernel died; what came before it is kept")
        for grade_id in questions:
            self.answers.setdefault(grade_id, (Answers(DIED),))
        self._ask_elsewhere(notebook, resources)
        return self.answers

    def preprocess_cell(self, cell: NotebookNode, resources: dict, index: int) -> tuple[NotebookNode, dict]:
        grade_id = grade_id_of(cell)
        if grade_id not in self.questions:
            return super().preprocess_cell(cell, resources, index)
        self.answers[grade_id] = ask(self, self.questions[grade_id], self.question_timeout)
        return cell, resources

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
    assert client.kc is not None
    assert client.km is not None
    expressions = {"answers": probe.request(question, elsewhere)}
    message = client.kc.execute(
        "", silent=True, store_history=False, allow_stdin=False, user_expressions=expressions
    )
    try:
        content = run_sync(_reply_to)(client.kc, message, timeout)
    except Empty:
        return (Answers(run_sync(_why_silent)(client.km)),)
    return _read(content, question)


async def _reply_to(client: AsyncKernelClient, message: str, timeout: float) -> dict[str, Any]:
    deadline = time.monotonic() + timeout
    while True:
        reply = await client.shell_channel.get_msg(timeout=max(0.0, deadline - time.monotonic()))
        if reply["parent_header"].get("msg_id") == message:
            return reply["content"]


async def _why_silent(manager: Any) -> str:
    if not await manager.is_alive():
        return DIED
    await manager.interrupt_kernel()
    return TIMED_OUT


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
    position = next(i for i, cell in enumerate(notebook.cells) if grade_id_of(cell) == grade_id)
    cells = [cell for cell in notebook.cells[:position] if cell.cell_type == "code"]
    cells = [NotebookNode(cell, outputs=[]) for cell in cells if grade_id_of(cell) not in parent.questions]
    copy = NotebookNode(notebook, cells=cells)
    client = PrivateSockets(
        copy, resources=resources, parent=parent.parent, allow_errors=True, timeout=parent.timeout
    )
    client.shutdown_kernel = "immediate"
    with client.setup_kernel(env={**os.environ, "PYTHONHASHSEED": "20170612"}):
        for index, cell in enumerate(cells):
            client.execute_cell(cell, index)
        return ask(client, question, parent.question_timeout, elsewhere=True)
