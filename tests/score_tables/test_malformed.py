"""Tables that are none get one line each: where, what was expected, what was found, what to do."""

import gzip

import pandas as pd
import pytest

from delvecore.errors import DelveError
from delvecore.score_tables.reading import scores_of
from tests.score_tables.tables import scores

LONG = "dataset,method,accuracy\na,A,0.5\na,B,0.6\nb,A,0.7\nb,B,0.8\n"
WIDE = "data,A,B\na,1,2\nb,3,4\n"
WRITE = "; write the names of columns, and a line for each run or dataset"
SEPARATED = ":1: expected columns separated by commas, semicolons, tabs or blanks, found one column, "
ABOVE = ":1: expected a first line with names of columns, found numbers ("
AS_ABOVE = "); write the names of the columns above the numbers"
FIELDS = ": expected 3 fields, as in the header on line 1, found "
QUOTE = "; quote fields that hold the separator"
QUOTED = ":3: expected fields whose quotes are closed"
NUMBER = ": expected a number or a missing value such as `NA` in the column "
CORRECT = "; correct it, or choose other columns of values"
TWICE = ": expected one score for each dataset, method, instance and metric, found a second one for "
APART = "); call the column that distinguishes them fold, name it in an option, or remove one"
ONCE = ":1: expected each column's name once, found "
RENAME = "; rename one of them"
SCORES = ": expected a column of scores that are numbers, found the columns "
INTO_ONE = "; write numbers into one of them, or say which column holds the scores"
DIRECTION = ": expected metrics of known direction, found "
SAY = "; say --higher-is-better or --lower-is-better"
COLUMNS = ", found the columns 'dataset', 'method', 'accuracy'; choose one of these"
NAME = ": expected a name of at most 255 printable characters, on one line, "
TABLE = ":1: expected a table of scores, found "
SAVE = "; save the table as CSV, JSON, Parquet or .xlsx"
RECORDS = ":1: expected JSON records, lists of equal length by column, or objects by column, found "
RECORD = "; write one record per run"
WHOLE = ": expected a whole "
"""Parts of messages that several cases share."""

CASES = {
    "empty file": ("", f": expected a table of scores, found an empty file{WRITE}"),
    "only comments": ("# a\n# b\n", f"{TABLE}only comments{WRITE}"),
    "header only": (
        "dataset,method,accuracy\n",
        f":1: expected lines of scores below the names, found none{WRITE}",
    ),
    "one column": ("number\n0.5\n0.6\n", f"{SEPARATED}'number'; write the table as CSV"),
    "prose": (
        "This is a report of our results.\nThey are good.\n",
        ":2: expected 7 fields, as in the header on line 1, found 3; write empty fields, too",
    ),
    "no header, numbers": ("1,2,3\n4,5,6\n", f"{ABOVE}1, 2, 3{AS_ABOVE}"),
    "title above": (
        "Our results\ndataset,method,accuracy\na,A,0.5\na,B,0.6\n",
        ":1: expected the names of 3 columns, found one field, 'Our results'; put a # before the "
        "lines above the names",
    ),
    "too many fields": (LONG.replace("a,B,0.6", "a,B,0.6,7"), f":3{FIELDS}4{QUOTE}"),
    "too few fields": (LONG.replace("a,B,0.6", "a,B"), f":3{FIELDS}2; write empty fields, too"),
    "open quote": (LONG.replace("a,B,0.6", 'a,"B,0.6'), QUOTED),
    "interval": (
        "dataset;method;accuracy\na;A;0.5\na;B;[0.5, 0.7]\nb;A;0.7\nb;B;0.8\n",
        f":3{NUMBER}'accuracy', found '[0.5, 0.7]'{CORRECT}",
    ),
    "twice": (LONG + "a,B,0.9\n", f":6{TWICE}a, B, accuracy (first on line 3{APART}"),
    "twice in a wide table": (WIDE + "b,5,6\n", f":4{TWICE}b, A, score (first on line 3{APART}"),
    "same column twice": (
        "dataset,method,accuracy,accuracy\na,A,0.5,0.5\na,B,0.6,0.6\n",
        f"{ONCE}'accuracy' again, over column 4{RENAME}",
    ),
    "no scores": (
        "dataset,method,comment\na,A,fine\na,B,bad\nb,A,fine\nb,B,bad\n",
        f":1{SCORES}'dataset', 'method', 'comment'{INTO_ONE}",
    ),
    "unknown direction, long": ("dataset,method,score\na,A,1\na,B,2\n", f"{DIRECTION}'score'{SAY}"),
    "unknown direction, several": (
        "dataset,method,alpha,beta\na,A,1,2\na,B,2,3\nb,A,5,6\nb,B,7,9\n",
        ": expected one column of scores, or known metrics, found 'alpha', 'beta'; say --value "
        "alpha or --value beta",
    ),
    "direction of several": (
        "dataset,method,accuracy,rmse\na,A,1,2\na,B,2,3\n",
        ": expected one metric with a stated direction, found 'accuracy', 'rmse'; say --metric "
        "accuracy or --metric rmse",
    ),
    "no such dataset column": (LONG, f":1: expected a column named 'problem'{COLUMNS}"),
    "no such fold column": (LONG, f":1: expected a column named 'fold'{COLUMNS}"),
    "value is text": (LONG, f":2{NUMBER}'method', found 'A'{CORRECT}"),
    "control character in a name": (
        "dataset,method,accuracy\na,A,0.5\na,B\x07,0.6\nb,A,0.7\nb,B\x07,0.8\n",
        f":3{NAME}for a method, found 'B\\x07'; rename it",
    ),
    "NUL byte": (
        "dataset,method,accuracy\na,A,0.5\na,B\x00,0.6\nb,A,0.7\nb,B\x00,0.8\n",
        f"{TABLE}a file that is not text{SAVE}",
    ),
    "damaged gzip": (gzip.compress(LONG.encode())[:-12], f"{WHOLE}compressed file"),
    "damaged Parquet": (b"PAR1nothing at allPAR1", f"{WHOLE}Parquet file"),
    "damaged Arrow": (b"ARROW1\x00\x00nothing", f"{WHOLE}Arrow file"),
    "damaged Excel": (b"PK\x03\x04nothing", f"{WHOLE}Excel file"),
    "old Excel": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(120),
        ": expected CSV, Parquet or .xlsx, found an Excel file from before 2007; save it as .xlsx or CSV",
    ),
    "damaged JSON": (
        '[{"dataset": "a", "method": "A", "accuracy": 0.5},\n {"dataset" "a"}]',
        ":2: expected JSON, found ",
    ),
    "damaged JSON line": (
        '{"dataset": "a", "method": "A", "accuracy": 0.5}\n{"dataset": "a", \n',
        ":2: expected a JSON record per line, found ",
    ),
    **{
        f"JSON {depth} deep": (
            opening * depth + "1" + closing * depth,
            ":1: expected JSON, found values nested more than 100 deep; correct it, or export it again",
        )
        for depth in (101, 600, 900, 100_000)
        for opening, closing in ("[]", ('{"a":', "}"))
    },
    "JSON number": ("[1, 2, 3]", f"{RECORDS}a list of other values{RECORD}"),
    "picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", f"{TABLE}a file that is not text{SAVE}"),
    "HTML": (
        "<!DOCTYPE html>\n<html><body><table><tr><td>1</td></tr></table></body></html>\n",
        f"{TABLE}HTML or XML{SAVE}",
    ),
    "ARFF with a short case": (
        "@relation r\n@attribute data string\n@attribute A numeric\n@attribute B "
        "numeric\n@data\nx,1,2\n% 3\ny,3\n",
        ":8: expected 3 fields, as in the header on line 5, found 2",
    ),
    "LaTeX with a long row": (
        "% ours\n\\begin{tabular}{lcc}\nData & A & B \\\\\n\\hline\niris & 1 & 2 \\\\\ncar & 1 & 2 "
        "& 3 \\\\\n\\end{tabular}\n",
        ":6: expected 3 fields, as in the header on line 3, found 4",
    ),
    "share": (
        LONG,
        "share: expected a share of all cases in a test set, at least 0 and below 1, found 1.5; "
        "for ten folds it is 0.1",
    ),
    "huge number": (
        LONG.replace("a,B,0.6", "a,B,1e999"),
        ":3: expected a score of at most 1e+150 in size, found inf; write NA for a run that failed",
    ),
    "only summary rows": (
        "data,A,B\nAverage,1,2\nWins,3,4\n",
        ":2: expected rows of scores, found a row called 'Average', like a summary; say --keep "
        "Average or --drop Average",
    ),
}
HIGHER = ("twice in a wide table", "direction of several", "only summary rows")
SAID = {name: {"higher_is_better": True} for name in HIGHER} | {
    "no such dataset column": {"dataset": "problem"},
    "no such fold column": {"fold": ("fold",)},
    "value is text": {"value": ("method",)},
    "share": {"share": 1.5},
}
"""What is said of a table, by the name of its case."""
NO_NUMBERS = ("2nd", "0.6.1", "1_000", "0.6 (0.1")


@pytest.mark.parametrize("name", CASES)
def test_a_malformed_table_gets_one_line(name):
    text, message = CASES[name]
    with pytest.raises(DelveError) as caught:
        scores(text, **SAID.get(name, {}))
    told = str(caught.value)
    assert told.removeprefix("table.csv").startswith(message)
    assert "\n" not in told
    assert told.partition(", found ")[2].count("; ") > 0, "what to do"


@pytest.mark.parametrize("cell", NO_NUMBERS)
def test_a_cell_that_is_no_number_is_told_with_its_line_and_column(cell):
    with pytest.raises(DelveError) as caught:
        scores(LONG.replace("a,B,0.6", f"a,B,{cell}"))
    assert str(caught.value) == f"table.csv:3{NUMBER}'accuracy', found '{cell}'{CORRECT}"


def test_a_score_twice_in_a_data_frame_gets_one_line_with_its_row():
    rows = [("a", "A", 0.5), ("a", "A", 0.6), ("b", "A", 0.7), ("b", "B", 0.8)]
    with pytest.raises(DelveError) as caught:
        scores_of(pd.DataFrame(rows, columns=["dataset", "method", "accuracy"]), name="frame")
    assert str(caught.value) == f"frame{TWICE}a, A, accuracy, in row 2; {APART.removeprefix('); ')}"
