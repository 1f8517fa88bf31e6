"""`delvecore.compare`: arrays of losses by their design, folds of a frame, numbers as SciPy has them."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_validate
from sklearn.tree import DecisionTreeRegressor

import delvecore as dv
from delvecore.errors import DelveError
from tests.library.frames import long_frame


@pytest.fixture(scope="module")
def arrays():
    random = np.random.default_rng(5)
    a = random.random((8, 30))
    return a, a + 0.1 * random.normal(size=a.shape) + 0.03


def test_training_sets_with_cases_of_their_own_give_a_paired_t_test(arrays):
    a, b = arrays
    comparison = dv.compare(a, b, names=("net", "tree"))
    expected = stats.ttest_rel(a.mean(axis=1), b.mean(axis=1))
    assert comparison.p == pytest.approx(expected.pvalue)
    assert comparison.difference == pytest.approx((a - b).mean())
    assert comparison.interval == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert comparison.verdict == "better"
    assert comparison.sentence == (
        "The loss of net is 0.0331 lower than that of tree, 95 % interval 0.0186 to 0.0476, p = 0.0010, 8 "
        "training sets: net is significantly better. Tested by a paired t-test over the training sets "
        "(hierarchical test sets)."
    )


def corrected_p(difference, correlation):
    factor = 1 / len(difference) + correlation / (1 - correlation)
    t = difference.mean() / (difference.std(ddof=1) * factor**0.5)
    return 2 * stats.t.sf(abs(t), len(difference) - 1)


def test_folds_are_corrected_for_their_overlap(arrays):
    # Two of eight training sets have 6/7 of their cases in common: 1/8 (6/7) + 1/8 (1/2), docs/statistics.md.
    a, b = (one.mean(axis=1) for one in arrays)
    expected = corrected_p(a - b, 6 / 56 + 1 / 16)
    assert dv.compare(a, b, design="cross-validation").p == pytest.approx(expected)
    assert dv.compare(a, b, design="cross-validation", share=0.125).p == pytest.approx(expected)


def test_all_pairs_of_a_frame_are_compared_on_each_dataset():
    comparison = dv.compare(long_frame())
    frame = comparison.to_frame()
    assert len(frame) == 12 * 3
    assert frame["dataset"].nunique() == 12
    assert "of 36 pairs of methods differ" in comparison.sentence
    with pytest.raises(dv.DelveError, match="expected one pair on one task, found 36"):
        _ = comparison.p


def test_it_shows_itself_in_notebooks_terminals_and_papers(arrays):
    comparison = dv.compare(*arrays, names=("<b>net</b>", "tree_1"))
    assert "&lt;b&gt;net" in comparison._repr_html_()
    assert "tree_1" in repr(comparison)
    assert r"tree\_1" in comparison.to_latex()
    assert "tree\\_1" in comparison.to_markdown()


def test_its_pairs_are_a_frame_files_and_a_figure(tmp_path):
    comparison = dv.compare(long_frame())
    pairs = comparison.pairs()
    assert list(pairs)[1:4] == ["method_a", "method_b", "difference"]
    assert len(pairs) == 12 * 3
    for ending in (".csv", ".json", ".tex", ".md", ".html", ".txt"):
        comparison.save(tmp_path / f"pairs{ending}")
    lines = [one for one in (tmp_path / "pairs.csv").read_text().splitlines() if not one.startswith("#")]
    assert lines[0].split(",") == list(comparison.to_frame())
    rows = json.loads((tmp_path / "pairs.json").read_text())["rows"]
    assert [row["difference"] for row in rows] == pairs["difference"].tolist()
    assert (tmp_path / "pairs.tex").read_text() == comparison.to_latex()
    assert set(comparison.figure().data[0].x) <= set(pairs["difference"])
    with pytest.raises(DelveError, match=r"pairs\.xls: expected a name that ends in \.csv, .* found '\.xls'"):
        comparison.save(tmp_path / "pairs.xls")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"design": "crossed"}, "design: expected one of hierarchical, cross-validation"),
        (
            {"design": "leave-one-out"},
            r"data: expected one test case per training set \(the one left out\), found 30",
        ),
        ({"names": ("a", "a")}, "names: expected two different names"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(arrays, options, message):
    with pytest.raises(dv.DelveError, match=message):
        dv.compare(*arrays, **options)


def test_arrays_that_do_not_belong_together_are_refused(arrays):
    a, b = arrays
    with pytest.raises(dv.DelveError, match=r"other: expected losses of shape \(8, 30\)"):
        dv.compare(a, b[:4])
    with pytest.raises(dv.DelveError, match="design='resampled' and share=0 for independent means"):
        dv.compare(a[:, 0], b[:, 0])
    with pytest.raises(dv.DelveError, match="other: expected an array of losses, found str"):
        dv.compare(a, "b")


def test_results_of_cross_validate_and_a_search_on_one_split_are_compared_with_the_overlap():
    # Nadeau and Bengio (2003): t = mean / sqrt((1/k + n_test/n_train) s^2), k - 1 degrees of freedom.
    inputs, target = load_diabetes(return_X_y=True)
    folds = KFold(10, shuffle=True, random_state=1)
    ridge = cross_validate(Ridge(), inputs, target, cv=folds)
    search = GridSearchCV(DecisionTreeRegressor(random_state=1), {"max_depth": [2, 3]}, cv=folds).fit(
        inputs, target
    )
    frame = dv.compare({"ridge": ridge, "tree": search}, design="nadeau-bengio").to_frame()
    best = [search.cv_results_[f"split{k}_test_score"][search.best_index_] for k in range(10)]
    differences = ridge["test_score"] - np.array(best)
    t = differences.mean() / np.sqrt((1 / 10 + 1 / 9) * differences.var(ddof=1))
    assert frame["p"].tolist() == pytest.approx([2 * stats.t.sf(abs(t), 9)])
    # Without a design it is that of the search, whose training sets overlap more: p is not smaller.
    own = dv.compare({"ridge": ridge, "tree": search}).to_frame()["p"][0]
    assert own >= frame["p"][0]
    assert set(dv.compare(search).to_frame()["method_a"]) <= {"max_depth=2", "max_depth=3"}
    assert "score, higher is better (as its program writes it)" in dv.compare(search).reading.text
    assert "lower is better (your answer)" in dv.compare(search, higher_is_better=False).reading.text
    shorter = {"test_score": ridge["test_score"][:5]}
    with pytest.raises(DelveError, match="the same folds for all, found ridge 10, other 5 folds"):
        dv.compare({"ridge": ridge, "other": shorter})


def test_twenty_folds_have_nineteen_degrees_of_freedom_by_nadeau_and_bengio_and_nine_otherwise():
    a, b = np.random.default_rng(8).normal(size=(2, 20))
    assert dv.compare(a, b, design="nadeau-bengio").to_frame().df1[0] == 19
    assert dv.compare(a, b, design="cross-validation").to_frame().df1[0] == 9


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("name", ["score", "accuracy", "1 - score", "-LL", "neg_error", "cost"])
def test_differences_of_a_table_have_the_sign_of_its_values(name, higher):
    values = {"a": [0.9, 0.8, 0.85, 0.95], "b": [0.5, 0.45, 0.4, 0.45]}
    rows = [("d", method, fold, one) for method, own in values.items() for fold, one in enumerate(own)]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", name])
    comparison = dv.compare(frame, higher_is_better=higher)
    difference = np.subtract(values["a"], values["b"])
    assert comparison.difference == pytest.approx(difference.mean())
    lower, upper = comparison.interval
    assert lower < comparison.difference < upper
    assert comparison.verdict == ("better" if higher else "worse")
    (row,) = comparison.to_frame().to_dict("records")
    assert (row["mean_a"], row["mean_b"]) == pytest.approx((np.mean(values["a"]), np.mean(values["b"])))
    assert f"The {name} of a is 0.425 higher than that of b" in comparison.sentence
    assert f"{'a' if higher else 'b'} is significantly better" in comparison.sentence
    side = "higher is better; above" if higher else "lower is better; below"
    assert f"a - b: of mean {name}, {side} zero a is better." in " ".join(repr(comparison).split())


def test_an_archive_is_refused_with_the_call_that_compares_it():
    with pytest.raises(dv.DelveError, match=r"found an archive; say archive\.compare\('/DATASET'\)$"):
        dv.compare(dv.open([], cache=False))
