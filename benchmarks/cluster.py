"""How much faster is a Dask cluster of two workers than of one, on this machine?"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import delvecore
from benchmarks.made_losses import made_standardizers, made_study
from benchmarks.results import Finding, skipped
from benchmarks.timing import seconds
from delvecore.archive.result_unit import has_predictions
from delvecore.losses.compute import LossBench, LossRequest
from delvecore.parallel.cluster import carry_out_on, data_of
from delvecore.stats.losses.comparisons import CompareBench, compare_distributed

GOAL = 1.5
METHODS, PREDICTED, ROUNDS = 60, 120, 3
_NOTE = (
    "Workers are processes with one thread each, the scheduler and who asks are processes on the same "
    "machine, whose {cores} cores they share; each cluster was asked once before, then {rounds} times, of "
    "which the fastest counts. Comparisons: all pairs of {methods} methods on 40 tasks under 2 losses, "
    "which go to the workers. Losses: of the predictions of {predicted} methods' tasks of "
    "the shipped archive, which the workers read."
)
Work = Callable[[str], object]


def measure() -> list[Finding]:
    """Time the same work on a cluster of one worker and of two."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        return [skipped("cluster", "distributed is not installed: pip install -e '.[distributed]'.")]
    from delvecore.parallel.processes import usable_cores

    works = {"comparisons": _comparisons(), "losses of predictions": _losses()}
    note = _NOTE.format(cores=usable_cores(), methods=METHODS, predicted=PREDICTED, rounds=ROUNDS)
    taken = {count: _taken(works, count) for count in (1, 2)}
    return [_finding(name, taken[1][name], taken[2][name], note) for name in works]


def _finding(name: str, one: float, two: float, note: str) -> Finding:
    ratio = one / two
    goal = f"{GOAL:g}x as fast"
    return Finding(
        f"{name}: two workers of a cluster",
        f"{two:.1f} s",
        f"one worker {one:.1f} s",
        f"{ratio:.1f}x as fast",
        goal,
        ratio >= GOAL,
        note,
    )


def _taken(works: dict[str, Work], workers: int) -> dict[str, float]:
    with _cluster(workers) as address:
        taken = {}
        for name, work in works.items():
            work(address)
            taken[name] = min(seconds(lambda work=work: work(address)) for _ in range(ROUNDS))
        return taken


@contextmanager
def _cluster(workers: int) -> Iterator[str]:
    from distributed import LocalCluster

    facts = {"threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(n_workers=workers, **facts) as cluster:
        yield cluster.scheduler_address


def _comparisons() -> Work:
    losses, tasks = made_study(methods=[f"method-{number}" for number in range(METHODS)])
    given = losses, tasks, made_standardizers(tasks)
    return lambda address: compare_distributed(*given, carry_out_on(address, CompareBench))


def _losses() -> Work:
    archive = delvecore.open()
    units = [unit for unit in archive._snapshot.results.values() if has_predictions(unit)][:PREDICTED]
    rest = {"losses": None, "instances": None}
    requests = [LossRequest(archive.paths, False, unit.names[1:], **rest) for unit in units]
    return lambda address: list(carry_out_on(address, LossBench, places=data_of(archive.paths))(requests))
