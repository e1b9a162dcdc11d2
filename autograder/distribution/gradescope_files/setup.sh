#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the autograder's image.
set -euo pipefail
root=${GRADESCOPE_ROOT:-/autograder}
cd "$root/source"
apt-get update
apt-get install -y --no-install-recommends bubblewrap libseccomp2 python3 python3-venv util-linux
python3 -m venv "$root/venv"
pip=("$root/venv/bin/pip" install --disable-pip-version-check -q -c autograder/constraints.txt)
# PyTorch, and nothing else, comes from its own index, built for the CPU.
if grep -q "'torch" pyproject.toml; then
  "${pip[@]}" --no-deps --index-url https://download.pytorch.org/whl/cpu torch
fi
"${pip[@]}" -e .
PATH=$root/venv/bin:$PATH nbgrader generate_assignment $lesson --force
# What is here holds answers: students' code runs as another user, in a copy of what was handed in.
chmod -R go= .
"$root/venv/bin/autograder" doctor
