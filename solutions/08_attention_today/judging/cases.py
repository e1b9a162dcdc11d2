"""What several exercises of this lesson are made of."""

import numpy as np

from autograder.exercises import Tensor


def numbers(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> Tensor:
    """Random numbers with one decimal."""
    return Tensor(array(rng, *shape, scale=scale).astype(np.float32))


def array(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> np.ndarray:
    """Random numbers with one decimal."""
    return (scale * rng.normal(size=shape)).round(1)
