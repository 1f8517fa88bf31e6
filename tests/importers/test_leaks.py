"""Signs that cases are not independent: ids that repeat, copies, an order of time; and none in plain data."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

from delvecore.importers.leaks import signs_of_leaks
from delvecore.importers.plan import ImportOptions, plan_import
from delvecore.importers.source import bunch_source, frame_source

RANDOM = np.random.default_rng(7)


def signs(frame, *, target="y", serious=True, **options):
    plan = plan_import(frame_source(frame, "d"), ImportOptions(targets=(target,), **options))
    return [(sign.kind, sign.column) for sign in signs_of_leaks(plan) if sign.is_serious or not serious]


def plain(count=240):
    return pd.DataFrame(
        {"a": RANDOM.normal(size=count), "b": RANDOM.normal(size=count), "y": RANDOM.normal(size=count)}
    )


GROUPS = np.repeat(np.arange(30), 8)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("patient_id", [f"p{n % 12}" for n in RANDOM.permutation(240)]),
        ("Subject", RANDOM.permutation(GROUPS)),
        ("who", [f"w{n}" for n in RANDOM.permutation(GROUPS)]),
        ("mouse", [["anna", "bert", "carl", "dora", "emil", "fay"][n // 40] for n in range(240)]),
        ("k", GROUPS + 1000),
    ],
)
def test_ids_that_repeat_are_a_sign_of_groups(name, values):
    assert signs(plain().assign(**{name: values})) == [("groups", name)]


def test_ids_without_a_telling_name_show_by_cases_that_are_alike():
    order = RANDOM.permutation(240)
    base = RANDOM.normal(size=(30, 2))[GROUPS] + 0.05 * RANDOM.normal(size=(240, 2))
    frame = pd.DataFrame({"q": GROUPS * 7 % 31 + 5, "a": base[:, 0], "b": base[:, 1]})
    frame["y"] = np.where(RANDOM.integers(0, 2, 30)[GROUPS] == 1, "p", "n")
    assert signs(frame.iloc[order]) == [("groups", "q")]


def test_a_group_that_was_named_is_no_sign():
    frame = plain().assign(patient_id=[f"p{n % 12}" for n in range(240)])
    assert signs(frame, group="patient_id") == []


def test_copies_of_rows_are_a_sign_unless_few_rows_are_possible():
    twice = pd.concat([plain(120)] * 2)
    assert signs(twice) == [("copies", "")]
    few = pd.DataFrame({"a": RANDOM.choice(list("pq"), 200), "b": RANDOM.choice(list("rs"), 200)})
    few["y"] = RANDOM.choice(list("mn"), 200)
    assert signs(few) == []
    assert signs(few, serious=False) == [("copies", "")]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("when", pd.date_range("2020-01-01", periods=240)),
        ("day", pd.date_range("2020-01-01", periods=240).strftime("%d.%m.%Y")[::-1]),
        ("year", np.repeat(np.arange(1980, 2020), 6)),
    ],
)
def test_times_in_order_are_a_sign(column, values):
    assert ("time", column) in signs(plain().assign(**{column: values}))


def test_dates_without_order_are_a_sign_if_the_target_follows_them():
    dates = pd.date_range("2020-01-01", periods=240)
    walk = plain().assign(when=dates, y=np.cumsum(RANDOM.normal(size=240)))
    assert ("time", "when") in signs(walk.sample(frac=1, random_state=1))
    assert signs(plain().assign(when=RANDOM.permutation(dates))) == []
    assert signs(plain().assign(when=RANDOM.permutation(dates)), serious=False) == [("time", "when")]


def test_an_order_of_the_target_is_a_sign():
    assert signs(plain().sort_values("y")) == [("time", "")]
    assert signs(plain().assign(y=np.cumsum(RANDOM.normal(size=240)))) == [("time", "")]
    regimes = plain().assign(y=np.where(np.arange(240) // 30 % 2, "up", "down"))
    assert signs(regimes) == [("time", "")]
    middle = plain().assign(y=np.where(np.arange(240) // 80 == 1, "up", "down"))
    assert signs(middle) == []
    by_class = regimes.sort_values("y")
    assert signs(by_class) == []  # a file arranged by class, such as iris
    assert signs(by_class, serious=False) == [("time", "")]


@pytest.mark.parametrize("load", [load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine])
def test_data_of_independent_cases_have_no_serious_sign(load):
    plan = plan_import(bunch_source(load(), "d"), ImportOptions())
    assert [sign for sign in signs_of_leaks(plan) if sign.is_serious] == []


def test_measurements_and_categories_are_no_ids():
    frame = plain().assign(
        rooms=RANDOM.integers(1, 9, 240),
        age=RANDOM.integers(18, 80, 240),
        town=RANDOM.choice(["Ghent", "Lund", "Turin"], 240),
        student_absences=RANDOM.integers(0, 30, 240),
    )
    frame["y"] = 3 * frame["age"] + RANDOM.normal(size=240)
    assert signs(frame) == []
