"""Frames of other libraries are read as pandas frames are; anything else gets one line."""

import pandas as pd
import pyarrow as pa
import pytest

import delvecore
from delvecore.errors import DelveError
from delvecore.score_tables.reading import to_pandas

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
    found = delvecore.rank(data, higher_is_better=True)
    # Ranks of rf: 1, 2, 1; of svm: 2, 1, 2.
    assert found.to_frame()["mean_rank"].to_dict() == pytest.approx({"rf": 4 / 3, "svm": 5 / 3})
    assert (found.reading.methods, found.reading.datasets) == (2, 3)


@pytest.mark.parametrize("data", [7, object(), [1, 2], {"a": 1}, None])
def test_what_holds_no_table_gets_one_line(data):
    with pytest.raises(DelveError, match=r"^data: expected a data frame, .*, found ") as caught:
        to_pandas(data)
    assert "\n" not in str(caught.value)
