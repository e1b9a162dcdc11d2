"""What the trained model's heads must be seen with, whatever the processor.

Four decimals of some thousand numbers are sent to the page, and processors round a few of them otherwise. What the
text says of the weights is held by the tests of the lesson, which run the same model.
"""

from __future__ import annotations

import re


def check(text: str) -> None:
    """Both layers of the writer were shown, one after the other."""
    assert re.findall(r"^layer (\d+)$", text, re.MULTILINE) == ["0", "1"]
