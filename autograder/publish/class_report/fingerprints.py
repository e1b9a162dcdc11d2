"""What stands for a text of code when it is compared: the fingerprints of copydetect.

For limited processes alone: to import copydetect takes half a second.
"""

from __future__ import annotations

import io

from copydetect import CodeFingerprint

TOKENS, WINDOW = 10, 4
"""So many tokens make a fingerprint; the smallest of so many neighbours is kept."""


def fingerprints(text: str) -> list[int]:
    """The fingerprints of a text; the same in all processes with the same seed of hashes."""
    found = CodeFingerprint("answers.py", TOKENS, WINDOW, fp=io.StringIO(text))
    return sorted({int(one) for one in found.hashes})
