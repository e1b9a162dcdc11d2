"""How `MultiHeadAttention` is judged."""

from dataclasses import replace

import numpy as np

from autograder.model import Case, Exercise, Misconception, ModuleState, Part, Tensor, stock

from ..shown import modules
from .cases import HIDDEN, masked, weighing_mistakes
from .shown import rules

LAYERS = ("W_q.weight", "W_k.weight", "W_v.weight", "W_o.weight")


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(6)
    empty = np.array([[True, False, True], [False, False, False]])
    return (
        made("build", 6, 2),
        made("refuse", 6, 4),
        case(rng, "self", (1, 2, 2, 6, 2), watched=(0,)),
        case(rng, "cross", (1, 2, 3, 4, 2), "2 queries, 3 keys"),
        case(rng, "mask", (1, 2, 2, 4, 2), "causal", np.tri(2, dtype=bool)),
        case(rng, "each", (2, 2, 2, 4, 2), "padding, 2 sentences, 2 heads", padding(2, 1, n=2)),
        case(rng, "empty", (1, 2, 3, 4, 2), "query 1 may look nowhere", empty),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    one_empty = random_mask(rng, 2, 3, 4)
    one_empty[1, 2] = False
    a_sentence = random_mask(rng, 2, 1, 3, 4)
    return (
        made("build", 12, 3),
        made("refuse", 10, 4),
        case(rng, "self", (2, 4, 4, 15, 3), watched=(0, 1, 2)),
        case(rng, "self", (3, 3, 3, 9, 3), "all sizes alike", watched=(0, 1, 2)),
        case(rng, "cross", (2, 3, 4, 10, 2), "3 queries, 4 keys"),
        case(rng, "cross", (2, 1, 4, 6, 3), "one query"),
        case(rng, "mask", (2, 5, 3, 10, 2), "one mask for all", random_mask(rng, 5, 3)),
        case(rng, "mask", (2, 3, 4, 9, 3), "a mask (batch, 1, n_q, n_k)", a_sentence),
        best_hidden(rng),
        low_scores(rng),
        case(rng, "each", (2, 4, 4, 9, 3), "padding, 2 sentences, 3 heads", padding(4, 2, n=4)),
        case(rng, "each", (2, 3, 3, 10, 2), "a mask a sentence, 2 heads", random_mask(rng, 2, 3, 3)),
        case(rng, "each", (3, 3, 3, 9, 3), "batch, heads, words alike", random_mask(rng, 3, 3, 3)),
        case(rng, "empty", (2, 3, 4, 10, 2), "query 2 of sentence 1 may look nowhere", one_empty),
        case(rng, "empty", (2, 4, 4, 9, 3), "sentence 1 is all padding", padding(3, 0, n=4)),
    )


def made(tag: str, d_model: int, heads: int) -> Case:
    """A module with its own random parameters: on zeros they make no difference."""
    zeros = Tensor(np.zeros((1, 2, d_model), dtype=np.float32))
    label = f"MultiHeadAttention({d_model}, {heads})"
    return Case(tag, (zeros,) * 3, label=label, module=module(d_model, heads))


def case(
    rng: np.random.Generator,
    tag: str,
    sizes: tuple[int, ...],
    label: str = "",
    mask: np.ndarray | None = None,
    watched: tuple[int, ...] = (),
) -> Case:
    """sizes: batch, n_q, n_k, d_model, heads; watched: the arguments whose gradient is asked for."""
    batch, n_q, n_k, d_model, heads = sizes
    lengths = (n_q,) if tag == "self" else (n_q, n_k, n_k)
    inputs = tuple(numbers(rng, batch, n, d_model) for n in lengths) * (3 // len(lengths))
    given = {} if mask is None else {"mask": Tensor(mask)}
    made_of = module(d_model, heads, weights(rng, d_model))
    return Case(tag, inputs, given, label=label, module=made_of, gradient_of=watched)


def best_hidden(rng: np.random.Generator) -> Case:
    """Each query of each head may not look at the key that it likes best."""
    unmasked = case(rng, "mask", (2, 3, 4, 10, 2), "a mask a head that hides the highest score")
    assert unmasked.module is not None, "`case` makes a module"
    projected = (x.array @ unmasked.module.parameters[W].T for x, W in zip(unmasked.args[:2], LAYERS))
    queries, keys = (x.reshape(2, -1, 2, 5).swapaxes(1, 2) for x in projected)
    best = (queries @ keys.swapaxes(-1, -2)).argmax(-1)
    return replace(unmasked, kwargs={"mask": Tensor(np.arange(4) != best[..., None])})


def low_scores(rng: np.random.Generator) -> Case:
    """The keys in view have scores of some minus ten million, far below a hidden one's."""
    queries, values = Tensor(np.full((1, 2, 6), 2000, dtype=np.float32)), numbers(rng, 1, 4, 6)
    keys = Tensor(np.repeat(np.array([-3000, -2800, -2600, 0], dtype=np.float32), 6).reshape(1, 4, 6))
    mask = Tensor(np.array([[True, False, True, False], [True, True, False, False]]))
    alike = module(6, 2, weights(rng, 6) | dict.fromkeys(LAYERS[:2], np.eye(6, dtype=np.float32)))
    return Case("mask", (queries, keys, values), {"mask": mask}, label="very low scores", module=alike)


def module(d_model: int, heads: int, parameters: dict[str, np.ndarray] | None = None) -> ModuleState:
    init = {"d_model": d_model, "num_heads": heads}
    return ModuleState(init, parameters or {}, shows=("attention_weights", "d_k"))


def weights(rng: np.random.Generator, d_model: int) -> dict[str, np.ndarray]:
    return {layer: numbers(rng, d_model, d_model).array for layer in LAYERS}


def numbers(rng: np.random.Generator, *shape: int) -> Tensor:
    """Random numbers with one decimal."""
    return Tensor(rng.normal(size=shape).round(1).astype(np.float32))


def random_mask(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """No row empty, no row full, not symmetric."""
    mask = rng.random(shape) < 0.5
    rows = mask.reshape(-1, shape[-1])
    first = rng.integers(shape[-1], size=len(rows))
    rows[np.arange(len(rows)), first] = True
    rows[np.arange(len(rows)), (first + 1) % shape[-1]] = False
    return mask


def padding(*lengths: int, n: int) -> np.ndarray:
    """(batch, 1, n): True where there is a word."""
    return (np.arange(n) < np.array(lengths)[:, None])[:, None, :]


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    builds_on=("masked_weights", "split_heads", "merge_heads"),
    parts=(
        Part("four projections without bias, d_k, the right shapes", rules.projections, ("build",)),
        Part("self-attention: the right output and weights", rules.attends, ("self",)),
        Part("cross-attention: more or fewer keys than queries", rules.attends, ("cross",)),
        Part("a mask, the same for all or one a head", rules.attends, ("mask",)),
        Part("a mask a sentence, the same for every head", rules.attends, ("each",)),
        Part("a query with nothing to look at gets zeros", rules.sees_nothing, ("empty",)),
        Part("gradients reach queries, keys and values", modules.gradients, ("self",)),
        Part("ValueError where heads cannot share d_model", rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        Misconception("view instead of transpose", "a head gets whole words, not a part of every word",
            "Number the features. Where does the second part of word 0 go?",
            ("Q = ", "split_heads = lambda X, heads: X.view(len(X), heads, X.shape[1], -1); Q = ")),
        Misconception("merge without transpose", "the rows mix words",
            "Follow word 0 from its head outputs to its row of the result.",
            ("merge_heads(self.attention_weights @ V)", "(self.attention_weights @ V).view(queries.shape)")),
        Misconception("both",
            "view instead of transpose and merge without transpose, so that the round trip hides it",
            "Shuffle the words: what should happen to the rows of the output?",
            (
                "Q = ", "split_heads = lambda X, heads: X.view(len(X), heads, X.shape[1], -1); Q = ",
                "merge_heads(self.attention_weights @ V)", "(self.attention_weights @ V).view(queries.shape)",
            )),
        Misconception("√d_model", "the scores are scaled as if there were one head",
            "How long is the vector that one head compares?",
            ("sqrt(self.d_k)", "sqrt(queries.shape[-1])")),
        Misconception("no scale", "the scores go into the softmax as they are",
            "How does the spread of the scores grow with d_k?",
            (" / math.sqrt(self.d_k)", "")),
        Misconception("wrong power", "not the square root of d_k",
            "What is your divisor at d_k = 9?",
            ("math.sqrt(self.d_k)", "self.d_k"),
            ("math.sqrt(self.d_k)", "(self.d_k / 2)"),
            ("/ math.sqrt(self.d_k)", "* math.sqrt(self.d_k)")),
        Misconception("wrong length", "the scale counts words, not features",
            "Over which axis did the product sum?",
            ("sqrt(self.d_k)", "sqrt(keys.shape[1])"),
            ("sqrt(self.d_k)", "sqrt(self.num_heads)")),
        Misconception("scaled after softmax", "the weights no longer sum to 1",
            "What do the weights of one query sum to?",
            (" / math.sqrt(self.d_k)", "", "(scores, mask)", "(scores, mask) / math.sqrt(self.d_k)")),
        Misconception("one projection for all", "queries, keys and values need one each",
            "How many parameters should four layers have, and which inputs pass through each?",
            ("W_k(keys)", "W_q(keys)", "W_v(values)", "W_q(values)"),
            ("W_v(values)", "W_k(values)")),
        Misconception("no W_o", "the heads' results stand side by side, unmixed",
            "Which layer mixes the heads?",
            ("return self.W_o", "return ")),
        Misconception("n_q for both", "keys and values have a length of their own",
            "Whose length do you read, and whose do you use it for?",
            ("W_k(keys)", "W_k(keys).view(queries.shape)")),
        Misconception("mask meets heads", "(batch, n_q, n_k) has no axis for the heads",
            "Write the mask's shape below the scores' shape, right-aligned. Which axis is missing?",
            ("mask.unsqueeze(1)", "mask"),
            (" and mask.dim() == 3", ""),
            ("mask.unsqueeze(1)", "mask.repeat(2, 1, 1).view(len(mask), 2, *mask.shape[1:])")),
        Misconception("wrong partner", "the weights should gather the values",
            "Change only the values: does the output move?",
            ("weights @ V", "weights @ K"),
            ("W_v(values)", "W_v(keys)"),
            ("W_k(keys)", "W_k(values)")),
        Misconception("weights transposed", "a query's weights stand in a row",
            "Which row of the weights belongs to query 0?",
            ("weights @ V", "weights.mT @ V")),
        Misconception("wrong axis", "the softmax lets the heads compete with each other",
            "Which entries of the scores should sum to 1?",
            ("masked_weights(scores, mask)", masked(HIDDEN, ".softmax(dim=1).nan_to_num()"))),
        Misconception("gradient cut", "the output no longer depends on its inputs for autograd",
            "Where is the graph cut? Look for detach, .data and .numpy()."),
        stock.writes_into_its_input(),
        *weighing_mistakes(lambda weights: ("masked_weights(scores, mask)", weights)),
    ),
)
