"""How scores were read stands first in each format, with every guess and omission."""

import csv
import io
import json

import pandas as pd
import pytest

from delvecore.answers import answer
from delvecore.measures import column_measure
from delvecore.render.answers import answer_text
from delvecore.render.document import with_readings
from delvecore.score_tables.options import Answer, ScoreOptions
from delvecore.score_tables.score_file import Omission, Reading, Role

READING = Reading(
    "somewhere/scores.csv",
    methods=3,
    datasets=12,
    instances="9 folds each",
    metrics=(column_measure("metric_error", False),),
    runs=324,
    failed=2,
    roles=(
        Role("shape", "rows are datasets, columns are methods", "default", option="transpose"),
        Role("direction", "metric_error", "name", option="higher_is_better"),
        Role("dataset", "task", "content", ("family",), "dataset"),
    ),
    first_methods=("a", "b", "c"),
    first_datasets=("d1", "d2", "d12"),
    omissions=(
        Omission("column", ("Mean", "=A1,-->|#x"), 2, "summaries, by name and numbers", option="keep"),
    ),
)
LINE = (
    "Read: 3 methods (a, b, c) × 12 datasets (d1, ... d12), 9 folds each, metric_error, lower is better (column "
    "name); 2 of 324 runs have no value. Inferred: shape: rows are datasets, columns are methods (by default); "
    "dataset: task (from the values; or family). Not used: 2 columns (Mean, =A1,-->|#x): summaries, by name and "
    "numbers."
)


def test_text_begins_with_it_folded():
    first, rest = with_readings("the table\n", [READING], "text").split("\n\n", 1)
    assert (" ".join(first.split()), rest) == (LINE, "the table\n")
    assert max(map(len, first.splitlines())) < 80


def test_csv_has_it_as_comments_which_pandas_leaves_out():
    text = with_readings("a,b\n1,2\n", [READING], "csv")
    assert text.startswith("# Read: 3 methods (a, b, c) × 12 datasets")
    assert pd.read_csv(io.StringIO(text), comment="#").to_dict("list") == {"a": [1], "b": [2]}
    cells = next(csv.reader(text.splitlines()))
    assert not any(cell.strip().startswith("=") for cell in cells)


def test_json_has_the_records_as_its_first_member():
    one = answer.Answer("q", "One.", answer.Table((answer.Column("a", "a", "number", [1]),)))
    parsed = json.loads(answer_text(one, "json", readings=[READING]))
    assert next(iter(parsed)) == "read"
    (record,) = parsed["read"]
    assert (record["text"], record["source"]) == (LINE, "scores.csv"), "no directory is named"
    assert [role["role"] for role in record["roles"]] == ["shape", "direction", "dataset"]
    assert record["omissions"][0]["why"] == "summaries, by name and numbers"
    assert json.loads(answer_text(one, "json"))["read"] == []


@pytest.mark.parametrize(
    ("form", "start"),
    [("latex", "% Read: "), ("typst", "// Read: "), ("html", "<p>Read: "), ("markdown", "Read: ")],
)
def test_other_formats_begin_with_it_and_nothing_in_it_becomes_markup(form, start):
    text = with_readings("rest", [READING], form)
    assert text.startswith(start)
    assert text.endswith("rest")
    assert form in ("latex", "typst") or "-->" not in text
    assert with_readings("rest", [], form) == "rest"


def test_the_record_survives_json():
    assert Reading.from_dict(json.loads(json.dumps(READING.as_dict()))) == READING


def test_each_guess_and_omission_can_be_answered_otherwise():
    assert READING.alternatives == (
        Answer("Rows are methods", "transpose", True),
        Answer("Take family as dataset", "dataset", "family"),
        Answer("Keep Mean", "keep", ("Mean",)),
        Answer("Keep =A1,-->|#x", "keep", ("=A1,-->|#x",)),
    )


def test_answers_add_up_and_the_last_one_on_a_name_counts():
    options = ScoreOptions(keep=("a",))
    for field, name in (("keep", "b"), ("drop", "a"), ("drop", "a")):
        options = options.with_answer(Answer("", field, (name,)))
    options = options.with_answer(Answer("", "transpose", True))
    assert options == ScoreOptions(keep=("b",), drop=("a",), transpose=True)
