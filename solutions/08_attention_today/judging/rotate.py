"""How `rotate` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common
from attention import common_rules, library

from ...judging.cases import numbers
from ...judging.mistakes import mistake
from ..checks import rules

TOLERANCE = 1e-3


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(81)
    quarter = Tensor(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=np.float32))
    turns = Tensor(np.array([0.0, np.pi / 2, np.pi / 2], dtype=np.float32))
    return (
        Case("pair", (quarter, turns), label="no turn, and a quarter of one", tolerance=TOLERANCE),
        case(rng, "pair", (3, 2), [1, 2, 3], "one pair"),
        case(rng, "many", (4, 6), [0, 1, 2, 3]),
        case(rng, "many", (3, 4), [7, 0, 2], "positions in any order"),
        case(rng, "many", (2, 3, 6), [40, 41, 42], "two heads"),
        case(rng, "far", (2, 8), [1013, 1999], "far positions"),
        case(rng, "base", (3, 6), [5, 1, 3], "another base", base=100.0),
        case(rng, "many", (2, 4), [0.5, 2.25], "positions between words"),
        case(rng, "many", (3, 3, 4), [2, 9, 4], "as many heads as words"),
        case(rng, "gradient", (2, 4), [3, 1], watched=(0,)),
        case(rng, "many", (1, 6), [7], "one word"),
        Case("refuse", (numbers(rng, 2, 5), Tensor(np.arange(2))), label="an odd d", raises="ValueError"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    some = rng.permutation(200)[:5].tolist()
    double = case(rng, "many", (5, 4), some, "float64")
    return (
        case(rng, "pair", (4, 2), rng.permutation(50)[:4].tolist()),
        case(rng, "many", (5, 10), some),
        case(rng, "many", (2, 3, 5, 4), some, "four axes"),
        case(rng, "many", (4, 4), [3, 2, 1, 0], "as many rows as columns"),
        case(rng, "many", (1, 6), [int(rng.integers(5, 90))], "one word"),
        case(rng, "many", (3, 3, 4), [2, 9, 4], "as many heads as words"),
        case(rng, "many", (1, 3, 6), [8, 1, 5], "one head"),
        case(rng, "far", (3, 12), [2000, 1999, int(rng.integers(900, 1900))]),
        case(rng, "base", (4, 8), [9, 3, 0, 30], base=float(rng.integers(20, 500))),
        case(rng, "many", (3, 6), (rng.random(3) * 30).round(2).tolist(), "float positions"),
        Case("many", (Tensor(double.args[0].array.astype(float)), double.args[1]), tolerance=TOLERANCE),
        case(rng, "gradient", (2, 3, 6), [8, 0, 5], watched=(0,)),
        Case("refuse", (numbers(rng, 3, 7), Tensor(np.arange(3))), raises="ValueError"),
        Case("refuse", (numbers(rng, 2, 2, 1), Tensor(np.arange(2))), raises="ValueError"),
    )


def case(
    rng: np.random.Generator,
    tag: str,
    shape: tuple[int, ...],
    positions: list[float],
    label: str = "",
    base: float | None = None,
    watched: tuple[int, ...] = (),
) -> Case:
    kind = np.int64 if all(isinstance(one, int) for one in positions) else np.float32
    given = {} if base is None else {"base": base}
    args = (numbers(rng, *shape), Tensor(np.array(positions, dtype=kind)))
    return Case(tag, args, given, label=label, gradient_of=watched, tolerance=TOLERANCE)


EXPONENT = "(torch.arange(0, d, 2) / d)"
ANGLES = f"positions[:, None] / base ** {EXPONENT}"
PAIRS = "x, y = X[..., 0::2], X[..., 1::2]"
HALVES = "x, y = X[..., : d // 2], X[..., d // 2 :]"
TURNED = "turned = [x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()]"
BACK = "torch.stack(turned, dim=-1).flatten(-2)"
EACH = "every = angles.repeat_interleave(2, dim=-1); "

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    library=library.EARLIER,
    results=("turned",),
    variant=Variant(
        "The pairs stand apart: column i turns with column i + d / 2, by the angle of pair i.",
        (PAIRS, HALVES, BACK, "torch.cat(turned, dim=-1)"),
    ),
    by_error=("odd d not refused",),
    criteria=(
        Criterion("the shape of X", common_rules.shape, ("pair", "many", "base")),
        Criterion("turned, not stretched: each row keeps its length", rules.same_length,
            ("pair", "many", "far", "base")),
        Criterion("one pair of columns, counter-clockwise", common_rules.numbers, ("pair",)),
        Criterion("several pairs, the later ones more slowly", common_rules.numbers, ("many",), plain=("pair",)),
        Criterion("far positions", common_rules.numbers, ("far",), plain=("pair", "many")),
        Criterion("another base", common_rules.numbers, ("base",), plain=("pair", "many")),
        Criterion("leaves its inputs as they were", common.unchanged, ("pair", "many", "base")),
        Criterion("a gradient comes back", rules.gradients, ("gradient",)),
        Criterion("ValueError for an odd d", common_rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        mistake("halves turned instead of pairs", (PAIRS, HALVES, BACK, "torch.cat(turned, dim=-1)")),
        mistake("angles added instead of turned", (TURNED, "turned = [x + angles.cos(), y + angles.sin()]"),
            (TURNED, "turned = [x + angles.sin(), y + angles.cos()]"),
            (TURNED, "turned = [x + angles, y + angles]")),
        mistake("pairs' angles with the halves' partner",
            (TURNED, EACH + "part = torch.cat([-X[..., d // 2 :], X[..., : d // 2]], dim=-1)",
                f"return {BACK}", "return X * every.cos() + part * every.sin()")),
        mistake("halves' angles with the pairs' partner",
            (TURNED, "every = torch.cat([angles, angles], dim=-1); part = torch.stack([-y, x], dim=-1).flatten(-2)",
                f"return {BACK}", "return X * every.cos() + part * every.sin()")),
        mistake("positions ignored", ("positions[:, None]", "torch.arange(len(positions))[:, None]")),
        mistake("wrong wavelength", (EXPONENT, "(torch.arange(d // 2) / d)"),
            (EXPONENT, "(torch.arange(0, d, 2) // d)"), (EXPONENT, "(torch.arange(0, d, 2) / (d // 2))"),
            (EXPONENT, "(torch.arange(d // 2) / (d // 2 - 1 or 1))"),
            detail="the later pairs turn at another pace than in the formula",
            question="How far does the last pair turn in 100 words?"),
        mistake("positions counted from 1", ("positions[:, None]", "(positions[:, None] + 1)"),
            detail="each word stands one further on than you were told",
            question="By which angle is the word at position 0 turned?"),
        mistake("fractions cut off", ("positions[:, None]", "positions.long()[:, None]"),
            detail="a position may lie between two words",
            question="By which angle does the first pair of a word at position 0.5 turn?"),
        mistake("only the first pair turned",
            (TURNED, "angles = angles * (torch.arange(d // 2) < 1); " + TURNED)),
        mistake("works for one rank only", (BACK, "torch.stack(turned, dim=-1).flatten(1)"),
            (BACK, "torch.stack(turned, dim=-1).flatten(2)"),
            detail="X may have any number of axes in front of its words",
            question="Which of your lines counts the axes from the front?"),
        mistake("axis of length 1 lost", (BACK, BACK + ".squeeze()"), (BACK, BACK + ".squeeze(0)"),
            detail="a single word or head has an axis as well",
            question="Which shape should come back for a text of one word?"),
        mistake("base ignored", ("/ base **", "/ 10000.0 **")),
        mistake("positions multiplied by the wavelength", ("[:, None] / base", "[:, None] * base"),
            detail="the later pairs turn faster, not more slowly",
            question="Does a later pair turn faster or more slowly than the first?"),
        mistake("turned clockwise", (TURNED, "angles = -angles; " + TURNED)),
        mistake("sine and cosine exchanged",
            (TURNED, "turned = [x * angles.sin() - y * angles.cos(), x * angles.cos() + y * angles.sin()]"),
            detail="where nothing should turn, everything does",
            question="By which angle is the word at position 0 turned, and what are its sine and cosine?"),
        mistake("degrees for radians", (TURNED, "angles = torch.deg2rad(angles); " + TURNED),
            (TURNED, "angles = torch.rad2deg(angles); " + TURNED)),
        mistake("a wrong sign in the turn",
            (TURNED, TURNED.replace("x * angles.cos() - y", "x * angles.cos() + y")),
            (TURNED, TURNED.replace("x * angles.sin() + y", "x * angles.sin() - y"))),
        mistake("the second of a pair from the first's new value",
            (TURNED, "x = x * angles.cos() - y * angles.sin(); turned = [x, x * angles.sin() + y * angles.cos()]")),
        mistake("pairs taken apart", (BACK, "torch.cat(turned, dim=-1)")),
        mistake("odd d not refused", ("if d % 2:", "if False:"),
            """
            Y = X.clone()
            for i in range(X.shape[-1] // 2):
                angle = positions / base ** (2 * i / X.shape[-1])
                Y[..., 2 * i] = X[..., 2 * i] * angle.cos() - X[..., 2 * i + 1] * angle.sin()
                Y[..., 2 * i + 1] = X[..., 2 * i] * angle.sin() + X[..., 2 * i + 1] * angle.cos()
            return Y
            """),
        mistake("writes into its input",
            ("d = X.shape[-1]", "d, given = X.shape[-1], X", f"return {BACK}",
                f"with torch.no_grad():\n        given.copy_({BACK})\n    return given"),
            question="Print X before and after the call: which line of yours assigns into it?"),
        mistake("gradient cut",
            ("x, y = X[..., 0::2], X[..., 1::2]", "x, y = X.detach()[..., 0::2], X.detach()[..., 1::2]"),
            detail="no gradient comes back to X",
            question="Where does the graph end on the way from X to the result?"),
    ),
)
