"""Sandboxes around student code, and what happens where there are none."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.authoring.release import NbgraderError
from autograder.demo import samples
from autograder.sandbox import bwrap, fork_server, layers
from autograder.sandbox.bwrap import UserSandbox
from autograder.sandbox.session import OutOfMemory
from autograder.tests import needs, small_course
from autograder.tests.attacks.special import PAGE_TABLES, SOCKETS, SWARM, holding
from autograder.tests.commands import run_nbgrader
from autograder.tests.notebook_runs import executor
from autograder.tests.small_course import LESSON as OTHER
from autograder.tests.this_course import COURSE, ROOT

LESSON = "01_weighted_sums"


def kernel(notebook=None, **settings):
    return executor(notebook or new_notebook(), **{"timeout": 20, **settings})


def run(*cells, **settings):
    """What each cell printed, or the name of its error."""
    notebook = new_notebook(cells=[new_code_cell(textwrap.dedent(cell)) for cell in cells])
    client = kernel(notebook, **settings)
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            client.execute_cell(cell, index)
    return [
        "".join(output.get("text", "") or output.get("ename", "") for output in cell.outputs)
        for cell in notebook.cells
    ]


@needs.seal
def test_the_sandbox_holds_what_a_lesson_needs_and_nothing_else(monkeypatch):
    monkeypatch.setenv("A_SECRET", "do not tell")
    answers = run(
        """
        import torch, gensim, seaborn, autograder
        from attention import load_vectors
        batches = torch.utils.data.DataLoader(torch.arange(8), num_workers=2)
        print(len(load_vectors()), sum(len(batch) for batch in batches))
        """,
        "import autograder.judging",
        "import autograder.courses",
        f"open({str(ROOT / 'solutions' / LESSON / 'weighted_sums.py')!r})",
        f"open({str(ROOT / 'nbgrader_config.py')!r})",
        "open('/etc/passwd')",
        "import os; print(os.environ.get('A_SECRET')); open('/proc/1/environ').read().index('A_SECRET')",
        "import socket; socket.create_connection(('127.0.0.1', 22), timeout=2)",
        "import socket; socket.getaddrinfo('example.org', 80)",
        "import os; print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit())[-1] < 50)",
        "import autograder.calls.runner; open(autograder.calls.runner.__file__, 'a')",
        "open('/tmp/mine', 'w').write('x'); print('written')",
        timeout=60,
    )
    none = ("FileNotFoundError", "PermissionError")
    assert answers[0].strip() == "985 8"
    assert answers[1:3] == ["ModuleNotFoundError", "ModuleNotFoundError"]
    assert all(answer in none for answer in answers[3:6])
    assert answers[6] in ("None\nPermissionError", "None\nValueError")
    assert answers[7:9] == ["OSError", "gaierror"]
    assert answers[9].strip() == "True"
    assert answers[10] in ("OSError", *none)
    assert answers[11].strip() == "written"


@needs.seal
def test_a_sandbox_full_of_processes_leaves_other_sandboxes_theirs():
    one, other = kernel(processes=40), kernel(processes=40)
    crowd = new_code_cell("""
import subprocess
try:
    children = [subprocess.Popen(["sleep", "20"]) for _ in range(60)]
except OSError:
    print("full")
""")
    work = new_code_cell("import subprocess; subprocess.run(['echo']); print('fine')")
    with one.setup_kernel(), other.setup_kernel():
        for client, cell, said in ((one, crowd, "full\n"), (other, work, "fine\n")):
            client.execute_cell(cell, 0)
            assert cell.outputs[0].text == said


@needs.seal
@needs.confinement
def test_landlock_is_a_second_layer():
    """What a sandbox's mounts would allow, it does not: a program's own name in /proc."""
    named, saved = run(
        "import subprocess\n"
        "print(subprocess.run(['sh', '-c', 'echo x > /proc/self/comm && echo named'], capture_output=True).stdout)",
        "open('/tmp/mine', 'w').write('x'); open('/dev/null', 'w').write('x'); print(open('/tmp/mine').read())",
    )
    assert (named.strip(), saved.strip()) == ("b''", "x")


TOGETHER = {
    "shared": """
        import mmap, time
        shared = mmap.mmap(-1, 700 * 2**20)
        for place in range(0, len(shared), 4096): shared[place] = 1
        time.sleep(15)
        """,
    "files without content": """
        import os, time
        for number in range(10**6): os.mknod(f"/tmp/{number}")
        time.sleep(15)
        """,
    "page tables": holding(PAGE_TABLES, gigabytes=400, seconds=15),
    "sockets": holding(SOCKETS, processes=8, seconds=15),
    "a swarm of forks": holding(SWARM, processes=30, seconds=15),
}


@needs.seal
@pytest.mark.parametrize("how", TOGETHER)
def test_a_sandbox_s_memory_is_limited_as_a_whole_and_its_neighbour_goes_on(how):
    neighbour = kernel()
    with neighbour.setup_kernel():
        with pytest.raises(OutOfMemory):
            run("x = 1", TOGETHER[how], memory_mb=400, timeout=60)
        neighbour.execute_cell(cell := new_code_cell("print('fine')"), 0)
    assert cell.outputs[0].text == "fine\n"


@needs.seal
def test_what_is_shared_counts_once():
    (shown,) = run(
        """
        import mmap, os, time
        shared = mmap.mmap(-1, 300 * 2**20)
        for place in range(0, len(shared), 4096): shared[place] = 1
        children = []
        for _ in range(3):
            children.append(os.fork())
            if not children[-1]:
                sum(shared[place] for place in range(0, len(shared), 4096)); time.sleep(1.5); os._exit(0)
        for child in children: os.waitpid(child, 0)
        print("fine")
        """,
        memory_mb=700,
    )
    assert shown == "fine\n"


CALLS = """
import ctypes, errno, os, platform
libc = ctypes.CDLL(None, use_errno=True)
CLONE, CLONE3, MEMFD, SHMGET = (56, 435, 319, 29) if platform.machine() == "x86_64" else (220, 435, 279, 194)
MSEAL = 462
def call(*arguments):
    ctypes.set_errno(0)
    result = libc.syscall(*map(ctypes.c_long, arguments))
    if result == 0:
        os._exit(0)
    return errno.errorcode.get(ctypes.get_errno(), f"allowed: {result}")
"""


@needs.seal
def test_no_namespace_begins_inside_whatever_the_call():
    answers = run(
        CALLS,
        "print({call(CLONE, 17 | flag, 0, 0, 0, 0) for flag in [0x20000, *(1 << bit for bit in range(25, 31))]})",
        "print(call(CLONE3, 0, 0), call(MEMFD, 0, 0), call(SHMGET, 0, 4096, 0o1600), call(MSEAL, 0, 0, 0))",
        """
        import socket
        for family in (socket.AF_NETLINK, socket.AF_INET, socket.AF_INET6):
            try:
                print(socket.socket(family))
            except OSError as error:
                print(errno.errorcode[error.errno])
        import fcntl
        pair = socket.socketpair()
        enlarge = lambda: pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 10**6)
        for attempt in (enlarge, lambda: fcntl.lockf(open("/tmp/locked", "w"), fcntl.LOCK_EX)):
            try:
                print(attempt())
            except OSError as error:
                print(errno.errorcode[error.errno])
        """,
        """
        import subprocess, threading
        thread = threading.Thread(target=print, args=("a thread",))
        thread.start(); thread.join()
        print(subprocess.run(["echo", "a program"], capture_output=True, text=True).stdout)
        socket.getaddrinfo("localhost", 80)
        """,
    )
    assert answers[1:4] == [
        "{'EPERM'}\n",
        "ENOSYS EPERM EPERM ENOSYS\n",
        "EAFNOSUPPORT\n" * 3 + "EPERM\nENOLCK\n",
    ]
    assert [line for line in answers[4].split("\n") if line][:2] == ["a thread", "a program"]


def test_without_sandboxes_grading_refuses_in_one_line(tmp_path, monkeypatch):
    course = small_course.make(tmp_path / "course")
    folder, release = small_course.make_class(course, tmp_path / "class"), course.lesson(OTHER).released
    samples.put_file(folder / "submitted", "amy", OTHER, release.name, release.read_bytes())
    autograde = ["autograde", OTHER]
    with monkeypatch.context() as without:
        without.setenv("PATH", "")  # where no bubblewrap is
        without.setattr(layers, "layers", layers.layers.__wrapped__)
        with pytest.raises(NbgraderError, match="see `autograder doctor`") as refused:
            run_nbgrader(*autograde, folder=folder, course=course)
    assert "Traceback" not in str(refused.value)
    monkeypatch.setattr(layers, "sandbox_available", lambda: False)
    said = run_nbgrader(*autograde, "--SealedKernel.allow_unsealed=1", folder=folder, course=course)
    assert "amy: graded UNSEALED" in said


@needs.root
def test_where_there_are_no_sandboxes_root_can_run_notebooks_as_another_user(monkeypatch):
    monkeypatch.setattr(layers, "sandbox_available", lambda: False)
    mark = f"left-behind-{os.getpid()}"
    with tempfile.NamedTemporaryFile() as own:  # only its owner may read it
        answers = run(
            "import os; print(os.getuid() in range(61184, 65520), os.getgroups(), 'HOME' in os.environ)",
            f"open({own.name!r})",
            "os.kill(os.getppid(), 9)",
            "import socket; socket.socket(socket.AF_ALG)",
            f"import subprocess; subprocess.Popen(['sh', '-c', 'sleep 60 # {mark}'], start_new_session=True)",
            "bytearray(1500 * 2**20)",
            f"""
            for place in ('/tmp', '/dev/shm'):
                os.makedirs(f'{{place}}/{mark}/deeper'); open(f'{{place}}/{mark}/deeper/file', 'w').write('x')
                os.symlink({own.name!r}, f'{{place}}/{mark}-link'); os.chmod(f'{{place}}/{mark}', 0)
            print('left behind')
            """,
            allow_other_user=True,
            memory_mb=1000,
        )
        assert Path(own.name).exists()
    assert answers[0].strip() == "True [] True"
    assert answers[1:4] == ["PermissionError", "PermissionError", "OSError"]
    assert answers[5] == "MemoryError"
    assert answers[6].strip() == "left behind"
    assert [*Path("/tmp").glob(f"{mark}*"), *Path("/dev/shm").glob(f"{mark}*")] == []
    assert mark not in subprocess.run(["ps", "-ef"], capture_output=True, text=True).stdout


@needs.root
def test_without_sandboxes_no_notebook_is_a_user_who_runs_something(monkeypatch):
    busy, idle = bwrap.UNUSED_USERS[:2]
    monkeypatch.setattr(bwrap, "UNUSED_USERS", (busy, idle))
    command = bwrap.become_user(busy, "sh", "-c", "echo; exec sleep 60")
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        try:
            assert {UserSandbox(bwrap.SCRATCH).user for _ in range(20)} == {idle}
        finally:
            process.kill()


@pytest.mark.timeout(60)
@needs.root
def test_what_another_user_leaves_goes_also_while_folders_are_moved(tmp_path):
    Path(tmp_path, "one/moved", *"abcdefgh").mkdir(parents=True)
    for name in ("two", "submission"):
        (tmp_path / name).mkdir()
    move = "import os\nwhile True: os.rename('one/moved', 'two/moved'); os.rename('two/moved', 'one/moved')"
    with subprocess.Popen([sys.executable, "-c", move], cwd=tmp_path) as moving:
        try:
            for _ in range(20):
                opened = UserSandbox(str(tmp_path / "submission"))
                places = [Path(place, f"left-{opened.user}") for place in bwrap.WORLD_WRITABLE]
                for place in places:
                    place.touch()
                    os.chown(place, opened.user, opened.user)
                opened.close()
                assert not [place for place in places if place.exists()]
        finally:
            moving.kill()


@needs.root
def test_a_process_that_has_not_yet_become_another_user_is_ended_all_the_same(monkeypatch):
    """It was waited for, and nobody ended it."""
    monkeypatch.setattr(layers, "sandbox_available", lambda: False)
    monkeypatch.setattr(UserSandbox, "close", lambda sandbox: None)  # that user has no process yet
    client = kernel(allow_other_user=True)
    with client.setup_kernel():
        client.execute_cell(cell := new_code_cell("import os; print(os.getpid())"), 0)
    program = Path(f"/proc/{cell.outputs[0].text.strip()}/exe")
    assert not program.exists()  # as of one that has ended, also where nobody has asked for its end yet


def test_a_long_lived_grader_gets_another_fork_server_for_a_lesson_that_imports_more(monkeypatch):
    class Started(fork_server.ForkServer):
        has_ended = False

        def __init__(self, course, libraries, lessons):
            self.libraries, self.lessons = frozenset(libraries), frozenset(lessons)

        def close(self):
            """Nothing to end."""

    monkeypatch.setattr(fork_server, "ForkServer", Started)
    monkeypatch.setattr(fork_server, "_servers", {})
    few = fork_server.get_server(COURSE.visible, ["01_weighted_sums"])
    more = fork_server.get_server(COURSE.visible, ["03_word2vec_heatmap"])
    assert "gensim.models" in more.libraries - few.libraries
    assert more.lessons > few.lessons
    assert fork_server.get_server(COURSE.visible, ["01_weighted_sums"]) is more
    assert fork_server.get_server(COURSE.visible) is more
