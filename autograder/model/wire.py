"""Values as JSON, so that cases and answers can be stored and can cross between processes.

Only plain data passes: numbers, text, lists, tuples, dictionaries and arrays. Nothing that is read here can
run code, and what comes from a student's process is bounded before it is believed (`loads`).
"""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import numpy as np

from autograder.model import kinds, limits
from autograder.model.exercise import Case, CasePutBy, ModuleState, Observation, StudentError
from autograder.model.limits import MAX_ENTRIES

_RECORDS = {record.__name__: record for record in (Case, CasePutBy, ModuleState, Observation, StudentError)}
_ARRAY_KINDS = "biuf"


class WireError(ValueError):
    """What was read is not what this module writes."""


def encode(value: Any) -> Any:
    """`value` as JSON data. Something that is not plain data becomes `{"opaque": <its type's name>}`."""
    if isinstance(value, Opaque):
        return {"opaque": value.kind}
    if isinstance(value, str):
        return value[: limits.MAX_MESSAGE_TEXT]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return {"tuple" if isinstance(value, tuple) else "list": [encode(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[_plain_key(key), encode(item)] for key, item in value.items()]}
    if type(value) in _RECORDS.values() or kinds.declared_kind(value):
        fields = {f.name: encode(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {type(value).__name__: fields}
    array = as_array(value)
    if array is None:
        return {"opaque": type(value).__name__}
    if max(array.size, *array.shape, 0) > MAX_ENTRIES:
        return {"opaque": f"array of {array.size} entries"}
    about = {"dtype": array.dtype.str, "shape": list(array.shape), "data": array.ravel().tolist()}
    return {"array": about}


def as_array(value: Any) -> np.ndarray | None:
    """The NumPy array behind an array, a scalar or a tensor; None when `value` is none of these."""
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
    elif hasattr(value, "detach") and hasattr(value, "cpu"):
        array = np.asarray(value.detach().cpu().numpy())
    else:
        return None
    return array if array.dtype.kind in _ARRAY_KINDS else None


def _plain_key(key: Any) -> Any:
    return key if key is None or isinstance(key, (bool, int, float, str)) else str(key)[:200]


def decode(data: Any, depth: int = 0) -> Any:
    """The value that `encode` wrote.

    Raises `WireError` where the data does not have the form that `encode` gives it.
    """
    if depth > limits.MAX_MESSAGE_DEPTH:
        raise WireError(f"nested more than {limits.MAX_MESSAGE_DEPTH} deep")
    if isinstance(data, str):
        return data[: limits.MAX_MESSAGE_TEXT]
    if data is None or isinstance(data, (bool, int, float)):
        return data
    if not isinstance(data, dict) or len(data) != 1:
        raise WireError("expected one tagged value")
    [(tag, body)] = data.items()
    inner = depth + 1
    if tag in ("list", "tuple"):
        items = [decode(item, inner) for item in _expect(body, list)]
        return tuple(items) if tag == "tuple" else items
    if tag == "dict":
        return dict(_decode_pair(pair, inner) for pair in _expect(body, list))
    if tag == "array":
        return _decode_array(_expect(body, dict))
    if tag == "opaque":
        return Opaque(_expect(body, str)[:80])
    known = _RECORDS.get(tag) or kinds.declared(tag)
    if known is not None:
        fields = {name: decode(item, inner) for name, item in _expect(body, dict).items()}
        try:
            return known(**fields)
        except TypeError as error:
            raise WireError(str(error)) from None
    raise WireError("unknown tag")


@dataclasses.dataclass(frozen=True)
class Opaque:
    """Something a student returned that is not plain data; only its type's name crossed."""

    kind: str


def _expect(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise WireError(f"expected {kind.__name__}")
    return value


def _decode_pair(pair: Any, depth: int) -> tuple[Any, Any]:
    if len(_expect(pair, list)) != 2 or not isinstance(pair[0], (str, int, float, bool, type(None))):
        raise WireError("a dictionary is written as pairs of a plain key and a value")
    return pair[0], decode(pair[1], depth)


def _decode_array(body: dict[str, Any]) -> np.ndarray:
    try:
        dtype = np.dtype(_expect(body["dtype"], str))
        shape = tuple(int(size) for size in _expect(body["shape"], list))
        values = _expect(body["data"], list)
        if dtype.kind not in _ARRAY_KINDS or min(shape, default=0) < 0 or math.prod(shape) != len(values):
            raise WireError("an array's type, shape and length do not belong together")
        if max(shape, default=0) > MAX_ENTRIES:
            raise WireError(f"an array of shape {shape[:4]}")
        return np.array(values, dtype=dtype).reshape(shape)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise WireError(f"not an array: {error}") from None


def dumps(value: Any) -> str:
    """`value` as one line of JSON."""
    return json.dumps(encode(value), separators=(",", ":"))


def loads(text: str) -> Any:
    """The value behind what `dumps` wrote. Raises `WireError` for anything else, and for more than is read."""
    if len(text) > limits.MAX_MESSAGE_BYTES:
        raise WireError(f"{len(text) / 2**20:.0f} MiB came, more than {limits.MAX_MESSAGE_BYTES // 2**20}")
    if text.count(",") > limits.MAX_MESSAGE_COMMAS:
        raise WireError(f"more than {limits.MAX_MESSAGE_COMMAS:,} entries came")
    try:
        return decode(json.loads(text))
    except WireError:
        raise
    except (ValueError, RecursionError) as error:
        raise WireError(f"not JSON: {error}") from None
