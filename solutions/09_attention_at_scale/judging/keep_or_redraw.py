"""How `keep_or_redraw` is judged."""

import numpy as np

from autograder.exercises import Case, CasePutBy, Criterion, Exercise, RandomSource, Variant, common

from ...judging.mistakes import mistake
from ..checks import frequencies

MANY_TIMES = "09_attention_at_scale.checks.asking:many_times"
TIMES = 3000

MODEL, DRAFT = np.array([0.125, 0.75, 0.1, 0.025]), np.array([0.025, 0.05, 0.675, 0.25])
"""So far apart that the counts of 3,000 draws tell each mistake from every other one, see `frequencies.mistakes`."""


def examples() -> tuple[Case, ...]:
    none = np.array([0.6, 0.0, 0.3, 0.1]), np.array([0.0, 0.5, 0.3, 0.2])
    return (
        asked("drawn", MODEL, DRAFT, 1, label="3,000 guesses, drawn from q"),
        asked("fixed", MODEL, DRAFT, 2, guess=2, label="1,000 times the guess 2"),
        asked("drawn", *none, 3, label="a word that the model never says, one that the draft never offers"),
        asked("equal", DRAFT, DRAFT, 4, label="p and q alike"),
        Case("sure", (0, MODEL, DRAFT, RandomSource(5)), label="a guess of which p is larger"),
        Case("sure", (1, np.array([0.25, 0.0, 0.75]), np.array([0.25, 0.5, 0.25]), RandomSource(6)),
            label="a guess that the model never says, and one word that is missing"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    seeds = iter(rng.integers(10, 2**31, 8).tolist())
    p, q = apart(rng, 5)
    guess = int((q - p).argmax())
    return (
        asked("drawn", p, q, next(seeds)),
        asked("drawn", *apart(rng, 3), next(seeds)),
        asked("fixed", p, q, next(seeds), guess=guess),
        asked("fixed", p, q, next(seeds), guess=int((p - q).argmax())),
        asked("fixed", MODEL, DRAFT, next(seeds), guess=3),
        asked("equal", p, p, next(seeds)),
        Case("sure", (int((p - q).argmax()), p, q, RandomSource(next(seeds)))),
        Case("sure", (0, np.ones(1), np.ones(1), RandomSource(next(seeds))), label="a vocabulary of one word"),
    )


def asked(
    tag: str, p: np.ndarray, q: np.ndarray, seed: int, guess: int | None = None, label: str = ""
) -> Case:
    """Asked many times, with guesses from q or with one."""
    times = {"drawn": TIMES, "fixed": TIMES // 3, "equal": TIMES // 10}[tag]
    facts = {"times": times, "seed": seed + 1}
    given = (guess, p, q, RandomSource(seed))
    return CasePutBy(tag, given, label=label, facts=facts, once=True, by=MANY_TIMES)


def apart(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Two distributions, drawn anew until each mistake is far from what is right: four times the limit for somebody."""
    while True:
        p, q = rng.dirichlet(np.ones(size), 2).round(3)
        p[0], q[0] = 1 - p[1:].sum(), 1 - q[1:].sum()
        if min(p.min(), q.min()) < 0.02 or ((q - p) > 0.05).sum() < 1 or ((p - q) > 0.05).sum() < 2:
            continue
        n = np.broadcast_to((TIMES * q)[:, None], (size, size))
        right = frequencies.law(p, q)
        wrong = [one for laws in frequencies.mistakes(p, q).values() for one in laws]
        if all((frequencies.unlikely(n * one, n, right) > 4 * frequencies.LIMIT).any() for one in wrong):
            return p, q


RATIO = "p[guess] / q[guess]"
MISSING = "np.maximum(p - q, 0)"
LAST = "return int(rng.choice(len(p), p=missing / missing.sum()))"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    free=("drawn", "fixed"),
    by_error=("probabilities that do not sum to 1",),
    variant=Variant(
        "Two results come back: the word, and whether the guess was kept.",
        ("return guess", "return guess, True", LAST, LAST + ", False"),
        ("sure",),
    ),
    criteria=(
        Criterion("a word of the vocabulary", frequencies.one_word, ("drawn", "fixed")),
        Criterion(
            "a guess comes back with probability min(1, p / q)",
            frequencies.kept_as_often, ("drawn", "fixed"), points=2,
        ),
        Criterion("else a word is drawn from (p − q)⁺", frequencies.redrawn, ("drawn",), points=2),
        Criterion("over all guesses, words come as p says", frequencies.as_the_model, ("drawn",)),
        Criterion("where p and q are alike, every guess is kept", frequencies.kept_as_often, ("equal",),
            plain=("drawn",)),
        Criterion("where only one word can come, that word", common.agrees, ("sure",), plain=("drawn",)),
        Criterion("leaves p and q as they were", common.unchanged, ("drawn", "fixed")),
    ),
    misconceptions=(
        mistake("redrawn from p instead of p − q", (MISSING, "p")),
        mistake("p and q exchanged",
            (RATIO, "q[guess] / p[guess]", "    if rng", "    if p[guess] == 0:\n        return guess\n    if rng"),
            (RATIO, "q[guess] / p[guess]", "    if rng", "    if p[guess] == 0:\n        return guess\n    if rng",
                MISSING, "np.maximum(q - p, 0)"), (MISSING, "np.maximum(q - p, 0)")),
        mistake("redrawn from p without the guess", (MISSING, "np.where(np.arange(len(p)) == guess, 0, p)")),
        mistake("kept where it should be redrawn",
            ("rng.random() <", "rng.random() >", MISSING, f"({MISSING} if (p != q).any() else p)")),
        mistake("redrawn from q", (MISSING, "q")),
        mistake("redrawn evenly", (LAST, "return int(rng.integers(len(p)))")),
        mistake("redrawn from all differences", (MISSING, "np.abs(p - q)")),
        mistake("softmax of the differences", (MISSING, "np.exp(p - q)"),
            (MISSING, "np.exp(np.maximum(p - q, 0))")),
        mistake("the likeliest word taken, none drawn", (LAST, "return int(missing.argmax())")),
        mistake("every guess kept", (f"rng.random() < {RATIO}", "True")),
        mistake("no guess kept", (f"rng.random() < {RATIO}", "False", MISSING, "p"),
            (f"rng.random() < {RATIO}", "p[guess] == q[guess] == 2", MISSING, f"({MISSING} if (p != q).any() else p)")),
        mistake("kept with probability p, not p / q",
            (RATIO, "p[guess]", MISSING, f"({MISSING} if (p != q).any() else p)")),
        mistake("kept only where p is larger", (f"rng.random() < {RATIO}", "p[guess] >= q[guess]")),
        mistake("probabilities that do not sum to 1", (" / missing.sum()", "")),
        mistake("writes into its input", (MISSING, "np.maximum(np.subtract(p, q, out=p), 0, out=p)"),
            (MISSING, "np.maximum(p - q, 0, out=p)"), detail="the next guess meets other probabilities"),
    ),
)
