"""Answers to exercises as files: read, judged, and what a right one unlocks."""
