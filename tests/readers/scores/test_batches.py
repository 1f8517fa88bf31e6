"""Parquet and Arrow files are read a batch at a time, and only what is asked for of them."""

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet
import pytest

from delvecore.errors import ParseError
from delvecore.readers.scores.batches import datasets
from delvecore.readers.scores.batches.datasets import sheet_of_dataset, stored_files
from delvecore.readers.scores.batches.gathering import gathered
from delvecore.readers.scores.directories import tables_in
from delvecore.readers.scores.reading import read_scores
from delvecore.readers.scores.records import ScoreOptions
from delvecore.readers.scores.structured import asked_for

METRICS = ("accuracy", "auc", "rmse")
RMSE = ScoreOptions(where=(("metric", ("rmse",)),))


def _table(methods=("A", "B"), tasks=4, folds=3):
    """A row a metric, method, task and fold, in this order."""
    names = pa.table({"metric": METRICS})
    for name, levels in (
        ("method", methods),
        ("task", [f"t{k}" for k in range(tasks)]),
        ("fold", range(folds)),
    ):
        rows = [row | {name: level} for row in names.to_pylist() for level in levels]
        names = pa.Table.from_pylist(rows)
    values = np.random.default_rng(3).random(len(names)).round(4)
    return names.append_column("value", pa.array(values))


def _partitioned(directory, table, *keys):
    ds.write_dataset(table, directory, format="parquet", partitioning=list(keys), partitioning_flavor="hive")
    return str(directory)


def _rows(found):
    return sorted(found.rows.to_pylist(), key=lambda row: tuple(map(str, row.values())))


def test_a_partitioned_dataset_has_the_scores_of_one_file(tmp_path):
    table = _table()
    pa.parquet.write_table(table, tmp_path / "one.parquet")
    whole = read_scores(tmp_path / "one.parquet")
    parts = read_scores(_partitioned(tmp_path / "many", table, "method"))
    assert _rows(parts) == _rows(whole)
    assert parts.metrics == whole.metrics
    assert parts.design == whole.design
    assert parts.guesses[0].text == "files: 2 tables"


def test_files_beside_each_other_are_one_table(tmp_path):
    table = _table()
    for place in range(4):
        pa.parquet.write_table(table.slice(place * 18, 18), tmp_path / f"part-{place}.parquet")
    found = read_scores(tmp_path)
    assert found.rows["value"].to_pylist() == table["value"].to_pylist()
    assert found.rows["method"].to_pylist() == table["method"].to_pylist()
    assert found.source == str(tmp_path)


def test_only_files_of_the_partitions_that_are_asked_for_are_read(tmp_path):
    root = _partitioned(tmp_path, _table(("A", "B", "C")), "metric", "method")
    stored = stored_files(tables_in(root), root, "Parquet")
    assert len(stored.fragments()) == 9
    assert len(stored.fragments(ds.field("metric") == "rmse")) == 3
    found = read_scores(root, options=RMSE)
    assert found.rows["metric"].unique().to_pylist() == ["rmse"]
    assert found.rows.num_rows == 3 * 12


def test_row_groups_whose_statistics_exclude_them_are_skipped(tmp_path):
    for method in "AB":
        pa.parquet.write_table(_table((method,)), tmp_path / f"{method}.parquet", row_group_size=12)
    stored = stored_files(tables_in(str(tmp_path)), str(tmp_path), "Parquet")
    groups = [part.row_groups for part in stored.fragments(ds.field("metric") == "rmse")]
    assert [[group.id for group in one] for one in groups] == [[2], [2]]
    scanned = stored.scanned(ds.field("metric") == "rmse")
    assert [len(part.row_groups) for part in scanned.get_fragments()] == [1, 1]


def test_rows_that_are_asked_for_are_those_of_the_whole(tmp_path):
    pa.parquet.write_table(_table(), tmp_path / "one.parquet")
    whole, some = (read_scores(tmp_path / "one.parquet", options=one) for one in (ScoreOptions(), RMSE))
    assert some.rows.to_pylist() == [row for row in whole.rows.to_pylist() if row["metric"] == "rmse"]


@pytest.mark.parametrize("ending", ["csv", "json", "feather"])
def test_any_format_can_be_asked_for_some_rows(tmp_path, ending):
    path, table = tmp_path / f"scores.{ending}", _table().to_pandas()
    write = {"csv": table.to_csv, "json": table.to_json, "feather": table.to_feather}[ending]
    write(path, index=False) if ending == "csv" else write(path)
    options = ScoreOptions(where=(("metric", ("rmse", "auc")), ("method", ("B",))))
    found = read_scores(path, options=options)
    assert found.rows["metric"].unique().to_pylist() == ["auc", "rmse"]
    assert found.rows["method"].unique().to_pylist() == ["B"]


def test_columns_of_other_metrics_are_not_read(tmp_path):
    columns = {"dataset": ["a", "a", "b", "b"], "method": ["A", "B"] * 2, "seconds": [1.0] * 4}
    values = {name: [0.1, 0.2, 0.3, 0.4] for name in ("accuracy", "auc", "f1", "rmse")}
    pa.parquet.write_table(pa.table(columns | values), tmp_path / "one.parquet")
    found = read_scores(tmp_path / "one.parquet", options=ScoreOptions(value=("auc",)))
    assert found.rows["metric"].unique().to_pylist() == ["auc"]
    assert [one.text for one in found.notices if one.why == "not asked for"] == [
        "3 columns left out (accuracy, f1, rmse): not asked for"
    ]


def test_rows_are_read_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "BATCH", 10)
    sizes = []

    def counted(batches, schema, **known):
        return gathered((sizes.append(batch.num_rows) or batch for batch in batches), schema, **known)

    monkeypatch.setattr(datasets, "gathered", counted)
    pa.parquet.write_table(_table(), tmp_path / "one.parquet")
    assert read_scores(tmp_path / "one.parquet").rows.num_rows == 72
    assert max(sizes) == 10
    assert len(sizes) == 8


def test_few_whole_numbers_are_kept_as_codes_and_many_as_they_are():
    for most, kind in ((100, "dictionary"), (10_000, "int64")):
        values = pa.array(np.arange(20_000) % most)
        batch = pa.record_batch({"fold": values})
        (column,) = gathered([batch.slice(0, 5000), batch.slice(5000)], batch.schema)
        assert str(column.array.type).startswith(kind)
        assert column.numbers.values.tolist() == values.to_pylist()
        assert column.is_whole
        assert column.codes.levels[:3] == ("0", "1", "2")
        assert column.codes.places.max() == most - 1


def test_more_names_than_a_small_code_can_count():
    words = [f"n{place % 300}" for place in range(1000)]
    batch = pa.record_batch({"name": pa.array([*words, None])})
    (column,) = gathered([batch.slice(0, 100), batch.slice(100)], batch.schema)
    places, levels = column.codes
    assert [levels[place] for place in places[:-1]] == words
    assert places[-1] == -1
    assert places.dtype == np.int16


def test_names_of_batches_with_the_same_and_with_other_dictionaries():
    first = pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.int32()), ["a", "b"])
    again = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), ["a", "b"])
    other = pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int32()), ["b", "c"])
    nothing = pa.DictionaryArray.from_arrays(pa.array([None], pa.int32()), pa.array([], pa.string()))
    batches = [pa.record_batch({"name": names}) for names in (nothing, first, again, other)]
    for rows in (0, 8, 20):
        (column,) = gathered(batches, batches[0].schema, rows=rows)
        assert column.array.to_pylist() == [None, "b", None, "a", "a", "b", "b", "c"]


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


def test_a_dataset_without_the_rows_of_a_method_reads_none_of_its_files(tmp_path):
    root = _partitioned(tmp_path, _table(("A", "B", "C")), "method")
    options = ScoreOptions(where=(("method", ("A", "C")),))
    stored = stored_files(tables_in(root), root, "Parquet")
    sheet = sheet_of_dataset(stored, root, options)
    assert [path.split("method=")[1][0] for path, _ in sheet.parts] == ["A", "C"]
    assert sheet.column("method").codes.levels == ("A", "C")


def test_one_metric_that_is_wanted_is_read_alone(tmp_path):
    pa.parquet.write_table(_table(), tmp_path / "long.parquet")
    narrow = asked_for(str(tmp_path / "long.parquet"), "rmse", ScoreOptions())
    assert (narrow.metric, narrow.where) == ("metric", (("metric", ("rmse",)),))
    columns = {"dataset": ["a", "b"], "method": ["A", "A"], "auc": [0.1, 0.2], "rmse": [1.0, 2.0]}
    pa.parquet.write_table(pa.table(columns), tmp_path / "wide.parquet")
    assert asked_for(str(tmp_path / "wide.parquet"), "rmse", ScoreOptions()).value == ("rmse",)
    assert asked_for(str(tmp_path / "wide.parquet"), "S", ScoreOptions()) is None
