"""Tables as CSV."""

import csv
import io
import math

import pyarrow as pa

from delvecore.report.writers.csv import csv_of_table, csv_text


def test_reading_a_number_gives_the_same_double():
    values = [0.1, 1 / 3, 1e-300, -2.5, 123456789.123456789, 7]
    rows = list(csv.reader(io.StringIO(csv_text(["x"], [[value] for value in values]))))
    assert [float(row[0]) for row in rows[1:]] == values


def test_what_is_not_there_is_an_empty_field_and_an_infinity_is_not():
    assert csv_text(["a", "b", "c"], [[None, math.nan, math.inf]]) == "a,b,c\n,,inf\n"


def test_text_that_a_spreadsheet_would_execute_gets_an_apostrophe():
    hostile = ["=1+1", "+x", "-x", "@x", "\tx", 'a "b", c']
    rows = list(csv.reader(io.StringIO(csv_text(["=head"], [[text] for text in hostile]))))
    assert rows == [["'=head"], ["'=1+1"], ["'+x"], ["'-x"], ["'@x"], ["\\tx"], ['a "b", c']]


def test_an_arrow_table_is_written_by_rows():
    table = pa.table({"name": ["one", "two"], "sizes": [[1, 2], []], "x": [0.5, None]})
    assert csv_of_table(table) == "name,sizes,x\none,1 2,0.5\ntwo,,\n"
