"""The student kit, the web site, and autograders for Gradescope: files that leave a course."""
