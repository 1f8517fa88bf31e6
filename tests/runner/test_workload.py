"""The share of a run that is done follows the time that its instances take."""

import pytest

from delvecore.runner.runs import Workload


def test_instances_count_by_the_time_that_those_of_their_size_took():
    # Two of 1 s and two of 3 s: after one of each, 4 of 8 seconds.
    load = Workload([("a", 64), ("a", 64), ("a", 128), ("a", 128)])
    load.add(("a", 64), 1.0)
    load.add(("a", 128), 3.0)
    assert load.share == pytest.approx(0.5)


def test_sizes_that_were_not_run_yet_are_estimated_in_proportion():
    # One of 1 s done; one of the same size, and one of four times the size: 1 of 1 + 1 + 4 seconds.
    load = Workload([("a", 64), ("a", 64), ("a", 256)])
    load.add(("a", 64), 1.0)
    assert load.share == pytest.approx(1 / 6)


def test_nothing_done_is_no_share_and_everything_is_all_of_it():
    load = Workload([("a", 64), ("b", 64)])
    assert load.share == 0.0
    load.add(("a", 64), 0.0)
    load.drop(("b", 64), 1)
    assert (load.share, load.count) == (1.0, 2)


def test_other_methods_serve_until_the_method_itself_was_run():
    load = Workload([("a", 64), ("b", 64)])
    load.add(("a", 64), 2.0)
    assert load.share == pytest.approx(0.5)
