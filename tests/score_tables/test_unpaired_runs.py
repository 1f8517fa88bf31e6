"""Tables in which no run of one method is a run of another one."""

import pandas as pd
import pytest
from scipy import stats

import delvecore
from delvecore.errors import DelveError, Fault
from delvecore.score_tables.options import Question, ScoreOptions
from tests.score_tables.tables import scores

SEEDS = {
    "ppo": [71.2, 69.8, 74.1, 70.4, 72.9],
    "sac": [75.3, 78.8, 74.9, 77.7],
    "td3": [73.0, 70.9, 75.5, 71.6],
}


def table(*, column="seed", datasets=("walker",)):
    """A table whose seeds are all different; without a column of runs if its name is empty."""
    rows, seed = [], 100
    for place, dataset in enumerate(datasets):
        for method, values in SEEDS.items():
            for value in values:
                seed += 1
                row = {"env": dataset, "algo": method, column: seed, "return": value + 10 * place}
                rows.append({name: cell for name, cell in row.items() if name})
    return pd.DataFrame(rows)


@pytest.mark.parametrize("column", ["seed", "run_id", ""])
def test_methods_on_one_dataset_are_compared_by_welchs_test(column):
    comparison = delvecore.compare(table(column=column), higher_is_better=True)
    rows = comparison.table.to_pylist()
    assert len(rows) == 3
    for row in rows:
        expected = stats.ttest_ind(SEEDS[row["method_a"]], SEEDS[row["method_b"]], equal_var=False)
        assert (row["test"], row["p"]) == ("welch", pytest.approx(expected.pvalue))
        assert row["difference"] == pytest.approx(
            pd.Series(SEEDS[row["method_a"]]).mean() - pd.Series(SEEDS[row["method_b"]]).mean()
        )
    assert "4 to 5 of each method on a dataset are not paired" in comparison.reading.text
    assert "Welch's t-test" in str(comparison)


def test_over_several_datasets_the_mean_of_all_runs_of_each_method_is_ranked():
    ranked_table = delvecore.rank(
        table(datasets=("walker", "hopper", "ant")), higher_is_better=True
    ).analysis.table
    means = [sum(values) / len(values) for values in SEEDS.values()]
    assert ranked_table.methods == tuple(SEEDS)
    assert ranked_table.values[list(ranked_table.tasks).index("walker")] == pytest.approx(means)
    assert ranked_table.runs.reduced == ()


def test_a_method_with_few_runs_of_its_own_is_ranked():
    frame = table(datasets=("walker", "hopper"))
    few = frame[(frame["algo"] != "sac") | ~frame.duplicated(["env", "algo"])]
    ranked_table = delvecore.rank(few, higher_is_better=True).analysis.table
    assert set(ranked_table.methods) == set(SEEDS)


def test_failed_runs_get_the_worst_value_and_no_run_is_invented():
    frame = table()
    frame["return"] = frame["return"].astype(object)
    frame.loc[0, "return"] = "diverged"
    text = frame.to_csv(index=False)
    score_file = scores(text, higher_is_better=True, failed="worst")
    rows = score_file.rows.to_pandas()
    assert len(rows) == len(frame)
    assert rows[rows["method"] == "ppo"]["value"].tolist() == [69.8, 69.8, 74.1, 70.4, 72.9]


def test_a_design_of_runs_that_are_not_paired_is_refused():
    with pytest.raises(Fault, match="design: expected none for runs that are not paired, found one split"):
        scores(table().to_csv(index=False), higher_is_better=True, design="one split")
    with pytest.raises(DelveError, match="leave out design and share"):
        delvecore.compare(table(), higher_is_better=True, design="cross-validation")


@pytest.mark.parametrize("name", ["fld", "k", "sd.", "1"])
def test_a_column_that_distinguishes_the_runs_of_several_methods_is_asked_about(name):
    rows = [(d, m, run, v + run / 100) for d in "xy" for m, v in (("A", 0.5), ("B", 0.6)) for run in range(4)]
    frame = pd.DataFrame(rows, columns=["dataset", "method", name, "accuracy"])
    with pytest.raises(Question, match=r"a column '.*' that distinguishes them") as asked:
        scores(frame.to_csv(index=False))
    as_folds, as_nothing = (ScoreOptions().with_answer(one) for one in asked.value.answers)
    score_file = scores(frame.to_csv(index=False), fold=as_folds.fold)
    assert len({row["instance"] for row in score_file.rows.to_pylist()}) == 4
    assert "not paired" not in score_file.reading.text
    assert "not paired" in scores(frame.to_csv(index=False), drop=as_nothing.drop).reading.text
