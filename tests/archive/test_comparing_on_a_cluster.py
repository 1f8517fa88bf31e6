"""Comparisons of an archive are the same bits whoever computes them: here, in pieces, on a Dask cluster."""

import os
import random
import signal
import warnings

import pytest

import delvecore
from delvecore.errors import DelveError
from delvecore.parallel.cluster import carry_out_on
from delvecore.stats.choose import Setting
from delvecore.stats.losses import comparisons
from delvecore.stats.losses.comparisons import CompareBench, compare_distributed
from tests.archives import small_archive

METHODS = ("knn", "svm", "tree")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Losses of a delve directory, and errors of three methods on six datasets with four folds each."""
    place = tmp_path_factory.mktemp("compared")
    draw = random.Random(7)
    rows = [
        f"data-{dataset},{method},{fold},{draw.random():.6f}"
        for dataset in range(6)
        for method in METHODS
        for fold in range(4)
    ]
    scores = place / "scores.csv"
    scores.write_text("\n".join(["dataset,method,fold,error", *rows]) + "\n")
    return delvecore.open([small_archive(place), scores], cache=False)


def one_by_one(requests):
    """Requests are carried out in this process."""
    bench = CompareBench()
    for request in requests:
        yield request, bench.carry_out(request)


def spread_here(archive, **chosen):
    given = archive.losses, archive.tasks, archive.constants
    return compare_distributed(*given, one_by_one, measures=archive.measures, **chosen)


@pytest.mark.parametrize("pairs", [1, 3, 5_000])
def test_pieces_of_any_size_are_the_whole_to_the_last_bit(archive, monkeypatch, pairs):
    monkeypatch.setattr(comparisons, "REQUEST_PAIRS", pairs)
    assert spread_here(archive).equals(archive.comparisons)
    assert archive.comparisons.num_rows == 2 + 6 * 3


def test_losses_methods_and_settings_are_chosen_as_without(archive, monkeypatch):
    monkeypatch.setattr(comparisons, "REQUEST_PAIRS", 1)
    names = archive.methods["method"].to_pylist()[:2]
    against = dict.fromkeys(archive.index.methods_on, names[:1])
    for chosen in (
        {"loss": "error"},
        {"methods": METHODS[:2]},
        {"setting": Setting(0.9, "none")},
        {"against": against},
        {"methods": ["nobody"]},
    ):
        assert spread_here(archive, **chosen).equals(archive.compare(**chosen))


def test_who_fails_is_told_in_one_line(archive):
    def failing(requests):
        for request in requests:
            yield request, request.failed(RuntimeError("no memory"))

    with pytest.raises(DelveError, match=r"^comparisons from /data-0/\S+ on: no memory$"):
        compare_distributed(
            archive.losses, archive.tasks, archive.constants, failing, measures=archive.measures
        )


@pytest.mark.slow
def test_a_worker_that_is_killed_half_way_changes_no_bit(archive, monkeypatch, dask):
    monkeypatch.setattr(comparisons, "REQUEST_PAIRS", 1)
    carry_out = carry_out_on(dask.scheduler_address, CompareBench)

    def killing(requests):
        for count, done in enumerate(carry_out(requests)):
            if count == 2:
                os.kill(next(iter(dask.workers.values())).pid, signal.SIGKILL)
            yield done

    table = compare_distributed(
        archive.losses, archive.tasks, archive.constants, killing, measures=archive.measures
    )
    assert table.equals(archive.comparisons)


@pytest.mark.slow
def test_an_archive_on_a_cluster_has_the_same_comparisons(archive, dask):
    on_cluster = archive.on(dask.scheduler_address)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        assert on_cluster.comparisons.equals(archive.comparisons)
        assert on_cluster.compare("/demo/age", loss="S").equals(archive.compare("/demo/age", loss="S"))
