"""One submission as files: found, copied, read within limits, restored, made harmless."""
