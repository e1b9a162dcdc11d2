#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the autograder's image.
set -euo pipefail
root=${GRADESCOPE_ROOT:-/autograder}
export PIP_EXTRA_INDEX_URL=${PIP_EXTRA_INDEX_URL-https://download.pytorch.org/whl/cpu}
cd "$root/source"
apt-get update
apt-get install -y --no-install-recommends bubblewrap libseccomp2 python3 python3-venv util-linux
python3 -m venv "$root/venv"
"$root/venv/bin/pip" install --disable-pip-version-check -q -c autograder/constraints.txt -e .
PATH=$root/venv/bin:$PATH nbgrader generate_assignment $lesson --force
# What is here holds answers: students' code runs as another user, in a copy of what was handed in.
chmod -R go= .
"$root/venv/bin/autograder" doctor
