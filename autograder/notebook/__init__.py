"""Everything that a notebook shows: verdicts, hints, traces, other solutions, the quiz, progress, figures."""
