"""Every reference solution, wrong in one small place at a time: whatever behaves otherwise must be refused."""

from __future__ import annotations

import ast
import contextlib
import copy
import difflib
import functools
import os
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograder import judge
from autograder.courses import source
from autograder.judge import reference
from autograder.model.exercise import Exercise, Key
from autograder.tests import judged_before
from autograder.tests.this_course import find_exercise, find_lesson, lessons, nameless_key, question_to

STUDENT = "amy"
CONTEXT = 12
"""How many characters of an unchanged line are shown before and behind what changes."""

SECONDS = 10
"""A mutant that takes longer than this on one exercise's cases is counted as refused."""

EQUIVALENT: dict[str, tuple[str, ...]] = {
    "`padded` has one row for each vector, so there is nothing for `strict` to find": (
        "01_weighted_sums pad_rows: ded, vectors, strict=True): -> ded, vectors):",
        "01_weighted_sums pad_rows: ors, strict=True): -> ors, strict=False):",
    ),
    "the larger of two is the same either way round": (
        (
            "01_weighted_sums join_halves: ghest = max(first[0], second[0]) -> ghest = max(second[0],"
            " first[0])"
        ),
    ),
    "the weights of the first and of the last key are equal": (
        "02_toy_tensors predict_by_hand: and_weights[0] + 30 * han -> and_weights[-1] + 30 * han",
    ),
    "positions may be named in any order": (
        "02_toy_tensors predict_toy_queries: ], [2, 3], [0, 1]] -> ], [2, 3], [1, 0]]",
        "02_toy_tensors predict_toy_queries: to = [[1], [2, 3], [0, 1]] -> to = [[1], [3, 2], [0, 1]]",
        "06_masks_and_heads predict_who_sees_whom: _padding = [0, 1, 3] -> _padding = [1, 0, 3]",
        "06_masks_and_heads predict_who_sees_whom: ees_both = [0, 1] -> ees_both = [1, 0]",
        "06_masks_and_heads predict_who_sees_whom: s_causal = [0, 1, 2] -> s_causal = [1, 0, 2]",
    ),
    "any large number makes the weights as sharp": (
        "02_toy_tensors copy_left: Q = 1000 * K[[0, *ra -> Q = 1001 * K[[0, *ra",
        "02_toy_tensors copy_left: Q = 1000 * K[[0, *ra -> Q = 999 * K[[0, *ra",
        "06_masks_and_heads copy_before: shout = 20 * math.sqrt -> shout = 19 * math.sqrt",
        "06_masks_and_heads copy_before: hout = 20 * math.sqrt(n) -> hout = 20 * n",
        "06_masks_and_heads copy_before: shout = 20 * math.sqrt -> shout = 21 * math.sqrt",
    ),
    "swapping two axes is the same either way round": (
        (
            "02_toy_tensors scaled_dot_product_attention: .transpose(-2, -1) / K.shape[ -> .transpose(-1,"
            " -2) / K.shape["
        ),
        (
            "03_word2vec_heatmap scaled_dot_product_attention: wapaxes(K, -1, -2) / np.sqrt( -> wapaxes(K,"
            " -2, -1) / np.sqrt("
        ),
        (
            "05_additive_vs_dot_product DotProductAttention: s.transpose(1, 2) / math.sqr -> s.transpose(2,"
            " 1) / math.sqr"
        ),
        (
            "05_additive_vs_dot_product ask_the_shop: s.transpose(1, 2) / math.sqr -> s.transpose(2, 1) /"
            " math.sqr"
        ),
        (
            "06_masks_and_heads MultiHeadAttention: .transpose(-2, -1) / math.sqr -> .transpose(-1, -2) /"
            " math.sqr"
        ),
        "06_masks_and_heads merge_heads: X.transpose(1, 2).flatten(st -> X.transpose(2, 1).flatten(st",
        "06_masks_and_heads split_heads: ).transpose(1, 2) -> ).transpose(2, 1)",
    ),
    "with two axes, axis 1 is the last": (
        "02_toy_tensors simple_attention: cores, axis=-1) @ V -> cores, axis=1) @ V",
        "02_toy_tensors simple_attention: qrt(K.shape[-1]) -> qrt(K.shape[1])",
    ),
    "with four axes, axis 2 is the last but one": (
        "06_masks_and_heads MultiHeadAttention: K.transpose(-2, -1) / mat -> K.transpose(2, -1) / mat",
    ),
    "-1 is the default": (
        "02_toy_tensors simple_attention: ftmax(scores, axis=-1) @ V -> ftmax(scores) @ V",
    ),
    "how the numbers and labels look is a matter of taste": (
        (
            "03_word2vec_heatmap plot_attention_weights: annot=True, fmt='.2f', cmap=figur -> annot=True,"
            " cmap=figur"
        ),
        (
            "03_word2vec_heatmap plot_attention_weights: tick_params(axis='y', rotation=0) ->"
            " tick_params(rotation=0)"
        ),
        "03_word2vec_heatmap plot_attention_weights: axes.tick_params(axis='y', rotation=0) -> pass",
        "03_word2vec_heatmap plot_attention_weights: axes.tick_params(axis='y', rotation=0) -> axes",
    ),
    "the axes just made are the current ones": (
        "03_word2vec_heatmap plot_attention_weights: bels=words_1, ax=axes) -> bels=words_1)",
    ),
    "in a row that may look nowhere, all is 0 whatever finite number is taken off": (
        "03_word2vec_heatmap scaled_dot_product_attention: ), highest, 0.0)) -> ), highest, -1.0))",
        "03_word2vec_heatmap scaled_dot_product_attention: ), highest, 0.0)) -> ), highest, 1.0))",
    ),
    "0 divided by 2 is 0 as well": (
        "03_word2vec_heatmap scaled_dot_product_attention: > 0, total, 1.0) -> > 0, total, 2.0)",
    ),
    "with its maximum taken off, a row's sum is 0, or 1 and more; divided by 1 it is the same": (
        (
            "03_word2vec_heatmap scaled_dot_product_attention: ere(total > 0, total, 1.0 -> ere(total > 1,"
            " total, 1.0"
        ),
    ),
    "a list of equally long rows passes for a matrix": (
        (
            "03_word2vec_heatmap sentence_matrix: return np.array([word_embedding(word, vectors) for word"
            " in sentence.split()]) -> return [word_embedding(word, vectors) for word in sentence.split()]"
        ),
    ),
    "NumPy takes any negative length for the one to work out": (
        "04_gaussian_kernel gaussian_weights: eries), 1, -1) - keys.res -> eries), 1, -2) - keys.res",
        "04_gaussian_kernel gaussian_weights: len(keys), -1) -> len(keys), -2)",
        "04_gaussian_kernel bandwidth_slope: len(keys), -1) -> len(keys), -2)",
    ),
    "an axis of length 1 in front is what broadcasting adds": (
        "04_gaussian_kernel gaussian_weights: eys.reshape(1, len(keys), - -> eys.reshape(len(keys), -",
    ),
    "only the square of a difference is used": (
        (
            "04_gaussian_kernel gaussian_weights: fferences = queries.reshape(len(queries), 1, -1) -"
            " keys.reshape(1, len(keys), -1) -> fferences = keys.reshape(1, len(keys), -1) -"
            " queries.reshape(len(queries), 1, -1)"
        ),
        (
            "04_gaussian_kernel leave_one_out_error: at(np.mean((np.array(predictions) - values) ** 2)) ->"
            " at(np.mean((values - np.array(predictions)) ** 2))"
        ),
        (
            "04_gaussian_kernel bandwidth_slope: s = ((points[:, None] - points) ** 2).sum( ->"
            " s = ((points - points[:, None]) ** 2).sum("
        ),
    ),
    "NumPy makes an array of a list when an array is subtracted": (
        (
            "04_gaussian_kernel leave_one_out_error: at(np.mean((np.array(predictions) - values) * ->"
            " at(np.mean((predictions - values) *"
        ),
    ),
    "a NumPy number passes for a float": (
        (
            "04_gaussian_kernel leave_one_out_error: return float(np.mean((np.array(predictions) - values)"
            " ** 2)) -> return np.mean((np.array(predictions) - values) ** 2)"
        ),
        (
            "04_gaussian_kernel best_bandwidth: return float(min(candidates, key=lambda bandwidth:"
            " leave_one_out_error(keys, values, bandwidth))) -> return min(candidates, key=lambda"
            " bandwidth: leave_one_out_error(keys, values, bandwidth))"
        ),
        (
            "04_gaussian_kernel bandwidth_slope: return float(np.mean(2 * (weights @ values - values) * (growth"
            " @ values))) -> return np.mean(2 * (weights @ values - values) * (growth @ values))"
        ),
    ),
    "one query, one prediction: the first is the last": (
        "04_gaussian_kernel leave_one_out_error: bandwidth)[0]) -> bandwidth)[-1])",
    ),
    "the kind of error is judged, its words are not": (
        (
            "07_tiny_transformer positional_encoding: ValueError(f'{d_model} columns cannot be shared out between"
            " sines and cosines') -> ValueError()"
        ),
        (
            "07_tiny_transformer next_token_probabilities: ValueError(f'a temperature of {temperature} is below"
            " zero') -> ValueError()"
        ),
        (
            "07_tiny_transformer TinyWriter: ValueError(f'{n} words, and the context holds {self.context}') ->"
            " ValueError()"
        ),
        "08_attention_today causal_mask_from: ValueError(f'{m} of {n} words cannot ask') -> ValueError()",
        "08_attention_today rotate: ValueError(f'{d} columns do not go in pairs') -> ValueError()",
        "08_attention_today roll: ValueError(f'a window of {width} words') -> ValueError()",
        (
            "08_attention_today grouped_attention: ValueError(f'{h} query heads cannot share {g} groups') ->"
            " ValueError()"
        ),
        (
            "06_masks_and_heads MultiHeadAttention: ValueError(f'{num_heads} heads cannot share {d_model}"
            " features evenly') -> ValueError()"
        ),
    ),
    "the waves differ by less than the thousandth that is allowed": (
        "07_tiny_transformer positional_encoding: tions / 10000 ** (torch.a -> tions / 10001 ** (torch.a",
        "07_tiny_transformer positional_encoding: positions / 10000 ** (torch.a -> positions / 9999 ** (torch.a",
    ),
    "the reference's positions are of single precision already": (
        "07_tiny_transformer TinyWriter: x.shape[-1]).float() -> x.shape[-1])",
    ),
    "he finds Ming by these numbers, too; any that do it are right": (
        "01_weighted_sums find_ming: query = [9, 0] if word -> query = [10, 0] if word",
        "01_weighted_sums find_ming: query = [9, 0] if word -> query = [8, 0] if word",
        "01_weighted_sums find_ming: query = [9, 0] if word == -> query = [9, 1] if word ==",
        "01_weighted_sums find_ming: query = [9, 0] if word == -> query = [9, -1] if word ==",
        "01_weighted_sums find_ming: 'he' else [0, 0] -> 'he' else [1, 0]",
        "01_weighted_sums find_ming: 'he' else [0, 0] -> 'he' else [-1, 0]",
        "01_weighted_sums find_ming: e' else [0, 0] -> e' else [0, 1]",
        "01_weighted_sums find_ming: e' else [0, 0] -> e' else [0, -1]",
        "01_weighted_sums find_ming: key = [1, 0] if word -> key = [2, 0] if word",
        "01_weighted_sums find_ming: key = [1, 0] if word == -> key = [1, 1] if word ==",
        "01_weighted_sums find_ming: key = [1, 0] if word == -> key = [1, -1] if word ==",
        "01_weighted_sums find_ming: Ming' else [0, 1] -> Ming' else [-1, 1]",
        "01_weighted_sums find_ming: g' else [0, 1] -> g' else [0, 2]",
        "01_weighted_sums find_ming: g' else [0, 1] -> g' else [0, 0]",
    ),
    "True counts as 1": (
        (
            "07_tiny_transformer next_token_loss: s None else (targets != pad_token).long() -> s None else targets"
            " != pad_token"
        ),
    ),
    "0 and 1 are as good in whole numbers": (
        "07_tiny_transformer next_token_probabilities: len(logits)).to(logits.dtype) -> len(logits))",
        "07_tiny_transformer next_token_probabilities: logits)).to(logits.dtype) -> logits)).to()",
    ),
    "of a single axis, or text, the first is the last": (
        "07_tiny_transformer next_token_probabilities: ature, dim=-1) -> ature, dim=-0)",
        "07_tiny_transformer cached_step: uery)), dim=0) -> uery)), dim=-1)",
        "08_attention_today top_p: ered.cumsum(0) - ordered -> ered.cumsum(-1) - ordered",
        "07_tiny_transformer generate: (int(logits[0, -1].argmax -> (int(logits[-1, -1].argmax",
    ),
    "of two numbers, or a product of two, it does not matter which is named first": (
        "08_attention_today linear_attention: (np.minimum(x, 0))) for x in -> (np.minimum(0, x))) for x in",
        "08_attention_today linear_attention: @ state / (query @ norm)) -> @ state / (norm @ query))",
        "08_attention_today keep_or_redraw: np.maximum(p - q, 0) -> np.maximum(0, p - q)",
        (
            "08_attention_today streamed_attention: np.maximum(top, scores.max(axis=1, keepdims=True)) ->"
            " np.maximum(scores.max(axis=1, keepdims=True), top)"
        ),
    ),
    "at 0 both halves of the feature map are 1, and above it what exp gives is not taken": (
        "08_attention_today linear_attention: np.where(x > 0, x + 1, n -> np.where(x >= 0, x + 1, n",
        "08_attention_today linear_attention: + 1, np.exp(np.minimum(x, 0))) for x in -> + 1, np.exp(x)) for x in",
        "08_attention_today linear_attention: .minimum(x, 0))) for x in -> .minimum(x, 1))) for x in",
    ),
    "a list of equally long rows passes for an array": (
        "08_attention_today linear_attention: return np.array(rows) -> return rows",
    ),
    "a NumPy number passes for an int": (
        (
            "08_attention_today keep_or_redraw: return int(rng.choice(len(p), p=missing / missing.sum())) -> return"
            " rng.choice(len(p), p=missing / missing.sum())"
        ),
    ),
    "a random number is never just the limit": (
        "08_attention_today keep_or_redraw: g.random() < p[guess] / -> g.random() <= p[guess] /",
    ),
    "it does not matter which of two masks comes first": (
        (
            "06_masks_and_heads sliding_window_mask: eturn (back >= 0) & (back < width) -> eturn (back < width) &"
            " (back >= 0)"
        ),
    ),
    "a distance is the same in both directions": (
        (
            "06_masks_and_heads distance_bias: * (positions[:, None] - positions).abs() -> * (positions -"
            " positions[:, None]).abs()"
        ),
    ),
    "float32's lowest number lies far below every score": (
        "06_masks_and_heads masked_weights: torch.finfo(scores.dtype).min -> torch.finfo().min",
    ),
}
"""Mutants that get full points, under the reason why no legal input can tell them from the reference."""

SURVIVORS: dict[str, str] = {name: reason for reason, names in EQUIVALENT.items() for name in names}
"""The same, mutant by mutant."""


@dataclass(frozen=True)
class Mutant:
    """A changed solution: its code, and the lines that differ as `exercise: old -> new`."""

    name: str
    code: str


@dataclass(frozen=True)
class Trial:
    """What became of a mutant."""

    mutant: Mutant
    survived: bool

    @property
    def explained(self) -> bool:
        return self.mutant.name in SURVIVORS


@functools.cache
def trials(lesson: str, exercise: str) -> tuple[Trial, ...]:
    """All mutants of an exercise's reference, put to one student's hidden cases."""

    def tried(mutant: Mutant) -> Trial:
        return Trial(mutant, _survives(lesson, find_exercise(lesson, exercise), mutant))

    return judged_before.judged("mutants", lesson, exercise, mutants_of(lesson, exercise), tried)


def complaints() -> list[str]:
    """Unexplained survivors and stale explanations, each in a line."""
    tried = [
        t for lesson in lessons() for exercise in lesson.exercises for t in trials(lesson.id, exercise.id)
    ]
    survivors = {trial.mutant.name for trial in tried if trial.survived}
    return [
        *(f"gets full points, without an explanation: {name}" for name in sorted(survivors - set(SURVIVORS))),
        *(f"explained, but refused or gone: {name}" for name in sorted(set(SURVIVORS) - survivors)),
    ]


def _survives(lesson: str, exercise: Exercise, mutant: Mutant) -> bool:
    """What is refused on some cases is refused on all; so is what is refused when it is asked once.

    One is asked first, then the visible ones that cost little, and a student's only where that tells nothing.
    """
    whole = nameless_key(lesson, exercise.id, STUDENT)
    cheap = [i for i, case in enumerate(whole.cases) if not (case.hidden or case.once)] or [0]
    keys = [*(_key_of(whole, places) for places in (cheap[:1], cheap)), whole]
    return all(_passes(lesson, exercise, mutant, key) for key in keys)


def _key_of(key: Key, places: Sequence[int]) -> Key:
    """The key of the cases in these places, which are asked once."""
    cases = tuple(replace(key.cases[i], once=True) for i in places)
    return replace(key, cases=cases, expected=tuple(key.expected[i] for i in places))


def _passes(lesson: str, exercise: Exercise, mutant: Mutant, key: Key) -> bool:
    of = find_lesson(lesson)
    names = {**reference.namespace(of), "__name__": "__main__"}
    for name in (exercise.id, *exercise.values):
        names.pop(name, None)
    question = question_to(mutant.code, of, key)
    with _no_longer_than(SECONDS):
        try:
            exec(compile(mutant.code, mutant.name, "exec"), names)
        except Exception:
            return False
        try:
            asked = judge.ask_in_process(of, question, names, lambda own: False)
        except TimeoutError:
            return False
    return judge.judge(key, asked).state == "right"


@contextlib.contextmanager
def _no_longer_than(seconds: int) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# --- changing a tree ------------------------------------------------------------------------------------------


def mutants_of(lesson: str, exercise: str) -> tuple[Mutant, ...]:
    """The reference's code with one change each, without repeats."""
    tree = _without_annotations(ast.parse(source.without_marks(find_lesson(lesson).solution(exercise))))
    before = ast.unparse(tree)
    codes = dict.fromkeys(_changed(tree))
    codes.pop(before, None)
    names: Counter[str] = Counter()
    found = []
    for code in codes:
        name = f"{lesson} {exercise}: {_difference(before, code)}"
        names[name] += 1
        found.append(Mutant(name if names[name] == 1 else f"{name} ({names[name]})", code))
    return tuple(found)


def _difference(before: str, after: str) -> str:
    lines = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]
    old = "; ".join(line[2:].strip() for line in lines if line[0] == "-")
    new = "; ".join(line[2:].strip() for line in lines if line[0] == "+")
    start = max(0, len(os.path.commonprefix([old, new])) - CONTEXT)
    end = max(0, len(os.path.commonprefix([old[start:][::-1], new[start:][::-1]])) - CONTEXT)
    return f"{old[start : len(old) - end].strip()} -> {new[start : len(new) - end].strip()}"


def _without_annotations(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return tree


def _changed(tree: ast.Module) -> Iterator[str]:
    """The code of the tree with one node replaced, of each."""
    taste = {id(node) for keyword in ast.walk(tree) if _is_taste(keyword) for node in ast.walk(keyword)}
    for node in [one for one in ast.walk(tree) if id(one) not in taste]:
        for field, index, child in [*_children(node)]:
            for replacement in _replacements(child):
                _put(node, field, index, replacement)
                code = ast.unparse(ast.fix_missing_locations(tree))
                _put(node, field, index, child)
                yield code


def _put(node: ast.AST, field: str, index: int | None, child: ast.AST) -> None:
    if index is None:
        setattr(node, field, child)
    else:
        getattr(node, field)[index] = child


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for field, value in ast.iter_fields(node):
        for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(child, ast.AST) and not _is_docstring(child):
                yield field, index, child


def _is_taste(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg in LOOKS


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
TURNS = ("T", "mT")
LOOKS = ("figsize", "layout", "cmap", "vmin", "vmax", "rotation")
"""Arguments that change how a picture looks and not what it says: a matter of taste, left alone."""

STATEMENTS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.If, ast.For, ast.Raise)


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    yield from (other() for other in OPERATORS.get(type(node), ()))
    if isinstance(node, STATEMENTS):
        yield ast.Pass()
    if isinstance(node, ast.Constant):
        yield from _other_constants(node)
    elif isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
        if not isinstance(node.op, (ast.Add, ast.Mult)):
            yield ast.BinOp(node.right, node.op, node.left)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Attribute) and node.attr in TURNS:
        yield node.value
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield _with(node, ifs=[])
    elif isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield _with(node, elts=[node.elts[1], node.elts[0], *node.elts[2:]])
    elif isinstance(node, ast.Call):
        yield from _other_calls(node)


def _other_constants(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, (int, float)):
        yield from (ast.Constant(node.value + 1), ast.Constant(node.value - 1))


def _other_calls(node: ast.Call) -> Iterator[ast.AST]:
    """Without the call around its argument or behind its object, and with arguments dropped or swapped."""
    if node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]
    if isinstance(node.func, ast.Attribute):
        yield node.func.value
    for i, keyword in enumerate(node.keywords):
        if keyword.arg not in LOOKS:
            yield _with(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])
    for i in range(len(node.args)):
        yield _with(node, args=node.args[:i] + node.args[i + 1 :])
    for i in range(len(node.args) - 1):
        swapped = [*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]
        yield _with(node, args=swapped)


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
