"""CSV, ARFF and Parquet files, frames and bunches as sources of cases."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.datasets import load_diabetes, load_iris, load_linnerud

from delvecore import datasets
from delvecore.errors import DelveError, ParseError
from delvecore.importers.case_files import csv_source, open_source
from tests.importers.making import column, planned, problems


def cases(source):
    """All cases of a source, as lists of words."""
    return [
        row for batch in source.batches() for row in zip(*(one.to_pylist() for one in batch), strict=True)
    ]


LAYOUTS = {
    "commas": (b"a,b\n1,x y\n2,z\n", ("a", "b"), [("1", "x y"), ("2", "z")]),
    "semicolons and decimal commas": (b"a;b\n1,5;x\n,25;z\n", ("a", "b"), [("1.5", "x"), (".25", "z")]),
    "blanks": (b"1.0   2\n3 \t 4\n", ("column-1", "column-2"), [("1.0", "2"), ("3", "4")]),
    "no names": (b"1,x\n2,z\n", ("column-1", "column-2"), [("1", "x"), ("2", "z")]),
    "words, no names": (b"p,x,p\ne,x,q\np,x,p\n", ("column-1", "column-2", "column-3"), None),
    "comments": (b"# of somebody\n# else\na,b\n1,x\n", ("a", "b"), [("1", "x")]),
    "lines in quotes": (b'a,b\n1,"x\ny, z"\n', ("a", "b"), [("1", "x\ny, z")]),
    "UTF-16": ("a,b\n1,ä\n".encode("utf-16"), ("a", "b"), [("1", "ä")]),
    "one column": (b"a\n1\n2\n", ("a",), [("1",), ("2",)]),
    "one name twice": (b"a,a\n1,2\n", ("a", "a"), [("1", "2")]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_file_is_read_as_it_is_written(layout, tmp_path):
    data, names, rows = LAYOUTS[layout]
    (tmp_path / "a.csv").write_bytes(data)
    source = csv_source(str(tmp_path / "a.csv"))
    if layout == "one name twice":
        source = csv_source(str(tmp_path / "a.csv"), header=True)
    assert tuple(column.name for column in source.columns) == names
    assert rows is None or cases(source) == rows


@pytest.mark.parametrize(
    "header", ["3,2,setosa,versicolor", "3,2,a,b,c", "3,2,benign,malignant,x,y", "3,2,no_yes,yes"]
)
def test_a_first_line_that_counts_cases_and_inputs_is_no_case(header, tmp_path):
    (tmp_path / "a.csv").write_text(f"{header}\n5.1,3.5,0\n4.9,3.0,1\n4.7,3.2,0\n")
    source = csv_source(str(tmp_path / "a.csv"))
    assert [column.name for column in source.columns] == ["column-1", "column-2", "column-3"]
    assert cases(source) == [("5.1", "3.5", "0"), ("4.9", "3.0", "1"), ("4.7", "3.2", "0")]
    assert any("counts cases and inputs" in notice for notice in source.notices)


def test_what_is_said_goes_before_what_is_seen(tmp_path):
    (tmp_path / "a.csv").write_bytes("ä;b,c\nd;e,f\n".encode("latin-1"))
    source = csv_source(str(tmp_path / "a.csv"), delimiter=",", encoding="latin-1", header=False)
    assert cases(source) == [("ä;b", "c"), ("d;e", "f")]
    assert source.notices == ()


def test_what_is_taken_for_granted_is_told(tmp_path):
    (tmp_path / "a.csv").write_bytes("1,ä\n2,ö\n".encode("latin-1"))
    told = csv_source(str(tmp_path / "a.csv")).notices
    assert [said.partition("(")[2] for said in told] == ["--encoding)", "--header yes)"]


def test_bytes_that_are_no_utf8_further_down_are_told(tmp_path):
    data = b"a,b\n" + b"1,x\n" * 100_000 + b"2,\xff\n"
    with pytest.raises(ParseError, match="expected UTF-8 text, found other bytes; say --encoding latin-1"):
        planned(tmp_path / "a.csv", data, targets=["b"])


ARFF = """% Made for a test.
@RELATION 'small cars'
@attribute 'the doors' {'2', '4 or more', none}
@ATTRIBUTE weight REAL
@attribute note string
@attribute built date 'yyyy'
@attribute fast {no,yes}

@DATA
% a comment
'4 or more', 10.5, 'it\\'s, "red"', 1990, no
?, 11, ?, ?, 'yes', {3}
2,-1e3,"a 'b'",1991,yes
"""
SPARSE = "@relation r\n@attribute a numeric\n@attribute b {x, y}\n@attribute c numeric\n@data\n{0 3, 2 1.5}\n{1 y}\n{2 ?}\n"


def test_an_arff_file_gives_its_values_unquoted_and_says_what_they_are(tmp_path):
    (tmp_path / "a.arff").write_text(ARFF)
    source = open_source(str(tmp_path / "a.arff"))
    assert (source.title, source.text) == ("small cars", "Made for a test.")
    kinds = {"the doors": "category", "weight": "number", "note": "text", "built": "date", "fast": "category"}
    assert {one.name: one.kind for one in source.columns} == kinds
    assert source.columns[0].values == ("2", "4 or more", "none")
    assert cases(source) == [
        ("4 or more", "10.5", 'it\'s, "red"', "1990", "no"),
        (None, "11", None, None, "yes"),
        ("2", "-1e3", "a 'b'", "1991", "yes"),
    ]


def test_a_sparse_case_has_zeros_and_first_values_where_it_says_nothing(tmp_path):
    (tmp_path / "a.arff").write_text(SPARSE)
    found = cases(open_source(str(tmp_path / "a.arff")))
    assert found == [("3", "x", "1.5"), ("0", "y", "0"), ("0", "x", None)]


FAULTS = {
    "a,b\n1,2\n3,4\n5,6,7\n": ":4: expected 2 values, found 3; quote values that contain ','",
    "": ": expected a table with a line per case, found an empty file",
    "a,b\n": ": expected cases",
    "@relation r\n@attribute a numeric\n@data\n1\n1,2\n": ":5: expected 1 values, found 2",
    "@relation r\n@attribute a relational\n@data\n": ":2: expected the kind of an attribute",
    "@relation r\nattribute a\n": ":2: expected @relation, @attribute",
    "@relation r\n@attribute a numeric\n": ": expected a line @data",
    "@relation r\n@attribute a numeric\n@data\n{7 1}\n": ":4: expected attribute numbers below 1",
    "@relation r\n@attribute a string\n@data\n'x' y\n": ":4: expected values separated by commas",
}


@pytest.mark.parametrize("text", FAULTS)
def test_what_is_no_table_of_cases_is_told_with_its_line(text, tmp_path):
    path = tmp_path / ("a.arff" if text.startswith("@") else "a.csv")
    with pytest.raises(DelveError) as caught:
        planned(path, text, targets=["a"])
    assert str(caught.value).startswith(f"{path}{FAULTS[text]}")


def test_a_parquet_file_keeps_its_types(tmp_path):
    table = pa.table(
        {
            "whole": pa.array([1, None, 3] * 10),
            "real": pa.array([1.0, 2.0, float("nan")] * 10),
            "flag": pa.array([True, False, None] * 10),
            "kind": pa.DictionaryArray.from_arrays([0, 2, None] * 10, ["small", "middle", "large"]),
            "when": pa.array(np.arange(30), type=pa.timestamp("s")),
            "many": pa.array([[1]] * 30),
            "y": pa.array([n / 3 for n in range(30)]),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    plan = planned(tmp_path / "a.parquet", targets=["y"])
    assert [(one.source, one.type, str(one.profile.missing)) for one in plan.columns[:-1]] == [
        ("whole", "binary", "10"),
        ("real", "integer", "10"),
        ("flag", "binary", "10"),
        ("kind", "nominal", "10"),
        ("when", "ignore", "0"),
        ("many", "ignore", "30"),
    ]
    assert column(plan, "kind").range == "small middle large"


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "there"])
def test_what_is_no_file_of_cases_is_told(name, tmp_path):
    (tmp_path / "a.parquet").write_text("no")
    (tmp_path / "there").mkdir()
    with pytest.raises(DelveError, match=f"{name}: expected a "):
        open_source(str(tmp_path / name))


FRAME = {
    "size": pd.Categorical(
        ["small", "large", None] * 10, categories=["small", "middle", "large"], ordered=True
    ),
    "words": ["a", None, 3] * 10,
    "x": np.arange(30) / 7,
    7: np.arange(30) % 4,
    "flag": [True, False] * 15,
}


def test_a_frame_becomes_a_dataset_with_ordered_categories(tmp_path):
    made = datasets.from_frame(
        pd.DataFrame(FRAME), target=["x", "flag,size"], name="frame", into=str(tmp_path / "delve-own")
    )
    assert [one.name for one in made] == ["x", "flag-size"]
    assert problems(tmp_path / "delve-own", "frame") == []
    prior = (tmp_path / "delve-own/data/frame/flag-size/std.prior").read_text()
    assert prior.splitlines() == ["2 NLMH binary", "4 NLMH integer", "5 NLMH binary", "1 NLMH ordinal"]
    spec = (tmp_path / "delve-own/data/frame/Dataset.spec").read_text()
    assert "4 A7 u 0..Inf  # 7" in spec.splitlines()


BUNCHES = {
    "iris": (load_iris, ["target"], "setosa versicolor virginica"),
    "diabetes": (load_diabetes, ["target"], "0..Inf"),
    "linnerud": (load_linnerud, ["Weight-Waist-Pulse"], "0..Inf"),
}


@pytest.mark.parametrize(("name", "as_frame"), [*((name, False) for name in BUNCHES), ("iris", True)])
def test_a_bunch_becomes_a_dataset(name, as_frame, tmp_path):
    load, names, limits = BUNCHES[name]
    made = datasets.from_bunch(load(as_frame=as_frame), name=name, into=str(tmp_path / "delve-own"))
    assert [one.name for one in made] == names
    assert problems(tmp_path / "delve-own", name) == []
    spec = (tmp_path / "delve-own/data" / name / "Dataset.spec").read_text()
    assert as_frame or limits in spec.splitlines()[-1]
