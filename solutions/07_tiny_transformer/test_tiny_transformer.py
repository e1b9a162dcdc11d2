"""Lesson 07: the reference against PyTorch, what is judged and how surely, the numbers in the text."""

from __future__ import annotations

import builtins
import functools
import math
import re
import sys
import types
from dataclasses import replace
from typing import Any

import nbformat
import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from autograder.answers import corpus
from autograder.authoring import stable_output
from autograder.calls import call, runner
from autograder.exercises import argument_kinds, public_course, values, wire
from autograder.exercises.argument_kinds import Tensor
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Case, ModuleState
from autograder.exercises.verdict import Outcome, Verdict
from autograder.judging import judge, reference
from autograder.tests import fresh
from autograder.tests.taught_lesson import TaughtLesson
from autograder.tests.this_course import COURSE, find_lesson, nameless_key, verdict_by
from autograder.views import figures, verdict_view
import attention as helpers
from attention import (
    LossCurve,
    NextWordScores,
    WordCounts,
    austen,
    grammatical,
    induction,
    sentences,
    without,
)

torch.set_num_threads(1)

LESSON = find_lesson("07_tiny_transformer")
of_lesson = TaughtLesson(LESSON)
taught, answer = of_lesson.taught, of_lesson.answer
verdict, outputs, prose = of_lesson.verdict, of_lesson.outputs, of_lesson.prose
trained = fresh.margins(LESSON.id)


# --- the reference, against other people's code -----------------------------------------------------------


@pytest.mark.parametrize(("n", "d_model"), [(1, 2), (5, 6), (48, 64)])
def test_positions_are_those_of_the_formula(n: int, d_model: int) -> None:
    table = taught("positional_encoding")(n, d_model)
    assert table.shape == (n, d_model)
    for p in range(n):
        for i in range(d_model // 2):
            angle = p / 10000 ** (2 * i / d_model)
            assert table[p, 2 * i] == pytest.approx(math.sin(angle), abs=1e-4)
            assert table[p, 2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-4)


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_the_block_is_an_encoder_layer_that_norms_first(heads: int) -> None:
    torch.manual_seed(heads)
    mine = taught("TransformerBlock")(8, heads, 12)
    theirs = nn.TransformerEncoderLayer(8, heads, 12, 0.0, functional.relu, norm_first=True, batch_first=True)
    ours = dict(mine.named_parameters())
    with torch.no_grad():
        for parameter in ours.values():
            parameter.copy_(torch.randn_like(parameter))
        projections = [ours[f"attention.W_{which}.weight"] for which in "qkv"]
        theirs.self_attn.in_proj_weight.copy_(torch.cat(projections))
        theirs.self_attn.in_proj_bias.zero_()
        theirs.self_attn.out_proj.weight.copy_(ours["attention.W_o.weight"])
        theirs.self_attn.out_proj.bias.zero_()
        pairs = {"norm1": "norm_1", "norm2": "norm_2", "linear1": "feed_1", "linear2": "feed_2"}
        for their_name, name in pairs.items():
            getattr(theirs, their_name).load_state_dict(getattr(mine, name).state_dict())
    x, causal = 3 * torch.randn(2, 5, 8), torch.ones(5, 5).tril().bool()
    assert torch.allclose(mine(x), theirs(x), atol=1e-4)
    assert torch.allclose(mine(x, causal), theirs(x, ~causal), atol=1e-4)
    assert mine.attention.attention_weights.shape == (2, heads, 5, 5)


@pytest.mark.parametrize("pad_token", [None, 0, 4])
def test_the_loss_is_the_librarys_mean_over_shifted_pairs(pad_token: int | None) -> None:
    torch.manual_seed(0)
    logits, tokens = 5 * torch.randn(3, 6, 7), torch.randint(7, (3, 6))
    ignored = -100 if pad_token is None else pad_token
    pairs = logits[:, :-1].reshape(-1, 7), tokens[:, 1:].reshape(-1)
    wanted = functional.cross_entropy(*pairs, ignore_index=ignored)
    assert torch.allclose(taught("next_token_loss")(logits, tokens, pad_token), wanted)


def test_where_nothing_counts_loss_and_gradients_are_zero() -> None:
    for tokens, pad_token in (([[3]], None), ([[1, 2, 2]], 2)):
        logits = torch.randn(1, len(tokens[0]), 5, requires_grad=True)
        loss = taught("next_token_loss")(logits, torch.tensor(tokens), pad_token)
        loss.backward()
        assert loss == 0
        assert logits.grad is not None
        assert not logits.grad.any()


@pytest.mark.parametrize("temperature", [0.01, 0.5, 1, 3.0])
def test_probabilities_are_those_of_a_loop(temperature: float) -> None:
    logits = [1.0, 3.5, -2.0, 3.4]
    powers = [math.exp((z - 3.5) / temperature) for z in logits]
    ours = taught("next_token_probabilities")(torch.tensor(logits), temperature)
    assert ours.tolist() == pytest.approx([power / sum(powers) for power in powers], abs=1e-5)


def test_the_coldest_is_the_limit_and_below_zero_there_is_none() -> None:
    logits = torch.tensor([1.0, 3.5, -2.0], requires_grad=True)
    assert taught("next_token_probabilities")(logits, 0).tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="below zero"):
        taught("next_token_probabilities")(logits, -0.1)


class Reader(nn.Module):
    """A little recurrent model that cannot read more than `context` words."""

    def __init__(self, context: int) -> None:
        super().__init__()
        self.context, self.embed = context, nn.Embedding(11, 6)
        self.cell, self.head = nn.GRU(6, 8, batch_first=True), nn.Linear(8, 11)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        assert tokens.shape[1] <= self.context
        return self.head(self.cell(self.embed(tokens))[0])


@pytest.mark.parametrize(("prompt", "n_new", "context"), [(1, 5, 3), (7, 4, 3), (2, 3, 9), (3, 0, 2)])
def test_writing_is_what_a_loop_over_positions_gives(prompt: int, n_new: int, context: int) -> None:
    torch.manual_seed(prompt)
    model, tokens = Reader(context), list(range(prompt))
    wanted = list(tokens)
    for end in range(prompt, prompt + n_new):
        window = wanted[max(0, end - context) : end]
        scores = model(torch.tensor([window])).tolist()[0][-1]
        wanted.append(scores.index(max(scores)))
    assert taught("generate")(model, tokens, n_new, context) == wanted
    assert tokens == list(range(prompt))


# --- a model as an argument -------------------------------------------------------------------------------


def scores(words: int = 6, context: int = 4) -> NextWordScores:
    table = np.random.default_rng(1).normal(size=(words, words)).astype(np.float32)
    return NextWordScores(table, context)


def live(declared: NextWordScores) -> Any:
    kind = argument_kinds.find_kind(declared)
    assert kind is not None
    return kind.make(declared)


def test_a_table_of_scores_becomes_a_model_that_reads_backwards_only() -> None:
    model = live(scores())
    assert len(list(model.parameters())) == 1
    one, other = model(torch.tensor([[1, 2, 3]])), model(torch.tensor([[1, 2, 5]]))
    assert one.shape == (1, 3, 6)
    assert torch.equal(one[0, :2], other[0, :2])
    assert not torch.allclose(one[0, 2], other[0, 2])
    assert not torch.allclose(one[0, 2], model(torch.tensor([[2, 3]]))[0, 1])


def test_what_it_says_at_the_end_is_what_the_table_says() -> None:
    found = live(scores())(torch.tensor([[4, 0, 2]]))[0, -1].detach().numpy()
    assert found == pytest.approx(scores().at_the_end([4, 0, 2]), abs=1e-5)


def test_it_refuses_what_a_model_cannot_read() -> None:
    with pytest.raises(IndexError, match="5 words were handed in; this model knows 4 positions"):
        live(scores())(torch.zeros(1, 5, dtype=torch.int64))
    for shape in ((3,), (2, 3), (1, 0)):
        with pytest.raises(ValueError, match="reads words as"):
            live(scores())(torch.zeros(*shape, dtype=torch.int64))


def test_it_crosses_the_wire() -> None:
    with public_course.use_course(COURSE.visible):
        there = wire.loads(wire.dumps(scores()))
    assert isinstance(there, NextWordScores)
    assert np.array_equal(there.table, scores().table)
    assert there.context == 4


def test_no_two_scores_are_equal_or_nearly() -> None:
    """So that no rounding decides which word is the likeliest."""
    for seed in range(10):
        cases = LESSON.exercise("generate").draw(np.random.default_rng(seed))
        for case in (*cases, *LESSON.exercise("generate").examples()):
            model, text, n_new, context = case.args
            for _ in range(n_new):
                scores = model.at_the_end(text[-context:])
                order = np.sort(scores)
                assert order[-1] - order[-2] > 9e-5
                text = [*text, int(scores.argmax())]


def test_what_a_part_keeps_is_seen_by_a_dotted_name() -> None:
    class Whole(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.Identity()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.inner.kept = x + 1
            return x

    state = ModuleState({}, shows=("inner.kept", "inner.lost", "outer.kept"))
    seen = call.ask_once(Whole, Case("a", (Tensor(np.ones(2)),), module=state), {})
    assert seen.built == {"parameters": {}}
    assert seen.value["inner.kept"].tolist() == [2, 2]
    assert seen.value["inner.lost"] is seen.value["outer.kept"] is None


# --- one mistake costs one exercise -----------------------------------------------------------------------

WRONG_HEADS = """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
    def forward(self, queries, keys, values, mask=None):
        return self.W_o(self.W_v(values))
"""


@pytest.mark.parametrize("before", [WRONG_HEADS, "def MultiHeadAttention(*_): raise NotImplementedError"])
def test_a_mistake_in_the_attention_does_not_count_in_the_block(before: str) -> None:
    found = verdict("TransformerBlock", before, LESSON.solution("TransformerBlock"))
    assert found.points == found.max_points, verdict_view.as_text(found)


def test_what_stands_in_is_what_students_have_too() -> None:
    asked = LESSON.exercise("TransformerBlock")
    (found,) = COURSE.visible.load_helpers(asked.helpers).values()
    assert found is helpers.bring_your_own("MultiHeadAttention")


@pytest.mark.parametrize("before", ["positional_encoding", "TransformerBlock"])
def test_a_mistake_in_a_part_does_not_count_in_the_model(before: str) -> None:
    wrong = f"def {before}(*_): raise NotImplementedError"
    found = verdict("TinyWriter", wrong, LESSON.solution("TinyWriter"))
    assert found.points == found.max_points, verdict_view.as_text(found)
    assert before in judge.visible_key(LESSON, "TinyWriter").builds_on, "a check says what to mend first"


def test_a_mistake_in_the_loss_does_not_count_in_the_step() -> None:
    wrong = "def next_token_loss(logits, tokens, pad_token=None): return logits.mean()"
    found = verdict("training_step", wrong, LESSON.solution("training_step"))
    assert found.points == found.max_points, verdict_view.as_text(found)


BLOCKS = COURSE.visible.load_helpers({"TinyWriter": "attention.blocks"})
NOT_IN_STAND_INS = {
    "TinyWriter": {"more tokens raise ValueError"},
    "training_step": {"targets that are pads do not count", "with nothing to predict it returns 0"},
}
"""What the course's do not do, so that they are no answers."""


@pytest.mark.parametrize("name", NOT_IN_STAND_INS)
def test_the_courses_stands_in_while_ones_own_is_not_right(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {**reference.load_namespace(LESSON), "__name__": "__main__"}
    names["__builtins__"] = builtins
    bring = helpers.or_the_courses
    with public_course.use_course(COURSE.visible):
        exec(LESSON.solution(name), names)
        right = names[name]
        module = types.ModuleType("learner")
        vars(module).update(names)
        right.__module__ = "learner"
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, "learner", module)
            assert bring(right) is right
            assert capsys.readouterr().out == ""
            exec(f"def {name}(*_): return None", vars(module))
            stands_in = bring(vars(module)[name])
    assert (
        capsys.readouterr().out
        == f"{name}: the course's version is used, since yours does not pass all its checks yet.\n"
    )
    found = verdict_by(LESSON, judge.hidden_key(LESSON, name, "ada"), {**names, name: stands_in})
    failed = {line.title for line in found.lines if not line.passed}
    assert failed == NOT_IN_STAND_INS[name], verdict_view.as_text(found)


@functools.cache
def lesson_names() -> dict[str, Any]:
    """What the lesson's cells define that train a model."""
    own = {"Model": taught("TinyWriter"), "step": taught("training_step")}
    names: dict[str, Any] = {**reference.load_namespace(LESSON), **own}
    for begins in ("def fresh", "toy =", "def train"):
        text = next(text for text in LESSON.illustrations() if begins in text)
        exec(text[text.index(begins) :], names)
    return names


def test_only_a_part_that_a_model_has_is_taken_away() -> None:
    with pytest.raises(CourseError, match="no part 'nose'"):
        without(nn.Module(), "nose")


@pytest.mark.parametrize("whose", ["one's own", "the course's"])
def test_without_its_mask_the_first_word_sees_the_later_ones(whose: str) -> None:
    Writer = taught("TinyWriter") if whose == "one's own" else BLOCKS["TinyWriter"]
    torch.manual_seed(1)
    model = without(Writer(5, 8, 2, 8, 1, 4), "mask")
    with torch.no_grad():
        first = [model(torch.tensor([tokens]))[0, 0] for tokens in ([1, 2, 3], [1, 3, 2])]
    assert not torch.allclose(*first)


# --- what is said -----------------------------------------------------------------------------------------

STUDENTS = [f"student {number}" for number in range(12)]


@pytest.mark.parametrize(
    "exercise",
    [
        "positional_encoding",
        "TransformerBlock",
        "next_token_loss",
        "next_token_probabilities",
        "generate",
    ],
)
def test_a_listed_mistake_costs_every_student_the_same(exercise: str) -> None:
    asked = LESSON.exercise(exercise)
    keys = [nameless_key(LESSON, exercise, student) for student in STUDENTS[:2]]
    question = judge.make_question(LESSON, keys[0]).without_stubs()
    for i, mistake in enumerate(asked.misconceptions):
        for j in range(len(mistake.wrong)):
            names = dict(reference.load_mistaken(LESSON, exercise, i, j))
            points = set()
            for key in keys:
                put = replace(question, cases=tuple(replace(case, once=True) for case in key.cases))
                points.add(
                    judge.judge(key, judge.ask_in_process(LESSON, put, names, lambda own: True)).points
                )
            assert len(points) == 1, (mistake.name, j, points)


@pytest.mark.parametrize("exercise", ["positional_encoding", "next_token_loss", "next_token_probabilities"])
def test_two_right_answers_agree_whatever_is_drawn(exercise: str) -> None:
    rights = [one for one in corpus.answers(LESSON) if one.exercise == exercise and one.right]
    for student in STUDENTS[:6]:
        for right in rights:
            found = verdict(exercise, right.code, student=student)
            assert found.state == "right", (right.style, verdict_view.as_text(found))


def test_a_negative_probability_is_shown_however_small() -> None:
    code = "def next_token_probabilities(logits, temperature=1.0):\n"
    code += "    return torch.softmax(logits.detach() / max(temperature, 1e-6), -1) - 1e-4"
    names = dict(reference.load_namespace(LESSON))
    exec(code, names)
    judged = verdict_by(LESSON, judge.visible_key(LESSON, "next_token_probabilities"), names)
    (line,) = (one for one in judged.lines if "sum to 1" in one.title)
    assert "0 or more" in " ".join(line.details)
    assert re.search(r"-0\.000\d*[1-9]", " ".join(line.details)), line.details


@pytest.mark.parametrize("targets", [[4, 1, 3, 2], [2, 2, 2, 2], [1, 3, 2, 4, 4]])
def test_a_prediction_is_echoed_as_it_was_given(targets: list[int]) -> None:
    text = verdict_view.as_text(verdict("guess_shift", f"targets = {targets}\nuntrained_loss = 6.9"))
    assert f"[{' '.join(map(str, targets))}]" in text
    wrong_loss = verdict(
        "guess_shift", "import numpy as np\ntargets = [1, 3, 2, 4]\nuntrained_loss = np.log2(986.0)"
    )
    assert "9.94" in verdict_view.as_text(wrong_loss)


def sights(found: Verdict) -> dict[str, Outcome]:
    return {line.title: line.sight for line in found.lines}


def test_a_block_that_norms_after_the_sum_keeps_what_it_has_right() -> None:
    found = verdict("TransformerBlock", answer("TransformerBlock", "post-norm"))
    held = [title for title, sight in sights(found).items() if sight is Outcome.PASSED]
    assert found.misconception == "normed after the sum"
    assert held == [
        "its parameters are those of the five parts",
        "the output has the shape of x",
        "leaves its inputs as they were",
    ]


def test_a_block_that_hands_no_mask_on_is_right_without_one() -> None:
    found = verdict("TransformerBlock", answer("TransformerBlock", "three arguments"))
    assert found.misconception == "mask not handed on"
    assert sights(found)["the right numbers without a mask"] is Outcome.PASSED
    assert sights(found)["the right numbers under a mask"] is Outcome.FAILED


def test_words_that_a_model_refuses_are_not_reached() -> None:
    found = verdict("generate", answer("generate", "the whole text handed in"))
    assert found.misconception == "context not cropped"
    assert sights(found)["its own tokens are read again"] is Outcome.PASSED
    assert sights(found)["no more than the last `context` tokens are read"] is Outcome.NOT_REACHED


def test_a_loss_of_pads_costs_what_is_about_pads() -> None:
    found = verdict("next_token_loss", answer("next_token_loss", "flat, no ignore_index"))
    assert found.misconception == "pads counted in the loss"
    assert sights(found)["each position predicts the next token"] is Outcome.PASSED
    assert sights(found)["targets that are pads do not count"] is Outcome.FAILED


def test_right_answers_are_right_far_from_any_tolerance() -> None:
    """The same numbers in double precision differ by less than a tenth of what is allowed."""
    for exercise in ("next_token_loss", "positional_encoding"):
        asked = LESSON.exercise(exercise)
        (other,) = (
            one
            for one in corpus.answers(LESSON)
            if one.exercise == exercise and one.style in ("NLLLoss in double", "where, float64 all along")
        )
        names: dict[str, Any] = {**reference.load_namespace(LESSON)}
        exec(other.code, names)
        for seed in range(5):
            question = runner.Question(exercise, (), asked.draw(np.random.default_rng(seed)))
            one, two = (
                runner.ask(question, known).observations
                for known in (reference.load_namespace(LESSON), names)
            )
            for case, seen, expected in zip(question.cases, two, one, strict=True):
                if expected.error is None:
                    assert values.are_close(seen.value, expected.value, case.tolerance / 10), case.label


# --- the numbers in the text ------------------------------------------------------------------------------


def printed(pattern: str) -> list[float]:
    """The numbers that the pattern's groups hold where it first occurs in what was printed."""
    found = re.search(pattern, outputs())
    assert found, pattern
    return [float(number) for number in found.groups()]


def test_the_vocabulary_and_the_loss_of_ignorance() -> None:
    (vocabulary,) = printed(r"(\d+) tokens; \d+ of")
    assert f"{vocabulary:.0f} different tokens" in prose()
    assert taught("untrained_loss") == pytest.approx(math.log(vocabulary), abs=0.005)
    assert taught("targets") == [4, 1, 3, 2, 4][1:]
    half, hundredth = (-math.log(probability) for probability in (0.5, 0.01))
    assert f"{half:.2f} if it is 0.5, and {hundredth:.1f} if it is 0.01" in prose()


def test_the_novelists_sizes() -> None:
    sizes = f"{austen.BLOCKS} blocks, {austen.HEADS} heads, width {austen.WIDTH} and context length {austen.CONTEXT}"
    assert sizes in prose()


def test_the_sizes_in_the_table() -> None:
    width, vocabulary = 64, 986
    block = sum(
        parameter.numel() for parameter in taught("TransformerBlock")(width, 4, 4 * width).parameters()
    )
    total = 2 * vocabulary * width + vocabulary + 2 * block + 2 * width
    assert f"| parameters | {total:,} |" in prose()
    assert f"{total:,} parameters" in outputs()


def test_what_the_trainings_came_to_is_what_the_text_says() -> None:
    """What a run gives now is looked at where nbval runs the notebook: `autograder.tests.fresh`."""
    trained.check(outputs())
    for about in (
        "The 4-gram model is the best of them",
        "It ends at about 1.9, below the baseline",
        "Here it is about 7: the model is as unsure",
        "The loss starts a little above ln 986",
        "At the lower temperature more sentences are grammatical",
        "But fewer of the grammatical ones are new",
        "1,000 sentences that are drawn anew. The grammar is small, so by chance a third",
        "the letters of the first round, but not their order. With one layer the loss is only a little lower",
        "Post-norm is not worse here",
        "after these 100 steps, no better than one that knows only how frequent each token is",
    ):
        assert about in prose()


def test_the_training_takes_as_long_as_is_said() -> None:
    (seconds,) = printed(r"after (\d+) seconds of computing")
    assert "It takes 10 to 30 seconds, and on a slow or busy computer a minute or two" in prose()
    assert 10 <= seconds <= 60


def test_the_first_cell_shows_what_an_untrained_model_wrote() -> None:
    (shown,) = re.findall(r"before its training: > \*(.+?) …\*", prose())
    assert f"untrained: 0% grammatical\n    {shown} " in outputs()


def test_sentences_are_judged_by_the_grammar_and_by_what_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    toy = lesson_names()["toy"]
    capsys.readouterr()
    copied, new = (
        next(iter(sentences(1, seed=7))),
        "the father did not cross the street because it was quite wide",
    )
    written = (new, " ".join(copied), "the the", "the cat the cat")
    toy.judge("trained", [toy.encode(sentence) for sentence in written])
    toy.judge("without mask", [[], []])
    assert capsys.readouterr().out.splitlines() == [
        "trained: 50% grammatical, 50% of these new",
        f"    {new}",
        "without mask: 0% grammatical",
        "    (a full stop at once, each time)",
    ]


def test_what_the_lesson_promises_is_new_and_grammatical_and_was_written() -> None:
    (promised,) = re.findall(r"steps of training the model wrote: > \*(.+?)\*", prose())
    assert grammatical(promised.split())
    assert promised.split() not in sentences(20_000, seed=7)
    assert f"of these new\n    {promised}\n" in outputs()


def test_the_text_says_how_many_tokens_are_held_out() -> None:
    assert f"first {lesson_names()['toy'].pieces.numel():,} tokens" in prose()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"step 600 +loss [\d.]+", "step 600   loss 2.1"),
        (r"last 50 steps is \d+\.\d+", "last 50 steps is 1.2"),
        (r"trained, temperature 1: \d+%", "trained, temperature 1: 25%"),
        (r"without mask +loss [\d.]+", "without mask loss 1.9"),
        (r"mask, temperature 0.5: 0%", "mask, temperature 0.5: 80%"),
        (r"(trained, temperature 0.5: .*?) \d+% of these", r"\1 80% of these"),
        (r"loss [\d.]+( in the second round +a rule)", r"loss 2.7\1"),
        (r"loss [\d.]+( in the second round +with 2)", r"loss 1.9\1"),
        (r"previous letter, with [\d.]+", "previous letter, with 0.2"),
        (r"perplexity \d+", "perplexity 9"),
        (r"your model [\d.]+, the 4-gram", "your model 2.7, the 4-gram"),
        (r"no residual connections +loss [\d.]+", "no residual connections loss 3.3"),
        (r"post-norm +loss [\d.]+", "post-norm loss 5.1"),
        (r"grammatical", ""),
    ],
)
def test_a_training_that_drifts_turns_red(old: str, new: str) -> None:
    drifted = re.sub(old, new, outputs())
    assert drifted != outputs()
    with pytest.raises(AssertionError):
        trained.check(drifted)


def test_margins_are_held_against_what_has_just_been_shown() -> None:
    picture = {"metadata": {"image/png": {"alt": "It falls."}}, "data": {"image/png": ""}}
    assert fresh.told([[{"text": "loss 1.9\n"}], [], [picture]]).split() == ["loss", "1.9", "It", "falls."]
    assert {lesson.id for lesson in COURSE.lessons if fresh.has_margins(lesson.id)} == {
        lesson.id
        for lesson in COURSE.lessons
        if any(
            stable_output.VARIES in cell.metadata.get("tags", ())
            for cell in nbformat.read(lesson.built, 4).cells
        )
    }


def test_the_block_of_2017_is_an_encoder_layer_too() -> None:
    mine = taught("PostNormBlock")(8, 2, 12)
    theirs = nn.TransformerEncoderLayer(8, 2, 12, 0.0, functional.relu, norm_first=False, batch_first=True)
    theirs.load_state_dict(as_encoder_layer(mine, theirs))
    x, causal = 3 * torch.randn(2, 5, 8), torch.ones(5, 5).tril().bool()
    with torch.no_grad():
        torch.testing.assert_close(mine(x, causal), theirs(x, src_mask=~causal), atol=1e-5, rtol=1e-4)


def as_encoder_layer(block: nn.Module, layer: nn.Module) -> dict[str, torch.Tensor]:
    """The numbers of a block of five parts, under the names of PyTorch's layer."""
    ours, found = block.state_dict(), layer.state_dict()
    found["self_attn.in_proj_weight"] = torch.cat([ours[f"attention.W_{which}.weight"] for which in "qkv"])
    found["self_attn.out_proj.weight"] = ours["attention.W_o.weight"]
    for name in ("self_attn.in_proj_bias", "self_attn.out_proj.bias"):
        found[name] = torch.zeros_like(found[name])
    pairs = {"norm1": "norm_1", "norm2": "norm_2", "linear1": "feed_1", "linear2": "feed_2"}
    return found | {
        f"{a}.{kind}": ours[f"{b}.{kind}"] for a, b in pairs.items() for kind in ("weight", "bias")
    }


def test_word_counts_are_probabilities() -> None:
    text = [0, 1, 2, 0, 1, 3, 0, 2, 2, 1, 0]
    counts = WordCounts(text, 5)
    for n in range(1, 6):
        for context in ([2, 0, 1, 2], [3, 3, 3, 3], [0, 2, 0, 1]):
            before = context[len(context) - n + 1 :]
            total = sum(math.exp(-counts.loss([*before, word], n)) for word in range(5))
            assert total == pytest.approx(1)


def test_a_rule_that_knows_the_letters_but_not_their_order_is_as_good_as_is_said() -> None:
    """It is at most as unsure as with letters that all differ, where it is at ln n."""
    assert 0.8 < induction.loss_without_order() / np.mean([math.log(n) for n in range(6, 16)]) < 1


@pytest.mark.parametrize("static", [True, False])
def test_a_loss_curve_is_one_picture(static: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn again and again where someone looks on, once where no one does."""
    shown: list[Any] = []

    class Handle:
        def update(self, picture: Any, raw: bool) -> None:
            shown[-1] = picture

    def display(picture: Any, raw: bool = False, display_id: bool = False) -> Handle:
        shown.append(picture)
        return Handle()

    monkeypatch.setattr("IPython.display.display", display)
    if not static:
        monkeypatch.delenv(figures.STATIC)
    curve = LossCurve(100, {"2-gram": 2.0, "3-gram": 1.95}, highest=4.0)
    for step in (0, 50, 100):
        curve.add(step, 4.0 / (step + 1))
        assert len(shown) == (0 if static else 1)
    curve.finish()
    (picture,) = shown
    alt = picture._repr_mimebundle_()[1]["image/png"]["alt"] if static else picture["text/plain"]
    assert alt == (
        "The loss on the held-out text is 4.0 nats a token at step 0 and 0.0 at step 100; from step 50 on it is "
        "below the 2-gram at 2.0; from step 50 on it is below the 3-gram at 1.9."
    )
