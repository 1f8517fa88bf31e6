"""Heading, basis and map of every shipped task-array, against the numbers of its own tables; rings of crossings."""

import re
from collections import defaultdict

import numpy as np
import pytest

import delvecore
from delvecore.answers.task_array_sentences import BEST, array_basis, array_finding
from delvecore.measures import Measure
from delvecore.render.spans import plain
from delvecore.stats.arrays.estimates import crossings
from delvecore.stats.orientation import oriented
from tests.stats.made_arrays import FULL, results_of

REPEATS, METHODS = 20, ("a", "b", "c", "d")


def units_won(cells, is_won, unit: str) -> int:
    """Count the tasks, or the datasets on most of whose tasks, a condition holds. cells: of dataset and row."""
    if unit == "task":
        return sum(bool(is_won(row)) for _, row in cells)
    held = defaultdict(list)
    for dataset, row in cells:
        held[dataset].append(bool(is_won(row)))
    return sum(2 * sum(each) > len(each) for each in held.values())


def test_claims_agree_with_the_tables(whole_archive, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(whole_archive))
    archive = delvecore.open()
    for array in archive.arrays:
        datasets = {member.dataset for member in array.members}
        places = [place for place in archive.index.methods_on if place[0] in datasets]
        losses = {loss for place in places for loss in archive.index.methods_on[place]}
        assert losses
        for loss in sorted(losses):
            view = archive.array(array.name, loss=loss)
            measure: Measure = view.measure
            winners = view.answer("winners").figure.table
            rows = winners.to_pylist()
            values = defaultdict(dict)
            for row in view.answer("estimates").figure.table.to_pylist():
                if row["standardized_mean"] is not None:
                    values[row["task"], row["dataset"]][row["method"]] = oriented(
                        row["standardized_mean"], measure
                    )
            cells = [(row["dataset"], row) for row in rows if row["best"]]
            for dataset, row in cells:  # the map
                of_task = values[row["task"], dataset]
                assert of_task[row["best"]] == min(of_task.values())
                others = [*row["worse"], *row["not_worse"], *row["untested"]]
                assert {row["best"], *others} == of_task.keys()
            for unit in ("task", "dataset"):
                about = {"measure": measure, "unit": unit}
                first = {
                    name: units_won(cells, lambda row, name=name: row["best"] == name, unit)
                    for name in view.methods
                }
                heading = plain(array_finding(array, winners, view.methods, **about))
                assert len(heading.split()) <= 15, heading
                number, total = map(int, re.search(r"(\d+) of (\d+)", heading).groups())
                assert number == max(first.values())
                assert total == (len(cells) if unit == "task" else len({dataset for dataset, _ in cells}))
                leaders = [name for name in view.methods if first[name] == number]
                assert leaders[0] in heading or len(leaders) > 1
                alone = {
                    name: units_won(
                        cells,
                        lambda row, name=name: (
                            row["best"] == name and row["worse"] and not row["not_worse"] + row["untested"]
                        ),
                        unit,
                    )
                    for name in view.methods
                }
                basis = plain(array_basis(winners, view.methods, of=len(view.methods), **about))
                told = re.search(rf"{BEST} on (?:most tasks of )?(\d+)", basis)
                assert int(told[1] if told else 0) == max(alone.values()), basis


def ringed(seed: int, means: dict[tuple[str, int], float]) -> int:
    """Count the significant crossings of an array with normal losses around means by method and size."""
    random = np.random.default_rng(seed)
    losses = [
        (member.dataset, size, name, (means.get((name, size), 1.0) + random.normal(0, 0.3, (6, 4))).tolist())
        for member in FULL.members
        for size in (64, 128)
        for name in METHODS
    ]
    every_crossing = crossings(results_of(FULL, *losses), all_pairs=True)
    return sum(one.is_significant for one in every_crossing)


@pytest.mark.slow
def test_nothing_is_ringed_if_no_method_differs():
    # Two opposite false findings in one pair are far rarer than the error rate of 5 % allows.
    assert sum(ringed(seed, {}) > 0 for seed in range(REPEATS)) <= 0.05 * REPEATS


def test_a_true_crossing_is_ringed_in_every_member():
    assert ringed(1, {("a", 64): 3.0, ("b", 128): 3.0}) >= len(FULL.members)
