"""The whole chain on bundled input."""
