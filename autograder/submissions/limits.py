"""Limits on what is read of submissions and classes, and on what pages show of them."""

from __future__ import annotations

# A submission's files

MAX_DEPTH = 32
"""Folders in a folder in a submission; nbgrader and Python follow deeper ones until they fail."""

MAX_LISTED, MAX_FILES, MAX_COPIED = 5_000, 1_000, 64 * 2**20
"""Names that are looked at in a folder, and in all folders; files that are copied, and bytes in all but notebooks."""

MAX_NOTEBOOKS = 256 * 2**20
"""Bytes of all notebooks."""

MAX_PATH, MAX_NAME = 1_024, 200
"""Bytes of a path in a submission: systems allow 1,024 to 4,096, with the path of the class's folder before it. Bytes
of a name in a zip file; systems allow 255.
"""

MAX_DIRECTORY = 2**20
"""Bytes of the list of files in a student's own zip file: `zipfile` reads it in one piece, at each round anew."""

MAX_REFUSED = 20
"""Files of a zip file of which it is told why they were left out."""

MAX_UNPACKING_SECONDS = 30
"""Seconds of processor time to unpack one person's files: as many bytes as there may be take three."""

MAX_ID, MAX_ESCAPED = 200, 60
"""Bytes of a student's id: files have longer names, which end in something. Characters of a folder's name that is no
id: files are called so, with names of at most 255 bytes.
"""

MAX_TABLE = 32 * 2**20
"""Bytes of a CSV file."""

# A notebook that was handed in

MAX_COPIES = 8
"""Notebooks of a submission that are read to find the one with the work."""

MAX_NOTEBOOK, MAX_PARSED = 256 * 2**20, 50 * 2**20
"""Bytes of a notebook; bytes that are parsed: of a larger one, what is left without its stored outputs."""

MAX_NODES = 500_000
"""Commas and brackets of what is parsed: a value takes fifty times the memory of a comma."""

MAX_CELLS, MAX_CELL, MAX_SOURCES = 1500, 5_000_000, 20_000_000
"""Cells of a notebook; characters of one, and of all, with the pictures pasted into them."""

MAX_LINES = 200_000
"""Lines of all cells: each is an entry of the graded notebook, which is read again."""

MAX_ATTACHED = 5_000_000
"""Characters of base64 that the pictures pasted into one cell may have together."""

MAX_WORD = 200
"""Characters of a name in the metadata."""

MAX_COMPARED = 20_000
"""Characters of a cell whose code is parsed to see what it defines. A longer one is compared as text alone."""

# Seconds of processor time for one submission, and what is kept of it

MAX_LOOKING_SECONDS, MAX_RUNNING_SECONDS, MAX_JUDGING_SECONDS = 2, 30, 8
"""For finding names, for what the grader does while a notebook runs, for all verdicts."""

MAX_JUDGING_WAIT = 80
"""Seconds for all verdicts on a busy machine."""

MAX_WRITING_SECONDS = 30
"""To make what is kept of a notebook: one of many lines takes some."""

MAX_LIGHT_ENTRIES = 10_000
"""Entries of an answer that is judged first, and whose mistake is named. Forged answers can have millions."""

MAX_KEPT_PIXELS = 1_000_000
"""Of the picture that stands beside a verdict."""

MAX_TRIES = 3
"""How often a submission is begun when the process that has it, or the scheduler that gave it out, is lost."""

# Pages

MAX_SOURCE = 20_000
"""Characters of a cell that are shown."""

MAX_HTML = 50 * MAX_SOURCE
"""Characters that one of them may have become: a link's address may be written once, and used in a thousand places."""

MAX_FORMATTING_SECONDS = 2
"""Seconds of processor time for some texts together, and for one of them alone where that was not enough."""

MAX_DEFUSING_SECONDS, MAX_SUSPICIOUS = 3, 30_000
"""Seconds of processor time for a notebook's text cells; suspicious characters of it that are judged, beside pictures'
data: the time grows with their square.
"""

MAX_OUTPUTS, MAX_OUTPUT_TEXT, MAX_PICTURE = 6, 4_000, 2_000_000
"""Outputs of a cell, characters of one, and characters of a picture's base64; a larger one is left out."""

# A class

MAX_MISTAKE_NAME, MAX_QUESTION = 100, 300
"""Characters of what an instructor writes of a mistake."""

MAX_EXAMPLE = 4_000
"""Characters of the code that is kept of one who made a mistake."""

MAX_GROUPING_SECONDS, MAX_TIDYING_SECONDS = 30, 2
"""Seconds of processor time for all answers to an exercise, and for some students' code."""

MAX_CODE, MAX_COMPARING_SECONDS = 200_000, 5
"""Characters of a student's code that is compared; seconds of processor time for some students' code together, and for
one student's alone where that was not enough.
"""

MAX_FILE_NAME = 50
"""Characters of an id in a file's name."""

MAX_UNNAMED = 8
"""Mistakes without a name that are shown at once."""

MAX_SUGGESTIONS = 3
"""Misconceptions that a report suggests to discuss."""

MAX_NAMED_STUDENTS, MAX_CHANGES = 3, 20
"""Students who are named, and lines of changed grades, at the end of a round."""
