"""How `scoring_cost` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant

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
        Misconception("projections counted for every pair",
            "W_q and W_k are counted anew for every pair of query and key",
            "How often must one query go through W_q, however many keys there are?",
            ("(n_q + n_k) * d", "n_q * n_k * 2 * d")),
        Misconception("a projection left out of the count", "W_q and W_k are not free",
            "What happens to a query, and what to a key, before they meet?",
            ("projections + n_q", "n_q"),
            ("(n_q + n_k)", "n_q"),
            ("(n_q + n_k)", "n_k")),
        Misconception("w_v left out of the count", "it turns num_hiddens numbers into one score, for every pair",
            "What happens between tanh and the score?",
            (" + n_q * n_k * num_hiddens", ""),
            ("d * num_hiddens + num_hiddens", "d * num_hiddens"),
            (" + n_q * n_k * num_hiddens", "", "d * num_hiddens + num_hiddens", "d * num_hiddens")),
        Misconception("one projection counted for queries and keys", "queries and keys have a matrix each",
            "How many matrices does the formula have?",
            ("2 * d", "d")),
        Misconception("biases counted that the layers do not have", "the layers have none here",
            "What does bias=False leave out?",
            ("d * num_hiddens + num_hiddens", "d * num_hiddens + 3 * num_hiddens + 1"),
            ("d * num_hiddens + num_hiddens", "d * num_hiddens + 3 * num_hiddens")),
        Misconception("more counted than the scores",
            "tanh, the scale, the softmax or the product with the values is counted too",
            "Where does the score end and the weighting begin?",
            ("n_q * n_k * d", "2 * n_q * n_k * d", "projections +", "projections + n_q * n_k * d +"),
            ("n_q * n_k * d", "n_q * n_k * (d + 1)"),
            ("projections +", "projections + n_q * n_k * num_hiddens +")),
    ),
)
