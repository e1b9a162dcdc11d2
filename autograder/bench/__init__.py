"""What grading costs: `make bench` measures it against stock nbgrader and writes docs/benchmark.md."""
