"""What visitors ask for is computed once for all of them, and kept while it is among what was asked last."""

import contextlib
import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from dataclasses import fields, is_dataclass
from typing import Any, ParamSpec, TypeVar, overload

from delvecore.archive import Archive

MOST = 200
"""So many results of a function are kept, if it does not say otherwise."""
Asked = ParamSpec("Asked")
Found = TypeVar("Found")
_forget: list[Callable[[], None]] = []


@overload
def cached(function: Callable[Asked, Found]) -> Callable[Asked, Found]: ...
@overload
def cached(*, most: int) -> Callable[[Callable[Asked, Found]], Callable[Asked, Found]]: ...
def cached(function: Callable[..., Any] | None = None, *, most: int = MOST) -> Callable[..., Any]:
    """Compute what a function is asked for once, for all threads that ask at the same time, too. What it
    returns is shared and must not be changed; what it raises is not kept. most: so many results are kept.

    It is asked for archives, strings, numbers, functions, None, and tuples and dataclasses of them; archives
    with the same content are one."""
    if function is None:
        return lambda function: _cached(function, most)
    return _cached(function, most)


def _cached(function: Callable[Asked, Found], most: int) -> Callable[Asked, Found]:
    kept: OrderedDict[Hashable, Future[Found]] = OrderedDict()
    lock = threading.Lock()

    def fail(key: Hashable, found: Future[Found]) -> None:
        with lock:
            if kept.get(key) is found:
                del kept[key]
        found.cancel()

    @functools.wraps(function)
    def ask(*args: Asked.args, **kwargs: Asked.kwargs) -> Found:
        key = (*map(_key, args), *((name, _key(value)) for name, value in sorted(kwargs.items())))
        while True:
            with lock:
                found = kept.get(key)
                if is_new := found is None:
                    found = kept[key] = Future()
                    if len(kept) > most:
                        kept.popitem(last=False)
                kept.move_to_end(key)
            if is_new:
                with contextlib.ExitStack() as failed:
                    failed.callback(fail, key, found)
                    found.set_result(function(*args, **kwargs))
                    failed.pop_all()
            if not found.done():
                wait([found])
            if not found.cancelled():  # else it failed, and whoever waited computes it
                return found.result()

    _forget.append(kept.clear)
    return ask


def _key(value: object) -> Hashable:
    """Return what is equal for what is equal only: 1, 1.0 and True are three."""
    kind = type(value)
    if kind is str or value is None:
        return value
    if isinstance(value, Archive):
        return value.state
    if isinstance(value, tuple):
        return kind, *map(_key, value)
    if is_dataclass(value):
        return kind, *(_key(getattr(value, one.name)) for one in fields(value))
    return kind, value


def forget() -> None:
    """Forget all that is kept."""
    for clear in _forget:
        clear()
