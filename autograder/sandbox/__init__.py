"""The seal around student code: a room that holds the interpreter, the libraries and the course's public files."""
