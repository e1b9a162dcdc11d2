"""A sandbox's init process, which shares it with student code: on a kernel that has neither Landlock nor Yama."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import psutil

from autograder.tests import needs
from autograder.tests.this_course import ROOT

OPEN_A_SANDBOX = """
import time
from autograder.sandbox import bwrap, public_files
from autograder.tests.this_course import COURSE
opened = bwrap.Sandbox(bwrap.SCRATCH, bwrap.resource_limits(9, 500, 9, 5), public_files.public_folder(COURSE.visible))
print(opened.process, flush=True)
time.sleep(60)
"""


@needs.seal
def test_student_code_opens_no_memory_but_its_own_without_landlock():
    command = [sys.executable, "-m", "autograder.tests.without_landlock"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert list(said["others"]) == ["1"]
    for other in said["others"].values():
        assert other["opened"] == []
        assert (other["Seccomp"], other["NoNewPrivs"], int(other["CapEff"], 16)) == ("2", "1", 0)
        limits = {line[:25].strip(): line[26:].split()[:2] for line in other["limits"].splitlines()}
        assert limits["Max cpu time"] == ["77", "77"]
        assert limits["Max data size"] == [str(625 * 2**20)] * 2
        assert limits["Max file size"] == [str(5 * 2**20)] * 2
        assert limits["Max processes"] == ["99", "99"]


@needs.seal
def test_a_sandbox_ends_with_the_process_that_opened_it():
    grader = subprocess.Popen(
        [sys.executable, "-c", OPEN_A_SANDBOX], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    init = psutil.Process(int(grader.stdout.readline()))
    assert is_alive(init)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    deadline = time.monotonic() + 20
    while is_alive(init) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(init)


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


ORPHANED = """
from autograder.tests.bench import meter
from autograder.tests.notebook_runs import execute_and_ask

meter.adopt_orphans()  # and wait for none of them, as the first process of many a container
execute_and_ask(["import os; os.spawnlp(os.P_NOWAIT, 'sleep', 'sleep', '60')"], [])
print("closed")
"""


@needs.seal
def test_a_sandbox_is_closed_where_nobody_waits_for_its_orphans():
    done = subprocess.run([sys.executable, "-c", ORPHANED], capture_output=True, text=True, timeout=60)
    assert done.stdout == "closed\n", done.stderr
