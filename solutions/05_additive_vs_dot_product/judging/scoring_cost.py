"""How `scoring_cost` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant

from ...judging.mistakes import mistake
from ..checks import rules


def examples() -> tuple[Case, ...]:
    return (
        case(2, 3, 4, 5, label="the lesson's example"),
        case(7, 3, 5, 2, label="more queries than keys"),
        case(1, 10, 20, 8, label="one query"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.choice(np.arange(2, 60), size=4, replace=False).tolist() for _ in range(4)]
    return tuple(case(*sizes) for sizes in [*drawn, [3, 2, 5, 7], [1024, 2048, 512, 128], [1, 1, 1, 1]])


def case(n_q: int, n_k: int, d: int, num_hiddens: int, label: str = "") -> Case:
    return Case("sizes", (n_q, n_k, d, num_hiddens), label=label, tolerance=1e-9)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    variant=Variant(
        "A multiplication and an addition are two operations: `multiply_adds` counts both.",
        (
            "projections + n_q * n_k * num_hiddens",
            "2 * (projections + n_q * n_k * num_hiddens)",
            '"multiply_adds": n_q * n_k * d',
            '"multiply_adds": 2 * n_q * n_k * d',
        ),
    ),
    criteria=(
        Criterion("a dictionary with the four numbers", rules.four_numbers),
        Criterion("the dot product's multiply-adds", rules.dot_multiply_adds),
        Criterion("the dot product's parameters", rules.dot_parameters),
        Criterion("the additive score's parameters", rules.additive_parameters),
        Criterion("the additive score's multiply-adds", rules.additive_multiply_adds),
    ),
    misconceptions=(
        mistake("projections counted for every pair", ("(n_q + n_k) * d", "n_q * n_k * 2 * d")),
        mistake("a projection left out of the count", ("projections + n_q", "n_q"), ("(n_q + n_k)", "n_q"),
            ("(n_q + n_k)", "n_k"), detail="W_q and W_k are not free",
            question="What happens to a query, and what to a key, before they meet?"),
        mistake("w_v left out of the count", (" + n_q * n_k * num_hiddens", ""),
            ("d * num_hiddens + num_hiddens", "d * num_hiddens"),
            (" + n_q * n_k * num_hiddens", "", "d * num_hiddens + num_hiddens", "d * num_hiddens")),
        mistake("one projection counted for queries and keys", ("2 * d", "d")),
        mistake("biases counted that the layers do not have",
            ("d * num_hiddens + num_hiddens", "d * num_hiddens + 3 * num_hiddens + 1"),
            ("d * num_hiddens + num_hiddens", "d * num_hiddens + 3 * num_hiddens")),
        mistake("more counted than the scores",
            ("n_q * n_k * d", "2 * n_q * n_k * d", "projections +", "projections + n_q * n_k * d +"),
            ("n_q * n_k * d", "n_q * n_k * (d + 1)"),
            ("projections +", "projections + n_q * n_k * num_hiddens +")),
    ),
)
