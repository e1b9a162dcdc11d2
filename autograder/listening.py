"""Notices which library functions an answer calls, however it got hold of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

SOFTMAX = {
    "scipy.special._logsumexp:softmax": "scipy.special.softmax",
    "torch.nn.functional:softmax": "torch.nn.functional.softmax",
    "torch:_VariableFunctionsClass.softmax": "torch.softmax",
    "torch._C._special:special_softmax": "torch.special.softmax",
    "None:Tensor.softmax": "Tensor.softmax",
}
ATTENTION = {
    "torch._C._nn:scaled_dot_product_attention": "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional:multi_head_attention_forward": "torch.nn.MultiheadAttention",
}
KNOWN = {**SOFTMAX, **ATTENTION}
"""Where a function is defined, `module:qualified name`, and the name it is called by."""


def library_calls(run: Callable[[], Any]) -> tuple[str, ...]:
    """The names of `KNOWN` functions that are called while `run()` runs, each once, in order."""
    called: dict[str, None] = {}

    def listen(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            origin = f"{frame.f_globals.get('__name__')}:{frame.f_code.co_qualname}"
        elif event == "c_call":
            origin = f"{getattr(argument, '__module__', None)}:{getattr(argument, '__qualname__', None)}"
        else:
            return
        if origin in KNOWN:
            called.setdefault(KNOWN[origin])

    before = sys.getprofile()
    sys.setprofile(listen)
    try:
        run()
    finally:
        sys.setprofile(before)
    return tuple(called)
