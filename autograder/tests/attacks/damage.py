"""Attacks that try to change files, to use the machine up, or to stop the others."""

from __future__ import annotations

import os

from autograder.tests.attacks import Attack, Hand


def in_cell(text: str):
    """Run it in a cell."""
    return lambda hand: hand.run(text)


def in_answer(body: str):
    """Run it when softmax is asked."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return lambda hand: hand.answer("softmax", f"def softmax(x, axis=-1):\n{lines}")


WRITE = """
        import glob, os, sqlite3
        for path in ["<OUTSIDE>", "<COURSE>/secret.txt", "<COURSE>/gradebook.db", "<ROOT>/pyproject.toml",
                "/course/autograder/probe.py", "weighted_sums.ipynb", "/usr/bin/env", "/proc/sys/kernel/core_pattern",
                "/proc/1/oom_score_adj", "/new", "<COURSE>/autograded/a_honest/new"]:
            for mode in ("a", "w"):
                try:
                    open(path, mode).write("x")
                    print("wrote", path)
                except OSError as error:
                    print(type(error).__name__)
        try:
            base = sqlite3.connect("<COURSE>/gradebook.db")
            base.execute("update grade set manual_score = 100")
            base.commit()
        except sqlite3.Error as error:
            print(error)
"""
DAEMON = """
        <INSIDE>
        import subprocess, sys
        for _ in range(3):
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3000)", "CANARY-daemon"],
                start_new_session=True, stdin=-3, stdout=-3, stderr=-3)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(3000)", "CANARY-daemon"])
            os._exit(0)
"""
FORKS = """
        <INSIDE>
        import time
        for _ in range(600):
            try:
                if os.fork() == 0:
                    time.sleep(3000)
                    os._exit(0)
            except OSError as error:
                print(error)
                break
"""
MEMORY = """
        <INSIDE>
        def fill():
            kept = []
            for _ in range(400):
                kept.append(np.ones(2**24))
        try:
            fill()
        except MemoryError:
            print('no more memory')
"""
FILES = """
        <INSIDE>
        import json
        from ipykernel.connect import get_connection_file
        sockets = os.path.dirname(json.load(open(get_connection_file()))["ip"])
        written = 0
        for place in ("/tmp", "/dev/shm", "/dev/mqueue", sockets):
            try:
                for number in range(6):
                    with open(f"{place}/filler{number}", "wb") as file:
                        for _ in range(100):
                            written += file.write(b"x" * 2**20)
            except OSError as error:
                print(place, error)
        print(written // 2**20, "MiB written")
"""
KILL = """
        <INSIDE>
        import signal
        for pid in (1, os.getppid()):
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.kill(pid, number)
                except OSError as error:
                    print(error)
"""
WIDGETS = """
        kernel = get_ipython().kernel
        for number in range(60):
            content = {"comm_id": str(number), "target_name": "jupyter.widget", "data": {"state": {"x": "y" * 2**21}}}
            kernel.session.send(kernel.iopub_socket, "comm_open", content, parent=kernel.get_parent())
"""
MALFORMED = """
        kernel = get_ipython().kernel
        def send(kind, content):
            kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())
        for kind in ("display_data", "execute_result", "update_display_data", "stream", "error", "clear_output"):
            for content in ({}, [], 5, {"data": [], "metadata": 3}, {"name": 1, "text": 7}, {"traceback": 3}):
                send(kind, content)
        send("execute_input", {"execution_count": "<b>x</b>", "code": 3})
        send("display_data", {"data": {"text/plain": 5, "image/png": [1]}, "metadata": [], "transient": []})
        send("comm_open", {})
        send("status", {"execution_state": []})
"""
WIRE = """
        kernel = get_ipython().kernel
        kernel.iopub_socket.send_multipart([b"x", b"<IDS|MSG>", b"bad", b"{}", b"{}", b"{}", b"{}"])
        kernel.iopub_socket.send_multipart([b"no delimiter"])
"""
SHELL = """
        import autograder.probe as probe
        kernel = get_ipython().kernel
        true_send = kernel.session.send
        def send(stream, kind, *args, **kwargs):
            if kind == "execute_reply":
                kwargs["parent"] = [1, 2]
                header = {"header": [], "parent_header": [1]}
                try:
                    stream.send_multipart([*(kwargs.get("ident") or []), b"<IDS|MSG>", b"0", *[b"[]"] * 4])
                except Exception:
                    pass
            return true_send(stream, kind, *args, **kwargs)
        kernel.session.send = send
"""


def folder_notebook(hand: Hand) -> None:
    (hand.folder / hand.name).mkdir()
    hand.file(f"{hand.name}/x.txt", "x")


def pipe(hand: Hand) -> None:
    """A named pipe blocks whoever opens it."""
    os.mkfifo(hand.folder / "data.csv")
    os.mkfifo(hand.folder / "extra.ipynb")


def timestamp_pipe(hand: Hand) -> None:
    os.mkfifo(hand.folder / "timestamp.txt")


def raw(content: bytes):
    """Hand in these bytes."""

    def change(hand: Hand) -> None:
        hand.raw = content

    return change


def shadows(hand: Hand) -> None:
    """Modules beside the notebook that the grader's own start-up would import."""
    text = "import sys\nsys.exit('shadowed')\n"
    for name in ("ipykernel_launcher.py", "ipykernel/__init__.py", "sitecustomize.py", "usercustomize.py"):
        hand.file(name, text)
    hand.file(".ipython/profile_default/startup/00.py", "raise SystemExit")
    hand.file("ipython_config.py", "c.InteractiveShellApp.exec_lines = ['import os; os._exit(1)']\n")


def shadow_libraries(hand: Hand) -> None:
    hand.file("numpy.py", "def __getattr__(name):\n    return lambda *a, **k: 100.0\n")
    hand.file("autograder/__init__.py", "def check(*args):\n    return 100.0\n")
    hand.file("autograder/probe.py", "def reply(*args):\n    return 100.0\n")


def many_cells(hand: Hand) -> None:
    for number in range(1000):
        hand.write(f"text {number}")


def surrogates(hand: Hand) -> None:
    hand.run("print('\\ud800')\nraise ValueError('\\udfff')")
    text = "text \\ud83d cut in two"
    hand.write("HERE")
    import nbformat

    hand.raw = nbformat.writes(hand.notebook).replace("HERE", text).encode()


TIME = "cell number 2: timed out"
TIMED = "the answer of test_softmax: timed out"
SOFTMAX = {"softmax": 0}
DEEP = b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
BIG = b'{"cells": [], "metadata": {"x": "' + b"x" * 60 * 2**20 + b'"}, "nbformat": 4, "nbformat_minor": 5}'

ATTACKS = (
    Attack("damage_daemon", "leaves detached processes behind", in_cell(DAEMON)),
    Attack("damage_deep_json", "a notebook nested 100,000 deep", raw(DEEP), False, told="is not"),
    Attack("damage_disk", "fills every place it can write to", in_cell(FILES)),
    Attack("damage_exit", "ends its own program", in_cell("import os\nos._exit(0)"), told="kernel died"),
    Attack("damage_flood", "prints 100 MB", in_cell("for _ in range(100):\n    print('x' * 10**6)")),
    Attack(
        "damage_flood_widgets",
        "120 MB in messages for widgets",
        in_cell(WIDGETS),
    ),
    Attack("damage_folder", "a folder in the notebook's place", folder_notebook, False, told="missing"),
    Attack("damage_forks", "starts processes until there are no more", in_cell(FORKS)),
    Attack(
        "damage_huge_display",
        "one display of 30 MB",
        in_cell("from IPython.display import display\ndisplay({'text/plain': 'x' * 30_000_000}, raw=True)"),
    ),
    Attack("damage_kill", "kills its parent and process 1", in_cell(KILL)),
    Attack("damage_malformed", "sends messages with the wrong fields", in_cell(MALFORMED)),
    Attack("damage_memory", "takes all memory", in_cell(MEMORY)),
    Attack("damage_nul", "a notebook of NUL bytes", raw(b"\0" * 4096), False, told="is not"),
    Attack("damage_pipes", "named pipes beside the notebook", pipe, told="is not a file"),
    Attack(
        "damage_loop",
        "a loop that ignores being interrupted",
        in_cell("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass"),
        told=TIME,
    ),
    Attack(
        "damage_loop_in_answer",
        "an answer that never comes",
        in_answer("while True: pass"),
        earns=SOFTMAX,
        told=TIMED,
    ),
    Attack(
        "damage_exit_in_answer",
        "an answer that ends the program",
        in_answer("import os\nos._exit(0)"),
        earns=SOFTMAX,
        told="the answer of test_softmax: kernel died",
    ),
    Attack(
        "damage_shadow_libraries",
        "its own numpy.py and autograder/ beside a blank notebook",
        shadow_libraries,
        False,
    ),
    Attack("damage_shadows", "its own ipykernel, sitecustomize and start-up files", shadows),
    Attack("damage_sleep", "sleeps for an hour", in_cell("import time\ntime.sleep(3600)")),
    Attack("damage_surrogates", "text that cannot be written as UTF-8", surrogates),
    Attack("damage_text_cells", "a thousand more cells", many_cells),
    Attack(
        "damage_timestamp", "a timestamp that is none", lambda h: h.file("timestamp.txt", "yesterday-ish\n")
    ),
    Attack("damage_timestamp_pipe", "a named pipe in the timestamp's place", timestamp_pipe),
    Attack("damage_wire", "sends bytes that are no messages", in_cell(WIRE)),
    Attack("damage_wire_reply", "garbage before each reply", in_cell(SHELL), False),
    Attack("damage_write", "writes to the gradebook, the course and the system", in_cell(WRITE)),
    Attack("damage_60_mb", "a notebook of 60 MB", raw(BIG), False, told="60 MB"),
)
