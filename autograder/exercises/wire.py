"""Values as JSON, so that cases and answers can be stored and can cross between processes.

Only plain data passes: numbers, text, lists, tuples, dictionaries and arrays. Nothing that is read here can
run code, and what comes from a student's process is bounded before it is believed (`loads`).
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds, limits
from autograder.exercises.exercise import Call, Case, CasePutBy, ModuleState, Observation, StudentError
from autograder.exercises.hidden_values import Concealed
from autograder.exercises.limits import MAX_ENTRIES
from autograder.exercises.values import Opaque

_RECORDS = {
    record.__name__: record
    for record in (Call, Case, CasePutBy, Concealed, ModuleState, Observation, StudentError)
}
_ARRAY_KINDS = "biuf"


class WireError(ValueError):
    """What was read is not what this module writes."""


def encode(value: Any) -> Any:
    """Return `value` as JSON data. Something that is not plain data becomes `{"opaque": <its type's name>}`."""
    if isinstance(value, str):
        return value[: limits.MAX_MESSAGE_TEXT]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return {"tuple" if isinstance(value, tuple) else "list": [encode(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[_plain_key(key), encode(item)] for key, item in value.items()]}
    if type(value) in _RECORDS.values() or argument_kinds.find_kind(value):
        return {type(value).__name__: {name: encode(item) for name, item in _crossing_fields(value)}}
    array = as_array(value)
    if array is None:
        return {"opaque": value.kind if isinstance(value, Opaque) else type(value).__name__}
    if max(array.size, *array.shape, 0) > MAX_ENTRIES:
        return {"opaque": f"array of {array.size} entries"}
    return {"array": {"dtype": array.dtype.str, "shape": list(array.shape), "data": array.ravel().tolist()}}


def _crossing_fields(record: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a record that cross, by name: `exercise.CROSSES_IF_SET` names the exceptions."""
    for field in dataclasses.fields(record):
        item, crosses = getattr(record, field.name), field.metadata.get("crosses")
        if crosses is None or (crosses == "if set" and item):
            yield field.name, item


def describe_uncrossable(value: Any) -> str:
    """Return in words the first part of a value that would not arrive as it is; empty where all of it would."""
    if type(value) in (list, tuple, dict):
        items = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        return next(filter(None, map(describe_uncrossable, items)), "")
    if type(value) in _RECORDS.values() or argument_kinds.find_kind(value):
        items = [item for _, item in _crossing_fields(value)]
        return next(filter(None, map(describe_uncrossable, items)), "")
    if isinstance(value, str):
        too_long = len(value) > limits.MAX_MESSAGE_TEXT
        return f"a text of more than {limits.MAX_MESSAGE_TEXT:,} characters" if too_long else ""
    name = value.kind if isinstance(value, Opaque) else type(value).__name__
    if hasattr(value, "detach"):
        return f"a {name} (write Tensor(array))"
    if isinstance(value, np.random.Generator):
        return f"a {name} (write RandomSource(seed))"
    is_plain = value is None or isinstance(value, (bool, int, float)) or as_array(value) is not None
    if is_plain:
        too_large = isinstance(value, np.ndarray) and max(value.size, *value.shape, 0) > MAX_ENTRIES
        return f"an array of more than {MAX_ENTRIES:,} entries" if too_large else ""
    dtype = f" of dtype {value.dtype}" if isinstance(value, np.ndarray) else ""
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}{dtype}"


def as_array(value: Any) -> np.ndarray | None:
    """Return the NumPy array behind an array, a scalar or a tensor; None when `value` is none of these."""
    if hasattr(value, "detach") and hasattr(value, "cpu"):
        value = value.detach().cpu().numpy()
    elif not isinstance(value, (np.ndarray, np.generic)):
        return None
    array = np.asarray(value)
    return array if array.dtype.kind in _ARRAY_KINDS else None


def _plain_key(key: Any) -> Any:
    return key if key is None or isinstance(key, (bool, int, float, str)) else str(key)[:200]


def decode(data: Any, depth: int = 0) -> Any:
    """Return the value that `encode` wrote.

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
    if tag in ("list", "tuple"):
        items = [decode(item, depth + 1) for item in _expect(body, list)]
        return tuple(items) if tag == "tuple" else items
    if tag == "dict":
        return dict(_decode_pair(pair, depth + 1) for pair in _expect(body, list))
    if tag == "array":
        return _decode_array(_expect(body, dict))
    if tag == "opaque":
        return Opaque(_expect(body, str)[:80])
    record = _RECORDS.get(tag) or argument_kinds.find_declaration(tag)
    if record is None:
        raise WireError("unknown tag")
    fields = {name: decode(item, depth + 1) for name, item in _expect(body, dict).items()}
    try:
        return record(**fields)
    except TypeError as error:
        raise WireError(str(error)) from None


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
        entries = _expect(body["data"], list)
        if dtype.kind not in _ARRAY_KINDS or min(shape, default=0) < 0 or math.prod(shape) != len(entries):
            raise WireError("an array's type, shape and length do not belong together")
        if max(shape, default=0) > MAX_ENTRIES:
            raise WireError(f"an array of shape {shape[:4]}")
        return np.array(entries, dtype=dtype).reshape(shape)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise WireError(f"not an array: {error}") from None


def dumps(value: Any) -> str:
    """Return `value` as one line of JSON."""
    return json.dumps(encode(value), separators=(",", ":"))


def loads(text: str) -> Any:
    """Return the value behind what `dumps` wrote. Raises `WireError` for anything else, and for too much."""
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
