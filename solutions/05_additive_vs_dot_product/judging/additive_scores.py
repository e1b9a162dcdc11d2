"""How `additive_scores` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from .cases import tensor


def examples() -> tuple[Case, ...]:
    layers = (tensor(np.eye(2)), tensor([[1], [-1]]), tensor([1, -1]))
    lesson = Case("scores", (tensor([[1, 2]]), tensor([[-1], [0], [1]]), *layers), label="the lesson's example")
    rng = np.random.default_rng(56)
    return lesson, case(rng, 2, 3, 4, 5, 6), case(rng, 3, 3, 3, 3, 3, "all sizes equal")


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = (4, 2, 5, 3, 7), (2, 2, 2, 2, 2), (1, 6, 2, 9, 3), (3, 1, 1, 2, 1)
    return tuple(case(rng, *one) for one in sizes)


def case(rng: np.random.Generator, n_q: int, n_k: int, d_q: int, d_k: int, h: int, label: str = "") -> Case:
    shapes = ((n_q, d_q), (n_k, d_k), (h, d_q), (h, d_k), (h,))
    return Case("scores", tuple(tensor(rng.normal(size=shape)) for shape in shapes), label=label)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    graded=False,
    puzzle=True,
    variant=Variant(
        "What goes into tanh is the query's map *minus* the key's.",
        ("[:, None] + keys", "[:, None] - keys"),
    ),
    criteria=(
        Criterion("a row per query, a column per key", common.shape),
        Criterion("the scores are those of the formula", common.agrees),
    ),
    misconceptions=(
        mistake("tanh missing", ("torch.tanh(", "(")),
        mistake("tanh in the wrong place",
            ("torch.tanh(", "(", " @ w_v", " @ w_v).tanh()", "return ", "return ("),
            ("torch.tanh((queries @ W_q.T)[:, None] +", "((queries @ W_q.T).tanh()[:, None] +",
             "keys @ W_k.T)", "(keys @ W_k.T).tanh())")),
        mistake("another function in place of tanh", ("torch.tanh(", "torch.relu(")),
        mistake("scores scaled where they are not", (" @ w_v", " @ w_v / math.sqrt(len(w_v))")),
        mistake("scores turned", ("[:, None] + keys @ W_k.T", " + (keys @ W_k.T)[:, None]")),
    ),
)
