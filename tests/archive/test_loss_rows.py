"""The table of losses: merged after a change, mapped from the cache, and analysed without copies."""

import tracemalloc

import numpy as np
import pyarrow as pa
import pytest

from delvecore.archive.loss_rows import loss_table
from delvecore.cache import Cache
from delvecore.stats.losses.comparisons import compare_all
from delvecore.stats.losses.results import result_table

CASES = 20_000


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """Losses of three methods on twenty tasks, 19 MB, mapped from a cache."""
    random, base = np.random.default_rng(0), str(tmp_path_factory.mktemp("cache"))
    rows = [
        {
            "unit": "u",
            "method": f"m{method}",
            "dataset": "d",
            "prototask": "p",
            "prior": "std",
            "task": f"std.{size}",
            "training_size": size,
            "loss": "S",
            "instance": instance,
            "values": random.gamma(1.0, 1.0, CASES),
        }
        for size in range(1, 21)
        for method in range(3)
        for instance in range(2)
    ]
    kept = Cache(base, [], "form", ["losses"])
    kept.store("state", {"losses": loss_table(rows)})
    found = kept.load("state")
    assert found is not None
    return found["losses"]


TASKS = pa.table(
    {
        "dataset": ["d"] * 20,
        "prototask": ["p"] * 20,
        "task": [f"std.{size}" for size in range(1, 21)],
        "test_set_selection": ["hierarchical"] * 20,
    }
)


@pytest.mark.parametrize("analyse", [result_table, compare_all])
def test_analyses_copy_the_losses_of_few_tasks_at_a_time(many, analyse):
    block = 6 * CASES * 8
    analyse(many.slice(0, 6), TASKS, {})  # imports and tables made once
    arrow = pa.total_allocated_bytes()
    tracemalloc.start()
    try:
        found = analyse(many, TASKS, {})
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4 * block
    assert pa.total_allocated_bytes() - arrow < block
    in_chunks = pa.concat_tables([many.slice(start, 6) for start in range(0, 120, 6)])
    assert analyse(in_chunks, TASKS, {}).equals(found)
