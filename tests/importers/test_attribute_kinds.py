"""What columns are taken for, and how that is changed."""

import pytest

from delvecore.errors import DelveError
from delvecore.importers.attributes import Reason
from delvecore.importers.import_messages import column_rows, notices, target_line
from tests.importers.making import cars, column, planned

COLUMNS = {
    "counter": (range(1, 41), "ignore", Reason.COUNTER),
    "whole": ([n * 7 % 40 for n in range(40)], "integer", Reason.WHOLE),
    "fractions": ([n / 7 for n in range(40)], "real", Reason.FRACTIONS),
    "signs": ([n % 2 for n in range(40)], "binary", Reason.TWO_VALUES),
    "one and 1.0": (["1", "1.0"] * 20, "real", Reason.FRACTIONS),
    "words": ([f"w{n % 5}" for n in range(40)], "nominal", Reason.CATEGORIES),
    "two words": (["yes", "no"] * 20, "binary", Reason.CATEGORIES),
    "texts": ([f"text {n}" for n in range(40)], "ignore", Reason.TEXT),
    "dates": ([f"2020-01-{1 + n % 5:02}" for n in range(40)], "ignore", Reason.DATES),
    "nothing": (["", "NA"] * 20, "ignore", Reason.EMPTY),
    "mostly": ([*range(39), "none"], "ignore", Reason.STRAYS),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_taken_for_what_its_words_are(name, tmp_path):
    values, kind, reason = COLUMNS[name]
    text = "\n".join([f"{name},y", *(f"{value},{n}.5" for n, value in enumerate(values))]) + "\n"
    guess = column(planned(tmp_path / "a.csv", text, targets=["y"]), name)
    assert (guess.type, guess.reason) == (kind, reason)


def test_few_whole_numbers_of_a_target_are_classes_and_many_are_numbers(tmp_path):
    text = "x,few,many\n" + "".join(f"{n / 3},{n % 3},{n % 30}\n" for n in range(60))
    plan = planned(tmp_path / "a.csv", text, targets=["few", "many"])
    assert [column(plan, name).type for name in ("few", "many")] == ["nominal", "integer"]
    assert target_line(plan) == "target few; many: mixed"


RANGES = {
    "0.5,1": "[0,Inf)",
    "-0.5,1": "(-Inf,Inf)",
    "3,4": "0..Inf",
    "-3,4": "-Inf..Inf",
    "3,NA": "0..Inf ?",
    "high,#low": "_#low high",
    "?a,": "_?a ?",
}


@pytest.mark.parametrize("words", RANGES)
def test_ranges_hold_what_there_is_and_what_is_like_it(words, tmp_path):
    values = [*words.split(","), "7", "9"] if words[-1] in "14A" else words.split(",")
    text = "a,y\n" + "".join(f"{values[n % len(values)]},{n}.5\n" for n in range(30))
    plan = planned(tmp_path / "a.csv", text, targets=["y"], missing=["", "NA"])
    assert plan.dataset.attributes[0].range.text == RANGES[words]


def test_types_that_are_said_go_before_guesses(tmp_path):
    types = {"id": "integer", "maker": "ignore", "owner": "nominal"}
    types |= {"doors": "ordinal:5,4,3,2", "weight": "angular:360"}
    plan = planned(tmp_path / "a.csv", cars(), targets=["airbag"], types=types)
    by_name = {one.name: (one.type, one.range) for one in plan.columns}
    assert by_name["doors"] == ("ordinal", "5 4 3 2")
    assert by_name["weight"] == ("angular", "[0,Inf)")
    assert [by_name[name][0] for name in ("id", "maker", "owner")] == ["integer", "ignore", "nominal"]


FAULTS = {
    "target cost: expected the name of a column, found none of id, maker": {"targets": ["cost"]},
    "target made: expected a column that can be predicted, found a column that is left out (dates)": {
        "targets": ["made"]
    },
    "type maker=number: expected a type, one of binary": {"types": {"maker": "number"}},
    "type weight=integer: expected whole numbers, found fractions": {"types": {"weight": "integer"}},
    "type doors=ordinal:2,3: expected every value of the column": {"types": {"doors": "ordinal:2,3"}},
    "type of colour: expected the name of a column": {"types": {"colour": "real"}},
    "--name: expected letters, digits and . _ -": {"name": "a/b"},
}


@pytest.mark.parametrize("message", FAULTS)
def test_what_cannot_be_so_is_told_by_the_name_of_the_column(message, tmp_path):
    with pytest.raises(DelveError) as caught:
        planned(tmp_path / "a.csv", cars(), **{"targets": ["airbag"]} | FAULTS[message])
    assert str(caught.value).startswith(message)


def test_a_target_is_only_guessed_where_that_is_allowed(tmp_path):
    with pytest.raises(DelveError, match="target: expected one of"):
        planned(tmp_path / "a.csv", cars())
    plan = planned(tmp_path / "a.csv", cars(), guess_target=True)
    assert (plan.targets, plan.is_guessed) == ((("price",),), True)
    assert target_line(plan) == "target price: regression (guessed: --target)"


def test_every_guess_is_told_with_the_option_that_changes_it(tmp_path):
    plan = planned(tmp_path / "a.csv", cars(), targets=["price"])
    told = {name: (becomes, why, change) for name, becomes, why, change in column_rows(plan)}
    assert told["fuel"] == (
        "nominal input",
        "few different words; diesel natural gas petrol; 15 missing",
        "--type fuel=ordinal:low,high",
    )
    assert told["wheels"][1] == "whole numbers; 4 to 4; constant"
    assert told["id"] == ("left out", "it counts the cases; 1 to 60", "--type id=integer")
    assert list(notices(plan)) == [
        "values renamed: 'maker 0' is maker_0, 'maker 1' is maker_1, 'maker 2' is maker_2, 'natural gas' is natural_gas",
        "3 cases without price are in the dataset, but in no task that predicts it",
    ]


def test_infinite_numbers_count_as_missing_and_are_told(tmp_path):
    text = "a,y\n" + "".join(f"{'inf' if n == 3 else n * 5 % 31},{n}.5\n" for n in range(30))
    plan = planned(tmp_path / "a.csv", text, targets=["y"])
    assert plan.dataset.attributes[0].range.text == "0..Inf ?"
    assert list(notices(plan)) == ["infinite numbers count as missing: 1 of a"]
