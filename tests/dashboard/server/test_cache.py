"""What visitors ask for is computed once."""

import collections.abc
import importlib
import pkgutil
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from types import FunctionType, UnionType
from typing import Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import pytest

import dashboard
import delvecore
from dashboard.server import cache
from dashboard.server.cache import cached
from tests.archives import write_tree
from tests.dashboard.reading import opened_archive


class Pair(NamedTuple):
    first: object
    second: object


@dataclass(frozen=True)
class Request:
    asked: object


@pytest.fixture(autouse=True)
def nothing_kept():
    cache.forget()


@pytest.fixture
def counted():
    """A function that is cached, and what it was called with."""
    calls = []

    @cached(most=3)
    def double(*asked, **options):
        calls.append((asked, options))
        return [asked, options]

    return double, calls


def test_the_same_question_has_the_same_object_as_answer(counted):
    double, calls = counted
    first = double(Request(("a", Pair(1, None))), level=0.9)
    assert double(Request(("a", Pair(1, None))), level=0.9) is first
    assert len(calls) == 1


@pytest.mark.parametrize(
    "pair",
    [
        *[(1, True), (1, 1.0), ("1", 1), (Pair("a", "b"), ("a", "b")), ((), None), (("a, b",), ("a", "b"))],
        *[(0.0, -0.0), (Request(1), (1,)), (write_tree, opened_archive), (frozenset("ab"), frozenset("b"))],
    ],
)
def test_different_questions_have_different_answers(counted, pair):
    double, _ = counted
    for one in pair:
        assert double(one)[0][0] is one
        assert double(Request(one))[0][0].asked is one


def test_an_archive_with_the_same_content_is_the_same(counted, tmp_path):
    double, calls = counted
    scores = tmp_path / "scores.csv"
    scores.write_text("task,a,b\nt,1,2\nu,3,4\n")
    said = delvecore.score_tables.options.ScoreOptions(higher_is_better=False)
    one, same = (delvecore.open(scores, scores=said, cache=False) for _ in range(2))
    assert one is not same
    assert double(Request(one)) is double(Request(same))
    scores.write_text("task,a,b\nt,1,2\nu,3,5\n")
    double(Request(delvecore.open(scores, scores=said, cache=False)))
    assert len(calls) == 2


def test_what_was_asked_last_is_kept(counted):
    double, calls = counted
    for name in ("a", "b", "c", "a", "d", "a", "b"):
        double(name)
    assert [asked for (asked,), _ in calls] == ["a", "b", "c", "d", "b"]
    cache.forget()
    double("a")
    assert calls[-1] == (("a",), {})


def test_who_asks_meanwhile_waits_for_the_answer():
    may_end, calls = threading.Event(), []

    @cached
    def slow(name):
        calls.append(name)
        may_end.wait(60)
        return [name]

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(slow, "a") for _ in range(4)]
        while not calls:
            threading.Event().wait(0.001)
        may_end.set()
        answers = [one.result(60) for one in asked]
    assert calls == ["a"]
    assert all(answer is answers[0] for answer in answers)


def test_a_failure_is_told_to_all_and_not_kept():
    calls = []

    @cached
    def fail(name):
        calls.append(name)
        if len(calls) < 3:
            raise KeyError(name)
        return name

    for _ in range(2):
        with pytest.raises(KeyError):
            fail("a")
    assert fail("a") == "a"


def test_an_argument_that_cannot_be_a_key_is_refused(counted):
    double, _ = counted
    for one in ([1], {"a": 1}, lambda: 1, object()):
        with pytest.raises(TypeError, match="expected an argument that can be the key of a cache, found"):
            double(one)


def test_a_name_is_not_taken_for_a_positional_argument(counted):
    double, _ = counted
    assert double(level=0.9) == [(), {"level": 0.9}]
    assert double(("level", 0.9)) == [(("level", 0.9),), {}]


def test_a_thread_outside_of_a_session_computes_without_warnings(counted, caplog, capfd):
    double, calls = counted
    with ThreadPoolExecutor(1) as pool:
        first, second = (pool.submit(double, "a").result() for _ in range(2))
    assert first is second
    assert len(calls) == 1
    assert (caplog.text, *capfd.readouterr()) == ("", "", "")


def test_what_is_computed_while_all_is_forgotten_is_not_kept():
    may_end, calls = threading.Event(), []

    @cached
    def slow(name):
        calls.append(name)
        may_end.wait(60)
        return name

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(slow, "a")
        while not calls:
            threading.Event().wait(0.001)
        cache.forget()
        may_end.set()
        assert asked.result(60) == "a"
    slow("a")
    assert calls == ["a", "a"]


def cached_functions():
    """Yield the cached functions of all pages, each once."""
    seen = set()
    for module in pkgutil.walk_packages(dashboard.__path__, "dashboard."):
        if module.name == "dashboard.app":
            continue
        for value in vars(importlib.import_module(module.name)).values():
            is_cached = isinstance(value, FunctionType) and value.__code__.co_filename == cache.__file__
            if is_cached and hasattr(value, "__wrapped__") and value not in seen:
                seen.add(value)
                yield value


def unusable(hint, seen=()):
    """Return the types within a hint whose values cannot be keys."""
    if hint in seen:
        return []
    if origin := get_origin(hint):
        if origin in (collections.abc.Callable, Literal):
            return []
        parts = [part for part in get_args(hint) if part is not ...]
        is_usable = origin in (tuple, frozenset, UnionType, Union)
        return [one for part in parts for one in unusable(part, seen)] if is_usable else [hint]
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        hints = get_type_hints(hint)
        names = [one.name for one in fields(hint)] if is_dataclass(hint) else hint._fields
        return (
            []
            if hint is delvecore.archive.Archive
            else [one for name in names for one in unusable(hints[name], (*seen, hint))]
        )
    is_value = isinstance(hint, type) and issubclass(hint, (str, int, float, Enum, type(None)))
    return [] if is_value or hint in (tuple, object) else [hint]


def test_all_arguments_of_cached_functions_can_be_keys():
    functions = list(cached_functions())
    assert len(functions) > 100
    unusable_arguments = {}
    for function in functions:
        hints = get_type_hints(function, localns={"Archive": delvecore.archive.Archive})
        hints.pop("return", None)
        if wrong := {name: one for name, hint in hints.items() if (one := unusable(hint))}:
            unusable_arguments[function.__qualname__] = wrong
    assert unusable_arguments == {}
