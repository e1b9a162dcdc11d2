"""What a notebook shows, as text and HTML: verdicts, traces, questions, figures."""
