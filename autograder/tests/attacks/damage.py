"""Attacks that try to change files, to use the machine up, or to stop the others."""

from __future__ import annotations

import base64
import os
import struct
import zlib

import nbformat

from autograder.tests.attacks import INSIDE, Attack, Hand, in_cell


def in_answer(body: str):
    """Run it when softmax is asked."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return lambda hand: hand.answer("softmax", f"def softmax(x, axis=-1):\n{lines}")


WRITE = """
        import glob, os, sqlite3
        for path in ["<OUTSIDE>", "<COURSE>/secret.txt", "<COURSE>/gradebook.db", "<ROOT>/pyproject.toml",
                "/course/autograder/student/probe.py", "weighted_sums.ipynb", "/usr/bin/env",
                "/proc/sys/kernel/core_pattern", "/proc/1/oom_score_adj", "/new", "<COURSE>/autograded/a_honest/new"]:
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
        for number in range(3):
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3000)", "CANARY-daemon"],
                start_new_session=True, stdin=-3, stdout=-3, stderr=-3)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(3000)", "CANARY-daemon"])
            os._exit(0)
        print(number + 2, "left behind")
"""
FORKS = """
        <INSIDE>
        import subprocess, sys
        forks = "import os, time\\nfor _ in range(600):\\n    os.fork() or [os.close(2), time.sleep(3000)]\\n"
        done = subprocess.run([sys.executable, "-ISc", forks], stderr=subprocess.PIPE)
        print(done.stderr.decode())
"""
MEMORY = """
        <INSIDE>
        def fill():
            kept = []
            for _ in range(400):
                kept.append(np.empty(2**24))
        try:
            fill()
        except MemoryError:
            print('no more memory')
"""
FILES = """
        <INSIDE>
        written = 0
        for place in ("/tmp", "/dev/shm", "/dev/mqueue"):
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
        line = get_ipython().line
        for number in range(60):
            state = {"_model_name": "HTMLModel", "_model_module": "@jupyter-widgets/controls", "value": "y" * 2**21}
            content = {"comm_id": str(number), "target_name": "jupyter.widget", "data": {"state": state}}
            line.tell("comm_open", content)
        print(number + 1, "widgets sent")
"""
SEND = """
        def send(kind, content):
            get_ipython().line.tell(kind, content)
            print("sent", kind)
"""
MALFORMED = (
    ("display_data", {}),
    ("execute_result", []),
    ("update_display_data", {"data": [], "metadata": 3}),
    ("stream", {"name": 1, "text": 7}),
    ("error", {"traceback": 3}),
    ("clear_output", 5),
    ("execute_input", {"execution_count": "<b>x</b>", "code": 3}),
    ("display_data", {"data": {"text/plain": 5, "image/png": [1]}, "metadata": [], "transient": []}),
    ("comm_open", {}),
    ("status", {"execution_state": []}),
)
WIRE = """
        socket = get_ipython().line._socket
        socket.sendall(b'{"number": [], "msg_type": {}, "content": 1}\\n' + b"[" * 100_000 + b"\\n")
        socket.sendall(bytes(1000))
"""
REPLIES = """
        line = get_ipython().line
        true_tell = line.tell
        def tell(kind, content):
            if kind == "done":
                line._socket.sendall(b"no message\\n")
            true_tell(kind, content)
        line.tell = tell
"""


LINES = """
        import json, time
        line = get_ipython().line
        def tell(content):
            told = {"number": line._request, "msg_type": "display_data", "content": {**content, "metadata": {}}}
            line._socket.sendall(json.dumps(told).encode() + b"\\n")
        while True:
            time.sleep(0.01)
            tell({"data": {"text/plain": "x" * 200_000}})
"""


def empty_cells(hand: Hand) -> None:
    """A hundred thousand empty cells before all others."""
    text = nbformat.writes(hand.notebook).replace(
        '"cells": [', '"cells": [' + '{"cell_type": "code", "source": ""},' * 100_000, 1
    )
    hand.raw = text.encode()


def sparse(hand: Hand) -> None:
    """A file that takes no place on the disk, until someone copies it."""
    hand.file("data.bin", "")
    os.truncate(hand.folder / "data.bin", 150 * 2**20)


def odd_names(hand: Hand) -> None:
    for name in ("a\x1b[2J\nb.csv", "=1+1.csv"):
        (hand.folder / name).symlink_to("/dev/zero")


def malformed(hand: Hand) -> None:
    """One cell for each message: a cell is given up with the first that cannot be read."""
    for kind, content in MALFORMED:
        hand.run(f"send({kind!r}, {content!r})")
    hand.run(SEND)


def folder_notebook(hand: Hand) -> None:
    (hand.folder / hand.name).mkdir()
    hand.file(f"{hand.name}/x.txt", "x")


def pipes(hand: Hand) -> None:
    """A named pipe blocks whoever opens it."""
    for name in ("data.csv", "extra.ipynb", "timestamp.txt"):
        os.mkfifo(hand.folder / name)


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
    hand.run("""
        import ipykernel, os
        print("ipykernel is", "its own" if os.getcwd() in ipykernel.__file__ else "the library's")
        """)


def shadow_libraries(hand: Hand) -> None:
    hand.file("numpy.py", "def __getattr__(name):\n    return lambda *a, **k: 100.0\n")
    hand.file("autograder/__init__.py", "def check(*args):\n    return 100.0\n")
    hand.file("autograder/student/probe.py", "def reply(*args):\n    return 100.0\n")


POISON = """
        import glob, os, sqlite3, sys
        written = []
        places = ["<COURSE>/course/*/*.ipynb", "<COURSE>/solutions/*/*", "<ROOT>/course/*/*.ipynb",
            "<ROOT>/solutions/*/*", "<ROOT>/solutions/*/shown/*.json", "../../../course/*/*.ipynb"]
        paths = [path for place in places for path in glob.glob(place)]
        paths += [place.replace("*", "01_weighted_sums", 1).replace("*", "weighted_sums") for place in places]
        paths += [module.__file__ for name, module in list(sys.modules.items()) if name.startswith("autograder.")]
        for path in paths:
            try:
                open(path, "a").write("\\n100.0\\n")
                written.append(path)
            except OSError:
                pass
        try:
            base = sqlite3.connect("<COURSE>/gradebook.db", timeout=1)
            base.execute("update source_cell set source = '100.0', checksum = '0'")
            base.execute("update grade_cells set max_score = 0")
            base.commit()
            written.append("the gradebook")
        except sqlite3.Error as error:
            print(error)
        print(len(paths) > 10, "poisoned:", written)
"""


def surrogates(hand: Hand) -> None:
    hand.run("print('\\ud800')\nraise ValueError('\\udfff')")
    text = "text \\ud83d cut in two"
    hand.write("HERE")
    hand.raw = nbformat.writes(hand.notebook).replace("HERE", text).encode()


TIME = "cell number 2: timed out"
TIMED = "the answer of test_softmax: timed out"
GARBLED, NO_MESSAGES = "garbled", "sent messages that are none"


def hundred_megabytes(hand: Hand) -> None:
    for number in range(20):
        hand.file(f"data/{number:02}.bin", "")
        os.truncate(hand.folder / f"data/{number:02}.bin", 5 * 2**20)


def lying_pictures(hand: Hand) -> None:
    """Pictures in a text whose headers say less or more than there is."""
    for number, side in enumerate((1, 60_000)):
        rows = zlib.compress(bytes(60 * 2**20))
        size = struct.pack(">2L5B", side, side, 8, 0, 0, 0, 0)
        chunks = b"".join(_chunk(*chunk) for chunk in ((b"IHDR", size), (b"IDAT", rows), (b"IEND", b"")))
        data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunks).decode()
        hand.write(f"![a](attachment:{number}.png)")
        hand.notebook.cells[1].attachments = {f"{number}.png": {"image/png": data}}


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))


PAGE_TABLES = """
        <INSIDE>
        import ctypes, mmap, time
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        step, size = 2 * 2**20, <GIGABYTES> * 2**30
        reserve = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
        start = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, reserve, -1, 0)
        for place in range(start, start + size, step): ctypes.c_char.from_address(place).value
"""
SOCKETS = """
        <INSIDE>
        import os, socket, time
        for _ in range(<PROCESSES>):
            if os.fork() == 0:
                pairs = [socket.socketpair() for _ in range(100)]
                for end in sum(pairs, ()):
                    end.setblocking(False)
                    try:
                        while True: end.send(bytes(60_000))
                    except BlockingIOError: pass
                time.sleep(15)
"""
SWARM = """
        <INSIDE>
        import os, time
        def swarm():
            while True:
                kept = bytearray(b"x") * (30 * 2**20)
                try:
                    if os.fork(): os.wait()
                except OSError: time.sleep(0.01)
        for _ in range(<PROCESSES>):
            if os.fork() == 0: swarm()
"""
TOGETHER = FILES.replace("range(6)", "range(2)") + PAGE_TABLES + SOCKETS + SWARM


def holding(text: str, gigabytes: int = 0, processes: int = 0, seconds: int = 4) -> str:
    """Return the source that takes so much of the machine's memory, and keeps it for a while."""
    text = text.replace("<GIGABYTES>", str(gigabytes)).replace("<PROCESSES>", str(processes))
    return text.replace("<INSIDE>", INSIDE.strip().replace("\n", "; ")) + f"        time.sleep({seconds})"


HELD = {
    "page_tables": ("4 GB of page tables", holding(PAGE_TABLES, gigabytes=2000)),
    "sockets": ("buffers of 4,000 pairs of sockets", holding(SOCKETS, processes=40)),
    "swarm": ("processes that each take 30 MB and start the next", holding(SWARM, processes=50)),
    "together": (
        "files in memory, page tables, sockets and such processes together",
        holding(TOGETHER, gigabytes=150, processes=4),
    ),
}

SOFTMAX = {"softmax": 0}
DEEP = b'{"cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
BIG = b'{"cells": [], "metadata": {"x": "' + b"x" * 60 * 2**20 + b'"}, "nbformat": 4, "nbformat_minor": 5}'

ATTACKS = (
    *(
        Attack(f"damage_{name}", does, in_cell(text))  # it ends by memory or by time
        for name, (does, text) in HELD.items()
    ),
    Attack(
        "damage_100_mb",
        "a data set of 100 MB in 20 files",
        hundred_megabytes,
        told="more than there is room for",
    ),
    Attack("damage_pictures", "pictures whose headers say another size", lying_pictures),
    Attack(
        "damage_braces", "48 MB of braces", raw(b'{"cells": [' + b"{}," * 16_000_000), False, told="entries"
    ),
    Attack("damage_names", "files' names that act in a terminal or a table", odd_names, told="are links"),
    Attack("damage_empty_cells", "a hundred thousand empty cells", empty_cells, told="100000 of its cells"),
    Attack("damage_endless_lines", "messages without end, each within bounds", in_cell(LINES)),
    Attack(
        "damage_outputs",
        "a megabyte of output in each of twenty cells",
        lambda hand: [hand.run_last("print('x' * 10**6)") for _ in range(20)],
        shows="was cut off",
    ),
    Attack(
        "damage_sparse",
        "a file of 150 MB, all of it holes, beside the notebook",
        sparse,
        told="more than there is room for",
    ),
    Attack("damage_daemon", "leaves detached processes behind", in_cell(DAEMON), shows="4 left behind"),
    Attack("damage_deep_json", "a notebook nested 100,000 deep", raw(DEEP), False, told="is not"),
    Attack("damage_disk", "fills every place it can write to", in_cell(FILES), shows="MiB written"),
    Attack("damage_exit", "ends its own program", in_cell("import os\nos._exit(0)"), told="kernel died"),
    Attack(
        "damage_flood",
        "prints 100 MB",
        in_cell("for _ in range(100):\n    print('x' * 10**6)"),
        shows="was cut off",
    ),
    Attack("damage_flood_widgets", "120 MB in messages for widgets", in_cell(WIDGETS), shows="was cut off"),
    Attack(
        "damage_folder",
        "a folder in the notebook's place",
        folder_notebook,
        False,
        told="no notebook was handed in",
    ),
    Attack(
        "damage_forks", "starts processes until there are no more", in_cell(FORKS), shows="BlockingIOError"
    ),
    Attack(
        "damage_huge_display",
        "one display of 30 MB",
        in_cell("from IPython.display import display\ndisplay({'text/plain': 'x' * 30_000_000}, raw=True)"),
    ),
    Attack("damage_kill", "kills its parent and process 1", in_cell(KILL)),
    Attack(
        "damage_malformed", "sends messages with the wrong fields", malformed, told=GARBLED, shows=NO_MESSAGES
    ),
    Attack("damage_memory", "takes all memory", in_cell(MEMORY), shows="no more memory"),
    Attack(
        "damage_pipes",
        "named pipes beside the notebook, and in the timestamp's place",
        pipes,
        told="data.csv is a link or is not a file",
    ),
    Attack(
        "damage_loop",
        "a loop that ignores being interrupted",
        in_cell(
            "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: time.sleep(1)"
        ),
        told=TIME,
    ),
    Attack(
        "damage_loop_in_answer",
        "an answer that never comes",
        in_answer("import time\nwhile True: time.sleep(1)"),
        earns=SOFTMAX,
        told=TIMED,
    ),
    Attack(
        "damage_poison",
        "writes into the released and the master notebooks, the gradebook's cells and the examples",
        in_cell(POISON),
        shows="True poisoned: []",
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
        told="autograder, numpy.py have the name of a library's module",
    ),
    Attack(
        "damage_shadows",
        "its own ipykernel, sitecustomize and start-up files",
        shadows,
        told="ipykernel, ipykernel_launcher.py, sitecustomize.py and 1 more have the name of a library's module",
        shows="ipykernel is the library's",
    ),
    Attack("damage_surrogates", "text that cannot be written as UTF-8", surrogates),
    Attack(
        "damage_text_cells",
        "a thousand more cells",
        lambda hand: [hand.write(f"text {number}") for number in range(1000)],
    ),
    Attack(
        "damage_timestamp",
        "a timestamp that is none",
        lambda h: h.file("timestamp.txt", "yesterday-ish\n"),
        told="is not believed: it counts as in time",
    ),
    Attack("damage_wire", "sends bytes that are no messages", in_cell(WIRE), told=GARBLED, shows=NO_MESSAGES),
    Attack("damage_wire_reply", "garbage before each reply", in_cell(REPLIES), False, told=GARBLED),
    Attack(
        "damage_write",
        "writes to the gradebook, the course and the system",
        in_cell(WRITE),
        shows="Error",
    ),
    Attack("damage_60_mb", "a notebook of 60 MB", raw(BIG), False, told="60 MB"),
)
