"""Sandboxes for student code, which hold the interpreter, the libraries and the course's public files."""
