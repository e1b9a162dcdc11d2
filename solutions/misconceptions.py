"""What the corpus has to hold: the rows and the accepted forms of the list of misconceptions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.author.corpus import Answer, answers
from autograder.author.course import open_course

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
        """Rows with fewer than two answers, and accepted forms with none."""
        wrong = [answer.row or answer.misconception for answer in self.answers if not answer.right]
        forms = [answer.row for answer in self.answers if answer.right and answer.row]
        return [
            *(f"{self.title}: {row}" for row in self.rows if wrong.count(row) < 2),
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
            "whole matrix",
            "wrong axis",
            "axis ignored",
            "overflow",
            "global shift",
            "broadcast",
            "writes into its input",
        ),
        ("exp(x − logsumexp)", "scipy", "base 2", "any per-row shift", "float32 results"),
    ),
    Section(
        "weighted sums",
        ("01_weighted_sums",),
        (
            "cut to the shortest",
            "repeated word lost",
            "plain mean",
            "case, off by one",
            "padded on the left",
        ),
        ("zip_longest", "np.pad", "Counter", "matmul"),
    ),
    Section(
        "scaled dot-product attention",
        ("02_toy_tensors", "03_word2vec_heatmap"),
        (
            "no scale",
            "wrong power",
            "wrong length",
            "scaled after softmax",
            "transposed the batch",
            "softmax over queries",
            "whole matrix",
            "wrong partner",
            "weights transposed",
            "mask inverted",
            "mask ignored",
            "fill too weak",
            "masked after softmax",
            "empty row",
            "zero times infinity",
            "mask transposed",
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
            "KeyError",
            "new every call",
            "one for all",
            "another one tomorrow",
            "word dropped",
            "far too long",
            "alias",
        ),
    ),
    Section(
        "Gaussian kernel",
        ("04_gaussian_kernel",),
        (
            "sign",
            "bandwidth",
            "distance",
            "not normalised",
            "underflow",
            "pairs",
            "features",
            "twice",
        ),
        ("cdist", "loops", "softmax of −d²/(2h²)", "‖q‖² + ‖k‖² − 2q·k", "a pdf's constant"),
    ),
    Section(
        "masked softmax, additive and dot-product modules",
        ("05_additive_vs_dot_product",),
        (
            "lengths repeated in the wrong order",
            "off by one",
            "length 0",
            "fill too weak",
            "writes into its input",
            "lengths per row ignored",
            "masks the queries",
            "no tanh, tanh misplaced, relu",
            "axes missing or swapped",
            "squeezed too much",
            "softmax over queries",
            "projected values",
            "extra scale, bias, swapped sizes",
            "dropout in evaluation",
            "dropout elsewhere",
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
            "looks ahead",
            "diagonal",
            "not boolean",
            "inverted padding",
            "pads the queries",
            "literal 0",
            "view instead of transpose",
            "merge without transpose",
            "both",
            "√d_model",
            "one projection for all",
            "no W_o",
            "n_q for both",
            "mask meets heads",
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
        ("divided by d_k", "uniform instead of normal", "deviation for variance"),
    ),
)
