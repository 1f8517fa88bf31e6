"""What a notebook may give to `rank`: the same table, whatever it comes as; a direction is never assumed."""

import numpy as np
import pyarrow as pa
import pytest

from delvecore import DelveError
from delvecore.library.input_tables import score_table
from delvecore.score_tables.options import ScoreOptions
from tests.library.frames import METHODS, long_frame, wide_frame

HIGHER = ScoreOptions(higher_is_better=True)


def table_of(data, options=HIGHER, **more):
    return score_table(data, options, **more).table


def assert_is_the_wide_frame(table):
    wide = wide_frame()
    assert (set(table.tasks), set(table.methods)) == (set(wide.index), set(wide.columns))
    values = table.select(tasks=wide.index, methods=wide.columns).values
    assert values == pytest.approx(wide.to_numpy(), abs=1e-12)
    assert table.higher_is_better


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(wide_frame, id="tasks in the index"),
        pytest.param(lambda: wide_frame().reset_index(), id="tasks in a column"),
        pytest.param(lambda: pa.Table.from_pandas(wide_frame().reset_index()), id="Arrow"),
        pytest.param(long_frame, id="long, with folds"),
        pytest.param(lambda: long_frame().sample(frac=1, random_state=0), id="long, in any order"),
        pytest.param(lambda: long_frame().astype({"dataset": "category"}), id="long, categories"),
    ],
)
def test_frames_of_all_shapes_are_the_same_table(data):
    assert_is_the_wide_frame(table_of(data()))


def test_an_array_has_names_for_its_columns_and_numbers_for_its_rows():
    table = table_of(wide_frame().to_numpy(), methods=METHODS)
    assert (table.tasks[:2], table.methods) == (("1", "2"), METHODS)


def test_a_known_metric_says_its_own_direction():
    table = table_of(long_frame(), ScoreOptions())
    assert (table.higher_is_better, table.quantity) == (True, "accuracy")
    assert not table_of(long_frame().rename(columns={"accuracy": "rmse"}), ScoreOptions()).higher_is_better


def test_columns_can_be_named_where_their_names_say_nothing():
    frame = long_frame().set_axis(["p", "q", "r", "s"], axis=1)
    options = ScoreOptions("p", "q", fold=("s",), value=("r",), higher_is_better=True)
    assert_is_the_wide_frame(table_of(frame, options))


def test_a_missing_score_is_left_out_of_the_mean_and_a_missing_cell_stays_missing():
    frame = long_frame()
    frame.loc[(frame["dataset"] == "d1") & (frame["classifier"] == "ada"), "accuracy"] = np.nan
    frame.loc[
        (frame["dataset"] == "d2") & (frame["classifier"] == "ada") & (frame["fold"] == 2), "accuracy"
    ] = np.nan
    table = table_of(frame, ScoreOptions())
    values = dict(zip(table.tasks, table.values[:, table.methods.index("ada")], strict=True))
    assert np.isnan(values["d1"])
    # Fold 2 is the middle one, which is the mean of the others.
    assert values["d2"] == pytest.approx(wide_frame().loc["d2", "ada"])


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (wide_frame(), ScoreOptions(), "say higher_is_better=True or higher_is_better=False"),
        (wide_frame().to_numpy(), HIGHER, "methods: expected 3 names, one per column, found 0"),
        (np.zeros(3), HIGHER, "data: expected an array of tasks x methods, found 1 dimensions"),
        (7, HIGHER, "data: expected a data frame, an Arrow table, .* found int"),
        ({"a": ["x"]}, HIGHER, "expected a column of scores that are numbers"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(data, options, message):
    with pytest.raises(DelveError, match=message) as caught:
        table_of(data, options)
    assert "\n" not in str(caught.value)
