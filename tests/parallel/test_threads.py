"""What threads compute side by side."""

import threading

import pytest

from delvecore.parallel import processes


@pytest.mark.slow
def test_what_threads_make_comes_in_order_and_no_more_is_taken_than_there_are_cores(monkeypatch):
    monkeypatch.setattr(processes, "usable_cores", lambda: 2)
    taken, second_is_done = [], threading.Event()

    def given():
        for number in range(6):
            taken.append(number)
            yield number

    def made(number):
        if number == 0:
            assert second_is_done.wait(30)
        second_is_done.set()
        return number * number

    found = processes.in_threads(made, given())
    assert next(found) == 0
    assert taken == [0, 1, 2]
    assert list(found) == [1, 4, 9, 16, 25]


def test_an_error_in_a_thread_is_told():
    def refuse(_):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        list(processes.in_threads(refuse, range(3)))
