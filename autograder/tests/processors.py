"""`python -m autograder.tests.processors`: all that is derived, made again as other processors would compute it.

Libraries choose their kernels by what the processor can do, and can be told to make do with less. What they
compute then differs in its last bits, and nothing that is stored may depend on these
(`autograder.authoring.stable_output`).
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence

import numpy as np

BLAS = {"x86_64": "Prescott", "AMD64": "Prescott"}
"""The plainest kernels that OpenBLAS has for a kind of machine; `ARMV8` for all others."""


def main() -> int:
    """Check the build on all processors that this one can pass for; 1 where one differs."""
    return as_others("autograder.commands.cli", "build", "--check")


def as_others(*module: str) -> int:
    """Run a module on all processors that this one can pass for, at the same time; 1 where it fails on one."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    pipes = {"text": True, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    running = {
        name: subprocess.Popen([sys.executable, "-m", *module], env={**os.environ, **settings}, **pipes)
        for name, settings in processors(found).items()
    }
    for name, process in running.items():
        print(f"a processor {name}:\n{process.communicate()[0]}")
    return int(any(process.returncode for process in running.values()))


def processors(found: Sequence[str]) -> dict[str, dict[str, str]]:
    """The environment variables that make of this processor another one, by what that can do.

    found: what NumPy found beyond what all processors of this kind can do.
    """
    plain = {
        "NPY_DISABLE_CPU_FEATURES": " ".join(found),
        "OPENBLAS_CORETYPE": BLAS.get(platform.machine(), "ARMV8"),
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_CBWR": "COMPATIBLE",
    }
    if "X86_V3" not in found:
        return {"without extensions": plain}
    avx2 = {
        "NPY_DISABLE_CPU_FEATURES": " ".join(name for name in found if name != "X86_V3"),
        "OPENBLAS_CORETYPE": "Haswell",
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_CBWR": "AVX2",
    }
    return {"without extensions": plain, "with AVX2": avx2}


if __name__ == "__main__":
    sys.exit(main())
