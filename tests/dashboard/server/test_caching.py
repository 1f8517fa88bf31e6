"""What visitors ask for is computed once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import delvecore
from dashboard.server import caching
from dashboard.server.caching import cached


class Pair(NamedTuple):
    first: object
    second: object


@dataclass(frozen=True)
class Request:
    asked: object


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


@pytest.mark.parametrize("pair", [(1, True), (1, 1.0), ("1", 1), (Pair("a", "b"), ("a", "b")), ((), None)])
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
    caching.forget()
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
