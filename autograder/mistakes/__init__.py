"""Mistakes of a class that have no name: named on a page, proposed to the course."""
