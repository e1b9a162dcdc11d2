"""Limits on what students' code and submissions may give, take and cost, each with its unit and its reason.

Limits of an optional package, such as the marking page, stand in that package.
"""

from __future__ import annotations

# --- texts of students', wherever they are shown --------------------------------------------------------------

MAX_LINE_CHARACTERS = 300
"""Characters of a name or of a line of text: a longer one would push all others out of sight."""

MAX_NAMES_IN_NOTE = 3
"""Names in one note; the others are counted, so that a note stays one line."""

MAX_VERDICT_LINES, MAX_VERDICT_LINE = 50, 2000
"""Lines of the details of one criterion, and characters of each: some of them are the student's own."""

# --- messages between processes -------------------------------------------------------------------------------

MAX_ENTRIES = 200_000
"""Numbers of one array, or items of one list: no exercise needs a tenth of it."""

MAX_MESSAGE_BYTES = 8 * 2**20
"""Bytes of an answer as text: room for the largest array, written in full."""

MAX_MESSAGE_DEPTH = 12
"""Levels of lists and dictionaries in one another: reading deeper ones could exhaust Python's stack."""

MAX_MESSAGE_TEXT = 20_000
"""Characters of one text; the rest is cut off."""

MAX_MESSAGE_COMMAS = 5 * MAX_ENTRIES
"""Commas of a message: once read, the values between them take far more memory than the message."""

MAX_LINE_BYTES = 16 * 2**20
"""Bytes of one line from a notebook's process; a process that sends a longer one is cut off."""

MAX_REPLY_BYTES = 32 * 2**20
"""Bytes of all that a notebook's answers send while they are asked; what comes beyond counts as no answer."""

MAX_MENDED_REPLY_BYTES = 2**20
"""Bytes of all that one answer sends while its code slips are mended: there are up to twelve places of each slip."""

# --- what is asked, and what is kept of answers ---------------------------------------------------------------

MAX_TRACE_SECONDS, MAX_TRACE_ENTRIES = 10.0, 40
"""Seconds in which the reference is run line by line; entries of an intermediate value that an answer key holds."""

MAX_TRACE_LINES = 5_000
"""Lines of an answer that are followed; code that runs more is ended, since nobody reads so long a trace."""

MAX_TRACED_NUMBERS, MAX_TRACED_ITEMS = 10_000, 50
"""Numbers of an array, and items of a list or dictionary, that a trace keeps after each line."""

MAX_INTEGER_BITS = 10_000
"""Bits of a whole number: Python writes and reads none of more than 4300 digits."""

MAX_CODE_LINE_CHARACTERS, MAX_ERROR_CHARACTERS = 160, 300
MAX_BASES = 20
"""Characters of the student's line that raised an error, and of the error's text: each is shown in a verdict."""

MAX_SLIP_PLACES, MAX_MENDED_SECONDS = 12, 1.0
"""Places of a function in which one code slip is mended; seconds for a mended function to answer all cases: each place
is asked anew."""

MAX_BEHAVIOUR_CHARACTERS = 100_000
"""Characters of what a wrong answer gave; of one that gave more, nothing is kept in the class's store."""

MAX_LIGHT_ENTRIES = 10_000
"""Entries of an answer that is judged first, and whose mistake is named: forged answers can have millions."""

# --- what a cell shows ----------------------------------------------------------------------------------------

MAX_PRINTED_CHARACTERS = 2**18
"""Characters of printed text in one line from a notebook's process; longer texts take several lines."""

MAX_SHOWN_BYTES = 8 * 2**20
"""Bytes of a line with what a cell shows; of a longer one, the grader is told only that it was cut."""

MAX_PICTURE_SIDE, MAX_PICTURE_PIXELS = 20_000, 50_000_000
"""Pixels on a side, and in all, of a picture: a small file can hold one that takes a browser's whole memory."""

MAX_SYNTAX_PASSES = 100
"""How often a cell's lines are read again for magics that hide each other."""

# --- a process ------------------------------------------------------------------------------------------------

MAX_SETUP_SECONDS, MAX_END_SECONDS = 60.0, 10.0
"""Seconds in which a sandbox is built, and in which an ended process goes away: after them, it never will."""

MAX_START_SECONDS, MAX_FORK_SECONDS = 300.0, 60.0
"""Seconds until the fork server has started, and until it has forked: after them, the machine is broken."""

MAX_WORKER_SECONDS = 300
"""Seconds for what a helper process imports and prepares on a slow machine."""

MAX_CALL_SECONDS, MAX_CALL_MEGABYTES = 10, 1000
"""Seconds of processor time of a call in a limited process, and megabytes beside what it has at its start."""

MAX_RECORD_BYTES = 256 * 2**20
"""Bytes of one result of such a process: a notebook has 20 million characters, each of up to 6 bytes as JSON."""

MAX_WAIT_PER_SECOND = 3
"""Seconds of waiting for a second of processor time: others may keep the machine busy."""

MAX_GRACE_SECONDS = 5
"""Seconds of processor time between `LimitExceeded`, which the function may handle, and the end of its process."""

MAX_NOTEBOOK_RUNS = 3
"""How often a notebook is run from its beginning where its process ends in one of the lesson's own locked cells."""

MAX_OPEN_FILES = 256
"""Open files of a process. An honest one had 12; each pipe and socket beyond holds memory of the kernel."""

MAX_TREE_WALKS = 8
"""How often the tree of processes is read again where processes come and go while it is read."""

MAX_LAST_LOOK_SECONDS = 5.0
"""Seconds for the last look at a sandbox's memory."""

# --- the grading of one submission ----------------------------------------------------------------------------

MAX_SEARCH_SECONDS, MAX_RUNNING_SECONDS, MAX_JUDGING_SECONDS = 2, 30, 8
"""Seconds of processor time to find the cells that can be skipped, for the grader's own work while a notebook runs, and
for all verdicts."""

MAX_JUDGING_WAIT_SECONDS = 80
"""Seconds of waiting for all verdicts on a busy machine."""

MAX_WRITING_SECONDS = 30
"""Seconds of processor time to write the graded notebook: one of many lines takes some."""

MAX_GRADING_STARTS = 3
"""How often a submission is begun when the process that has it, or the scheduler that gave it out, is lost."""

# --- a submission's files -------------------------------------------------------------------------------------

MAX_FOLDER_DEPTH = 32
"""Folders in a folder in a submission; nbgrader and Python follow deeper ones until they fail."""

MAX_LISTED_NAMES, MAX_FILES, MAX_COPIED_BYTES = 5_000, 1_000, 64 * 2**20
"""Names that are looked at in a folder, and in all folders; files that are copied, and bytes of all that are no
notebooks: a disk and a directory listing are shared with all students."""

MAX_NOTEBOOKS_BYTES = 256 * 2**20
"""Bytes of all notebooks of a submission: stored pictures make honest ones large."""

MAX_PATH_BYTES, MAX_NAME_BYTES = 1_024, 200
"""Bytes of a path in a submission: systems allow 1,024 to 4,096, with the path of the class's folder before it. Bytes
of a name in a zip file; systems allow 255."""

MAX_ZIP_DIRECTORY_BYTES = 2**20
"""Bytes of the list of files in a student's own zip file: `zipfile` reads it in one piece, at each round anew."""

MAX_REFUSED_FILES = 20
"""Files of a zip file for which a message says why they were left out; the others are counted."""

MAX_UNPACKING_SECONDS = 30
"""Seconds of processor time to unpack one person's files: as many bytes as there may be take three."""

MAX_ID_BYTES, MAX_ESCAPED_CHARACTERS = 200, 60
"""Bytes of a student's id: files have longer names, which end in something. Characters of a folder's name that is no
id: files are called so, with names of at most 255 bytes."""

MAX_CSV_BYTES = 32 * 2**20
"""Bytes of a CSV file: it is read in one piece."""

# --- a notebook that was handed in ----------------------------------------------------------------------------

MAX_CANDIDATE_NOTEBOOKS = 8
"""Notebooks of a submission that are read to find the one with the work."""

MAX_NOTEBOOK_BYTES, MAX_PARSED_BYTES = 256 * 2**20, 50 * 2**20
"""Bytes of a notebook; bytes that are parsed: of a larger one, what is left without its stored outputs."""

MAX_JSON_NODES = 500_000
"""Commas and brackets of what is parsed: a value takes fifty times the memory of a comma."""

MAX_CELLS, MAX_CELL_CHARACTERS, MAX_SOURCE_CHARACTERS = 1500, 5_000_000, 20_000_000
"""Cells of a notebook; characters of one cell, and of all, with the pictures pasted into them."""

MAX_SOURCE_LINES = 200_000
"""Lines of all cells: each is an entry of the graded notebook, which is read again."""

MAX_ATTACHMENT_CHARACTERS = 5_000_000
"""Characters of base64 that the pictures pasted into one cell may have together."""

MAX_METADATA_CHARACTERS = 200
"""Characters of a name or a word in the metadata: nothing longer is needed there."""

MAX_PARSED_CELL_CHARACTERS = 20_000
"""Characters of a cell whose code is parsed to see what it defines. A longer one is compared as text alone."""

# --- pages ----------------------------------------------------------------------------------------------------

MAX_SHOWN_SOURCE = 20_000
"""Characters of a cell that a page shows."""

MAX_HTML_CHARACTERS = 50 * MAX_SHOWN_SOURCE
"""Characters that one cell may have become: a link's address may be written once, and used in a thousand places."""

MAX_FORMATTING_SECONDS = 2
"""Seconds of processor time for some texts together, and for one of them alone where that was not enough."""

MAX_SANITIZING_SECONDS, MAX_SUSPICIOUS_CHARACTERS = 3, 30_000
"""Seconds of processor time for a notebook's text cells; suspicious characters of it that are judged, beside pictures'
data: the time grows with their square."""

MAX_OUTPUTS, MAX_OUTPUT_CHARACTERS, MAX_PICTURE_CHARACTERS = 6, 4_000, 2_000_000
"""Outputs of a cell, characters of one, and characters of a picture's base64; a larger one is left out."""

# --- a class --------------------------------------------------------------------------------------------------

MAX_MISTAKE_NAME, MAX_QUESTION_CHARACTERS = 100, 300
"""Characters of the name and of the question that an instructor gives a mistake: each is one line of a verdict."""

MAX_EXAMPLE_CHARACTERS = 4_000
"""Characters of the code that is kept as the example of a mistake."""

MAX_GROUPING_SECONDS, MAX_COMMENTS_SECONDS = 30, 2
"""Seconds of processor time to group all answers to an exercise, and to take comments out of some students' code."""

MAX_COMPARED_CHARACTERS, MAX_COMPARING_SECONDS = 200_000, 5
"""Characters of a student's code that is compared; seconds of processor time for some students' code together, and for
one student's alone where that was not enough."""

MAX_ID_IN_FILE_NAME = 50
"""Characters of an id in a file's name, which holds more than that."""

MAX_UNNAMED_MISTAKES = 8
"""Mistakes without a name that the class report shows at once."""

MAX_SUGGESTIONS = 3
"""Misconceptions that a report suggests to discuss: an hour has time for no more."""

MAX_NAMED_STUDENTS, MAX_GRADE_CHANGES = 3, 20
"""Students who are named, and lines of changed grades, at the end of a round: the rest stands in the report."""
