"""Tables of scores are read in every format that they are kept in, and frames of all libraries."""

import io
import json
import zipfile

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import delvecore
from delvecore.errors import DelveError, ParseError
from delvecore.score_tables import text_tables
from delvecore.score_tables.files import looks_like_scores
from delvecore.score_tables.formats import read_table
from delvecore.score_tables.reading import read_scores, to_pandas
from tests.packed import PACKED
from tests.score_tables.tables import cells, scores
from tests.word_lists import listed

LONG = "dataset,method,fold,accuracy\na,A,0,0.5\na,A,1,0.25\na,B,0,1\na,B,1,0.75\n"
VALUES = {
    ("a", "A", "fold 0", "accuracy"): 0.5,
    ("a", "A", "fold 1", "accuracy"): 0.25,
    ("a", "B", "fold 0", "accuracy"): 1,
    ("a", "B", "fold 1", "accuracy"): 0.75,
}
ROWS = [
    {"dataset": "a", "method": key[1], "fold": int(key[2][-1]), "accuracy": VALUES[key]} for key in VALUES
]


def numbered(*begins):
    """The table with something before each line."""
    return "".join(f"{begin}{line}\n" for begin, line in zip(begins, LONG.splitlines(), strict=True))


@pytest.fixture(params=["line by line", "at once"])
def either_way(request, monkeypatch):
    """Small files are read line by line, large ones by pyarrow; what they say is the same."""
    if request.param == "at once":
        monkeypatch.setattr(text_tables, "SMALL", 0)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize(
    "written",
    [
        LONG,
        LONG.replace(",", ";"),
        LONG.replace(",", ";").replace(".", ","),
        LONG.replace(",", "\t"),
        LONG.replace(",", "  "),
        LONG.replace(",", " , ").replace("\n", "\r\n"),
        "# made by us\n#\n" + LONG,
        LONG.replace("a,B,0", "# from here on B\na,B,0"),
        LONG.replace("\n", ",\n"),
        LONG.replace("a,B,0", "\n\na,B,0"),
        LONG.replace("0.5", '"0.5"').replace("dataset", '"dataset"'),
        "\ufeff" + LONG,
        LONG.encode("utf-16"),
        LONG.rstrip("\n"),
        *(numbered(",", "0,", "1,", "2,", "3,"), numbered("", "1,", "2,", "3,", "4,")),
    ],
    ids=listed("""
        comma  semicolon  decimal comma  tab  blanks  padded  comments  comment within  trailing commas
        blank lines  quotes  BOM  UTF-16  no last end  index  R
    """),
)
def test_a_text_may_be_written_in_many_ways(written):
    assert cells(scores(written)) == VALUES


@pytest.mark.usefixtures("either_way")
def test_latin_1_is_read():
    score_file = scores("dataset,method,rmse\ncafé,A,1\ncafé,B,2\n".encode("latin-1"))
    assert ("café", "B", "", "rmse") in cells(score_file)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize(
    "word", ["", "NA", "-", "?", "NaN", "inf", "timeout", "diverged", "Diverged", "crashed", "OOM", "–"]
)
def test_a_missing_or_failed_run_has_no_value(word):
    score_file = scores(LONG.replace("0.25", word))
    assert cells(score_file) == VALUES | {("a", "A", "fold 1", "accuracy"): None}
    assert [notice.text for notice in score_file.reading.omissions] == [
        "1 run (A): no value (missing or failed)"
    ]


@pytest.mark.parametrize(
    ("cell", "value", "spread"),
    [
        ("93.5%", 93.5, None),
        ("93.5 ± 0.5", 93.5, 0.5),
        (r"$93.5 \pm 0.5$", 93.5, 0.5),
        ("93.5 (0.5)", 93.5, 0.5),
        ("93.5 % ± 0.5 %", 93.5, 0.5),
        ("**93.5**", 93.5, None),
        ("**93.5** ± 0.4", 93.5, 0.4),
        ("93.5*", 93.5, None),
        ("1,093.5", 1093.5, None),
        ("−93.5", -93.5, None),
    ],
)
def test_a_field_may_have_a_spread_a_percent_sign_or_bold_type(cell, value, spread):
    score_file = scores(f"data\tA\tB\na\t{cell}\t50\nb\t60\t70\n", higher_is_better=True)
    assert score_file.rows["value"][0].as_py() == value
    assert score_file.rows["spread"][0].as_py() == spread


def parquet(table):
    pyarrow.parquet.write_table(table, file := io.BytesIO())
    return file.getvalue()


def arrow(table):
    pyarrow.feather.write_feather(table, file := io.BytesIO(), compression="zstd")
    return file.getvalue()


def stream(table):
    with pa.ipc.new_stream(file := io.BytesIO(), table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def by_column(table):
    return json.dumps(table.to_pydict()).encode()


@pytest.mark.parametrize(
    "written",
    [
        *(parquet, arrow, stream, by_column),
        lambda table: json.dumps(table.to_pylist()).encode(),
        lambda table: "\n".join(map(json.dumps, table.to_pylist())).encode(),
        lambda table: table.to_pandas().to_json().encode(),
        lambda table: table.to_pandas().to_json(orient="split").encode(),
        lambda table: parquet(pa.Table.from_pandas(table.to_pandas().iloc[[0, 2, 1, 3]])),
    ],
    ids=listed("""
        Parquet  Arrow  Arrow stream  JSON columns  JSON records  JSON lines  pandas  pandas split
        Parquet with an index
    """),
)
def test_a_table_need_not_be_text(written):
    assert cells(scores(written(pa.Table.from_pylist(ROWS)))) == VALUES


def test_nested_json_is_read_as_columns_named_by_their_path():
    rows = [{"config": {"dataset": "a", "model": model}, "summary": {"rmse": 1.0}} for model in "AB"]
    assert set(cells(scores(json.dumps(rows)))) == {("a", "A", "", "rmse"), ("a", "B", "", "rmse")}


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
def test_a_file_may_be_compressed(ending, tmp_path):
    path = tmp_path / f"scores.csv{ending}"
    path.write_bytes(PACKED[ending](LONG.encode()))
    assert cells(read_scores(path)) == VALUES
    assert looks_like_scores(path)


def test_a_sheet_of_excel_is_read(tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="Excel files are read with openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["Our results"])
    for line in LONG.splitlines():
        book.active.append([float(word) if word[0].isdigit() else word for word in line.split(",")])
    book.save(tmp_path / "scores.xlsx")
    assert cells(read_scores(tmp_path / "scores.xlsx")) == VALUES


def excel_file(sheet: str) -> bytes:
    """An Excel file with the XML of its one sheet's rows."""
    book, empty = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(empty)
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    content = f'<worksheet xmlns="{namespace}"><sheetData>{sheet}</sheetData></worksheet>'
    with zipfile.ZipFile(empty) as parts, zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in parts.namelist():
            is_sheet = name == "xl/worksheets/sheet1.xml"
            packed.writestr(name, content if is_sheet else parts.read(name))
    return book.getvalue()


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ('<row><c r="XFD1"><v>1</v></c></row>' * 200, "expected at most 2,000,000 cells in all sheets"),
        ('<row r="999999999"><c><v>1</v></c></row>', "expected at most 2,000,000 cells in all sheets"),
        (129 << 20, "expected an Excel file that unpacks to at most 128 MB, found 129 MB"),
    ],
)
def test_an_excel_file_that_unpacks_to_too_much_is_refused_before_it_is_read(sheet, said):
    content = excel_file(" " * sheet if isinstance(sheet, int) else sheet)
    assert len(content) < 200_000
    with pytest.raises(ParseError, match=said):
        read_table(io.BytesIO(content), name="bomb.xlsx")


def test_a_latex_table_without_lines_is_refused():
    with pytest.raises(ParseError, match="expected a table of scores, found one without lines"):
        read_table(io.BytesIO(b"a & b \\\\\n\\begin{tabular}{lrr}\n\\end{tabular}\n"), name="empty.tex")


FRAME = pd.DataFrame({"dataset": ["a", "b", "c"], "svm": [0.1, 0.2, 0.3], "rf": [0.2, 0.1, 0.4]})


class Interchanged:
    """A frame of a library that has the data frame interchange protocol alone."""

    def __dataframe__(self, *args, **kwargs):
        return FRAME.__dataframe__(*args, **kwargs)


@pytest.mark.filterwarnings("ignore:The Dataframe Interchange Protocol")
@pytest.mark.parametrize(
    "data",
    [
        FRAME,
        FRAME.set_index("dataset"),
        pa.Table.from_pandas(FRAME),
        FRAME.to_dict("list"),
        FRAME.to_dict("records"),
        Interchanged(),
    ],
    ids=["pandas", "index", "Arrow", "columns", "records", "interchange"],
)
def test_frames_of_all_libraries_rank_alike(data):
    pd.testing.assert_frame_equal(to_pandas(data).reset_index(drop=True), FRAME)
    ranking = delvecore.rank(data, higher_is_better=True)
    # Ranks of rf: 1, 2, 1; of svm: 2, 1, 2.
    assert ranking.to_frame()["mean_rank"].to_dict() == pytest.approx({"rf": 4 / 3, "svm": 5 / 3})
    assert (ranking.reading.methods, ranking.reading.datasets) == (2, 3)


@pytest.mark.parametrize("data", [7, object(), [1, 2], {"a": 1}, None])
def test_what_holds_no_table_gets_one_line(data):
    with pytest.raises(DelveError, match=r"^data: expected a data frame, .*, found ") as caught:
        to_pandas(data)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "word",
    [
        "diverged",
        "failed",
        "error",
        "timed out",
        "out of memory",
        "crashed",
        "killed",
        "aborted",
        "DNF",
        "inf",
    ],
)
def test_a_run_that_failed_may_count_as_the_worst_of_its_dataset(word):
    text = "dataset,method,rmse\na,A,1\na,B,{}\na,C,3\nb,A,2\nb,B,4\nb,C,4\n"
    assert cells(scores(text.format(word), failed="worst"))["a", "B", "", "rmse"] == 3
