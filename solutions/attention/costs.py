"""What lesson 09 measures: memory, passes and time, and what a state finds again."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn import functional

from . import two_writers
from .reading import milliseconds

if TYPE_CHECKING:
    from .austen import AustenWriter

    Attend = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    Pair = tuple[np.ndarray, np.ndarray]

MEBIBYTE = 2**20


def peak(run: Callable[..., np.ndarray], *args: Any) -> tuple[np.ndarray, float]:
    """Return what `run` returns, and the most MiB that it held at any time."""
    tracemalloc.start()
    output = run(*args)
    mebibytes = tracemalloc.get_traced_memory()[1] / MEBIBYTE
    tracemalloc.stop()
    return output, mebibytes


def compare_memory(whole_table: Attend, streamed: Callable[..., np.ndarray] | None = None) -> None:
    """Print how much memory attention allocates for longer and longer texts, with a table and in blocks of 64."""
    for n in (512, 1024, 2048):
        Q, K, V = np.random.default_rng(25).normal(size=(3, n, 16))
        table, much = peak(whole_table, Q, K, V)
        line = f"{n:5,} words: {much:4.1f} MiB with the table"
        if streamed:
            output, little = peak(streamed, Q, K, V, 64)
            line += f", {little:4.1f} MiB without, {much / little:4.1f} times less"
            line += f", the same numbers: {np.allclose(table, output)}"
        print(line)


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
    """Return n tokens, and in how many passes they were written, by 0 to 4 guesses in each pass."""
    written = {guesses: write_ahead(writer, keep_or_redraw, attend_new, n, guesses) for guesses in range(5)}
    return {k: tokens for k, (tokens, _) in written.items()}, {k: count for k, (_, count) in written.items()}


def time_two_guesses(
    writer: AustenWriter, keep_or_redraw: Callable[..., int], attend_new: Callable[..., Any], n: int
) -> None:
    """Print how many times as fast a text is written with two guesses as without: medians of three runs each."""
    taken: dict[int, list[float]] = {0: [], 2: []}
    for _ in range(3):
        for guesses, seconds in taken.items():
            start = time.process_time()
            write_ahead(writer, keep_or_redraw, attend_new, n, guesses)
            seconds.append(time.process_time() - start)
    faster = np.median(taken[0]) / np.median(taken[2])
    print(f"with 2 guesses {faster:.1f} times as fast as without (medians of three runs)")


def surprise(writer: AustenWriter, tokens: list[int]) -> float:
    """Return how many nats a token the writer itself finds in a text: the mean of -ln p."""
    logits = writer(torch.tensor([[0, *tokens]]), 128)[0, :-1]
    return float(functional.cross_entropy(logits, torch.tensor(tokens)))


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


def ask_sum(asks: np.ndarray, K: np.ndarray, V: np.ndarray, fade: float = 1.0) -> np.ndarray:
    """Return what a plain sum of outer products answers; with a `fade` below 1 it fades with every word."""
    ages = np.arange(len(K))[::-1]
    return asks @ (K.T @ (V * fade ** ages[:, None]))


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


def make_keys_first(Q: np.ndarray, C: np.ndarray, W_k: np.ndarray, W_v: np.ndarray) -> np.ndarray:
    """Return what `latent_attention` returns, but make the keys and values of all heads first."""
    scores = np.matmul(Q, (C @ W_k).swapaxes(1, 2)) / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ (C @ W_v)


def compare_latents(latent_attention: Callable[..., np.ndarray]) -> None:
    """Print the memory and the time of 16 heads and one query over 8,192 words; times: the fastest of three runs."""
    rng = np.random.default_rng(0)
    given = [rng.normal(size=shape) for shape in ((16, 1, 32), (8192, 32), (16, 32, 32), (16, 32, 32))]
    for name, run in {"keys and values made first": make_keys_first, "your function": latent_attention}.items():
        output, held = peak(run, *given)
        print(f"{name:26}: {held:5.1f} MiB, {milliseconds(run, *given):5.1f} ms, first number {output[0, 0, 0]:.4f}")


def attend_to_part(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> Pair:
    """Return the output and the lse of softmax attention over these keys."""
    scores = Q @ K.T / Q.shape[1] ** 0.5
    lse = scores.logsumexp(dim=1)
    return ((scores - lse[:, None]).exp() @ V).numpy(), lse.numpy()


def attend_in_parts(
    merge: Callable[[Pair, Pair], Pair], parts: int, Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor
) -> Pair:
    """Let as many threads as there are parts attend to a part of the keys each, and merge what they return."""
    with ThreadPoolExecutor(parts) as pool:
        first, *others = pool.map(attend_to_part, [Q] * parts, K.chunk(parts), V.chunk(parts))
    for other in others:
        first = merge(first, other)
    return first


def compare_parts(merge: Callable[[Pair, Pair], Pair]) -> None:
    """Print whether two parts of the keys give what one gives, and how many times as fast: medians of three runs."""
    draws = torch.Generator().manual_seed(1)
    Q, K, V = (torch.randn(rows, 64, generator=draws) for rows in (64, 100_000, 100_000))
    results, seconds = {}, {}
    for parts in (1, 2):
        taken = []
        for _ in range(3):
            start = time.perf_counter()
            results[parts] = attend_in_parts(merge, parts, Q, K, V)
            taken.append(time.perf_counter() - start)
        seconds[parts] = np.median(taken)
    same = all(np.allclose(*both, atol=1e-4) for both in zip(results[1], results[2]))
    print(f"2 parts as 1: {same}")
    print(f"2 processors: {seconds[1] / seconds[2]:.1f} times as fast, by the clock on the wall")
