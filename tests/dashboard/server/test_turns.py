"""Pages of several visitors are drawn one after the other."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException

from dashboard.server.turns import Turns


@pytest.fixture
def pool():
    with ThreadPoolExecutor(8) as found:
        yield found


def test_nobody_computes_beside_another(pool):
    turns, inside, most = Turns(longest=60), [], []

    def draw(_):
        with turns.taken(), turns.taken():
            inside.append(1)
            most.append(len(inside))
            threading.Event().wait(0.001)
            inside.pop()

    list(pool.map(draw, range(40)))
    assert set(most) == {1}


def test_who_asks_first_is_served_first(pool):
    turns, served, may_end = Turns(longest=60), [], threading.Event()

    def draw(name):
        with turns.taken():
            served.append(name)
            may_end.wait(60)

    asked = []
    for name in range(5):
        before = turns._last
        asked.append(pool.submit(draw, name))
        while turns._last is before:  # until it has asked
            threading.Event().wait(0.001)
    may_end.set()
    for one in asked:
        one.result(60)
    assert served == list(range(5))


@pytest.mark.parametrize("waits", [True, False])
def test_others_are_served_while_one_waits_or_takes_long(pool, waits):
    turns, others_done, has_turn = Turns(longest=60 if waits else 0.01), threading.Event(), threading.Event()

    def draw_long():
        with turns.taken():
            has_turn.set()
            if not waits:
                return others_done.wait(60)
            with turns.left():
                return others_done.wait(60)

    def draw():
        with turns.taken():
            return True

    long = pool.submit(draw_long)
    assert has_turn.wait(60)
    assert pool.submit(draw).result(60)
    others_done.set()
    assert long.result(60)


def test_a_failure_ends_the_turn(pool):
    turns = Turns(longest=60)

    def fail():
        with turns.taken(), turns.left():
            raise KeyError("a page")

    with pytest.raises(KeyError):
        pool.submit(fail).result(60)
    with turns.taken():
        pass


def test_who_has_no_turn_has_none_to_leave():
    turns = Turns(longest=60)
    with turns.taken():
        pass
    with turns.left():
        assert turns._last.ended.is_set()


def test_another_page_of_a_visitor_comes_at_once(pool):
    turns, has_turn, may_go_on, drawn = Turns(longest=60), threading.Event(), threading.Event(), []

    def draw_two():
        with contextlib.suppress(RerunException), turns.taken():
            has_turn.set()
            assert may_go_on.wait(60)
            raise RerunException(RerunData())
        with turns.taken():
            drawn.append("the other page")

    def draw():
        with turns.taken():
            drawn.append("somebody else")

    two = pool.submit(draw_two)
    assert has_turn.wait(60)
    before = turns._last
    other = pool.submit(draw)
    while turns._last is before:
        threading.Event().wait(0.001)
    may_go_on.set()
    two.result(60)
    other.result(60)
    assert drawn == ["the other page", "somebody else"]
