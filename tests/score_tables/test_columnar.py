"""Parquet and Arrow files, one or a directory of them, and only what is asked for of them."""

import itertools

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet
import pytest

from delvecore.errors import ParseError
from delvecore.score_tables.formats import narrow_to_metric
from delvecore.score_tables.options import ScoreOptions
from delvecore.score_tables.reading import read_scores

METRICS = ("accuracy", "auc", "rmse")
RMSE = ScoreOptions(where=(("metric", ("rmse",)),))


def _table(methods=("A", "B"), tasks=4, folds=3):
    """A row per metric, method, task and fold, in this order."""
    levels = METRICS, methods, [f"t{k}" for k in range(tasks)], range(folds)
    columns = zip(*itertools.product(*levels), strict=True)
    names = pa.table(dict(zip(("metric", "method", "task", "fold"), columns, strict=True)))
    values = np.random.default_rng(3).random(len(names)).round(4)
    return names.append_column("value", pa.array(values))


def _partitioned(directory, table, *keys):
    ds.write_dataset(table, directory, format="parquet", partitioning=list(keys), partitioning_flavor="hive")
    return str(directory)


def _rows(score_file):
    return sorted(score_file.rows.to_pylist(), key=lambda row: tuple(map(str, row.values())))


def test_a_partitioned_dataset_has_the_scores_of_one_file(tmp_path):
    table = _table()
    pa.parquet.write_table(table, tmp_path / "one.parquet")
    whole = read_scores(tmp_path / "one.parquet")
    parts = read_scores(_partitioned(tmp_path / "many", table, "method"))
    assert _rows(parts) == _rows(whole)
    assert parts.metrics == whole.metrics
    assert parts.design == whole.design


def test_files_beside_each_other_are_one_table(tmp_path):
    table = _table()
    for place in range(4):
        pa.parquet.write_table(table.slice(place * 18, 18), tmp_path / f"part-{place}.parquet")
    file = read_scores(tmp_path)
    assert file.rows["value"].to_pylist() == table["value"].to_pylist()
    assert file.rows["method"].to_pylist() == table["method"].to_pylist()
    assert file.source == str(tmp_path)


def test_the_rows_of_a_partition_can_be_asked_for(tmp_path):
    root = _partitioned(tmp_path, _table(("A", "B", "C")), "metric", "method")
    file = read_scores(root, options=RMSE)
    assert file.rows["metric"].unique().to_pylist() == ["rmse"]
    assert file.rows.num_rows == 3 * 12


@pytest.mark.parametrize("ending", ["csv", "json", "feather"])
def test_any_format_can_be_asked_for_some_rows(tmp_path, ending):
    path, table = tmp_path / f"scores.{ending}", _table().to_pandas()
    write = {"csv": table.to_csv, "json": table.to_json, "feather": table.to_feather}[ending]
    write(path, index=False) if ending == "csv" else write(path)
    options = ScoreOptions(where=(("metric", ("rmse", "auc")), ("method", ("B",))))
    file = read_scores(path, options=options)
    assert file.rows["metric"].unique().to_pylist() == ["auc", "rmse"]
    assert file.rows["method"].unique().to_pylist() == ["B"]


def test_columns_of_other_metrics_are_not_read(tmp_path):
    columns = {"dataset": ["a", "a", "b", "b"], "method": ["A", "B"] * 2, "seconds": [1.0] * 4}
    values = {name: [0.1, 0.2, 0.3, 0.4] for name in ("accuracy", "auc", "f1", "rmse")}
    pa.parquet.write_table(pa.table(columns | values), tmp_path / "one.parquet")
    file = read_scores(tmp_path / "one.parquet", options=ScoreOptions(value=("auc",)))
    assert file.rows["metric"].unique().to_pylist() == ["auc"]
    assert [one.text for one in file.reading.omissions if one.why == "not requested"] == [
        "3 columns (accuracy, f1, rmse): not requested"
    ]


def test_nothing_that_is_asked_for_is_an_error_that_says_what_there_is(tmp_path):
    pa.parquet.write_table(_table(), tmp_path / "one.parquet")
    with pytest.raises(ParseError) as error:
        read_scores(tmp_path / "one.parquet", options=ScoreOptions(where=(("metric", ("mae",)),)))
    assert error.value.expected == "rows where metric is mae"
    assert "rmse in metric" in error.value.remedy
    with pytest.raises(ParseError, match="a column named 'colour'"):
        read_scores(tmp_path / "one.parquet", options=ScoreOptions(where=(("colour", ("red",)),)))


def test_a_score_that_stands_twice_is_told_by_its_file_and_row(tmp_path):
    table = _table()
    pa.parquet.write_table(table, tmp_path / "a.parquet")
    pa.parquet.write_table(table.slice(5, 1), tmp_path / "b.parquet")
    with pytest.raises(ParseError) as error:
        read_scores(tmp_path)
    assert error.value.source == str(tmp_path / "b.parquet")
    assert "in row 1" in error.value.found


def test_a_damaged_part_of_a_dataset_is_told(tmp_path):
    for name in ("a", "b"):
        pa.parquet.write_table(_table((name,)), tmp_path / f"{name}.parquet")
    (tmp_path / "b.parquet").write_bytes((tmp_path / "b.parquet").read_bytes()[:-20])
    with pytest.raises(ParseError, match="a whole Parquet file"):
        read_scores(tmp_path)


def test_one_metric_that_is_wanted_is_read_alone(tmp_path):
    pa.parquet.write_table(_table(), tmp_path / "long.parquet")
    narrow = narrow_to_metric(str(tmp_path / "long.parquet"), "rmse", ScoreOptions())
    assert (narrow.metric, narrow.where) == ("metric", (("metric", ("rmse",)),))
    columns = {"dataset": ["a", "b"], "method": ["A", "A"], "auc": [0.1, 0.2], "rmse": [1.0, 2.0]}
    pa.parquet.write_table(pa.table(columns), tmp_path / "wide.parquet")
    assert narrow_to_metric(str(tmp_path / "wide.parquet"), "rmse", ScoreOptions()).value == ("rmse",)
    assert narrow_to_metric(str(tmp_path / "wide.parquet"), "S", ScoreOptions()) is None
