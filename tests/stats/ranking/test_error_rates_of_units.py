"""Rankings of archives with related tasks keep their promise: a short simulation with a fixed seed."""

import pytest

from benchmarks.error_rates_of_units import measure


@pytest.mark.slow
def test_tasks_of_one_dataset_do_not_make_chance_look_like_proof():
    for one in measure(300, settings=(("dataset", 3), ("family", 12))):
        assert one.by_task > 0.3
        assert one.holds
