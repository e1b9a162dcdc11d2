"""How `plot_attention_weights` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common, common_mistakes

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
        common_mistakes.nothing_returned(detail="the picture is drawn and then lost",
            question="What could someone who calls your function do with the picture?"),
        Misconception("heatmap transposed", "queries and keys have changed places",
            "A row of the weights belongs to one word. Of which sentence?"),
        Misconception("words along the wrong side", "the two sentences have changed places, the weights have not",
            "A row of the weights belongs to one word. Of which sentence?",
            ("xticklabels=words_2", "xticklabels=words_1", "yticklabels=words_1", "yticklabels=words_2")),
        Misconception("axis labels swapped", "the side that looks is called the one that is looked at",
            "Which side are the words that look on?",
            ('xlabel="key: is looked at", ylabel="query: looks"', 'xlabel="query: looks", ylabel="key: is looked at"')),
        Misconception("labelled letter by letter", "a sentence was taken for a list",
            "What do you get when you loop over a string?"),
        Misconception("words along the sides missing", "the rows and columns are numbered, not named",
            "Could a reader tell from the picture alone who looks at whom?"),
        Misconception("weights not written into the cells", "the cells have colours alone",
            "Which argument of sns.heatmap writes the values into the cells?"),
        Misconception("colours stretched to the weights", "they run from the smallest weight to the largest",
            "In pictures of other sentences, does a colour stand for the same weight? Which arguments fix that?"),
        Misconception("axis labels without query and key", "nothing says which side asks and which answers",
            "Which side are the queries on? Where would a reader see it?"),
    ),
)
