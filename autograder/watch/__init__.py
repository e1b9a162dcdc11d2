"""Rounds on what is handed in, as it comes."""
