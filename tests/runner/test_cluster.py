"""A Dask cluster gives what one process gives, also when a worker is killed half way."""

import os
import signal
import sys
import time

import pytest

from delvecore.cli.subcommands import run as delve_run
from delvecore.errors import DelveError
from delvecore.parallel import cluster
from delvecore.parallel.cluster import carry_out_on, data_of
from delvecore.runner import runs
from delvecore.runner.one_instance import Bench
from delvecore.runner.runs import run_methods
from tests.runner.archive import Failing, Random, data_archive, plan, result_files, run_method
from tests.runner.programs import SEEDED, program
from tests.runner.test_workers import DyingOnce

pytestmark = pytest.mark.slow

distributed = pytest.importorskip("distributed", reason="the package distributed is not installed")
KILLED = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")


def test_a_cluster_gives_the_same_bytes_as_one_process(tmp_path, dask):
    outputs = []
    for name, carry_out in (("alone", None), ("cluster", carry_out_on(dask.scheduler_address, Bench))):
        root = data_archive(tmp_path / name)
        seeded = program(tmp_path, SEEDED, "seeded", root=root)
        planned = [plan(root, Random(), "/demo/age/std.4"), plan(root, seeded, "/demo/age/std.8")]
        assert run_methods(planned, carry_out=carry_out) == []
        outputs.append({method: result_files(root, method) for method in ("random", "seeded")})
    assert outputs[0] == outputs[1]
    assert len(outputs[0]["random"]) > 10


@KILLED
def test_a_worker_that_is_killed_half_way_loses_nothing(tmp_path, dask):
    root, other = data_archive(tmp_path / "cluster"), data_archive(tmp_path / "alone")
    run = plan(root, Random(), "/")
    outcomes = []

    def notify(request, outcome):
        outcomes.append(outcome)
        if len(outcomes) == run.instances // 2:
            os.kill(next(iter(dask.workers.values())).pid, signal.SIGKILL)

    carry_out = carry_out_on(dask.scheduler_address, Bench)
    assert run_methods([run], carry_out=carry_out, notify=notify) == []
    assert len(outcomes) == run.instances
    assert run_method(plan(other, Random(), "/")) == []
    assert result_files(root, "random") == result_files(other, "random")


@KILLED
def test_an_outcome_that_dies_with_its_worker_is_computed_once_more(tmp_path, dask):
    root = data_archive(tmp_path)
    request = next(runs._Work([plan(root, Random(), "/demo/age/std.4")]).requests())
    with distributed.Client(dask.scheduler_address, set_as_default=False) as client:
        run = cluster._Run(client, dask.scheduler_address, Bench)
        run._submit(request)
        ((_, future),) = run.under_way.values()
        assert future.exception(timeout=60) is None
        (holder,) = client.who_has(future)[future.key]
        os.kill(client.run(os.getpid, workers=[holder])[holder], signal.SIGKILL)
        while future.status == "finished":
            time.sleep(0.01)
        assert run._outcome(future, request).failure == ""


@KILLED
def test_the_instance_of_a_worker_that_dies_is_given_to_another(tmp_path, dask):
    root = data_archive(tmp_path)
    dying = DyingOnce(tmp_path / "mark")
    carry_out = carry_out_on(dask.scheduler_address, Bench)
    assert run_methods([plan(root, dying, "/demo/age/std.4")], carry_out=carry_out) == []
    assert dying.mark.exists()


def test_a_failure_in_a_worker_is_recorded_and_the_rest_runs(tmp_path, dask):
    root = data_archive(tmp_path)
    run = plan(root, Failing(1), "/demo/age/std.4")
    failures = run_methods([run], carry_out=carry_out_on(dask.scheduler_address, Bench))
    assert failures == ["/demo/age/std.4 instance 1: ZeroDivisionError: the training set is odd"]
    assert len((root / "methods/failing/demo/age/std.4/Seeds").read_text().splitlines()) == 3


def test_the_command_runs_on_a_cluster(tmp_path, monkeypatch, capsys, dask):
    monkeypatch.setenv("DELVE_PATH", str(data_archive(tmp_path)))
    arguments = ("base-1", "/demo/age/std.8", "--scheduler", dask.scheduler_address, "-q")
    assert delve_run.main(arguments) == 0
    assert capsys.readouterr().out.startswith("base-1: 2 instances run, 0 complete before, 0 failed;")


def test_an_address_where_nobody_answers_is_refused(monkeypatch):
    monkeypatch.setattr(cluster, "CLUSTER_PATIENCE", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        with pytest.raises(DelveError, match=f"{address}: expected the scheduler of a Dask cluster, found"):
            carry_out_on(address, Bench)


def test_a_worker_of_another_version_that_joins_later_ends_the_run(tmp_path, monkeypatch, dask):
    root = data_archive(tmp_path)
    carry_out = carry_out_on(dask.scheduler_address, Bench)
    monkeypatch.setattr("delvecore.__version__", "9.9")
    with pytest.raises(
        DelveError, match=r"tcp://\S+: expected workers with version 9\.9 of this program, found 0"
    ):
        run_methods([plan(root, Random(), "/demo/age/std.4")], carry_out=carry_out)


@KILLED
def test_where_no_worker_is_left_the_run_ends_with_what_is_complete(tmp_path, monkeypatch):
    root = data_archive(tmp_path)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as short:
        monkeypatch.setattr(cluster, "TICK", 0.05)
        carry_out = carry_out_on(short.scheduler_address, Bench)
        monkeypatch.setattr(cluster, "CLUSTER_PATIENCE", 0.5)
        outcomes = []

        def notify(request, outcome):
            outcomes.append(outcome)
            if len(outcomes) == 2:
                short.scale(0)

        with pytest.raises(
            DelveError, match=r"expected workers, found none left for 0\.5 seconds; start some"
        ):
            run_methods([plan(root, Random(), "/")], carry_out=carry_out, notify=notify)
    told = [line for path in root.rglob("Seeds") for line in path.read_text().splitlines()]
    assert len(told) == len(outcomes)


def test_a_worker_that_does_not_find_the_data_is_named(tmp_path, monkeypatch, dask):
    root = data_archive(tmp_path)
    assert carry_out_on(dask.scheduler_address, Bench, places=data_of([str(root)]))
    monkeypatch.setattr(cluster, "_not_found", _finds_nothing)
    with pytest.raises(
        DelveError, match=r"data on every worker, found none on tcp://\S+; share that directory"
    ):
        carry_out_on(dask.scheduler_address, Bench, places=data_of([str(root)]))


def _finds_nothing(places):
    return places


def test_a_cluster_without_workers_is_refused(monkeypatch):
    monkeypatch.setattr(cluster, "CLUSTER_PATIENCE", 0.5)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as empty,
        pytest.raises(DelveError, match=r"expected workers, found none within 0\.5 seconds"),
    ):
        carry_out_on(empty.scheduler_address, Bench)


def test_without_the_package_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(DelveError, match=r"pip install distributed adds it"):
        carry_out_on("tcp://127.0.0.1:1", Bench)
