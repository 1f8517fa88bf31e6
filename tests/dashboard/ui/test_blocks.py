"""CSV files of tables; formulas and digits are those of `tests/render/test_csv.py`."""

import pandas as pd
import pyarrow as pa

from dashboard.ui.blocks import columns_in_words, csv_text
from delvecore.answers.answer import Column, Table


def test_arrow_tables_and_lists_are_written():
    assert csv_text(pa.table({"a": [[1, 2]], "b": [None]})) == "a,b\n1 2,\n"


def test_what_is_missing_is_empty_and_whole_numbers_stay_whole():
    table = pd.DataFrame(
        {
            "n": pd.array([1, None], dtype="Int64"),
            "when": pd.to_datetime(["2020-01-01", None]),
            "x": [float("inf"), float("nan")],
            "kind": pd.Categorical(["a", None]),
        }
    )
    assert csv_text(table) == "n,when,x,kind\n1,2020-01-01 00:00:00,inf,a\n,,,\n"


def test_columns_of_an_answer_are_headed_in_words_with_numbers_by_their_kind():
    table = Table(
        (
            Column("test_cases", "Test cases", "count", [4]),
            Column("on_front", "", "name", ["yes"]),
            Column("lower", "from", "number", [0.5], group="Difference", decimals=2),
        )
    )
    looks = columns_in_words(table)
    assert [looks[key]["label"] for key in table.keys] == ["Test cases", "on front", "Difference: from"]
    assert looks["test_cases"]["type_config"]["format"] == "localized"
    assert looks["lower"]["type_config"]["format"] == "%.2f"
