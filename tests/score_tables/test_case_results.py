"""Results case by case: long tables, and the logs of harnesses."""

import json
import zipfile

import pandas as pd
import pytest
from scipy.stats import binomtest

import delvecore as dv
from delvecore.errors import DelveError
from delvecore.score_tables import harnesses
from tests.case_results import helm_run, inspect_file, inspect_log, lm_eval_folder, right_or_wrong


def exact_p(frame: pd.DataFrame) -> float:
    """McNemar's exact p of models a and b by SciPy."""
    wide = frame.pivot(index="doc_id", columns="model", values="acc").dropna()
    only_a, only_b = int((wide.a > wide.b).sum()), int((wide.a < wide.b).sum())
    return float(binomtest(only_a, only_a + only_b).pvalue)


@pytest.mark.parametrize("seed", range(2))
def test_p_is_that_of_the_exact_binomial_test_whatever_the_order_of_lines(seed, tmp_path):
    frame = right_or_wrong(0.75, 0.66, seed=seed)
    frame.sample(frac=1, random_state=seed + 9).to_csv(tmp_path / "results.csv", index=False)
    comparison = dv.compare(tmp_path / "results.csv")
    assert comparison.p == pytest.approx(exact_p(frame), rel=1e-12)
    assert (comparison.table["test_cases"][0].as_py(), comparison.table["test"][0].as_py()) == (220, "exact")
    assert (
        "220 test cases of one run, so valid for these models on such cases, not for new training"
        in comparison.sentence
    )


def test_the_line_of_a_pair_is_what_statsmodels_printed():
    # Printed by statsmodels 0.15.0: mcnemar([[101, 121], [59, 33]], exact=True).
    cells = [((1, 1), 101), ((1, 0), 121), ((0, 1), 59), ((0, 0), 33)]
    pairs = [scores for scores, count in cells for _ in range(count)]
    rows = [
        ("t", model, case, pair[place]) for case, pair in enumerate(pairs) for place, model in enumerate("ab")
    ]
    frame = pd.DataFrame(rows, columns=["task", "model", "doc_id", "score"])
    comparison = dv.compare(frame, higher_is_better=True)
    assert comparison.p == pytest.approx(4.4344492637551645e-06, rel=1e-12)
    assert comparison.verdict == "better"


def test_truth_values_are_1_and_0(tmp_path):
    frame = right_or_wrong(0.75, 0.66)
    frame.assign(acc=frame.acc.astype(bool)).to_csv(tmp_path / "results.csv", index=False)
    assert dv.compare(tmp_path / "results.csv").p == pytest.approx(exact_p(frame))
    assert dv.compare(frame.assign(acc=frame.acc.astype(bool))).p == pytest.approx(exact_p(frame))


def test_a_second_score_of_a_case_is_refused_with_its_line(tmp_path):
    frame = right_or_wrong(0.75, 0.66, cases=20)
    path = tmp_path / "results.csv"
    pd.concat([frame, frame.iloc[[3]]]).to_csv(path, index=False)
    with pytest.raises(DelveError, match=r"results.csv:42: .* a second one for .*\(first on line 5\)"):
        dv.compare(path)


def test_groups_without_cases_or_without_their_column_are_refused_in_one_line():
    frame = right_or_wrong(0.75, 0.66).assign(passage=1)
    with pytest.raises(DelveError, match="expected a column named 'chapter'"):
        dv.compare(frame, group="chapter")
    folds = pd.DataFrame(
        {"task": ["t"] * 4, "model": [*"aabb"], "fold": [0, 1, 0, 1], "acc": [0.1, 0.2, 0.3, 0.4]}
    )
    with pytest.raises(DelveError, match="expected a column of test cases"):
        dv.compare(folds, group="fold")
    wide = pd.DataFrame({"dataset": ["x", "y"], "svm": [0.1, 0.2], "knn": [0.3, 0.4], "part": ["u", "v"]})
    for said in ({"group": "part"}, {"case": "dataset"}):
        with pytest.raises(DelveError, match="expected a row for each method and test case"):
            dv.rank(wide, higher_is_better=True, **said)


def test_a_case_of_two_groups_is_refused():
    frame = right_or_wrong(0.75, 0.66).reset_index(drop=True)
    frame["part"] = frame.index % 7
    with pytest.raises(DelveError, match="expected each test case in one group"):
        dv.compare(frame, group="part")


def test_groups_are_taken_by_their_name_and_said_first():
    frame = right_or_wrong(0.75, 0.6)
    frame["passage"] = frame.doc_id.str[1:].astype(int) // 4
    comparison = dv.compare(frame)
    assert "Inferred: group of test cases: passage (column name)" in comparison.reading.text
    assert "220 test cases in 55 groups of one run" in comparison.sentence
    assert comparison.p == dv.compare(frame.rename(columns={"passage": "part"}), group="part").p
    assert comparison.p != dv.compare(frame.drop(columns="passage")).p


def test_samples_of_lm_evaluation_harness_are_read_and_means_beside_them_not_needed(tmp_path):
    right = {"org/small": list(range(20)), "org/large": list(range(5, 38))}
    archive = dv.open(lm_eval_folder(tmp_path / "out", right))
    assert sorted(archive.methods["method"].to_pylist()) == ["org/large", "org/small"]
    said = archive.readings[0].text
    assert "40 test cases each, acc, higher is better (as its program writes it)" in said
    assert (
        "2 of single test cases; results_2025-03-01T10-00-00.123456.json is not needed next to them" in said
    )
    assert "Not used: nothing." in said
    (row,) = archive.compare(loss="acc").to_pylist()
    assert row["p"] == pytest.approx(binomtest(5, 23).pvalue)


def test_a_second_evaluation_of_a_task_is_refused_with_both_files(tmp_path):
    lm_eval_folder(tmp_path, {"org/small": [1]})
    lm_eval_folder(tmp_path, {"org/small": [2]}, time="2025-03-02T10-00-00.5")
    with pytest.raises(DelveError, match=r"2025-03-02.*a second one for sums, org/small, 0.*2025-03-01"):
        dv.open(tmp_path)


@pytest.mark.parametrize("ending", ["json", "eval"])
def test_logs_of_inspect_ai_are_read(tmp_path, ending):
    letters = {"org/small": "CCIIPNCCIICCIC", "org/large": "CCCIPCCCCICCCC"}
    for number, (model, value) in enumerate(letters.items()):
        inspect_file(tmp_path / f"log{number}.{ending}", inspect_log(model, value))
    archive = dv.open(tmp_path)
    assert (
        "14 test cases each, match, higher is better (as its program writes it)" in archive.readings[0].text
    )
    known = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
    means = dict(zip(archive.results["method"].to_pylist(), archive.results["mean"].to_pylist(), strict=True))
    assert means == {name: pytest.approx(sum(map(known.get, word)) / 14) for name, word in letters.items()}


def test_epochs_of_inspect_ai_are_runs(tmp_path):
    for number, letters in enumerate(("CCIIPNCCIICCIC", "CCCIPCCCCICCCC")):
        inspect_file(tmp_path / f"log{number}.json", inspect_log(f"m{number}", letters, epochs=2))
    archive = dv.open(tmp_path)
    assert "14 test cases each, 2 runs each" in archive.readings[0].text
    assert archive.results["instances"].to_pylist() == [2, 2]


def test_statistics_by_instance_of_helm_are_read_without_perturbations(tmp_path):
    helm_run(tmp_path, "org_small", list(range(20)))
    helm_run(tmp_path, "org_large", list(range(5, 38)))
    archive = dv.open(tmp_path)
    assert archive.tasks["dataset"].to_pylist() == ["mmlu:subject=anatomy,method=joint"]
    assert "stats.json is not needed next to them" in archive.readings[0].text
    (row,) = archive.compare(loss="exact_match").to_pylist()
    assert row["p"] == pytest.approx(binomtest(5, 23).pvalue)


def test_a_damaged_log_gets_one_line(tmp_path):
    (tmp_path / "log.eval").write_bytes(b"PK\x03\x04nothing")
    (tmp_path / "samples_sums_2025-03-01T10-00-00.jsonl").write_text(json.dumps({"doc_id": 1})[:-3] + "\n")
    for path in tmp_path.iterdir():
        with pytest.raises(DelveError) as caught:
            dv.open(path)
        assert "\n" not in str(caught.value)


def test_a_log_that_cannot_be_read_says_what_is_wrong_with_it(tmp_path, monkeypatch):
    path = inspect_file(tmp_path / "log.eval", inspect_log("m", "CCIIPNCCIICCIC"))
    whole = path.read_bytes()
    place = whole.find(b"samples/3_epoch_1.json") + 30
    path.write_bytes(whole[:place] + bytes([255] * 20) + whole[place + 20 :])
    with pytest.raises(DelveError, match="expected a whole log of inspect_ai"):
        dv.open(path)
    path.write_bytes(whole)
    monkeypatch.setattr(harnesses, "MOST_OF_PART", 100)
    with pytest.raises(DelveError, match="expected parts of at most 0 MB"):
        dv.open(path)
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("header.json", "[1, 2]")
    with pytest.raises(DelveError, match=r"expected an object in header\.json"):
        dv.open(path)
