"""A course under its teacher's hands: build, release, inspection, scaffolds."""
