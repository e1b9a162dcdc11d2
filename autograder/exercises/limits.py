"""Limits on what students' code may give, take and cost: of this package, the judge and the sandbox."""

from __future__ import annotations

# What is told

MAX_TOLD = 300
"""Characters of a name, or of a line."""

MAX_NAMED = 3
"""Names in one note; the others are counted."""

MAX_VERDICT_LINES, MAX_VERDICT_LINE = 50, 2000
"""Lines, and characters of each, of what is told about a line of a verdict: some of it a student's code gave."""

# What crosses between processes

MAX_MESSAGE_BYTES = 8 * 2**20
"""Bytes of an answer as text."""

MAX_MESSAGE_DEPTH = 12
"""Levels of lists and dictionaries in one another; what is deeper is refused."""

MAX_MESSAGE_TEXT = 20_000
"""Characters of one text."""

MAX_ENTRIES = 200_000
"""Numbers of one array, or items of one list."""

MAX_MESSAGE_COMMAS = 5 * MAX_ENTRIES
"""Commas of a line as a whole: what it holds takes far more memory, once read, than the line."""

MAX_LINE_BYTES = 16 * 2**20
"""Bytes of one line; a process that sends a longer one is cut off."""

MAX_REPLY_BYTES = 32 * 2**20
"""Bytes of all that a notebook's answers send while they are asked; what comes beyond counts as no answer."""

MAX_MENDED_REPLY_BYTES = 2**20
"""Bytes of all that one answer sends with its slips mended."""

MAX_KEPT_ANSWER = 100_000
"""Characters of what an answer gave; of one that gives more, nothing is kept."""

MAX_STEPPING_SECONDS, MAX_STEP_ENTRIES = 10.0, 40
"""Seconds in which the reference is stepped through, and the entries of a step that a key holds."""

# What a cell shows

MAX_PRINTED = 2**18
"""Characters of printed text that are told in one line."""

MAX_SHOWN_BYTES = 8 * 2**20
"""Bytes of a line beyond which it is not told what is shown, only that it was cut."""

MAX_PICTURE_SIDE, MAX_PICTURE_PIXELS = 20_000, 50_000_000
"""Pixels on a side, and in all, of a picture that a browser is given to show."""

MAX_SYNTAX_PASSES = 100
"""How often a cell's lines are read again for magics that hide each other."""

# Seconds and memory of a process

MAX_SETUP_SECONDS, MAX_END_SECONDS = 60.0, 10.0
"""Seconds after which a sandbox is not built slowly but never; for which an ended process is waited for."""

MAX_START_SECONDS, MAX_FORK_SECONDS = 300.0, 60.0
"""Seconds after which a machine is not slow but broken: until a warm process has started, and until it has forked."""

MAX_WORKER_SECONDS = 300
"""Seconds for what a helper imports and prepares, on a slow machine."""

MAX_CALL_SECONDS, MAX_CALL_MEGABYTES = 10, 1000
"""Seconds of processor time for a call, and memory, beside what is there."""

MAX_RECORD_BYTES = 256 * 2**20
"""Bytes of one result of such a process: a notebook has 20 million characters, each of up to 6 bytes as JSON."""

MAX_WAIT_PER_SECOND = 3
"""Seconds of waiting for a second of processor time: others may be busy."""

MAX_GRACE_SECONDS = 5
"""Seconds of processor time between `LimitExceeded`, which the function may handle, and the end of its process."""

MAX_RUNS = 3
"""How often a notebook is run from its beginning where its process ends in one of the lesson's own locked cells."""

MAX_OPEN_FILES = 256
"""Of a process. An honest one had 12; each pipe and socket beyond holds memory of the kernel."""

MAX_TREE_WALKS = 8
"""How often the tree of processes is read again where processes come and go while it is read."""

MAX_LAST_LOOK_SECONDS = 5.0
"""Seconds for the last look at a sandbox's memory."""
