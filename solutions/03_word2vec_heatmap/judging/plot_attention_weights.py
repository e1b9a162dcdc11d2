"""How `plot_attention_weights` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(5)
    return (
        picture(rng, ["cats", "sleep"], ["dogs", "are", "playing"], "lists of words"),
        picture(rng, "the cat the dog", "dogs bark", "sentences as strings"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        picture(rng, "we sing we", ["so", "do", "I"], "a string and a list, as many queries as keys"),
        picture(rng, ["hello"], "good day", "a list and a string, a single query"),
        picture(rng, "good day", ["hello"], "a string and a list, a single key"),
    )


def picture(rng: np.random.Generator, queries: str | list[str], keys: str | list[str], label: str) -> Case:
    """A first weight of 0.004, where there are several keys, and others at random."""
    sizes = [len(x.split() if isinstance(x, str) else x) for x in (queries, keys)]
    kernel = np.exp(2 * rng.normal(size=sizes))
    kernel[0, 0] = 0.004 * kernel[0, 1:].sum() or 1.0
    weights = np.round(kernel / kernel.sum(axis=-1, keepdims=True), 3)
    return Case("picture", (weights, queries, keys), label=label, tolerance=0.006)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    canonical=rules.picture,
    variant=Variant(
        "The keys stand in the rows and the queries in the columns, with their words.",
        (
            "attention_weights,\n", "attention_weights.T,\n",
            "xticklabels=words_2", "xticklabels=words_1",
            "yticklabels=words_1", "yticklabels=words_2",
            'xlabel="key: is looked at", ylabel="query: looks"', 'xlabel="query: looks", ylabel="key: is looked at"',
        ),
        rule=rules.same_picture,
    ),
    criteria=(
        Criterion("the Axes come back, with a heatmap on them", rules.drew_axes),
        Criterion("a row for each query, a column for each key", rules.queries_in_rows),
        Criterion("every row and column carries its word", rules.labelled_by_word),
        Criterion("every cell shows its weight", rules.annotated),
        Criterion("colours that run from 0 to 1", rules.full_scale),
        Criterion("a title", rules.titled),
        Criterion("axis labels that name query and key", rules.sides_named),
        Criterion("weights and words stay as they were", common.unchanged),
    ),
    misconceptions=(
        mistake("nothing returned"),
        mistake("heatmap transposed"),
        mistake("words along the wrong side",
            ("xticklabels=words_2", "xticklabels=words_1", "yticklabels=words_1", "yticklabels=words_2")),
        mistake("axis labels swapped",
            ('xlabel="key: is looked at", ylabel="query: looks"', 'xlabel="query: looks", ylabel="key: is looked at"')),
        mistake("labelled letter by letter"),
        mistake("words along the sides missing"),
        mistake("weights not written into the cells"),
        mistake("colours stretched to the weights"),
        mistake("axis labels without query and key"),
    ),
)
