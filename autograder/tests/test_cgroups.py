"""The control group of a room. The kernel's files are ordinary ones here: what is written there is looked at."""

import os
import socket
import subprocess
from pathlib import Path

import pytest

from autograder.sandbox import cgroups, doctor, session


@pytest.fixture
def given(tmp_path, monkeypatch):
    """A tree that was handed over, with a process in it."""
    tree = tmp_path / "cgroup" / "mine.scope"
    tree.mkdir(parents=True)
    (tree / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
    (tree / "cgroup.procs").write_text("41\n42\n")
    (tree / "cgroup.subtree_control").touch()
    (tree / "cgroup.events").write_text("populated 1\n")
    (tmp_path / "mounts").write_text(f"proc /proc proc rw 0 0\nnone {tmp_path}/cgroup cgroup2 rw 0 0\n")
    (tmp_path / "own").write_text("1:cpu:/\n0::/mine.scope\n")
    monkeypatch.setattr(cgroups, "MOUNTS", tmp_path / "mounts")
    monkeypatch.setattr(cgroups, "OWN_GROUP", tmp_path / "own")
    monkeypatch.setattr(os, "getxattr", lambda path, name: b"1", raising=False)
    cgroups.tree.cache_clear()
    yield tree
    cgroups.tree.cache_clear()


def read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_the_grader_moves_into_a_leaf_of_its_own_and_hands_the_controllers_on(given):
    assert cgroups.tree() == given
    assert read(given / "grader") == {"cgroup.procs": "42"}
    assert (given / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"


def test_a_process_that_the_grader_starts_finds_the_same_tree(given, tmp_path):
    (tmp_path / "own").write_text("0::/mine.scope/grader\n")
    assert cgroups.given_group() == given


def test_a_group_that_systemd_keeps_to_itself_is_left_alone(given, monkeypatch):
    def none(path, name):
        raise OSError("no such attribute")

    monkeypatch.setattr(os, "getxattr", none)
    assert cgroups.tree() is None
    assert not (given / "grader").exists()


def test_a_container_may_divide_its_own(given, tmp_path, monkeypatch):
    (tmp_path / "own").write_text("0::/\n")
    (tmp_path / "mounts").write_text(f"none {given} cgroup2 rw 0 0\n")
    monkeypatch.setattr(os, "getxattr", lambda path, name: b"")
    assert cgroups.tree() == given


def test_a_machine_s_root_is_not_divided(given):
    (given / "cgroup.events").unlink()
    assert cgroups.tree() is None


@pytest.mark.parametrize("missing", ["memory", "pids"])
def test_without_a_controller_there_is_no_tree(given, missing):
    kept = (given / "cgroup.controllers").read_text().replace(missing, "")
    (given / "cgroup.controllers").write_text(kept)
    assert cgroups.tree() is None


@pytest.mark.parametrize(
    ("file", "text"), [("own", "1:cpu:/\n"), ("mounts", "none /sys/fs/cgroup tmpfs rw 0 0\n")]
)
def test_where_the_second_version_is_not_mounted_there_is_no_tree(given, tmp_path, file, text):
    (tmp_path / file).write_text(text)
    assert cgroups.tree() is None


def test_a_room_is_limited_as_one_and_ended_as_one(given, monkeypatch):
    ended = []
    monkeypatch.setattr(Path, "rmdir", lambda path: ended.append(path))
    group = cgroups.ControlGroup(given, [7, 8], memory=600 * 2**20, processes=99)
    (room,) = given.glob("room-*")
    (room / "cgroup.events").write_text("populated 0\nfrozen 0\n")
    assert read(room) == {
        **{"memory.max": "629145600", "memory.swap.max": "0", "memory.oom.group": "1"},
        **{
            "pids.max": "99",
            "cpu.weight": "50",
            "cgroup.procs": "8",
            "cgroup.events": "populated 0\nfrozen 0\n",
        },
    }
    group.stop()
    assert (room / "cgroup.kill").read_text() == "1"
    assert ended == [room]


def test_two_rooms_have_two_groups(given):
    cgroups.ControlGroup(given, [], 1, 1)
    cgroups.ControlGroup(given, [], 1, 1)
    assert len(list(given.glob("room-*"))) == 2


def test_what_has_ended_by_then_needs_no_limit(given, monkeypatch):
    write = Path.write_text

    def refuse(path, text):
        if text == "8":
            raise ProcessLookupError
        return write(path, text)

    monkeypatch.setattr(Path, "write_text", refuse)
    cgroups.ControlGroup(given, [8, 9], 1, 1)
    (room,) = given.glob("room-*")
    assert read(room)["cgroup.procs"] == "9"


class AnyRoom:
    """A room without processes."""

    process = None

    def end(self):
        """Nothing to end."""

    close = end


LIMITS = {"RLIMIT_DATA": 2**30, "RLIMIT_NPROC": 9}


def test_a_room_is_weighed_from_outside_where_no_tree_was_given(given):
    assert isinstance(session.kept_together(AnyRoom(), 7, LIMITS), cgroups.ControlGroup)
    (given / "cgroup.controllers").write_text("")
    cgroups.tree.cache_clear()
    weigher = session.kept_together(AnyRoom(), 7, LIMITS)
    weigher.stop()
    assert isinstance(weigher, session.Weigher)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="rooms need os.pidfd_open: Linux 5.3 and later")
def test_a_group_is_looked_at_once_its_room_is_closed(given, monkeypatch):
    """Before Linux 5.14, a group cannot be ended: it would be waited for in vain."""
    left = []
    monkeypatch.setattr(Path, "rmdir", lambda path: left.append(path))
    child = subprocess.Popen(["sleep", "60"])

    class OneProcess(AnyRoom):
        def close(self):
            child.kill()
            child.wait()
            (group,) = given.glob("room-*")
            (group / "cgroup.events").write_text("populated 0\n")

    handle = os.pidfd_open(child.pid)
    session.Session(session._Sealed(OneProcess(), handle, LIMITS), socket.socket()).close()
    assert [group.parent for group in left] == [given]


def test_the_doctor_says_which_of_the_two_it_is(given, monkeypatch):
    monkeypatch.setattr(doctor, "sealable", lambda: True)
    assert "limited by a control group" in doctor.seal_report()
    (given / "cgroup.controllers").write_text("")
    assert "summed from outside" in doctor.seal_report()
