"""What `nbgrader_config.py` plugs into nbgrader: reading, restoring, grading, releasing, feedback."""
