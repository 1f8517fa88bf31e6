"""`delve training`."""

import json

import numpy as np
import pytest
from scipy.special import ndtri

from delvecore.answers.network_training import (
    NetworkRun,
    better_half,
    difference_answer,
    search_answer,
    summary_answer,
)
from delvecore.cli.delve import main
from delvecore.errors import DelveError
from delvecore.model import TaskId
from tests.importers.proben1_files import PUMP

TASK = TaskId("proben1-glass", "glass1", "std.161")


def run(number, method="net", **changes):
    said = {"network": "4 linear", "weights": 50, "training": 7.0, "validation": 9.0, "test": 10.0}
    said |= {"classification": 30.0, "overfit": 2.5, "epochs": 60, "relevant": 40}
    return NetworkRun(method, TASK, number, **(said | changes))


def rows(answer):
    keys = [field.key for field in answer.table.columns]
    return [dict(zip(keys, row, strict=True)) for row in answer.table.rows]


def test_the_best_run_is_that_of_the_least_validation_error_not_of_the_test_set():
    # Report, section 2.8. Means and deviations of 8, 10, 12 and of 9, 11, 10 by hand: rho is 0.5.
    runs = [run(n, validation=v, test=t) for n, (v, t) in enumerate([(8, 9), (10, 11), (12, 10)])]
    (row,) = rows(summary_answer(runs, [], compact=False))
    assert (row["best"], row["validation"], row["validation_sd"]) == (9, 10, 2)
    assert row["correlation"] == pytest.approx(0.5)


def test_published_figures_stand_below_those_of_the_task():
    published = [
        {
            "dataset": "proben1-glass",
            "prototask": "glass1",
            "task": "std.161",
            "method": "net-1994",
            "runs": 60,
        }
        | {"measure": measure, "mean": mean, "deviation": deviation}
        for measure, mean, deviation in (("total-epochs", 67.0, 44.0), ("correlation", 0.33, None))
    ]
    listed_rows = rows(summary_answer([run(0), run(1)], published, compact=True))
    assert [(row["method"], row["epochs"], row["correlation"]) for row in listed_rows] == [
        ("net", "60 (0)", ""),
        ("net-1994†", "67 (44)", "0.33"),
    ]


def test_networks_differ_by_the_logarithms_of_their_test_errors():
    # Sixty runs each, deviations of logs 0.04, means apart by 0.04: t = 0.04 / sqrt(2 * 0.04**2 / 60) = 5.48.
    scores = ndtri((np.arange(60) + 0.5) / 60) * 0.04
    runs = [run(n, "a", test=float(np.exp(2 + one))) for n, one in enumerate(scores)]
    runs += [run(n, "b", test=float(np.exp(2.04 + one))) for n, one in enumerate(scores)]
    runs[30] = runs[30]._replace(test=40.0)
    (row,) = rows(difference_answer(runs))
    assert (row["better"], row["removed"], row["reliable"]) == ("a", "1, 0", "")
    assert row["p"] < 1e-4


def test_the_search_counts_runs_near_the_best_and_takes_the_largest_of_them():
    # Section 3.3.2: at most 5 % or 10 % worse than the best run in validation error.
    changes = [
        {"validation": 10.0, "network": "2 linear", "weights": 30},
        {"validation": 10.4, "network": "8 linear", "weights": 90, "test": 8.5, "epochs": 20},
        {"validation": 10.9, "network": "32 linear", "weights": 400, "test": 11.0},
        {"validation": 11.1, "network": "16+8 linear", "weights": 500},
    ]
    row, published = rows(search_answer([run(n, **said) for n, said in enumerate(changes)]))
    # Table 5 of the report: 8+0 with linear outputs, 8.604 and 9.184, 4 and 21 runs; table 7: 16+8.
    told = ("8 linear", "16+8 linear", "table 5†", "40-510", "8.539-10.32", 8.604, 9.184, 32.08, 4, 21)
    assert tuple(published.values())[1:] == told
    assert (row["best"], row["pivot"], row["within_5"], row["within_10"]) == ("2 linear", "8 linear", 1, 2)
    assert (row["epochs"], row["tests"]) == ("20-60", "8.500-11.000")


def test_exactly_half_of_the_runs_may_be_left_out_by_validation_error():
    # Report, section 2.8. The runs left out are the worst in validation, one of them the best in the test.
    pairs = [(8, 12), (12, 5), (9, 11), (10, 10)]
    runs = [run(n, validation=v, test=t) for n, (v, t) in enumerate(pairs)]
    runs += [run(n, "other", validation=8) for n in range(2)]
    assert [(one.method, one.instance) for one in better_half(runs)] == [("net", 0), ("net", 2), ("other", 0)]
    (row, _) = rows(summary_answer(better_half(runs), [], compact=False))
    assert (row["runs"], row["test"], row["validation"]) == (2, 11.5, 8.5)
    with pytest.raises(
        DelveError, match=r"glass1/std\.161: expected an even number of runs of net, .* found 3 runs"
    ):
        better_half(runs[:3])


def test_figures_of_tables_5_and_6_are_for_their_own_problems_only():
    answers = [
        search_answer([run(0)._replace(task=task)])
        for task in (
            TaskId("glass", "glass1", "std.161"),
            TaskId("proben1-glass", "glass1", "b.161"),
            TaskId("proben1-building", "building1", "std.2104"),
        )
    ]
    assert [len(one.table) for one in answers] == [1, 1, 2]
    row = rows(answers[2])[1]
    assert (row["method"], row["best"], row["pivot"], row["validation"]) == (
        "table 6†",
        "2+2 linear",
        "16 linear",
        0.7583,
    )
    assert np.isnan(row["classification"])  # table 6 has none


def test_the_command_tells_all_runs_and_refuses_where_there_are_none(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["import", "proben1", str(PUMP / "pump1.dt"), "--into", "delve-p", "--runs", "3"]) == 0
    (tmp_path / "delve-p/methods").mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path / "delve-p")
    assert main(["training", "/proben1-pump"]) == 1
    assert "expected networks with files Training.N, found none" in capsys.readouterr().err
    assert main(["run", "rprop-linear-1", "rprop-noshortcut-1", "/proben1-pump/pump1/std.240", "-q"]) == 0
    capsys.readouterr()
    for options in ([], ["--test"], ["--search"]):
        assert main(["training", "/proben1-pump", "--format", "json", *options]) == 0
        assert json.loads(capsys.readouterr().out)["rows"]
    assert main(["training", "/proben1-pump", "--half"]) == 1
    assert "expected an even number of runs" in capsys.readouterr().err
    assert main(["training", "--methods", "rprop-linear-1", "--format", "csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("/proben1-pump/pump1/std.240,rprop-linear-1,3,")
