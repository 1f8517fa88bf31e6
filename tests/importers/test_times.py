"""Columns of times that rise: what counts as one, and the order of cases that follows from it."""

import datetime as dt

import pandas as pd
import pyarrow as pa
import pytest

from delvecore import datasets
from delvecore.errors import DelveError, Fault
from delvecore.importers import sources
from delvecore.importers.import_messages import order_lines, rare_line
from delvecore.importers.plan import CaseOrder, ImportOptions, plan_import
from delvecore.importers.sizes import parse_sizes
from delvecore.importers.source import MISSING
from delvecore.model import RANDOM, RETAIN
from tests.importers.making import delve_directory, imported, planned, problems

DAYS = [dt.date(2019, 12, 27) + dt.timedelta(days=7 * n) for n in range(40)]
HOURS = [dt.datetime(2020, 1, 1, 9) + dt.timedelta(hours=5 * n) for n in range(40)]
MONTHS = [dt.date(2000 + n // 12, 1 + n % 12, 1) for n in range(40)]
EPOCH = [int(one.replace(tzinfo=dt.UTC).timestamp()) for one in HOURS]
RISING = {
    "ISO dates": ("when", [one.isoformat() for one in DAYS]),
    "ties": ("when", [DAYS[n // 3].isoformat() for n in range(40)]),
    "timestamps": ("when", [one.isoformat() for one in HOURS]),
    "timestamps with a blank": ("when", [f"{one:%Y-%m-%d %H:%M}" for one in HOURS]),
    "timestamps with fractions": ("when", [f"{one:%Y-%m-%d %H:%M:%S}.250" for one in HOURS]),
    "timestamps with a zone": ("when", [one.isoformat() + "+02:00" for one in HOURS]),
    "UTC": ("when", [one.isoformat() + "Z" for one in HOURS]),
    "slashes": ("when", [f"{one:%Y/%m/%d}" for one in DAYS]),
    "day first": ("when", [f"{one:%d/%m/%Y}" for one in DAYS]),
    "month first": ("when", [f"{one:%m/%d/%Y}" for one in DAYS]),
    "without zeros": ("when", [f"{one.month}/{one.day}/{one.year}" for one in DAYS]),
    "German": ("when", [f"{one:%d.%m.%Y}" for one in DAYS]),
    "two digits of the year": ("when", [f"{one:%d-%m-%y}" for one in DAYS]),
    "day first with a clock": ("when", [f"{one:%d/%m/%Y %H:%M}" for one in HOURS]),
    "a clock of twelve hours": ("when", [f"{one:%m/%d/%Y %I:%M:%S %p}" for one in HOURS]),
    "names of months": ("when", [f"{one:%d-%b-%Y}" for one in DAYS]),
    "names in full": ("when", [f"{one:%B %d, %Y}" for one in DAYS]),
    "year and month": ("when", [f"{one:%Y-%m}" for one in MONTHS]),
    "month and year": ("when", [f"{one:%b %Y}" for one in MONTHS]),
    "month and short year": ("when", [f"{one:%b-%y}" for one in MONTHS]),
    "M": ("when", [f"{one:%Y}M{one:%m}" for one in MONTHS]),
    "quarters": ("when", [f"{1990 + n // 4}-Q{1 + n % 4}" for n in range(40)]),
    "quarters first": ("when", [f"Q{1 + n % 4} {1990 + n // 4}" for n in range(40)]),
    "seconds": ("timestamp", EPOCH),
    "milliseconds": ("event_time", [1000 * one for one in EPOCH]),
    "nanoseconds": ("ts", [10**9 * one for one in EPOCH]),
    "digits of a date": ("date", [f"{one:%Y%m%d}" for one in DAYS]),
    "digits of a month": ("month", [f"{one:%Y%m}" for one in MONTHS]),
    "years": ("year", list(range(1960, 2000))),
    "fractions of years": ("time", [1949 + n / 12 for n in range(40)]),
}
FLAT = {
    "falling": ("when", [one.isoformat() for one in reversed(DAYS)]),
    "one that falls": ("when", [one.isoformat() for one in [*DAYS[:20], DAYS[0], *DAYS[20:39]]]),
    "all the same": ("when", ["2020-01-01"] * 40),
    "one missing": ("when", ["NA" if n == 20 else DAYS[n].isoformat() for n in range(40)]),
    "one that is no time": ("when", ["later" if n == 20 else DAYS[n].isoformat() for n in range(40)]),
    "no month": ("when", [f"2020-{n + 13}" for n in range(40)]),
    "part numbers": ("when", [f"1001-{n // 4 + 1:02}" for n in range(40)]),
    "texts": ("when", [f"case {n:02}" for n in range(40)]),
    "seconds of another name": ("weight", EPOCH),
    "days since an operation": ("time", [4 + 3 * n for n in range(40)]),
    "a counter": ("id", list(range(1, 41))),
    "years of another name": ("price", list(range(1960, 2000))),
}


def table(name: str, values: list[object]) -> str:
    rows = (f'"{value}",{n * 7 % 40},{n * 13 % 40}.5\n' for n, value in enumerate(values))
    return f"{name},x,y\n{''.join(rows)}"


@pytest.mark.parametrize("kind", RISING)
def test_times_that_rise_keep_the_order(kind, tmp_path):
    name, values = RISING[kind]
    plan = planned(tmp_path / "a.csv", table(name, values), targets=["y"])
    assert plan.order == CaseOrder(RETAIN, name)
    backward = planned(tmp_path / "b.csv", table(name, list(reversed(values))), targets=["y"])
    assert backward.order == CaseOrder(RANDOM)


@pytest.mark.parametrize("kind", FLAT)
def test_what_does_not_rise_or_is_no_time_does_not(kind, tmp_path):
    plan = planned(tmp_path / "a.csv", table(*FLAT[kind]), targets=["y"])
    assert plan.order == CaseOrder(RANDOM)


def test_dates_that_rise_in_one_reading_only_are_read_so(tmp_path):
    # 01/02, 02/02 ... 12/02: day first, eleven days in a row; month first, eleven months. Then 13/02.
    values = [f"{day:02}/02/2020" for day in range(1, 14)]
    assert planned(tmp_path / "a.csv", table("when", values), targets=["y"]).order.times == "when"
    # As days of February these fall, as months of 2020 they rise.
    values = [f"{n:02}/{28 - n:02}/2020" for n in range(1, 13)]
    assert planned(tmp_path / "b.csv", table("when", values), targets=["y"]).order.times == "when"


def test_times_are_followed_from_piece_to_piece(monkeypatch):
    monkeypatch.setattr(sources, "ROWS", 7)
    days = [one.isoformat() for one in DAYS]
    frame = pd.DataFrame({"when": days, "y": [n / 3 for n in range(40)]})
    options = ImportOptions(targets=["y"])
    assert plan_import(sources.frame_source(frame, "a"), options).order.is_retained
    frame["when"] = [*days[20:], *days[:20]]
    assert not plan_import(sources.frame_source(frame, "a"), options).order.is_retained


def test_a_target_says_nothing_of_the_order(tmp_path):
    plan = planned(tmp_path / "a.csv", table("year", list(range(1960, 2000))), targets=["year"])
    assert plan.order == CaseOrder(RANDOM)


@pytest.mark.parametrize(
    "index",
    [
        pd.date_range("2020-01-01", periods=40, freq="h", tz="Europe/Berlin"),
        pd.period_range("1990-01", periods=40, freq="M", name="month"),
        pd.period_range("1990Q1", periods=40, freq="Q"),
    ],
)
def test_an_index_of_times_gives_the_order(index, tmp_path):
    frame = pd.DataFrame({"x": [n * 7 % 40 for n in range(40)], "y": [n / 3 for n in range(40)]}, index=index)
    before = frame.copy()
    (prototask,) = datasets.from_frame(frame, target="y", name="a", into=str(tmp_path / "delve-a"))
    assert prototask.order == RETAIN
    assert prototask.inputs == (1,)
    pd.testing.assert_frame_equal(frame, before)


def test_typed_times_of_arrow_give_the_order():
    table = pa.table({"when": pa.array(HOURS, pa.timestamp("ns")), "y": [n / 3 for n in range(40)]})
    plan = plan_import(sources.frame_source(table, "a"), ImportOptions(targets=["y"]))
    assert plan.order == CaseOrder(RETAIN, "when")


def test_the_order_is_retained_in_the_specification_and_said(tmp_path):
    root = delve_directory(tmp_path)
    plan = imported(root, tmp_path / "a.csv", table(*RISING["ISO dates"]), targets=["y"])
    assert "Order: retain\n" in (root / "data/a/y/Prototask.spec").read_text()
    assert not (root / "data/a/y/Random-order").exists()
    assert problems(root, "a") == []
    assert list(order_lines(plan)) == [
        ("order of the file retained: the times in when rise", "--order random draws one"),
        (
            "standard tasks test on the first cases and train on later ones; windows train on earlier ones",
            "delve instances --growing lists them",
        ),
    ]
    notes = (root / "data/a/Source/Notes").read_text()
    assert "Prototask y. Order of the file retained: the times in when rise.\n" in notes


@pytest.mark.parametrize(
    ("order", "kind", "said"),
    [
        ("random", "ISO dates", "random order, seed 1, as asked, although the times in when rise"),
        ("retain", "texts", "order of the file retained, as asked"),
    ],
)
def test_the_order_can_be_said_either_way(order, kind, said, tmp_path):
    root = delve_directory(tmp_path)
    text = table(*(RISING | FLAT)[kind])
    plan = imported(root, tmp_path / "a.csv", text, targets=["y"], order=order)
    assert plan.order.kind == order
    assert next(order_lines(plan)) == (said, "")
    assert (root / "data/a/y/Random-order").exists() == (order == RANDOM)
    assert problems(root, "a") == []


def test_another_order_is_refused(tmp_path):
    with pytest.raises(Fault, match="order: expected retain or random, found 'backward'"):
        planned(tmp_path / "a.csv", table(*FLAT["texts"]), targets=["y"], order="backward")


def test_sizes_of_training_sets_are_as_asked(tmp_path):
    root = delve_directory(tmp_path)
    imported(root, tmp_path / "a.csv", table(*FLAT["texts"]), targets=["y"], sizes=(25, 5))
    text = (root / "data/a/y/Prototask.spec").read_text()
    # One training set of 25 cases is more than half of the 40; the other 15 test.
    assert "Test-Set-Size: 15\nTraining-Set-Sizes: 5 25\n" in text
    assert problems(root, "a") == []


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((40,), "sizes: expected sizes below 40, the number of cases with known targets, found 40"),
        ((0, 5), "sizes: expected different whole numbers from 1, found 0, 5"),
        ((5, 5), "sizes: expected different whole numbers from 1, found 5, 5"),
    ],
)
def test_sizes_that_the_cases_do_not_allow_are_refused_before_anything_is_written(sizes, message, tmp_path):
    with pytest.raises(DelveError) as caught:
        planned(tmp_path / "a.csv", table(*FLAT["texts"]), targets=["y"], sizes=sizes)
    assert str(caught.value) == message


def test_sizes_are_written_with_commas_or_blanks():
    assert parse_sizes("64,128") == parse_sizes(" 64 128 ") == (64, 128)
    assert parse_sizes("") == ()
    with pytest.raises(Fault, match=r"sizes: expected whole numbers .*, found '64,many'"):
        parse_sizes("64,many")


def classes(counts: dict[str, int]) -> str:
    words = [word for word, count in counts.items() for _ in range(count)]
    return "x,kind\n" + "".join(f"{n * 7 % 101},{word}\n" for n, word in enumerate(words))


def test_classes_with_fewer_than_two_cases_a_training_set_are_told(tmp_path):
    # 150 cases train in sets of 16 and 32. Of 32, "a" has 0.85, "b" exactly 2.13; of 16, "b" has 1.07.
    text = classes({"a": 4, "b": 10, "c": 136})
    assert rare_line(planned(tmp_path / "a.csv", text, targets=["kind"])) == (
        "rare classes, fewer than two cases a training set on average: 'a' of kind up to size 32 (4 of 150 cases), "
        "'b' of kind up to size 16 (10 of 150 cases)"
    )
    # With 75 of 150 cases trained on, "a" has exactly two.
    assert rare_line(planned(tmp_path / "b.csv", text, targets=["kind"], sizes=(75,))) == ""


def test_numbers_and_few_cases_have_no_rare_classes(tmp_path):
    assert rare_line(planned(tmp_path / "a.csv", table(*FLAT["texts"]), targets=["y"])) == ""
    assert rare_line(planned(tmp_path / "b.csv", classes({"a": 1, "b": 9}), targets=["kind"])) == ""


def test_cases_without_a_class_do_not_count(tmp_path):
    # Of 20 known classes in sets of 8, "a" has 8 * 5 / 20 = 2 cases on average.
    text = classes({"a": 5, "b": 15, MISSING[0]: 60})
    assert rare_line(planned(tmp_path / "a.csv", text, targets=["kind"], sizes=(8,))) == ""
