"""JSON of records: readable lines, plain texts, and null for numbers that JSON does not support."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from delvecore.render.spans import plain


def json_text(value: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> str:
    """Return a record, or a list of records, as JSON: a line for each member, or for each record in a list.

    Texts lose the marks of spans. NaN and infinite numbers become null.

    Examples
    --------
    >>> print(json_text({"p": float("nan"), "rows": [{"a": 1}, {"a": 2}]}), end="")
    {
     "p": null,
     "rows": [
      {"a": 1},
      {"a": 2}
     ]
    }
    """
    if not isinstance(value, Mapping):
        return "[\n" + ",\n".join(map(json_text, value)).replace("\n,", ",") + "]\n"
    return "{\n" + ",\n".join(f" {_text(key)}: {_member(part)}" for key, part in value.items()) + "\n}\n"


def _member(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n  " + ",\n  ".join(map(_text, value)) + "\n ]"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(finite(value), allow_nan=False, ensure_ascii=False)


def finite(value: Any) -> Any:
    """Return a value that JSON supports, with plain texts, and None for NaN and infinite numbers."""
    if isinstance(value, Mapping):
        return dict(zip(value, map(finite, value.values()), strict=True))
    if isinstance(value, list | tuple):
        return list(map(finite, value))
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str):
        return plain(value)
    return finite(value.tolist()) if hasattr(value, "tolist") else value
