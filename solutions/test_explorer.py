"""The attention explorer shows what the learner's function gives, right or wrong, beside its inputs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from autograder.exercises import public_course
from attention import attention, explorer, look_inside, softmax

MultiHeadAttention = public_course.current_course().load_helpers({"MultiHeadAttention": "attention.heads"})[
    "MultiHeadAttention"
]
observe = explorer.observe

Q = np.array([[1.0, 0, 2], [0, 1, -1]])
K = np.array([[1.0, 1, 0], [2, 0, 1], [0, 3, 1], [-1, 0, 0]])
V = np.array([[1.0, 0], [0, 1], [2, 2], [-1, 4]])
CAUSAL = torch.ones(4, 4).tril().bool()


def scaled(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    weights = softmax(Q @ K.T / np.sqrt(K.shape[-1]))
    return weights @ V, weights


def whole_matrix(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    powers = np.exp(Q @ K.T)
    return powers @ V, powers / powers.sum()


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """What is displayed, by kind."""
    displayed: list[dict[str, str]] = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: displayed.append(data))
    return displayed


@pytest.mark.parametrize("attend", [scaled, whole_matrix])
def test_the_numbers_are_those_of_the_function_right_or_wrong(attend: Callable[..., Any]) -> None:
    (look,) = observe(attend, Q, K, V)["looks"]
    output, weights = attend(Q, K, V)
    np.testing.assert_allclose(look["weights"], weights, atol=1e-4)
    np.testing.assert_allclose(look["output"], output, atol=1e-4)
    for name, rows in {"Q": Q, "K": K, "V": V}.items():
        np.testing.assert_array_equal(look[name], rows)


def test_of_a_function_without_weights_they_are_found() -> None:
    (look,) = observe(lambda Q, K, V: scaled(Q, K, V)[0], Q, K, V)["looks"]
    np.testing.assert_allclose(look["weights"], scaled(Q, K, V)[1], atol=1e-4)


def test_each_batch_has_its_own_numbers_and_the_mask_reaches_the_function() -> None:
    rows = torch.randn(2, 4, 3, generator=torch.Generator().manual_seed(0))
    seen = observe(attention, rows, rows, rows, CAUSAL, queries="I love you .")
    assert [look["name"] for look in seen["looks"]] == ["batch 0", "batch 1"]
    assert seen["keys"] == seen["queries"] == ["I", "love", "you", "."]
    for look, weights in zip(seen["looks"], attention(rows, rows, rows, CAUSAL)[1]):
        np.testing.assert_allclose(look["weights"], weights, atol=1e-4)
        np.testing.assert_array_equal(look["mask"], CAUSAL)


def test_a_layer_is_looked_into_head_by_head() -> None:
    torch.manual_seed(0)
    layer, rows = MultiHeadAttention(8, 2), torch.randn(1, 4, 8)
    seen = observe(layer, rows, rows, rows, CAUSAL)
    assert [look["name"] for look in seen["looks"]] == ["head 0", "head 1"]
    for head, look in enumerate(seen["looks"]):
        np.testing.assert_allclose(look["weights"], layer.attention_weights[0, head].detach(), atol=1e-4)
        again = attention(*(torch.tensor(look[part]) for part in "QKV"), CAUSAL)[1]
        np.testing.assert_allclose(look["weights"], again, atol=1e-3)


def test_where_no_one_is_there_it_is_tables(shown: list[dict[str, str]]) -> None:
    look_inside(whole_matrix, Q, K, V, queries="<i> ask", keys="a b c d")
    (data,) = shown
    assert sorted(data) == ["text/html", "text/plain"]
    numbers = [f"{weight:.2f}" for weight in whole_matrix(Q, K, V)[1].ravel()]
    assert [word for word in data["text/plain"].split() if "." in word] == numbers
    assert all(f"<td>{number}</td>" in data["text/html"] for number in numbers)
    assert '<th scope="row">&lt;i&gt;</th>' in data["text/html"]
    assert "<i>" not in data["text/html"]


def test_live_it_is_a_widget_with_the_tables_as_what_stays(
    shown: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ATTENTION_COURSE_STATIC")
    look_inside(scaled, Q, K, V)
    assert {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"} == set(shown[0])


def test_numbers_that_are_none_are_shown_as_they_are(shown: list[dict[str, str]]) -> None:
    look_inside(lambda Q, K, V: (Q @ K.T @ V, Q @ K.T * np.nan), Q, K, V)
    assert shown[0]["text/plain"].count("nan") == 8
    with np.errstate(invalid="ignore"):
        seen = observe(lambda Q, K, V: (V, Q @ K.T * np.inf), Q, K, V)
    json.dumps(seen, allow_nan=False)


@pytest.mark.parametrize(
    ("attend", "inputs", "told"),
    [
        (lambda Q, K, V: None, (Q, K, V), "gives nothing back yet"),
        (lambda Q, K, V: (V, K @ Q.T), (Q, K, V), "gave weights (4, 2); 2 queries and 4 keys make (…, 2, 4)"),
        (scaled, (np.ones((20, 3)), K, V), "look at 16 × 16 at most"),
    ],
)
def test_what_cannot_be_shown_is_said(
    attend: Callable[..., Any],
    inputs: tuple,
    told: str,
    shown: list[dict[str, str]],
    capsys: pytest.CaptureFixture,
) -> None:
    look_inside(attend, *inputs)
    assert told in capsys.readouterr().out
    assert not shown


def test_the_widget_s_library_is_not_imported_before_it_is_shown() -> None:
    text = "import sys; from attention import look_inside; sys.exit('anywidget' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0
