"""How `additive_scores` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common

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
        Criterion("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception("tanh missing", "the sum of query and key is not bent",
            "Which function stands between the sum and w_v in the formula?",
            ("torch.tanh(", "(")),
        Misconception("tanh in the wrong place", "it stands somewhere else in the formula, or once more",
            "What exactly goes into tanh in the formula, and what comes after it?",
            ("torch.tanh(", "(", " @ w_v", " @ w_v).tanh()", "return ", "return ("),
            ("torch.tanh((queries @ W_q.T)[:, None] +", "((queries @ W_q.T).tanh()[:, None] +",
             "keys @ W_k.T)", "(keys @ W_k.T).tanh())")),
        Misconception("another function in place of tanh", "the sum is bent, but another way",
            "What becomes of a negative sum, and of a large one?",
            ("torch.tanh(", "torch.relu(")),
        Misconception("scores scaled where they are not", "the formula multiplies and divides by no number",
            "Does the formula divide?",
            (" @ w_v", " @ w_v / math.sqrt(len(w_v))")),
        Misconception("scores turned", "there is a row for each key",
            "Which of the two counts the rows, and where does its new axis go?",
            ("[:, None] + keys @ W_k.T", " + (keys @ W_k.T)[:, None]")),
    ),
)
