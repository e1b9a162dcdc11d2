"""How `generate` is judged."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention.scores import NextWordScores

from ...judging.mistakes import mistake
from ..checks import rules

WORDS = 20


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(77)
    return (
        case(rng, "one", 3, 1, 6, "one new token"),
        case(rng, "one", 5, 1, 8, "one new token"),
        case(rng, "many", 2, 4, 9, "four new tokens"),
        case(rng, "long", 7, 3, 4, "a prompt longer than the context"),
        case(rng, "long", 2, 5, 3, "a text that outgrows the context"),
        Case("none", (model(rng, 6, 4), [3, 1], 0, 4), label="nothing to write", scribble=True),
        *(case(rng, "many", 3, 4, 9, "each token is one like any other", word) for word in (0, WORDS - 1)),
        case(rng, "long", 6, 1, 4, "one new token, a prompt longer than the context"),
        close(rng, 3, 6, "two tokens nearly as likely"),
        close(rng, 1, 4, "two tokens nearly as likely, a prompt of one token"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, "one", 4, 1, 8),
        case(rng, "one", 1, 1, 3, "a prompt of one token"),
        case(rng, "many", 3, 4, 12),
        case(rng, "many", 1, 5, 7, "a prompt of one token"),
        *(case(rng, "many", 3, 5, 12, writes=word) for word in (0, WORDS - 1)),
        case(rng, "long", 9, 4, 5, writes=0),
        case(rng, "long", 3, 6, 5, writes=WORDS - 1),
        case(rng, "long", 4, 5, 4, "a prompt as long as the context"),
        case(rng, "long", 5, 6, 1, "a context of one token"),
        Case("none", (model(rng, 5, 3), [2, 0, 4, 1], 0, 3), label="nothing to write", scribble=True),
        *(close(rng, prompt, 7, "two tokens nearly as likely") for prompt in (2, 5)),
    )


def model(rng: np.random.Generator, vocabulary: int, context: int) -> NextWordScores:
    table = rng.normal(size=(vocabulary, vocabulary)).round(3).astype(np.float32)
    return NextWordScores(table, context)


Choice = Callable[[NextWordScores, list[int]], np.ndarray]
"""From a model and the words so far, the logits by which the next word is chosen."""


def case(
    rng: np.random.Generator,
    tag: str,
    prompt: int,
    n_new: int,
    context: int,
    label: str = "",
    writes: int | None = None,
) -> Case:
    """Drawn anew until no way of misreading the task writes what is right.

    writes: a word that is written with others behind it: one like any other, be it the first or the last there is.
    """
    while True:
        scores, words = model(rng, WORDS, context), rng.permutation(WORDS)[:prompt].tolist()
        right = written(scores, words, n_new, lambda model, now: model.at_the_end(now[-context:]))
        astray = [written(scores, words, n_new, wrong) for wrong in misread(prompt, n_new, context)]
        asked_for = writes is None or writes in right[prompt:-1]
        clear = all(_clear(scores.at_the_end(right[:end][-context:])) for end in range(prompt, len(right)))
        if asked_for and clear and right not in astray and _lively(right[prompt:]):
            return Case(tag, (scores, words, n_new, context), label=label)


def close(rng: np.random.Generator, prompt: int, context: int, label: str) -> Case:
    """The likeliest word lies 1e-4 above one that stands before it; in half precision both are alike."""
    while True:
        asked = case(rng, "one", prompt, 1, context, label)
        scores, words = asked.args[:2]
        logits = scores.at_the_end(words)
        likeliest = int(logits.argmax())
        if not likeliest:
            continue
        other = int(rng.integers(likeliest))
        table = scores.table.copy()
        table[words[-1], other] += logits[likeliest] - 1e-4 - logits[other]
        nearly = NextWordScores(table, context)
        logits = nearly.at_the_end(words)
        shares = np.exp(logits - logits.max())
        alike = (one.astype(np.float16)[[likeliest, other]] for one in (logits, shares / shares.sum()))
        if all(one == two for one, two in alike):
            return replace(asked, args=(nearly, *asked.args[1:]))


def misread(prompt: int, n_new: int, context: int) -> list[Choice]:
    """What else a word may be chosen by, where that is something else for some new word."""
    longest = prompt + n_new - 1
    choices: list[Choice] = []
    if min(longest, context) > 1:
        choices += [
            lambda model, now: model.at_the_end(now[-1:]),
            lambda model, now: model.at_the_end(now[-context:][1:] or now),
            lambda model, now: model.at_the_end(now[-context:][:1]),
            lambda model, now: model.at_the_end(now[-context:][:-1] or now),
            lambda model, now: everywhere(model, now[-context:]).mean(0),
            lambda model, now: everywhere(model, now[-context:]).max(0),
        ]
    if longest > context:
        choices.append(lambda model, now: model.at_the_end(now[:context]))
    if n_new > 1:
        choices.append(lambda model, now: model.at_the_end(now[:prompt][-context:]))
    return choices


def everywhere(model: NextWordScores, words: list[int]) -> np.ndarray:
    """The logits at all positions."""
    return np.array([model.at_the_end(words[: end + 1]) for end in range(len(words))])


def written(scores: NextWordScores, prompt: Sequence[int], n_new: int, choice: Choice) -> list[int]:
    """What is written when each word is the likeliest by this choice."""
    now = list(prompt)
    for _ in range(n_new):
        now.append(int(choice(scores, now).argmax()))
    return now


def _clear(logits: np.ndarray) -> bool:
    """No two words nearly as likely, so that no rounding decides."""
    second, first = np.sort(logits)[-2:]
    return bool(first - second > 1e-3)


def _lively(new: list[int]) -> bool:
    """No word twice in a row, so that a text that stands still is not right by chance."""
    return all(one != other for one, other in zip(new, new[1:]))


CROP, LAST = "written[-context:]", "logits[0, -1]"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    variant=Variant(
        "It returns only the new words, without the prompt.",
        ("return written", "return written[len(tokens) :]"),
    ),
    by_error=("context not cropped", "context one word too long or too short"),
    criteria=(
        Criterion("a list of plain ints", rules.plain_ints, ("one", "many")),
        Criterion("the prompt first, then as many new tokens as asked for", rules.prompt_first, ("one", "many")),
        Criterion("one new token: the likeliest at the last position", rules.next_words, ("one",)),
        Criterion("its own tokens are read again", rules.next_words, ("many",), plain=("one",)),
        Criterion("no more than the last `context` tokens are read",
            rules.next_words, ("long",), points=2, plain=("one", "many")),
        Criterion("leaves the prompt as it was", rules.prompt_unchanged, ("one", "many", "long")),
        Criterion("with nothing to write, the prompt comes back", rules.prompt_alone, ("none",)),
        Criterion("and in a list of its own", rules.a_new_list, ("none",)),
    ),
    misconceptions=(
        mistake("reads another position than the last", (LAST, "logits[0, 0]"), (LAST, "logits[0].mean(0)"),
            (LAST, "logits[0].sum(0)"), (LAST, "logits[0].max(0).values"),
            (LAST, "logits[0, max(-2, -logits.shape[1])]"), (LAST, "logits[0, -2]"),
            (LAST, "logits[0, len(tokens) - 1]"), (LAST, "logits[0, min(len(tokens), context) - 1]"),
            (LAST, "logits[0, -1]", "logits[0, -1].argmax()", "logits.argmax() % logits.shape[-1]")),
        mistake("argmax over all positions", (LAST, "logits")),
        mistake("drawn instead of chosen"),
        mistake("context one word too long or too short", (CROP, "written[-context - 1:]"),
            (CROP, "written[-context + 1:]"), (CROP, "(written[-context:][1:] or written[-1:])")),
        mistake("context not cropped", (CROP, "written"),
            ("list(tokens)", "list(tokens)\n    window = tokens[-context:]", CROP, "window + written[len(tokens):]")),
        mistake("cropped at the wrong end", (CROP, "written[:context]")),
        mistake("does not read its own words", (CROP, "tokens[-context:]"),
            """
            best = model(torch.tensor([tokens[-context:]]))[0, -1].topk(n_new).indices
            return list(tokens) + best.tolist()
            """),
        mistake("only the newest word is read", (CROP, "written[-1:]"),
            ("logits = model(torch.tensor([written[-context:]]))",
                "logits = model(torch.tensor([written[-1:] if len(written) > len(tokens) else written[-context:]]))")),
        mistake("prompt not returned", ("return written", "return written[len(tokens):]"),
            ("return written", "return list(tokens) + written")),
        mistake("one word too many or too few", ("range(n_new)", "range(n_new + 1)"),
            ("range(n_new)", "range(n_new - 1)")),
        mistake("n_new taken for the whole length", ("range(n_new)", "range(n_new - len(tokens))")),
        mistake("least likely word written", ("argmax", "argmin")),
        mistake("rounded before the choice", (f"{LAST}.argmax()", f"{LAST}.half().softmax(-1).argmax()"),
            (f"{LAST}.argmax()", f"{LAST}.softmax(-1).half().argmax()"),
            (f"{LAST}.argmax()", f"{LAST}.bfloat16().argmax()"),
            (f"{LAST}.argmax()", f"{LAST}.mul(100).round().argmax()")),
        mistake("the prompt's own list returned"),
        mistake("tensors or arrays in place of plain ints",
            ("int(logits[0, -1].argmax())", "logits[0, -1].argmax()"),
            ("int(logits[0, -1].argmax())", "logits[0, -1].argmax().numpy()")),
        mistake("writes into its input", ("list(tokens)", "tokens"), detail="the prompt grows with the text"),
    ),
)
