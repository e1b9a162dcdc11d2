"""How `training_step` is judged."""

from dataclasses import replace

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention.learners import Learner, StepsOf

from ...judging.cases import numbers, whole_numbers
from ...judging.mistakes import mistake
from ..checks import model


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(77)
    return (
        case(rng, "step", [[2, 0, 3, 1, 4]], 5, sgd(0.5), "one text"),
        case(rng, "step", [[1, 4, 0], [2, 2, 3]], 5, sgd(0.25), "two texts"),
        case(rng, "old", [[3, 1, 0, 2]], 4, sgd(0.5), "gradients from before", old="1.5"),
        case(rng, "old", [[0, 2, 1]], 3, sgd(0.5), "infinite ones from before", old="inf"),
        case(rng, "any", [[1, 3, 0, 2]], 4, StepsOf("Adam", (0.1,))),
        case(rng, "any", [[4, 2, 1, 3]], 5, sgd(0.5, 0.125), "a learning rate for each parameter"),
        case(rng, "pad", [[3, 1, 4, 2], [2, 4, 0, 0]], 5, sgd(0.5), "padded with 0", pad_token=0),
        case(rng, "nothing", [[2], [1]], 3, sgd(0.5), "texts of one token"),
        case(rng, "mode", [[1, 0, 2]], 3, sgd(0.5), "a model after eval()", training=False),
        case(rng, "old", [[2, 3, 0, 1]], 4, sgd(0.5, 0.25), "gradients from before in two groups", old="2"),
        case(rng, "pad", [[4, 4, 1, 3], [2, 0, 1, 3]], 5, sgd(0.5), "padded with 4, on the left", pad_token=4),
        case(rng, "any", [[1, 2, 0, 3]], 4, UNDER_WAY),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    def some(batch: int, n: int, vocabulary: int) -> list[list[int]]:
        rows: list[list[int]] = rng.integers(1, vocabulary, size=(batch, n)).tolist()
        return rows

    padded = [row[: 4 - i] + [0] * (1 + i) for i, row in enumerate(some(3, 5, 7))]
    return (
        case(rng, "step", some(2, 5, 7), 7, sgd(0.5)),
        case(rng, "step", [[3, 1, 2, 0, 4, 1]], 5, sgd(1.0), "one text"),
        case(rng, "step", [[1, 0]], 3, sgd(0.5), "one target"),
        case(rng, "old", some(2, 4, 6), 6, sgd(0.5), old="-2"),
        case(rng, "old", some(1, 5, 6), 6, sgd(0.5), old="nan"),
        case(rng, "old", some(1, 5, 6), 6, StepsOf("Adam", (0.1,)), old="inf"),
        case(rng, "old", some(2, 3, 5), 5, StepsOf("AdamW", (0.1,)), old="3"),
        case(rng, "any", some(2, 4, 6), 6, replace(UNDER_WAY, rates=(0.5,))),
        case(rng, "any", some(2, 4, 6), 6, StepsOf("Adam", (0.1, 0.02))),
        case(rng, "any", some(1, 6, 5), 5, sgd(0.125, 0.5), "a learning rate for each parameter"),
        case(rng, "any", some(2, 4, 6), 6, StepsOf("AdamW", (0.1,))),
        case(rng, "pad", padded, 7, sgd(0.5), "padded with 0, three lengths", pad_token=0),
        case(rng, "pad", [[5, 5, 1, 3], [5, 2, 0, 3]], 6, sgd(0.5), "padded with 5, on the left", pad_token=5),
        case(rng, "nothing", [[4]], 6, StepsOf("Adam", (0.1,)), "one token"),
        case(rng, "nothing", [[2, 1, 1], [1, 1, 1]], 4, sgd(0.5), "pads alone to predict", pad_token=1),
        case(rng, "mode", some(2, 4, 6), 6, StepsOf("Adam", (0.1,)), training=False),
        case(rng, "mode", some(2, 3, 6), 6, sgd(0.5)),
        case(rng, "old", some(2, 4, 5), 5, sgd(0.25, 0.5), "gradients from before in two groups", old="inf"),
    )


def sgd(*rates: float) -> StepsOf:
    return StepsOf("SGD", rates)


def case(
    rng: np.random.Generator,
    tag: str,
    tokens: list[list[int]],
    vocabulary: int,
    optimizer: StepsOf,
    label: str = "",
    pad_token: int | None = None,
    old: str = "",
    training: bool = True,
) -> Case:
    embed, unembed = (numbers(rng, vocabulary, 3).array for _ in range(2))
    given = {} if pad_token is None else {"pad_token": pad_token}
    arguments = (Learner(embed, unembed, old, training), optimizer, whole_numbers(tokens))
    return Case(tag, arguments, given, label=label)


UNDER_WAY = StepsOf("SGD", (0.25,), {"momentum": 0.9, "weight_decay": 0.1}, under_way=True)
CLEAR, LOSS = "optimizer.zero_grad()", "loss = next_token_loss(model(tokens), tokens, pad_token)"
BACK, STEP, OUT = "loss.backward()", "optimizer.step()", "return loss.item()"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    variant=Variant(
        "It returns the loss after the step.",
        ("return loss.item()", "return next_token_loss(model(tokens), tokens, pad_token).item()"),
    ),
    builds_on=("next_token_loss",),
    criteria=(
        Criterion("a float comes back", model.a_float, ("step",)),
        Criterion("the loss before the step", model.loss_before, ("step",)),
        Criterion("the parameters after the step", model.stepped, ("step",), points=2),
        Criterion("any optimizer, also with several learning rates", model.stepped, ("any",), plain=("step",)),
        Criterion("old gradients do not count", model.stepped, ("old",), plain=("step", "any")),
        Criterion("targets that are pads do not count", model.loss_and_step, ("pad",), plain=("step",)),
        Criterion("with nothing to predict it returns 0", model.loss_before, ("nothing",), plain=("step",)),
        Criterion("leaves the tokens and the mode (train or eval) as they were", model.left_alone, ("step", "mode")),
    ),
    misconceptions=(
        mistake("old gradients not cleared", (CLEAR, "pass"),
            (CLEAR, "pass", STEP, "optimizer.step(); optimizer.zero_grad()")),
        mistake("nothing is learned", (CLEAR, "pass", BACK, "loss.backward(); optimizer.zero_grad()"),
            (STEP, "pass"), (BACK, "pass")),
        mistake("loss after the step",
            (OUT, "return next_token_loss(model(tokens), tokens, pad_token).item()")),
        mistake("a tensor in place of a float", (OUT, "return loss"), (OUT, "return loss.detach()")),
        mistake("pad token not handed on", (", pad_token)", ")")),
        mistake("pad token fixed at 0", (", pad_token)", ", 0)")),
        mistake("pad token 0 taken for none", (", pad_token)", ", pad_token or None)")),
        mistake("targets not shifted",
            (LOSS, "loss = functional.cross_entropy(model(tokens).transpose(1, 2), tokens)"),
            (LOSS, "loss = functional.cross_entropy(model(tokens).transpose(1, 2), tokens, "
                "ignore_index=-100 if pad_token is None else pad_token)"),
            question="Which token should position 3 predict, and with which one does your loss compare it?"),
        mistake("shifted twice",
            (LOSS, "loss = next_token_loss(model(tokens[:, :-1]), tokens[:, 1:], pad_token)"),
            (LOSS, "loss = next_token_loss(model(tokens)[:, :-1], tokens[:, 1:], pad_token)"),
            detail="the tokens are shifted before the loss shifts them",
            question="Which function shifts the tokens by one position: your step, `next_token_loss`, or both?"),
        mistake("softmax before the cross-entropy", ("model(tokens)", "model(tokens).softmax(-1)"),
            question="What does `next_token_loss` take: logits, or probabilities?"),
        mistake("steps uphill", (BACK, "(-loss).backward()")),
        mistake("step taken twice", (STEP, "optimizer.step(); optimizer.step()"),
            (OUT, f"{CLEAR}; {LOSS}; {BACK}; {STEP}; {OUT}"),
            (STEP, "optimizer.step(); optimizer.zero_grad();"
                " next_token_loss(model(tokens), tokens, pad_token).backward(); optimizer.step()")),
        mistake("a multiple of the loss's gradient",
            *((BACK, f"(loss * {factor}).backward()")
                for factor in ("len(tokens)", "tokens[:, 1:].numel()", "tokens.numel()", "2", "0.5"))),
        mistake("the optimizer's own rule not used",
            (STEP, "\n    ".join(("with torch.no_grad():",
                "    for group in optimizer.param_groups:",
                "        for p in group['params']:",
                "            p -= group['lr'] * p.grad")))),
        mistake("first group only", (STEP, "del optimizer.param_groups[1:]; optimizer.step()"),
            (CLEAR, "for p in optimizer.param_groups[0]['params']: p.grad = None"),
            (CLEAR, "first = optimizer.param_groups[0]['params']",
                BACK, "for p, new in zip(first, torch.autograd.grad(loss, first)): p.grad = new")),
        mistake("gradients cut to a length",
            *((STEP, f"nn.utils.clip_grad_norm_(model.parameters(), {top}); optimizer.step()") for top in (0.1, 1.0))),
        mistake("the model's mode changed", (CLEAR, "model.train(); optimizer.zero_grad()"),
            (OUT, "model.eval(); return loss.item()")),
        mistake("a mean of no targets", (OUT, "return loss.item() if loss.item() else float('nan')"),
            question="What should your function return if no target counts?"),
        mistake("writes into its input", (BACK, "loss.backward(); tokens[:, 0] = 0"),
            detail="the tokens have changed afterwards"),
    ),
)
