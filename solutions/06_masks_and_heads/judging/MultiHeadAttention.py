"""How `MultiHeadAttention` is judged."""

from dataclasses import replace

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, ModuleState, Tensor, Variant
from attention import library

from ...judging.cases import numbers, padding, tensor
from ...judging.mistakes import mistake
from ..checks import rules
from .cases import HIDDEN, masked, weighing_mistakes

SELF = ("self", "train", "second")
LAYERS = ("W_q.weight", "W_k.weight", "W_v.weight", "W_o.weight")


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(6)
    empty = np.array([[True, False, True], [False, False, False]])
    of_heads = np.array([[[[1, 0, 1], [0, 0, 1]], [[0, 1, 1], [1, 1, 0]]]], dtype=bool)
    of_sentences = np.array([[[1, 1], [0, 1], [1, 0]], [[1, 0], [1, 1], [0, 1]]], dtype=bool)
    as_many = np.array([[[1, 1, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]]], dtype=bool)
    return (
        made("build", 6, 2),
        made("refuse", 6, 4),
        case(rng, "self", (1, 2, 2, 6, 2)),
        case(rng, "cross", (2, 2, 3, 6, 3), "2 queries, 3 keys"),
        case(rng, "mask", (1, 2, 2, 4, 2), "causal", np.tri(2, dtype=bool)),
        case(rng, "mask", (1, 2, 3, 6, 2), "a mask a head", of_heads),
        low_scores(rng),
        case(rng, "each", (2, 2, 2, 4, 2), "padding, 2 sentences, 2 heads", padding(2, 1, n=2)),
        case(rng, "each", (2, 3, 2, 6, 2), "a mask a sentence, 2 heads", of_sentences),
        case(rng, "empty", (1, 2, 3, 6, 2), "query 1 may look nowhere", empty),
        case(rng, "gradient", (1, 2, 3, 6, 2), watched=(0, 1, 2)),
        in_training(case(rng, "train", (1, 2, 2, 6, 2), "after train()")),
        second_call(rng),
        case(rng, "cross", (2, 1, 2, 4, 2), "one query"),
        case(rng, "gradient", (1, 2, 2, 6, 2), "under a mask", np.tri(2, dtype=bool), watched=(0, 1, 2)),
        case(rng, "gradient", (1, 2, 3, 6, 2), "query 1 may look nowhere", empty, watched=(0, 1, 2)),
        case(rng, "each", (2, 2, 3, 6, 2), "a mask a sentence, as many queries as heads", as_many),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    one_empty = random_mask(rng, 2, 3, 4)
    one_empty[1, 2] = False
    a_sentence = random_mask(rng, 2, 1, 3, 4)
    return (
        made("build", 12, 3),
        made("refuse", 10, 4),
        case(rng, "self", (2, 4, 4, 15, 3)),
        case(rng, "self", (3, 3, 3, 9, 3), "all sizes alike"),
        case(rng, "cross", (2, 3, 4, 10, 2), "3 queries, 4 keys"),
        case(rng, "cross", (2, 1, 4, 6, 3), "one query"),
        case(rng, "cross", (2, 3, 1, 6, 3), "one key"),
        case(rng, "cross", (2, 3, 4, 1, 1), "one column, one head"),
        case(rng, "mask", (2, 5, 3, 10, 2), "one mask for all", random_mask(rng, 5, 3)),
        case(rng, "mask", (1, 3, 1, 4, 2), "one key, which all may look at", np.ones((3, 1), dtype=bool)),
        case(rng, "mask", (2, 3, 4, 9, 3), "a mask (batch, 1, n_q, n_k)", a_sentence),
        best_hidden(rng),
        low_scores(rng),
        case(rng, "each", (2, 4, 4, 9, 3), "padding, 2 sentences, 3 heads", padding(4, 2, n=4)),
        case(rng, "each", (2, 3, 3, 10, 2), "a mask a sentence, 2 heads", random_mask(rng, 2, 3, 3)),
        case(rng, "each", (3, 3, 3, 9, 3), "batch, heads, words alike", random_mask(rng, 3, 3, 3)),
        case(rng, "empty", (2, 3, 4, 10, 2), "query 2 of sentence 1 may look nowhere", one_empty),
        case(rng, "empty", (2, 4, 4, 9, 3), "sentence 1 is all padding", padding(3, 0, n=4)),
        case(rng, "gradient", (2, 3, 4, 10, 2), watched=(0, 1, 2)),
        case(rng, "gradient", (2, 3, 4, 10, 2), "one query may look nowhere", one_empty, watched=(0, 1, 2)),
    )


def made(tag: str, d_model: int, heads: int) -> Case:
    """A module with its own random parameters: on zeros they make no difference."""
    zeros = Tensor(np.zeros((1, 3, d_model), dtype=np.float32))
    label = f"MultiHeadAttention({d_model}, {heads})"
    of_its_own = replace(module(d_model, heads), shows=("attention_weights", "d_k"), named=LAYERS)
    raises = "ValueError" if tag == "refuse" else ""
    return Case(tag, (zeros,) * 3, label=label, module=of_its_own, raises=raises)


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
    lengths = (n_q,) if tag in SELF else (n_q, n_k, n_k)
    inputs = tuple(numbers(rng, batch, n, d_model) for n in lengths) * (3 // len(lengths))
    given = {} if mask is None else {"mask": Tensor(mask)}
    made_of = module(d_model, heads, weights(rng, d_model))
    return Case(tag, inputs, given, label=label, module=made_of, gradient_of=watched)


def in_training(asked: Case) -> Case:
    assert asked.module is not None, "`case` makes a module"
    return replace(asked, module=replace(asked.module, training=True))


def second_call(rng: np.random.Generator) -> Case:
    """Nothing of the first call is left, neither its mask nor its numbers."""
    label = "the second call; the first had other numbers, and a mask"
    asked = case(rng, "second", (1, 2, 2, 6, 2), label)
    assert asked.module is not None, "`case` makes a module"
    first = (*(numbers(rng, 1, 2, 6),) * 3, Tensor(np.tri(2, dtype=bool)))
    return replace(asked, module=replace(asked.module, called_before=first))


def best_hidden(rng: np.random.Generator) -> Case:
    """Each query of each head may not look at the key that it likes best."""
    unmasked = case(rng, "mask", (2, 3, 4, 10, 2), "a mask a head that hides the highest score")
    assert unmasked.module is not None, "`case` makes a module"
    projected = (x.array @ unmasked.module.parameters[W].T for x, W in zip(unmasked.args[:2], LAYERS))
    queries, keys = (x.reshape(2, -1, 2, 5).swapaxes(1, 2) for x in projected)
    best = (queries @ keys.swapaxes(-1, -2)).argmax(-1)
    return replace(unmasked, kwargs={"mask": Tensor(np.arange(4) != best[..., None])})


def low_scores(rng: np.random.Generator) -> Case:
    """Keys in view score some ten million below a hidden one, for query 1 above it, for query 2 some 80 below."""
    queries = tensor(np.repeat([2000, -2000, 0.0185], 6).reshape(1, 3, 6))
    values = numbers(rng, 1, 4, 6)
    keys = tensor(np.repeat([-3000, -2800, -2600, 0], 6).reshape(1, 4, 6))
    mask = Tensor(np.array([[1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 0]], dtype=bool))
    alike = module(6, 2, weights(rng, 6) | dict.fromkeys(LAYERS[:2], np.eye(6, dtype=np.float32)))
    return Case("far", (queries, keys, values), {"mask": mask}, label="very low and very high scores", module=alike)


def module(d_model: int, heads: int, parameters: dict[str, np.ndarray] | None = None) -> ModuleState:
    init = {"d_model": d_model, "num_heads": heads}
    return ModuleState(init, parameters or {}, shows=("attention_weights",))


def weights(rng: np.random.Generator, d_model: int) -> dict[str, np.ndarray]:
    return {layer: numbers(rng, d_model, d_model).array for layer in LAYERS}


def random_mask(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """No row empty, no row full, not symmetric."""
    mask = rng.random(shape) < 0.5
    rows = mask.reshape(-1, shape[-1])
    first = rng.integers(shape[-1], size=len(rows))
    rows[np.arange(len(rows)), first] = True
    rows[np.arange(len(rows)), (first + 1) % shape[-1]] = False
    return mask


SPLIT = "split_heads = lambda X, heads: X.view(len(X), {}); Q = "
VIEWED = "heads, X.shape[1], -1"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    builds_on=("split_heads", "merge_heads"),
    library=library.ATTENTION,
    steps=("Q", "K", "V", "scores"),
    by_error=("n_q used for the keys", "overwrites what the gradient needs",),
    variant=Variant(
        "The mask says who may *not* be looked at: True hides a key.",
        ("masked_weights(scores, mask)", "masked_weights(scores, None if mask is None else ~mask)"),
        ("self", "cross", "mask", "each"),
    ),
    criteria=(
        Criterion("parameters: four matrices without bias, nothing else", rules.projections, ("build",), built=True),
        Criterion("d_k is the width of a head", rules.width_of_a_head, ("build",), built=True),
        Criterion("self-attention: shapes, output and weights", rules.self_attention, ("build", *SELF)),
        Criterion("cross-attention: more or fewer keys than queries", rules.attends, ("cross",), plain=("self",)),
        Criterion("a 2-D or 4-D mask", rules.attends, ("mask",), plain=("self",)),
        Criterion("a 3-D mask: one for each sentence", rules.attends, ("each",), plain=("self", "mask")),
        Criterion("right however high or low the scores are", rules.attends, ("far",), plain=("self", "mask")),
        Criterion("a query with nothing to look at gets zeros", rules.sees_nothing, ("empty",)),
        Criterion("the other queries keep their weights", rules.others_see, ("empty",), plain=("self", "mask", "each")),
        Criterion("all inputs stay as they were", rules.untouched, ("self", "cross", "mask", "each")),
        Criterion("gradients reach inputs and matrices, never NaN", rules.gradients, ("gradient",)),
        Criterion("ValueError where heads cannot share d_model",
            rules.value_error, ("build", "refuse"), points=0, built=True),
    ),
    misconceptions=(
        mistake("view instead of transpose", ("Q = ", SPLIT.format(VIEWED))),
        mistake("transpose missing", ("Q = ", SPLIT.format("X.shape[1], heads, -1")),
            ("Q = ", SPLIT.format("X.shape[1], heads, -1"), "return self.W_o(merge_heads(self.attention_weights @ V))",
                "return self.W_o((self.attention_weights @ V).flatten(2))")),
        mistake("merged without a transpose",
            ("merge_heads(self.attention_weights @ V)", "(self.attention_weights @ V).view(queries.shape)")),
        mistake("split and merge both without a transpose",
            ("Q = ", SPLIT.format(VIEWED),
             "merge_heads(self.attention_weights @ V)", "(self.attention_weights @ V).view(queries.shape)")),
        mistake("divided by √d_model instead of √d_k", ("sqrt(self.d_k)", "sqrt(queries.shape[-1])"),
            ("d_model // num_heads", "d_model")),
        mistake("not divided by √d_k", (" / math.sqrt(self.d_k)", ""),
            detail="the scores go into the softmax as they are",
            question="How does the spread of the scores grow with d_k?"),
        mistake("divided by the wrong power of d_k", ("math.sqrt(self.d_k)", "self.d_k"),
            ("math.sqrt(self.d_k)", "(self.d_k / 2)"), ("math.sqrt(self.d_k)", "self.d_k ** 1 / 2"),
            ("math.sqrt(self.d_k)", "self.d_k ** 2"), ("/ math.sqrt(self.d_k)", "* math.sqrt(self.d_k)"),
            detail="not by its square root", question="What is your divisor at d_k = 9?"),
        mistake("divided by the root of the wrong length", ("sqrt(self.d_k)", "sqrt(keys.shape[1])"),
            ("sqrt(self.d_k)", "sqrt(queries.shape[1])"), ("sqrt(self.d_k)", "sqrt(len(keys))"),
            ("sqrt(self.d_k)", "sqrt(self.num_heads)")),
        mistake("scaled after the softmax",
            (" / math.sqrt(self.d_k)", "", "(scores, mask)", "(scores, mask) / math.sqrt(self.d_k)"),
            detail="the weights no longer sum to 1"),
        mistake("one projection for Q, K and V", ("W_k(keys)", "W_q(keys)", "W_v(values)", "W_q(values)"),
            detail="queries, keys and values need one each",
            question="How many parameters should four layers have, and which inputs pass through each?"),
        mistake("one projection for two inputs", ("W_v(values)", "W_k(values)"),
            ("W_v(values)", "W_q(values)"), ("W_k(keys)", "W_q(keys)")),
        mistake("W_o missing", ("return self.W_o", "return ")),
        mistake("bias added", detail="the layers shift what passes through them"),
        mistake("the library's own module handed in"),
        mistake("n_q used for the keys", ("W_k(keys)", "W_k(keys).view(queries.shape)"),
            ("Q = ", SPLIT.format("queries.shape[1], heads, self.d_k).transpose(1, 2")),
            ("Q = ", SPLIT.format("queries.shape[1], heads, -1).transpose(1, 2"))),
        mistake("mask broadcast against the heads", ("mask.unsqueeze(1)", "mask"),
            ("mask.unsqueeze(1)", "mask.unsqueeze(0)"),
            ("mask.unsqueeze(1)", "mask.repeat(2, 1, 1).view(len(mask), 2, *mask.shape[1:])")),
        mistake("mask's axis for the heads in the wrong place", (" and mask.dim() == 3", ""),
            (" and mask.dim() == 3", " and mask.dim() != 2"), ("mask.unsqueeze(1)", "mask.unsqueeze(2)"),
            ("mask.unsqueeze(1)", "mask.unsqueeze(-1)")),
        mistake("Q, K or V in the wrong place", ("weights @ V", "weights @ K"), ("W_v(values)", "W_v(keys)"),
            ("W_v(values)", "W_v(queries)"), ("W_k(keys)", "W_k(values)"), ("W_k(keys)", "W_k(queries)"),
            ("W_k(keys)", "W_k(queries)", "W_v(values)", "W_v(queries)"), ("Q @ K.t", "K @ Q.t"),
            ("Q @ K.t", "Q @ V.t"), ("Q @ K.t", "Q @ Q.t"),
            detail="one of the three stands where another should",
            question="Follow each of the three: who asks, who is asked, and what is mixed?"),
        mistake("weights transposed", ("weights @ V", "weights.mT @ V"),
            detail="a query's weights stand in a row",
            question="Which row of the weights belongs to query 0?"),
        mistake("softmax over the heads",
            ("masked_weights(scores, mask)", masked(HIDDEN, ".softmax(dim=1).nan_to_num()")),
            ("masked_weights(scores, mask)", masked(HIDDEN, ".softmax(dim=1)")),
            detail="the heads compete with each other",
            question="Which entries of the scores should sum to 1?"),
        mistake("gradient cut", ("masked_weights(scores, mask)", "masked_weights(scores, mask).detach()"),
            ("masked_weights(scores, mask)",
             masked("(scores + additive_mask(mask))", ".softmax(dim=-1).nan_to_num()")),
            detail="nothing, or NaN, gets back to an input or a projection",
            question="Where does the path from the inputs to the output leave the graph, or meet 0/0?"),
        mistake("overwrites what the gradient needs",
            ("masked_weights(scores, mask)",
             f"scores.softmax(dim=-1) if mask is None else {HIDDEN}.softmax(dim=-1).nan_to_num_()"),
            ("masked_weights(scores, mask)", f"(scores if mask is None else {HIDDEN}).softmax(dim=-1).nan_to_num_()")),
        mistake("axis of length 1 lost",
            *(("@ V))", f"@ V)).{lost}") for lost in ("squeeze()", "squeeze(0)", "squeeze(1)")),
            detail="an axis of length 1 that belongs to the shape is gone",
            question="Which 1s vanished, and which of them counted sentences, queries or keys?"),
        mistake("batch axis transposed",
            *(("K.transpose(-2, -1)", turned) for turned in ("K.T", "K.transpose(1, 2)", "K.transpose(0, 1)")),
            ("K.transpose(-2, -1)", "K.T", "merge_heads(self.attention_weights @ V)",
             "(self.attention_weights @ V).transpose(1, 2).reshape(queries.shape)"),
            question="Write down what each of K's four axes counts: which two must swap?"),
        mistake("writes into its input"),
        *weighing_mistakes(lambda weights: ("masked_weights(scores, mask)", weights)),
    ),
)
