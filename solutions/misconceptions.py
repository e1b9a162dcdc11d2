"""What the corpus has to hold: the rows and the accepted forms of the list of misconceptions."""

from dataclasses import dataclass
from pathlib import Path

from autograder.authoring.corpus import Answer, answers
from autograder.courses import open_course

COURSE = open_course(Path(__file__).parent)


@dataclass(frozen=True)
class Section:
    """One table of the list: the ids of the lessons it is about, its rows by name, the forms under "Accept"."""

    title: str
    lessons: tuple[str, ...]
    rows: tuple[str, ...]
    accept: tuple[str, ...] = ()

    @property
    def answers(self) -> list[Answer]:
        return [answer for lesson in self.lessons for answer in answers(COURSE.lesson(lesson))]

    def missing(self) -> list[str]:
        """Rows and accepted forms for which no answer stands."""
        wrong = [answer.row or answer.misconception for answer in self.answers if not answer.right]
        forms = [answer.row for answer in self.answers if answer.right and answer.row]
        return [
            *(f"{self.title}: {row}" for row in self.rows if row not in wrong),
            *(
                f"{self.title}, accept: {form}"
                for form in self.accept
                if not any(map(form.startswith, forms))
            ),
        ]


SECTIONS = (
    Section(
        "softmax",
        ("01_weighted_sums",),
        (
            "softmax over the whole matrix",
            "softmax over the wrong axis",
            "axis argument ignored",
            "no shift by the maximum",
            "one maximum for all rows",
            "broadcast along the wrong axis",
            "writes into its input",
            "fractions cut off",
        ),
        ("exp(x − logsumexp)", "scipy", "base 2", "any per-row shift", "float32 results"),
    ),
    Section(
        "weighted sums",
        ("01_weighted_sums",),
        (
            "cut to the shortest vector",
            "repeated word lost",
            "plain mean instead of weights",
            "capitals not counted like small letters",
            "letters counted from the wrong number",
            "padded on the left",
            "padded with something else than zeros",
            "weights renormalised at each place",
        ),
        ("zip_longest", "np.pad", "Counter", "matmul"),
    ),
    Section(
        "scaled dot-product attention",
        ("02_toy_tensors", "03_word2vec_heatmap"),
        (
            "not divided by √d_k",
            "divided by the wrong power of d_k",
            "divided by the root of the wrong length",
            "scaled after the softmax",
            "batch axis transposed",
            "softmax over the queries",
            "softmax over the whole matrix",
            "Q, K or V in the wrong place",
            "weights transposed",
            "mask inverted",
            "mask ignored",
            "masked score not low enough",
            "masked after the softmax",
            "row with nothing to look at",
            "zero times infinity",
            "mask transposed",
            "works for one rank only",
            "works for one batch axis at most",
            "exponential missing",
            "only the best key counts",
            "weights returned without the values",
            "keys masked instead of the scores",
            "gradient cut",
        ),
        (
            "einsum",
            "loops",
            "np.where",
            "additive mask",
            "−1e9 and then · mask",
            "logsumexp",
            "scaled Q",
            "d^−¼ on both sides",
            "bmm",
            "baddbmm",
            ".mT",
            "masked_fill + nan_to_num",
            "the library's own SDPA where the text allows it",
        ),
    ),
    Section(
        "word embeddings",
        ("03_word2vec_heatmap",),
        (
            "unknown word not handled",
            "new vector on every call",
            "one vector for all unknown words",
            "another vector in every process",
            "unknown word dropped",
            "vector far too long",
            "the model's own row, not a copy",
        ),
    ),
    Section(
        "Gaussian kernel",
        ("04_gaussian_kernel",),
        (
            "minus sign missing",
            "bandwidth in the wrong place, or left out",
            "distance not squared or not halved",
            "weights not normalised",
            "all kernel values underflow",
            "queries and keys paired one to one",
            "features not added up",
            "exponential taken twice",
            "minus sign too many",
            "cosine instead of the dot product",
            "only one sample left out",
            "only the samples on one side vote",
            "prediction compared with all values",
        ),
        ("cdist", "loops", "softmax of −d²/(2h²)", "‖q‖² + ‖k‖² − 2q·k", "a pdf's constant"),
    ),
    Section(
        "masked softmax, additive and dot-product modules",
        ("05_additive_vs_dot_product",),
        (
            "lengths repeated in the wrong order",
            "valid length off by one",
            "length of 0 not handled",
            "masked score not low enough",
            "writes into its input",
            "lengths per query ignored, or lengths per batch entry not expanded",
            "queries masked instead of keys",
            "tanh missing, or on the queries alone",
            "tanh in the wrong place",
            "another function in place of tanh",
            "axes not lined up for broadcasting",
            "axis of length 1 lost",
            "softmax over the queries",
            "values projected",
            "scores scaled where they are not",
            "bias added",
            "query and key sizes swapped",
            "dropout lost after eval()",
            "dropout in evaluation",
            "dropout in the wrong place",
            "renormalised after dropout",
        ),
        (
            "concat + one split Linear",
            "einsum",
            "[:, :, None]",
            "loops",
            "functional dropout with self.training",
        ),
    ),
    Section(
        "masks and heads",
        ("06_masks_and_heads",),
        (
            "mask looks ahead",
            "causal mask off by one",
            "mask not boolean",
            "padding mask inverted",
            "queries padded instead of keys",
            "pad token fixed at 0",
            "view instead of transpose",
            "merged without a transpose",
            "split and merge both without a transpose",
            "divided by √d_model instead of √d_k",
            "one projection for Q, K and V",
            "W_o missing",
            "n_q used for the keys",
            "mask broadcast against the heads",
        ),
        (
            "fused QKV",
            "per-head lists",
            "einops",
            "unflatten",
            "folded batch",
            "reshape",
            "contiguous().view",
        ),
    ),
    Section(
        "variance",
        ("02_toy_tensors",),
        (
            "divided by d_k instead of √d_k",
            "uniform instead of normal draws",
            "deviation instead of variance",
            "every query paired with every key",
        ),
    ),
    Section(
        "a tiny transformer",
        ("07_tiny_transformer",),
        (
            "targets not shifted",
            "shifted the wrong way",
            "shifted twice",
            "softmax before the cross-entropy",
            "classes on the wrong axis",
            "loss summed instead of averaged",
            "pads counted in the loss",
            "sine and cosine in halves",
            "wrong wavelength",
            "positions counted from 1",
            "positions along the columns",
            "residual missing",
            "residual from the normed input",
            "normed after the sum",
            "one norm for both",
            "keys and values not normed",
            "mask not handed on",
            "feed-forward without an activation function",
            "temperature after the softmax",
            "temperature multiplied",
            "reads another position than the last",
            "context not cropped",
            "cropped at the wrong end",
            "does not read its own words",
            "prompt not returned",
        ),
        (
            "F.cross_entropy with ignore_index",
            "gather of log_softmax",
            "einsum",
            "exp(−ln 10000 · 2i/d)",
            "ReLU as function or module",
            "a loop",
            "a list",
            "logits divided by T",
            "argmax",
            "topk(1)",
        ),
    ),
    Section(
        "attention today",
        ("08_attention_today",),
        (
            "mask aligned at the top left",
            "mask looks ahead",
            "halves turned instead of pairs",
            "angles added instead of turned",
            "pairs' angles with the halves' partner",
            "positions ignored",
            "wrong wavelength",
            "new words not masked among themselves",
            "positions restart at 0",
            "kept keys turned again",
            "values turned too",
            "new words put in front",
            "positions counted by the cache's length",
            "groups tiled instead of repeated",
            "groups averaged",
            "only the first group read",
            "queries of a group averaged",
            "mean of the blocks' softmaxes",
            "sum not rescaled",
            "output not rescaled",
            "the block's top for the running one",
            "reads before it writes",
            "later words summed too",
            "no normaliser",
            "no feature map",
            "state transposed",
            "redrawn from p instead of p − q",
            "p and q exchanged",
        ),
        (
            "SDPA with enable_gqa",
            "complex numbers",
            "rotation matrices",
            "a list as the pair",
            "views",
            "einsum",
            "loops",
            "float32",
            "float64",
            "log-sum-exp",
            "a running sum of n outer products",
            "another source of random numbers",
        ),
    ),
    Section(
        "slips of form",
        ("01_weighted_sums", "02_toy_tensors", "03_word2vec_heatmap", "07_tiny_transformer"),
        (
            "return inside the loop",
            "overwritten instead of added up",
            "total reset inside the loop",
            "a variable of the notebook instead of the argument",
            "a constant instead of the input's size",
            "largest taken for longest",
            "one row for all",
            "truth asked instead of None",
        ),
    ),
)
