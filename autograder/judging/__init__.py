"""References and mistakes, answer keys and verdicts: the trusted side."""
