"""How `rotate` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Tensor, Variant, common_mistakes
from attention import library

from .cases import numbers
from .shown import rules

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
        Criterion("the shape of X", rules.shape, ("pair", "many", "base")),
        Criterion("turned, not stretched: each row keeps its length", rules.same_length,
            ("pair", "many", "far", "base")),
        Criterion("one pair of columns, counter-clockwise", rules.numbers, ("pair",)),
        Criterion("several pairs, the later ones more slowly", rules.numbers, ("many",), plain=("pair",)),
        Criterion("far positions", rules.numbers, ("far",), plain=("pair", "many")),
        Criterion("another base", rules.numbers, ("base",), plain=("pair", "many")),
        Criterion("leaves its inputs as they were", rules.untouched, ("pair", "many", "base")),
        Criterion("a gradient comes back", rules.gradients, ("gradient",)),
        Criterion("ValueError for an odd d", rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        Misconception("halves turned instead of pairs", "column i is turned with column i + d / 2",
            "Which two columns turn together, and do they stand side by side?",
            (PAIRS, HALVES, BACK, "torch.cat(turned, dim=-1)")),
        Misconception("angles added instead of turned", "something is added to X, as positions are in lesson 07",
            "How long is a vector after a turn, and how long is yours?",
            (TURNED, "turned = [x + angles.cos(), y + angles.sin()]"),
            (TURNED, "turned = [x + angles.sin(), y + angles.cos()]"),
            (TURNED, "turned = [x + angles, y + angles]")),
        Misconception("pairs' angles with the halves' partner", "two conventions are mixed",
            "Which column does each one turn with, and do both turn by the same angle?",
            (TURNED, EACH + "part = torch.cat([-X[..., d // 2 :], X[..., : d // 2]], dim=-1)",
                f"return {BACK}", "return X * every.cos() + part * every.sin()")),
        Misconception("halves' angles with the pairs' partner", "two conventions are mixed",
            "Do the two columns of a pair turn by the same angle?",
            (TURNED, "every = torch.cat([angles, angles], dim=-1); part = torch.stack([-y, x], dim=-1).flatten(-2)",
                f"return {BACK}", "return X * every.cos() + part * every.sin()")),
        Misconception("positions ignored", "the rows are counted in their place",
            "The third of these words stands at which position?",
            ("positions[:, None]", "torch.arange(len(positions))[:, None]")),
        Misconception("wrong wavelength", "the later pairs turn at another pace than in the formula",
            "How far does the last pair turn in 100 words?",
            (EXPONENT, "(torch.arange(d // 2) / d)"),
            (EXPONENT, "(torch.arange(0, d, 2) // d)"),
            (EXPONENT, "(torch.arange(0, d, 2) / (d // 2))"),
            (EXPONENT, "(torch.arange(d // 2) / (d // 2 - 1 or 1))")),
        Misconception("positions counted from 1", "each word stands one further on than you were told",
            "By which angle is the word at position 0 turned?",
            ("positions[:, None]", "(positions[:, None] + 1)")),
        Misconception("fractions cut off", "a position may lie between two words",
            "By which angle does the first pair of a word at position 0.5 turn?",
            ("positions[:, None]", "positions.long()[:, None]")),
        Misconception("only the first pair turned", "the columns from 2 on stay as they were",
            "What happens to column 2, and by which angle should it turn?",
            (TURNED, "angles = angles * (torch.arange(d // 2) < 1); " + TURNED)),
        Misconception("works for one rank only", "X may have any number of axes in front of its words",
            "Which of your lines counts the axes from the front?",
            (BACK, "torch.stack(turned, dim=-1).flatten(1)"),
            (BACK, "torch.stack(turned, dim=-1).flatten(2)")),
        Misconception("axis of length 1 lost", "a single word or head has an axis as well",
            "Which shape should come back for a text of one word?",
            (BACK, BACK + ".squeeze()"),
            (BACK, BACK + ".squeeze(0)")),
        Misconception("base ignored", "10000 whatever is asked for",
            "Call it with base 100: what changes?",
            ("/ base **", "/ 10000.0 **")),
        Misconception("positions multiplied by the wavelength", "the later pairs turn faster, not more slowly",
            "Does a later pair turn faster or more slowly than the first?",
            ("[:, None] / base", "[:, None] * base")),
        Misconception("turned clockwise", "the sign of the sine is the other one",
            "Turn (1, 0) by a quarter: does it point up or down?",
            (TURNED, "angles = -angles; " + TURNED)),
        Misconception("sine and cosine exchanged", "where nothing should turn, everything does",
            "By which angle is the word at position 0 turned, and what are its sine and cosine?",
            (TURNED, "turned = [x * angles.sin() - y * angles.cos(), x * angles.cos() + y * angles.sin()]")),
        Misconception("degrees for radians", "the angles are made smaller, or larger, by 180/π",
            "Which unit do `cos` and `sin` take?",
            (TURNED, "angles = torch.deg2rad(angles); " + TURNED),
            (TURNED, "angles = torch.rad2deg(angles); " + TURNED)),
        Misconception("a wrong sign in the turn", "the signs of the four products are not those of a turn",
            "Turn (1, 0) by a quarter, and (0, 1): are they still a quarter apart, the same way round?",
            (TURNED, TURNED.replace("x * angles.cos() - y", "x * angles.cos() + y")),
            (TURNED, TURNED.replace("x * angles.sin() + y", "x * angles.sin() - y"))),
        Misconception("the second of a pair from the first's new value", "x is overwritten before y is turned",
            "Which x does the second line read, the old or the new?",
            (TURNED, "x = x * angles.cos() - y * angles.sin(); turned = [x, x * angles.sin() + y * angles.cos()]")),
        Misconception("pairs taken apart", "all first columns stand in front, then all second ones",
            "In which columns does the first pair stand after the turn?",
            (BACK, "torch.cat(turned, dim=-1)")),
        Misconception("odd d not refused", "a column is left without a partner",
            "With whom does the last of five columns turn?",
            ("if d % 2:", "if False:"),
            """
            Y = X.clone()
            for i in range(X.shape[-1] // 2):
                angle = positions / base ** (2 * i / X.shape[-1])
                Y[..., 2 * i] = X[..., 2 * i] * angle.cos() - X[..., 2 * i + 1] * angle.sin()
                Y[..., 2 * i + 1] = X[..., 2 * i] * angle.sin() + X[..., 2 * i + 1] * angle.cos()
            return Y
            """),
        common_mistakes.writes_into_its_input(
            ("d = X.shape[-1]", "d, given = X.shape[-1], X", f"return {BACK}",
                f"with torch.no_grad():\n        given.copy_({BACK})\n    return given"),
            question="Print X before and after the call: which line of yours assigns into it?",
        ),
        Misconception("gradient cut", "no gradient comes back to X",
            "Where does the graph end on the way from X to the result?",
            ("x, y = X[..., 0::2], X[..., 1::2]", "x, y = X.detach()[..., 0::2], X.detach()[..., 1::2]")),
    ),
)
