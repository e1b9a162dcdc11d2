"""How some cases of this lesson are put to an answer: many times, with a look at what a call costs."""

from __future__ import annotations

import math
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.exercises.exercise import Case

Answer = Callable[..., Any]


def many_times(answer: Answer, case: Case, arguments: Sequence[Any]) -> Any:
    """How often which word came for which guess, (vocabulary, vocabulary): a row a guess.

    It is asked `facts["times"]` times with the given guess, or with guesses drawn from q where that is None, and one
    generator. No call sees what another has written into p and q; that stands in them in the end. The first thing
    that is no word of the vocabulary comes back as it is.
    """
    guess, p, q, rng = arguments
    times, size = case.facts["times"], len(q)
    drawn = np.random.default_rng(case.facts["seed"]).choice(size, size=times, p=q).tolist()
    counts, changed, before = np.zeros((size, size), dtype=int), (p, q), (p.tobytes(), q.tobytes())
    given = p.copy(), q.copy()
    for one in drawn if guess is None else [guess] * times:
        word = answer(one, *given, rng)
        if (given[0].tobytes(), given[1].tobytes()) != before:
            changed, given = given, (p.copy(), q.copy())
        number = np.asarray(word)
        if number.ndim or number.dtype.kind not in "iu" or not 0 <= number < size:
            return word
        counts[one, int(number)] += 1
    p[:], q[:] = changed
    return counts


# --- memory -----------------------------------------------------------------------------------------------


def without_table(answer: Answer, case: Case, arguments: Sequence[Any]) -> dict[str, Any]:
    """The output, and whether at some time more than `facts["bytes"]` were held beside the arguments.

    Counted is what Python and NumPy hold together, and the largest tensor that PyTorch makes. What it imports at its
    first call is not counted.
    """
    few = [one[:4].copy() if isinstance(one, np.ndarray) else one for one in arguments]
    with _LargestTensor() as largest:
        answer(*few)
        tracemalloc.start()
        try:
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            output = answer(*arguments)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    return {"output": output, "table": bool(max(peak - before, largest.bytes) > case.facts["bytes"])}


class _LargestTensor:
    """Notices the largest tensor that is made in here, in bytes: PyTorch does not tell `tracemalloc`."""

    bytes = 0

    def __enter__(self) -> _LargestTensor:
        self._mode: Any = None
        if "torch" in sys.modules:
            self._mode = self._made_mode()
            self._mode.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self._mode is not None:
            self._mode.__exit__(*error)

    def _made_mode(self) -> Any:
        import torch
        from torch.utils._python_dispatch import TorchDispatchMode

        class Mode(TorchDispatchMode):
            def __torch_dispatch__(mode, called, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
                made = called(*args, **(kwargs or {}))
                for one in made if isinstance(made, (tuple, list)) else [made]:
                    if isinstance(one, torch.Tensor):
                        self.bytes = max(self.bytes, one.untyped_storage().nbytes())
                return made

        return Mode()


# --- time -------------------------------------------------------------------------------------------------

LINEAR, SQUARE, CERTAIN = 1.2, 1.5, 1.8
"""Powers of the number of rows: below the first, time certainly grows as it; from the second on it may grow as its
square, and from the third on it certainly does.

What is linear grows by a power of 1.3 at most, on busy machines too, a sum begun anew for each row by 1.75 and more.
"""
STEPS = ((128, 512, SQUARE), (512, 2048, SQUARE), (1024, 4096, CERTAIN), (2048, 8192, SQUARE))
"""From how many rows to how many time is compared, and by which power. Whatever is seen early, nobody waits for."""
TRIES = 6
SHORTEST = 0.02
"""Seconds for which whatever is shorter counts: some clocks tick, Windows' and that of a process with a time limit."""
LONG, TRIES_IF_LONG, TRIES_IF_CERTAIN = 0.5, 3, 2
"""Seconds that no tick changes much, and how many tries tell then: one alone was seen to take four times as long."""

LOOKS, FINER, CLEAR = 2, 10, 1.65
"""Where the clock does not tick, from 512 rows to 2,048 looks are taken before that, so many times shorter than
`SHORTEST` and `LONG` say. Caches show in such times, and a first call may be slow: they tell what is clear, no more,
linear below `LINEAR` and square from the last of these powers on. The most that was seen of what is linear is 1.4.
"""
FINE, READS = 1e-4, 200_000
"""Seconds: by less a clock goes on that does not tick. One that has not gone on after so many reads stands still."""


def in_linear_time(answer: Answer, case: Case, arguments: Sequence[Any]) -> dict[str, Any]:
    """The output for the fewest rows, and whether this thread's time grows as the square of the number of rows."""
    output = answer(*(one[: STEPS[0][0]] for one in arguments))
    return {"output": output, "square": _is_square(answer, arguments)}


def delta_in_linear_time(answer: Answer, case: Case, arguments: Sequence[Any]) -> dict[str, Any]:
    """As `in_linear_time`, with keys of length 1 and strengths between 0 and 1 made of what was drawn."""
    Q, K, V, strengths = arguments
    given = Q, K / np.linalg.norm(K, axis=1, keepdims=True), V, 1 / (1 + np.exp(-strengths))
    return in_linear_time(answer, case, given)


def _is_square(answer: Answer, arguments: Sequence[Any]) -> bool:
    first, *others = STEPS
    if _grows_as_square(answer, arguments, *first):
        return True
    for _ in range(LOOKS if _tick() < FINE else 0):
        few, power = _growth(answer, arguments, *others[0][:2], CLEAR, FINER)
        if power >= CLEAR:
            return True
        if power < LINEAR and few > SHORTEST / FINER:
            return False
    return any(_grows_as_square(answer, arguments, *step) for step in others)


def _tick() -> float:
    """Seconds by which this thread's clock goes on at a time; infinity where it stands still."""
    began = time.thread_time()
    for _ in range(READS):
        if (now := time.thread_time()) != began:
            return now - began
    return math.inf


def _grows_as_square(answer: Answer, arguments: Sequence[Any], fewer: int, more: int, from_power: float) -> bool:
    return _growth(answer, arguments, fewer, more, from_power)[1] >= from_power


def _growth(
    answer: Answer, arguments: Sequence[Any], fewer: int, more: int, from_power: float, finer: int = 1
) -> tuple[float, float]:
    """The time for fewer rows, and by which power it grows from there to more of them.

    As long as the power is not below `from_power`, the least times of `TRIES` count.
    """
    shortest, few, many, power = SHORTEST / finer, math.inf, math.inf, math.inf
    for tries in range(1, TRIES + 1):
        few = max(shortest, min(few, *(_seconds(answer, arguments, fewer) for _ in range(3))))
        many = min(many, _seconds(answer, arguments, more))
        power = math.log(max(shortest, many) / few) / math.log(more / fewer)
        if power < from_power:
            break
        if many > LONG / finer and tries >= (TRIES_IF_CERTAIN if power > CERTAIN else TRIES_IF_LONG):
            break
    return few, power


def _seconds(answer: Answer, arguments: Sequence[Any], rows: int) -> float:
    given = [one[:rows].copy() for one in arguments]
    began = time.thread_time()
    answer(*given)
    return time.thread_time() - began
