"""Clumsy answers, and clumsy objects as answers: each costs itself."""

from __future__ import annotations

from autograder.tests.attacks import Attack, Hand


def returned(expression: str):
    """softmax returns this."""
    return lambda hand: hand.answer("softmax", f"def softmax(x, axis=-1):\n    return {expression}")


def hostile_class(hand: Hand) -> None:
    hand.answer(
        "softmax",
        """
        class Hostile:
            def __getattribute__(self, name):
                raise SystemExit(name)
            def __len__(self):
                return 10**18
            def __repr__(self):
                raise KeyboardInterrupt

        def softmax(x, axis=-1):
            return Hostile()
        """,
    )


def hostile_name(hand: Hand) -> None:
    hand.answer(
        "softmax",
        """
        softmax = lambda x, axis=-1: type("<script>alert(30)</script>" * 9999, (), {})()
        softmax.__name__ = "<script>alert(31)</script>" * 99
        softmax.__qualname__ = softmax.__doc__ = softmax.__name__
        """,
    )


def own_module(hand: Hand) -> None:
    """Helpers of a student's own, beside the notebook."""
    hand.file("my_helpers.py", "def times(x):\n    return 2 * x\n")
    hand.file("my_pieces/__init__.py", "from .more import HERE\n")
    hand.file("my_pieces/more.py", "HERE = 'my own modules are here'\n")
    hand.run("from my_helpers import times\nfrom my_pieces import HERE\nprint(HERE)")
    hand.cell("softmax").source += "\nassert times(2) == 4"


SOFTMAX = {"softmax": 0}
ATTACKS = (
    Attack(
        "mishap_own_modules",
        "imports modules that lie beside it",
        own_module,
        shows="my own modules are here",
    ),
) + tuple(
    Attack(f"mishap_{name}", does, change, earns=SOFTMAX)
    for name, does, change in (
        ("broadcast", "returns a view of 10^9 numbers", returned("np.broadcast_to(1.0, (10**9,))")),
        ("class", "returns an object that ends the program when looked at", hostile_class),
        ("empty_rows", "returns 10^9 empty rows", returned("np.empty((10**9, 0))")),
        ("generator", "returns a generator without an end", returned("(i for i in iter(int, 1))")),
        ("itself", "returns a list that holds itself", returned("(lambda box: box.append(box) or box)([])")),
        ("name", "a name that is a script", hostile_name),
        ("text", "returns a text of 50 MB", returned("'x' * 50_000_000")),
        ("text_in_answer", "prints 50 MB while it is asked", returned("print('x' * 5_000_000)")),
    )
)
