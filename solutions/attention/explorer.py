"""The attention explorer: the numbers of one's own attention, with the steps behind each, cell by cell."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from autograder.views import figures

MOST = 16
"""Rows and columns that a table of weights may have: more are not read, but scrolled."""

DIGITS = 4
"""Decimals of the numbers in a page that is built: more than are shown, and the same on every processor.
A live explorer gets all digits."""

TOLERANCE, TOLERANCE_OF_ROUNDED = 1e-4, 2e-3
"""By which two numbers may differ, relative to the largest entry (of 1 at least), as the judge compares them."""


def look_inside(
    attend: Callable[..., Any],
    Q: Any,
    K: Any,
    V: Any,
    mask: Any = None,
    queries: str | Sequence[str] = (),
    keys: str | Sequence[str] = (),
) -> None:
    """Show the weights that `attend` gives and, for the chosen one, the dot product and the mixture behind it.

    attend: called with Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v) and the mask, if any; gives back
    (output, weights), or the output and keeps `attention_weights`, or the output alone. A layer with `num_heads`,
    `W_q`, `W_k` and `W_v` is looked into head by head. mask: True = may look. queries, keys: what to call them, as a
    list or a sentence. Where `attend` gives something else, a sentence about it stands in place of the table.
    """
    from IPython.display import display

    try:
        seen = observe(attend, Q, K, V, mask, queries, keys)
    except ValueError as error:
        print(error)
        return
    shown = {"text/html": _page(seen), "text/plain": _in_words(seen)}
    if not _is_built():
        shown = {**_widget(seen)._repr_mimebundle_()[0], **shown}
    display(shown, raw=True)


def observe(
    attend: Callable[..., Any],
    Q: Any,
    K: Any,
    V: Any,
    mask: Any = None,
    queries: str | Sequence[str] = (),
    keys: str | Sequence[str] = (),
) -> dict[str, Any]:
    """What `look_inside` shows: names, words, and for each sentence or head its Q, K, V, mask, weights and output.

    Raises `ValueError` where `attend` gives no weights of the shape (..., n_q, n_k), or there are more than 16.
    """
    name = getattr(attend, "__name__", type(attend).__name__)
    output, weights = _called(attend, name, Q, K, V, mask)
    output, weights = _array(output), _array(weights)
    heads = hasattr(attend, "num_heads") and weights.ndim == 4
    Q, K, V = (_of_heads(attend, part, rows) if heads else _array(rows) for part, rows in zip("qkv", (Q, K, V)))
    n_q, n_k = Q.shape[-2], K.shape[-2]
    if weights.shape[-2:] != (n_q, n_k):
        raise ValueError(f"{name} gave weights {weights.shape}; {n_q} queries and {n_k} keys make (…, {n_q}, {n_k}).")
    if max(n_q, n_k) > MOST:
        raise ValueError(f"That is {n_q} × {n_k} weights; look at {MOST} × {MOST} at most, as with Q[:{MOST}].")
    queries, keys = _words(queries, n_q, "query"), _words(keys or (queries if n_q == n_k else ()), n_k, "key")
    places = list(np.ndindex(weights.shape[:-2]))
    if mask is not None:
        mask = _array(mask)
        mask = np.broadcast_to(mask[:, None] if heads and mask.ndim == 3 else mask, weights.shape)
    return {
        "name": name,
        "tolerance": TOLERANCE_OF_ROUNDED if _is_built() else TOLERANCE,
        "queries": queries,
        "keys": keys,
        "looks": [
            {
                "name": _named(place, weights.shape, heads),
                **{part: _sent(rows, place) for part, rows in (("Q", Q), ("K", K), ("V", V), ("weights", weights))},
                "mask": None if mask is None else _sent(mask, place),
                "output": None if heads else _sent(output, place),
            }
            for place in places
        ],
    }


def _called(attend: Callable[..., Any], name: str, Q: Any, K: Any, V: Any, mask: Any) -> tuple[Any, Any]:
    """The output and the weights. Of an output alone: values that are 1 for one key each bring the weights to light."""
    more = () if mask is None else (mask,)
    output = attend(Q, K, V, *more)
    if output is None:
        raise ValueError(f"{name} gives nothing back yet. Write it, then run this cell again.")
    if isinstance(output, tuple):
        return output[0], output[1]
    weights = getattr(attend, "attention_weights", None)
    if weights is None and hasattr(attend, "num_heads"):
        raise ValueError(f"{name} keeps no attention_weights, so there is nothing to look at.")
    if weights is None:
        one_each = np.eye(K.shape[-2])
        weights = attend(Q, K, K.new_tensor(one_each) if hasattr(K, "new_tensor") else one_each, *more)
    return output, weights


def _of_heads(layer: Any, part: str, rows: Any) -> np.ndarray:
    """What each head gets of (batch, n, d_model): (batch, num_heads, n, d_k)."""
    made = _array(getattr(layer, f"W_{part}")(rows))
    return made.reshape(*made.shape[:2], layer.num_heads, -1).swapaxes(1, 2)


def _array(rows: Any) -> np.ndarray:
    return np.asarray(rows.detach() if hasattr(rows, "detach") else rows, dtype=float)


def _words(words: str | Sequence[str], number: int, what: str) -> list[str]:
    listed = words.split() if isinstance(words, str) else list(words)
    if listed and len(listed) != number:
        raise ValueError(f"There are {number} rows, one for each {what}, and {len(listed)} words: {' '.join(listed)}")
    return listed or [f"{what} {i}" for i in range(number)]


def _named(place: tuple[int, ...], shape: tuple[int, ...], heads: bool) -> str:
    what = ("sentence", "head") if heads else ("batch",) * len(place)
    return ", ".join(f"{one} {i}" for one, i, size in zip(what, place, shape) if size > 1)


def _sent(rows: np.ndarray, place: tuple[int, ...]) -> list[Any]:
    """One matrix as lists; JSON has no NaN and no infinity, and so they are words."""
    leading = rows.shape[:-2]
    table = rows[tuple(0 if size == 1 else i for i, size in zip(place[len(place) - len(leading) :], leading))]
    table = table.round(DIGITS) + 0.0 if _is_built() else table.astype(float)
    return [[float(x) if np.isfinite(x) else str(x) for x in row] for row in table]


def _is_built() -> bool:
    """Return whether the notebook is built: nobody is there, and its numbers are stored."""
    return bool(os.environ.get(figures.STATIC))


def _widget(seen: dict[str, Any]) -> Any:
    """Live: the same page script, in anywidget's frame. It is imported here, as grading needs none."""
    import anywidget
    import traitlets

    class LookInside(anywidget.AnyWidget):
        _esm, _css = _file("js"), _file("css")
        seen = traitlets.Dict().tag(sync=True)

    return LookInside(seen=seen)


def _page(seen: dict[str, Any]) -> str:
    """The tables as HTML, which the script beside them brings to life where scripts may run, as on a site."""
    tables = "".join(
        f"<table><caption>{escape(_title(seen, look))}</caption><tr><td></td>"
        + "".join(f'<th scope="col">{escape(key)}</th>' for key in seen["keys"])
        + "</tr>"
        + "".join(
            f'<tr><th scope="row">{escape(query)}</th>' + "".join(f"<td>{_short(x)}</td>" for x in row) + "</tr>"
            for query, row in zip(seen["queries"], look["weights"])
        )
        + "</table>"
        for look in seen["looks"]
    )
    data = json.dumps(seen, ensure_ascii=False).replace("<", "\\u003c")
    start = "for (const el of document.querySelectorAll('.look-inside-still:not([data-live])')) revive(el)"
    return (
        f"<style>{_file('css')}</style><div class='look-inside-still'>{tables}"
        f"<script type='application/json'>{data}</script></div>"
        f"<script type='module'>{_file('js')}\n{start}</script>"
    )


def _in_words(seen: dict[str, Any]) -> str:
    """The tables as plain text."""
    lines = []
    wide = max(map(len, (*seen["keys"], "0.00"))) + 2
    first = max(map(len, seen["queries"]))
    for look in seen["looks"]:
        lines += [_title(seen, look), " " * first + "".join(f"{key:>{wide}}" for key in seen["keys"])]
        for query, row in zip(seen["queries"], look["weights"]):
            lines.append(f"{query:>{first}}" + "".join(f"{_short(x):>{wide}}" for x in row))
    return "\n".join(lines)


def _title(seen: dict[str, Any], look: dict[str, Any]) -> str:
    return f"Weights of {seen['name']}" + (f", {look['name']}" if look["name"] else "")


def _short(number: Any) -> str:
    return f"{float(number):.2f}"


def _file(kind: str) -> str:
    return Path(__file__).with_suffix(f".{kind}").read_text(encoding="utf-8")
