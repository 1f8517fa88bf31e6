"""`delve metrics` lists metrics and prints their values."""

import csv
import io

from delvecore.cli import delve
from delvecore.metrics.metric import METRIC_SPECS


def test_all_metrics_are_listed_with_direction_and_formula(run_command):
    rows = list(csv.DictReader(io.StringIO(run_command(delve.main, "metrics", "--format", "csv").out)))
    assert [row["name"] for row in rows][: len(METRIC_SPECS)] == list(METRIC_SPECS)
    assert {row["name"]: row["better"] for row in rows}["rpp"] == "neither"


def test_values_are_means_over_the_instances(archive, run_command):
    # The losses of instance i are (1 + i) times 1 2 3 4: means 2.5 and 5.
    told = run_command(delve.main, "metrics", "one", "/demo/age", "--metric", "mse").out
    assert told.splitlines()[1].split() == ["/demo/age/std.8", "mse", "3.75", "2", "of", "2"]


def test_what_has_no_value_says_why(archive, run_command):
    told = run_command(delve.main, "metrics", "one", "/demo/shade", "--metric", "kappa").out
    assert told.splitlines()[1].endswith("no predictions are kept")


def test_tables_take_a_metric_and_rank_says_why_one_has_no_value(archive, run_command):
    assert run_command(delve.main, "table", "--loss", "rmse").out.startswith("rmse. ")
    told = run_command(delve.main, "rank", "--loss", "mase").err
    assert "mase: expected a value on some task, found none" in told


def test_a_summary_of_ones_own_replaces_the_mean(archive, run_command, tmp_path):
    # Mean squared errors 2.5 and 5.
    (tmp_path / "mine.py").write_text("def largest(values):\n    return max(values)\n")
    words = ["metrics", "one", "/demo/age", "--metric", "mse", "--summary", f"{tmp_path}/mine.py:largest"]
    head, row = (line.split() for line in run_command(delve.main, *words).out.splitlines()[:2])
    assert head[2] == "largest"
    assert row == ["/demo/age/std.8", "mse", "5", "2", "of", "2"]


def test_a_metric_of_a_file_takes_parameters(archive, run_command, tmp_path):
    (tmp_path / "mine.py").write_text(
        "def off(true, predicted, by=0):\n    return by\n\noff.higher_is_better = False\n"
    )
    told = run_command(
        delve.main, "metrics", "one", "/demo/age", "--metric", f"{tmp_path}/mine.py:off:by=7"
    ).out
    assert "off:by=7" in told
