"""What lesson 09 measures, and the learner's functions in a writer: memory, passes, time, what a state finds again."""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from . import two_writers
from .reading import kibibytes, milliseconds

if TYPE_CHECKING:
    from .austen import AustenWriter
    from .reading import AttendNew

    Attend = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    Pair = tuple[np.ndarray, np.ndarray]

MEBIBYTE = 2**20


def peak(run: Callable[..., Any], *args: Any) -> tuple[Any, float]:
    """Return what `run` returns, and the most MiB that it held at any time."""
    tracemalloc.start()
    output = run(*args)
    mebibytes = tracemalloc.get_traced_memory()[1] / MEBIBYTE
    tracemalloc.stop()
    return output, mebibytes


def whole_table(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return softmax attention, with a table of all scores."""
    scores = Q / math.sqrt(Q.shape[1]) @ K.T
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised @ V / raised.sum(axis=1, keepdims=True)


def time_traffic(W: torch.Tensor, X: torch.Tensor) -> None:
    """Print how long W @ v takes beside a sum of W, many vectors at once, and as much arithmetic with a small matrix.

    W (4096, 4096), X (64, 4096). Times: the fastest of three runs.
    """
    small, short = W[:512, :512].contiguous(), X[0, :512]
    added, product = milliseconds(W.sum), milliseconds(lambda: W @ X[0])
    one_by_one, at_once = milliseconds(lambda: [W @ x for x in X]), milliseconds(lambda: X @ W.T)
    inside = milliseconds(lambda: [small @ short for _ in range(64)])
    print(f"1. W @ v takes {product / added:.1f} times as long as W.sum()")
    print(f"2. 64 vectors at once instead of one by one: {one_by_one / at_once:.1f} times as fast")
    print(f"3. 64 products with 512 × 512 numbers instead of W @ v: {product / inside:.1f} times as fast")


def compare_memory(streamed: Callable[..., np.ndarray]) -> None:
    """Print how much memory attention allocates for longer and longer texts, with a table and in blocks of 64."""
    for n in (512, 1024, 2048):
        Q, K, V = np.random.default_rng(25).normal(size=(3, n, 16))
        (table, much), (output, little) = peak(whole_table, Q, K, V), peak(streamed, Q, K, V, 64)
        print(f"{n:5,} words: {much:4.1f} MiB with the table, {little:4.1f} MiB without,", end=" ")
        print(f"{much / little:4.1f} times less, the same numbers: {np.allclose(table, output)}")


def time_passes(writer: AustenWriter, attend_new: Callable[..., Any]) -> None:
    """Print the milliseconds for a pass over 1, 3 and 16 tokens behind 128 kept ones: the fastest of three runs."""
    tokens = torch.tensor([writer.encode(writer.held_out)[:200]])
    kept = writer.step(tokens[:, :128], torch.arange(128), None, attend_new)[1]

    def read_more(m: int) -> None:
        for _ in range(20):
            writer.step(tokens[:, 128 : 128 + m], torch.arange(128, 128 + m), kept, attend_new)

    passes = ", ".join(f"{milliseconds(read_more, m) / 20:.2f}" for m in (1, 3, 16))
    print("ms for a pass over 1, 3 and 16 tokens:", passes)


def write_ahead(
    writer: AustenWriter,
    keep_or_redraw: Callable[..., int],
    attend_new: Callable[..., Any],
    n: int,
    guesses: int,
    temperature: float = 1.0,
) -> tuple[list[int], int]:
    """Return n tokens or a few more, and in how many passes they were written.

    Args:
        writer: Austen's writer, whose `follow_ups` are the draft.
        keep_or_redraw: The learner's own.
        attend_new: The learner's own of lesson 08.
        n: How many tokens are wanted.
        guesses: How many tokens the draft guesses in each pass.
        temperature: Divides the logits, of the draft as well.
    """
    draft = writer.follow_ups ** (1 / temperature)
    draft /= draft.sum(axis=1, keepdims=True)
    return two_writers.guess_and_check(
        writer, draft, keep_or_redraw, attend_new, n, guesses, width=127, temperature=temperature
    )


def write_by_guesses(
    writer: AustenWriter, keep_or_redraw: Callable[..., int], attend_new: Callable[..., Any], n: int
) -> tuple[dict[int, list[int]], dict[int, int]]:
    """Write n tokens by 0 to 4 guesses in each pass; print the passes, and return the tokens and the passes."""
    written = {guesses: write_ahead(writer, keep_or_redraw, attend_new, n, guesses) for guesses in range(5)}
    for k, (_, count) in written.items():
        print(f"{k} guesses: {count} passes")
    return {k: tokens for k, (tokens, _) in written.items()}, {k: count for k, (_, count) in written.items()}


def draw_next(
    writer: AustenWriter, keep_or_redraw: Callable[..., int], start: str, times: int
) -> dict[str, tuple[float, float, float]]:
    """Return for the writer's eight likeliest tokens behind a start: the draft's share, the writer's, what comes out.

    What comes out is the share of guesses of the draft, behind the start's last token, that end as this token.
    """
    tokens, rng = writer.encode(start), np.random.default_rng(0)
    p = writer(torch.tensor([tokens]))[0, -1].double().softmax(-1).numpy()
    q = writer.follow_ups[tokens[-1]]
    drawn = [keep_or_redraw(int(guess), p, q, rng) for guess in rng.choice(len(q), times, p=q)]
    shares = np.bincount(drawn, minlength=len(p)) / times
    return {writer.words[i].strip(): (q[i], p[i], shares[i]) for i in np.argsort(-p)[:8]}


def compare_words_a_pass(
    words_a_pass: Callable[[float, int], float], pages: Mapping[int, Sequence[int]], passes: Mapping[int, int]
) -> None:
    """Print how many words a pass wrote and how many are computed, with the share that fits the line of one guess."""
    measured = {guesses: len(pages[guesses]) / count for guesses, count in passes.items()}
    share = min(np.linspace(0, 1, 1001), key=lambda kept: abs(words_a_pass(kept, 1) - measured[1]))
    print(f"if {share:.0%} of the guesses are kept:")
    for guesses, length in measured.items():
        print(f"{guesses} guesses: {length:.2f} words a pass measured, {words_a_pass(share, guesses):.2f} computed")


def time_two_guesses(
    writer: AustenWriter, keep_or_redraw: Callable[..., int], attend_new: Callable[..., Any], n: int
) -> str:
    """Return in how many passes a text is written with two guesses and without, and how many times as fast.

    Times: medians of three runs each.
    """
    taken: dict[int, list[float]] = {0: [], 2: []}
    passes = {}
    for _ in range(3):
        for guesses, seconds in taken.items():
            start = time.process_time()
            passes[guesses] = write_ahead(writer, keep_or_redraw, attend_new, n, guesses)[1]
            seconds.append(time.process_time() - start)
    faster = np.median(taken[0]) / np.median(taken[2])
    return f"{passes[2]} passes with 2 guesses instead of {passes[0]}, {faster:.1f} times as fast"


def time_growth(ways: Mapping[str, Attend]) -> None:
    """Print the milliseconds that each way takes for 1,000, 2,000 and 4,000 words: the fastest of three runs."""
    for n in (1_000, 2_000, 4_000):
        given = np.random.default_rng(0).normal(size=(3, n, 16))
        print(f"{n:,} words:", ", ".join(f"{name} {milliseconds(run, *given):4.0f} ms" for name, run in ways.items()))


def find_pairs(attend: Attend, pairs: int, draws: int = 20) -> float:
    """Return the share of keys whose answer is nearest to the value that was written with them."""
    rng, nothing, right = np.random.default_rng(pairs), np.zeros((pairs, 16)), []
    for _ in range(draws):
        keys, values = np.where(rng.random((pairs, 16)) < 0.25, 30.0, -30.0), rng.normal(size=(pairs, 16))
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        answers = attend(np.r_[keys, keys], np.r_[keys, keys], np.r_[values, nothing])[pairs:]
        right.append((answers @ values.T).argmax(axis=1) == np.arange(pairs))
    return float(np.mean(right))


def ask_sum(asks: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return what a plain sum of outer products answers."""
    return asks @ (K.T @ V)


def ask_delta(delta_attention: Callable[..., np.ndarray]) -> Attend:
    """Return how the delta rule answers: all words are written with strength 1, and those that ask with strength 0."""

    def ask(asks: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
        n, m = len(K), len(asks)
        Q, strengths = np.concatenate([K, asks]), np.repeat([1.0, 0.0], [n, m])
        return delta_attention(Q, Q, np.concatenate([V, np.zeros((m, V.shape[1]))]), strengths)[n:]

    return ask


def find_latest(ask: Attend, keys: int, times: int, at_right_angles: bool) -> float:
    """Return the share of keys whose answer is nearest to their latest value, of all values; 100 draws."""
    rng, right = np.random.default_rng(0), []
    for _ in range(100):
        units = np.eye(16)[:keys] if at_right_angles else rng.normal(size=(keys, 16))
        units /= np.linalg.norm(units, axis=1, keepdims=True)
        which = rng.permutation(np.repeat(np.arange(keys), times))
        values = rng.normal(size=(len(which), 16))
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        latest = [np.flatnonzero(which == key)[-1] for key in range(keys)]
        right.append((ask(units, units[which], values) @ values.T).argmax(axis=1) == latest)
    return float(np.mean(right))


def compare_latest(delta_attention: Callable[..., np.ndarray]) -> None:
    """Print how often a softmax, a plain sum and the delta rule find the latest value of a key."""
    ways: dict[str, Attend] = {
        "softmax": lambda asks, K, V: whole_table(30 * asks, 30 * K, V),  # so large that another key gets no weight
        "plain sum": ask_sum,
        "delta rule": ask_delta(delta_attention),
    }
    for name, ask in ways.items():
        again, fresh = find_latest(ask, 4, 8, True), find_latest(ask, 16, 1, False)
        print(f"{name:10}  4 keys, 8 values each: {again:4.0%} found   16 keys, 1 value each: {fresh:4.0%} found")


def make_keys_first(Q: np.ndarray, C: np.ndarray, W_k: np.ndarray, W_v: np.ndarray) -> np.ndarray:
    """Return what `latent_attention` returns, but make the keys and values of all heads first."""
    scores = np.matmul(Q, (C @ W_k).swapaxes(1, 2)) / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ (C @ W_v)


def compare_latents(latent_attention: Callable[..., np.ndarray]) -> None:
    """Print the memory and the time of 16 heads and one query over 8,192 words; times: the fastest of three runs."""
    rng = np.random.default_rng(0)
    given = [rng.normal(size=shape) for shape in ((16, 1, 32), (8192, 32), (16, 32, 32), (16, 32, 32))]
    outputs = []
    for name, run in {"keys and values made first": make_keys_first, "your function": latent_attention}.items():
        output, held = peak(run, *given)
        outputs.append(output)
        print(f"{name:26}: {held:5.1f} MiB, {milliseconds(run, *given):5.1f} ms")
    print("the same numbers:", np.allclose(*outputs))


def attend_to_part(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> Pair:
    """Return the output and the lse of softmax attention over these keys."""
    scores = Q @ K.T / Q.shape[1] ** 0.5
    lse = scores.logsumexp(dim=1)
    return ((scores - lse[:, None]).exp() @ V).numpy(), lse.numpy()


def compare_parts(merge: Callable[[Pair, Pair], Pair]) -> None:
    """Print what four parts of the keys cost, each by itself, beside all keys at once: the fastest of three runs."""
    draws = torch.Generator().manual_seed(1)
    Q, K, V = (torch.randn(rows, 64, generator=draws) for rows in (64, 100_000, 100_000))
    parts = [*zip(K.chunk(4), V.chunk(4))]
    pairs = [attend_to_part(Q, *part) for part in parts]
    whole = milliseconds(attend_to_part, Q, K, V)
    longest = max(milliseconds(attend_to_part, Q, *part) for part in parts)
    merging = milliseconds(_merge_all, merge, pairs)
    same = all(np.allclose(*both, atol=1e-4) for both in zip(attend_to_part(Q, K, V), _merge_all(merge, pairs)))
    held, of_part = (sum(rows.nbytes for rows in pair) / MEBIBYTE for pair in ((K, V), parts[0]))
    print(f"all keys at once: {held:4.1f} MiB of keys and values, {whole:4.0f} ms")
    print(f"each of 4 parts:  {of_part:4.1f} MiB of keys and values, {longest:4.0f} ms at most", end="")
    print(f", and {merging:.2f} ms to merge them, the same numbers: {same}")


def _merge_all(merge: Callable[[Pair, Pair], Pair], pairs: Sequence[Pair]) -> Pair:
    first, *others = pairs
    for other in others:
        first = merge(first, other)
    return first


def by_groups(grouped_attention: Callable[..., torch.Tensor]) -> AttendNew:
    """Return an `attend_new` that lets `grouped_attention` compute all query heads over one head of keys."""
    return _for_shared_head(lambda Q, K, V: grouped_attention(Q[None, :, None], K[None, None], V[None, None])[0, :, 0])


def by_blocks(streamed_attention: Callable[..., np.ndarray], block: int) -> AttendNew:
    """Return an `attend_new` that hands `streamed_attention` the queries of all heads as queries to the same keys."""
    return _for_shared_head(lambda *given: streamed_attention(*(tensor.numpy() for tensor in given), block))


def by_parts(merge: Callable[[Pair, Pair], Pair], parts: int) -> AttendNew:
    """Return an `attend_new` that attends to each part of the keys by itself, and merges what is found."""

    def attend(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> np.ndarray:
        return _merge_all(merge, [attend_to_part(Q, *part) for part in zip(K.chunk(parts), V.chunk(parts))])[0]

    return _for_shared_head(attend)


def _for_shared_head(attend: Callable[..., torch.Tensor | np.ndarray]) -> AttendNew:
    """Return an `attend_new` for a writer that keeps one head of keys and values.

    attend: from one token's queries (heads, d) and all keys and values that it may read (t, d) to (heads, d).
    Token by token no mask is needed.
    """

    def attend_new(
        Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, kept: Any = None
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        if kept:
            K, V = (torch.cat(both, 1) for both in zip(kept, (K, V)))
        first = K.shape[1] - Q.shape[1] + 1
        rows = [torch.as_tensor(attend(Q[:, i], K[0, : first + i], V[0, : first + i])) for i in range(Q.shape[1])]
        return torch.stack(rows, 1).to(Q.dtype), (K, V)

    return attend_new


def compare_own(
    writer: AustenWriter,
    page: Sequence[int],
    attend_new: AttendNew,
    grouped_attention: Callable[..., torch.Tensor],
    by_streams: AttendNew,
    keep_or_redraw: Callable[..., int],
) -> None:
    """Print for each of the learner's functions what it saves, and for both attentions whether the page is the same.

    page: 400 tokens that `attend_new` wrote without guesses.
    """
    needs = _needs(writer, attend_new, by_streams)
    for name, way in {"grouped_attention": by_groups(grouped_attention), "streamed_attention": by_streams}.items():
        again, _ = write_ahead(writer, keep_or_redraw, way, len(page), guesses=0)
        print(f"{name:18}  {needs[name]}, the same page: {again == page}")
    print("keep_or_redraw     ", time_two_guesses(writer, keep_or_redraw, attend_new, len(page)))


def _needs(writer: AustenWriter, attend_new: AttendNew, by_streams: AttendNew) -> dict[str, str]:
    """Return by function what 2,048 tokens need: the cache with one head and with all, the memory of attention to them.

    Memory is the most that is held at once while one token more is read, in blocks and with a table.
    """
    tokens = torch.tensor([writer.encode(writer.held_out)[:2049]])
    places = torch.arange(2049)
    kept = writer.step(tokens[:, :256], places[:256], None, attend_new)[1]
    for start in range(256, 2048, 256):
        here = slice(start, start + 256)
        kept = writer.step(tokens[:, here], places[here], kept, attend_new)[1]
    by_table = _for_shared_head(lambda *given: whole_table(*(rows.numpy() for rows in given)))
    blocks, table = (
        1024 * peak(writer.step, tokens[:, -1:], places[-1:], kept, way)[1] for way in (by_streams, by_table)
    )
    cache = kibibytes(kept)
    return {
        "grouped_attention": f"cache of 2,048 tokens: {cache:5,.0f} KiB instead of {writer.heads * cache:5,.0f}",
        "streamed_attention": f"memory to read them:   {blocks:5,.0f} KiB instead of {table:5,.0f}",
    }
