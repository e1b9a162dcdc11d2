"""What `nbgrader_config.py` plugs into nbgrader: reading, restoring, grading, and the stubs of a release."""
