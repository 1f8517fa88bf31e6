"""Tables of scores are read whatever shape they have."""

import pyarrow as pa
import pytest

from delvecore.score_tables.options import UnknownDirection
from delvecore.score_tables.reading import read_scores, scores_of
from delvecore.tables import SCORE_ROWS
from tests.score_tables.tables import cells, scores
from tests.shared import shared_path


def test_a_long_table_is_known_by_the_names_of_its_columns():
    found = scores("classifier,dataset,accuracy\nA,a,0.5\nB,a,0.25\nA,b,1\nB,b,0.75\n")
    assert found.rows.schema == SCORE_ROWS
    assert cells(found)["a", "B", "", "accuracy"] == 0.25
    assert [metric.title for metric in found.metrics] == ["1 - accuracy"]


def test_a_wide_table_has_a_column_a_method():
    found = scores("data,A,B\na,78,70\nb,24,20\n", higher_is_better=True)
    assert cells(found) == {
        ("a", "A", "", "score"): 78,
        ("b", "A", "", "score"): 24,
        ("a", "B", "", "score"): 70,
        ("b", "B", "", "score"): 20,
    }


def test_folds_are_instances_and_cross_validation_is_assumed_and_said():
    found = scores("task,model,fold,auc\na,A,0,0.5\na,A,1,0.6\na,B,0,0.7\na,B,1,0.8\n")
    assert cells(found)["a", "B", "fold 1", "auc"] == 0.8
    assert found.design[:4] == ("cross-validation", 2, 1, 0.5)
    assert any(role.role == "design" and role.option == "design" for role in found.reading.roles)


def test_the_direction_of_an_unknown_metric_is_asked_for():
    with pytest.raises(UnknownDirection, match="--higher-is-better") as caught:
        scores("data,A,B\na,78,70\nb,24,20\n")
    assert caught.value.metrics == ("score",)


def test_a_table_in_memory_is_read_as_a_file_is():
    frame = pa.table({"dataset": ["a", "a"], "method": ["A", "B"], "rmse": [1.5, 2.5]})
    assert cells(scores_of(frame))["a", "B", "", "rmse"] == 2.5


def test_a_spread_is_kept_beside_its_value():
    found = scores(",A,B\na,93.3(0.5),97.5 ± 0.4\nb,50,60\n", metric="accuracy")
    assert found.rows["spread"].to_pylist() == [0.5, None, 0.4, None]
    assert found.metrics[0].best == 100


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "rows", "datasets", "methods"),
    [("cd_example.csv", 75, 15, 5), ("results-mts.csv", 3240, 12, 9), ("amlb_old.csv.gz", 5716, 40, 8)],
)
def test_public_tables_open_in_one_step(name, rows, datasets, methods):
    found = read_scores(shared_path(f"data/scores/{name}"))
    counts = [len(found.rows[column].unique()) for column in ("dataset", "method")]
    assert (found.rows.num_rows, *counts) == (rows, datasets, methods)
