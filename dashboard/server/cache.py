"""`st.cache_resource` with one string as key: a result is computed once and shared by all sessions."""

import functools
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, overload

import streamlit as st

from delvecore.archive import Archive

MOST = 200
Params = ParamSpec("Params")
Result = TypeVar("Result")
forget = st.cache_resource.clear


@overload
def cached(function: Callable[Params, Result]) -> Callable[Params, Result]: ...
@overload
def cached(*, most: int = ...) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]: ...
def cached(function: Callable[..., Any] | None = None, *, most: int = MOST) -> Callable[..., Any]:
    """Cache the results of a module-level function. Simultaneous callers wait for one computation.

    Its arguments may be archives, module-level functions, strings, numbers, None, and tuples, frozen sets and
    dataclasses of these. Results are shared and must not be changed. Errors are not cached. most: maximum
    number of results."""
    if function is None:
        return functools.partial(cached, most=most)

    def compute(key: str, _args: tuple[Any, ...], _kwargs: dict[str, Any]) -> Any:
        return function(*_args, **_kwargs)

    compute.__module__, compute.__qualname__ = function.__module__, function.__qualname__
    shared = st.cache_resource(max_entries=most, show_spinner=False)(compute)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return shared(_key((args, tuple(sorted(kwargs.items())))), args, kwargs)

    return call


def _key(value: object) -> str:
    """Return a text that is equal only for equal values of the same types: 1, 1.0 and True differ."""
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if value is None or isinstance(value, (str, int, float, Enum)):
        return f"{kind} {value!r}"
    if isinstance(value, Archive):
        return f"{kind} {value.state!r}"
    if isinstance(value, tuple):
        return f"{kind}({', '.join(map(_key, value))})"
    if isinstance(value, frozenset):
        return f"{kind}({', '.join(sorted(map(_key, value)))})"
    if is_dataclass(value):
        return f"{kind}({', '.join(_key(getattr(value, one.name)) for one in fields(value))})"
    if isinstance(value, FunctionType) and "<" not in value.__qualname__:
        return f"{value.__module__}.{value.__qualname__}"
    raise TypeError(f"expected an argument that can be the key of a cache, found {value!r}")
