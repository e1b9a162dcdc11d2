"""Attacks that still succeed in something, and in what. The aim is an empty list."""

from autograder.seal import room

DISK = (
    "graded as an ordinary user, the folder of the kernel's sockets lies on the machine's disk and is writable from "
    "inside: each file there is bounded, their number is not; they are removed with the kernel"
)
KNOWN: dict[str, str] = {} if room.is_root() else {"damage_disk": DISK}
