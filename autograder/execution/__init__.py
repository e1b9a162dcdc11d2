"""A notebook run in a sandbox: its cells, the questions put to its answers, its outputs, and notes on what happened."""
