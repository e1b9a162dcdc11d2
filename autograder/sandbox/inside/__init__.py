"""What of the sandbox runs inside it, beside student code."""
