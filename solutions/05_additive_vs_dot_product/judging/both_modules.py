"""What `AdditiveAttention` and `DotProductAttention` have in common: their cases, parts and mistakes.

A mistake in the score is a change of the solution, which is made from the lesson's class `Attention`. One elsewhere is
a change of a whole text, a class with a `forward` of its own.
"""

from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Misconception, ModuleState, Tensor, common
from attention import modules

from ...judging.cases import whole_numbers
from ...judging.mistakes import mistake
from .cases import tensor

CRITERIA = (
    Criterion("per query a row of output and a row of weights", modules.a_row_per_query, ("plain", "one")),
    Criterion("every query's weights sum to 1", modules.rows_sum_to_one, ("plain", "one")),
    Criterion("the numbers are right without lengths", modules.agrees, ("plain", "one", "second")),
    Criterion("the numbers are right with lengths", modules.agrees, ("lengths",), plain=("plain", "one")),
    Criterion("in training, dropout acts on the weights", modules.dropout_on_weights, ("dropout",)),
    Criterion("after eval() nothing is dropped", modules.no_dropout, ("eval",)),
    Criterion("leaves its inputs as they were", common.unchanged, ("plain", "lengths")),
    Criterion("gradients reach queries, keys, values and all parameters", modules.gradients, ("gradient",)),
)

SECOND = "the second call; the first had other numbers, and lengths"

FORWARD = """
    def forward(self, queries, keys, values, valid_lens=None):
        {score}
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
"""
SOFTMAX = "masked_softmax(scores, valid_lens)"
HIDDEN = f"scores.where({SOFTMAX} > 0, -math.inf)"
"""The scores of a solution, -inf where a key is hidden."""


def attention_case(
    tag: str,
    inputs: tuple[Tensor, ...],
    init: dict[str, int],
    weights: dict[str, Any],
    label: str = "",
    valid_lens: Any = None,
    dropout: float = 0.0,
    training: bool = False,
    evaluated_before: bool = False,
) -> Case:
    """Queries, keys and values put to a module; all three gradients are asked for where the tag says so.

    Where it says that the call is the second one, the first has the batch entries in reverse order, and lengths.
    """
    parameters = {name: tensor(weight).array for name, weight in weights.items()}
    given = init | {"dropout": dropout}
    earlier = (*(Tensor(one.array[::-1].copy()) for one in inputs), whole_numbers([1] * len(inputs[0].array)))
    called_before = earlier if tag == "second" else ()
    module = ModuleState(given, parameters, training, ("attention_weights",), evaluated_before, called_before)
    kwargs = {} if valid_lens is None else {"valid_lens": whole_numbers(valid_lens)}
    watched = (0, 1, 2) if tag == "gradient" else ()
    return Case(tag, inputs, kwargs, label=label, module=module, gradient_of=watched)


def inputs(
    rng: np.random.Generator, tag: str, queries: tuple[int, ...], keys: tuple[int, ...], d_v: int
) -> tuple[Tensor, ...]:
    """Queries and keys of these shapes, and values. In a case of dropout all keys are the same, so that a query's
    weights are, too, and the values show the weights and their sum.
    """
    batch, n_k, width = keys
    if tag in ("dropout", "eval"):
        alike = np.broadcast_to(rng.normal(size=width), keys)
        telling = [np.c_[np.eye(n_k), np.ones(n_k)]] * batch
        return tensor(rng.normal(size=queries)), tensor(alike), tensor(telling)
    return tuple(tensor(rng.normal(size=shape)) for shape in (queries, keys, (batch, n_k, d_v)))


def changed(text: str, *changes: str) -> str:
    """A text with each old piece, which it holds, replaced; changes: old and new by turns."""
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text, f"the text does not hold {old!r}"
        text = text.replace(old, new)
    return text


def shared_misconceptions(whole: str, *partners: tuple[str, ...]) -> tuple[Misconception, ...]:
    """What goes wrong in any attention module.

    whole: a right one with a `forward` of its own; partners: more ways to compare the wrong two in it.
    """
    return tuple(
        Misconception(one.name, one.detail, one.question, *(changed(whole, *way) for way in one.wrong))
        for one in _of_forward(*partners)
    )


def _of_forward(*partners: tuple[str, ...]) -> tuple[Misconception, ...]:
    """The mistakes, as changes of a class with a `forward` of its own."""
    return (
        mistake("softmax over the queries", (SOFTMAX, f"{HIDDEN}.softmax(dim=1).nan_to_num()"),
            (SOFTMAX, "scores.softmax(dim=1)"), (SOFTMAX, f"{HIDDEN}.softmax(dim=1)"),
            detail="the shares of one key are summed to 1, not those of one query",
            question="For one query, what is shared out among the keys?"),
        mistake("softmax taken twice", ("(scores,", "(scores.softmax(dim=-1),")),
        mistake("weights not normalised", (SOFTMAX, f"scores.exp() * ({SOFTMAX} > 0)"),
            detail="exponentials are the weights, not divided by the sum of their row",
            question="What do the weights of one query sum to?"),
        mistake("Q, K or V in the wrong place", ("@ values", "@ keys"), ("@ values", "@ queries"), *partners,
            detail="the weights mix something else than the values, or the wrong two are compared, or "
                "in the wrong order",
            question="What does a row of your scores belong to, and what do the weights mix?"),
        mistake("weights transposed", (" @ values", ".mT @ values"),
            ("return ", 'return torch.einsum("bqk,bqv->bkv", ', " @ values", ", values)"),
            ("return ", "return torch.bmm(", " @ values", ".mT, values)"),
            question="Which row of the weights belongs to query 0?"),
        mistake("mask ignored", (SOFTMAX, "scores.softmax(dim=-1)"), detail="valid_lens changes nothing",
            question="Where does valid_lens go?"),
        mistake("length of 0 not handled", (SOFTMAX, f"scores.where({SOFTMAX} > 0, -1e9).softmax(dim=-1)"),
            (SOFTMAX, f"{HIDDEN}.softmax(dim=-1)")),
        mistake("axis of length 1 lost",
            ("return self", "output = self", "@ values", "@ values; return output.squeeze(1)"),
            ("return self", "output = self", "@ values", "@ values; return output.squeeze()"),
            ("(scores,", "(scores.squeeze(),"), ("(scores,", "(scores.squeeze(1),"),
            detail="an axis of length 1 that belongs to the shape is gone",
            question="Which 1s vanished, and which of them counted batch entries, queries or keys?"),
        mistake("dropout in evaluation",
            ("return self", "return nn.functional", "weights) @", "weights, self.dropout.p) @")),
        mistake("dropout lost after eval()",
            ("return self", "if not self.training:\n            self.dropout.p = 0.0\n        return self")),
        mistake("dropout in the wrong place", (") @ values", " @ values)")),
        mistake("renormalised after dropout",
            ("return self", "kept = self", " @ values", "; return kept / kept.sum(-1, True) @ values")),
        mistake("gradient cut", ("(scores,", "(scores.detach(),"),
            ("def forward", "@torch.no_grad()\n    def forward"),
            detail="nothing flows back through the scores",
            question="Where does the path from queries to output leave the graph?"),
        mistake("writes into its input"),
    )
