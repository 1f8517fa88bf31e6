"""CSV files however they are written: what is seen from them, and what is said of those that are none."""

import gzip

import pytest

from delvecore.errors import DelveError, ParseError
from delvecore.importers.case_files import CsvOptions, csv_source
from tests.importers.making import planned


def cases(source):
    """All cases of a source, as lists of words."""
    return [
        row for batch in source.batches() for row in zip(*(one.to_pylist() for one in batch), strict=True)
    ]


LAYOUTS = {
    "commas": (b"a,b\n1,x y\n2,z\n", ("a", "b"), [("1", "x y"), ("2", "z")]),
    "semicolons and decimal commas": (b"a;b\n1,5;x\n,25;z\n", ("a", "b"), [("1.5", "x"), (".25", "z")]),
    "tabs": (b"a\tb\n1\tx\n", ("a", "b"), [("1", "x")]),
    "bars": (b"a|b\n1|x\n", ("a", "b"), [("1", "x")]),
    "blanks": (b"1.0   2\n3 \t 4\n", ("column-1", "column-2"), [("1.0", "2"), ("3", "4")]),
    "no names": (b"1,x\n2,z\n", ("column-1", "column-2"), [("1", "x"), ("2", "z")]),
    "words, no names": (b"p,x,p\ne,x,q\np,x,p\n", ("column-1", "column-2", "column-3"), None),
    "a mark": (b"\xef\xbb\xbfa,b\n1,x\n", ("a", "b"), [("1", "x")]),
    "comments": (b"# of somebody\n# else\na,b\n1,x\n", ("a", "b"), [("1", "x")]),
    "lines in quotes": (b'a,b\n1,"x\ny, z"\n', ("a", "b"), [("1", "x\ny, z")]),
    "UTF-16": ("a,b\n1,ä\n".encode("utf-16"), ("a", "b"), [("1", "ä")]),
    "Latin-1": ("a,b\n1,ä\n".encode("latin-1"), ("a", "b"), [("1", "ä")]),
    "returns": (b"a,b\r\n1,x\r\n", ("a", "b"), [("1", "x")]),
    "one column": (b"a\n1\n2\n", ("a",), [("1",), ("2",)]),
    "one name twice": (b"a,a\n1,2\n", ("a", "a"), [("1", "2")]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_file_is_read_as_it_is_written(layout, tmp_path):
    data, names, rows = LAYOUTS[layout]
    (tmp_path / "a.csv").write_bytes(data)
    source = csv_source(str(tmp_path / "a.csv"))
    if layout == "one name twice":
        source = csv_source(str(tmp_path / "a.csv"), CsvOptions(header=True))
    assert tuple(column.name for column in source.columns) == names
    assert rows is None or cases(source) == rows


def test_what_is_said_goes_before_what_is_seen(tmp_path):
    (tmp_path / "a.csv").write_bytes("ä;b,c\nd;e,f\n".encode("latin-1"))
    source = csv_source(str(tmp_path / "a.csv"), CsvOptions(delimiter=",", encoding="latin-1", header=False))
    assert cases(source) == [("ä;b", "c"), ("d;e", "f")]
    assert source.notices == ()


def test_what_is_taken_for_granted_is_told(tmp_path):
    (tmp_path / "a.csv").write_bytes("1,ä\n2,ö\n".encode("latin-1"))
    told = csv_source(str(tmp_path / "a.csv")).notices
    assert [said.partition("(")[2] for said in told] == ["--encoding)", "--header yes)"]


def test_a_compressed_file_is_read_in_pieces(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"a,b\n1,x\n"))
    source = csv_source(str(tmp_path / "a.csv.gz"))
    assert (source.about.name, cases(source)) == ("a", [("1", "x")])


FAULTS = {
    "a line too long": (b"a,b\n1,2\n3,4\n5,6,7\n", ":4: expected 2 values, found 3; quote what holds ','"),
    "an empty file": (b"", ": expected a table with a line a case, found an empty file"),
    "names alone": (b"a,b\n", ": expected cases"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_table_is_told_with_its_line(fault, tmp_path):
    data, said = FAULTS[fault]
    with pytest.raises(DelveError) as caught:
        planned(tmp_path / "a.csv", data, targets=["b"])
    assert str(caught.value).startswith(f"{tmp_path / 'a.csv'}{said}")


def test_bytes_that_are_no_utf8_further_down_are_told(tmp_path):
    data = b"a,b\n" + b"1,x\n" * 100_000 + b"2,\xff\n"
    with pytest.raises(ParseError, match="expected UTF-8 text, found other bytes; say --encoding latin-1"):
        planned(tmp_path / "a.csv", data, targets=["b"])
