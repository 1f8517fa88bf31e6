"""Counts of an attribute's values."""

import pyarrow as pa

from delvecore.answers.dataset_cases import miniature, value_counts

AGE = {"attribute": "AGE"}


def counted(table: pa.Table, **details) -> list[tuple]:
    return [(bar.label, bar.cases, bar.group) for bar in value_counts(table, AGE, **details).bars]


def test_categories_come_in_the_order_of_the_range_with_empty_ones():
    codes = pa.array([2, 0, 2], type=pa.int32())
    values = pa.DictionaryArray.from_arrays(codes, pa.array(["low", "mid", "high"]))
    assert counted(pa.table({"AGE": values})) == [
        ("low", 1, "value"),
        ("mid", 0, "value"),
        ("high", 2, "value"),
    ]


def test_few_numbers_are_counted_one_by_one():
    assert counted(pa.table({"AGE": [3, 1, 3]})) == [("1", 1, "value"), ("3", 2, "value")]


def test_many_numbers_are_counted_by_interval_and_none_is_lost():
    bars = value_counts(pa.table({"AGE": [float(n) for n in range(100)]}), AGE, bins=10).bars
    assert [bar.cases for bar in bars] == [10] * 10
    assert (bars[0].low, bars[-1].high) == (0, 99)


def test_missing_and_censored_values_stand_apart():
    table = pa.table(
        {
            "AGE": [1, None, None, 7],
            "AGE missing": [None, "?", "?refused", None],
            "AGE censored": [None, None, None, "at least"],
        }
    )
    assert counted(table) == [
        ("1", 1, "value"),
        ("censored: at least", 1, "censored"),
        ("missing: ?", 1, "missing"),
        ("missing: ?refused", 1, "missing"),
    ]


def test_an_attribute_without_values_has_no_rows():
    assert counted(pa.table({"AGE": pa.array([None, None], type=pa.float64())})) == []


def test_the_miniature_holds_values_only():
    table = pa.table({"AGE": [1, 1, None], "AGE missing": [None, None, "?"]})
    assert miniature(table, AGE) == [2]
