"""Designs: one name, one correlation and one p whichever way the same runs come."""

import contextlib
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import delvecore as dv
from delvecore.cli import delve
from delvecore.errors import Fault
from delvecore.readers.instances import overlap_of
from delvecore.stats.designs import (
    DESIGNS,
    RUN_DESIGNS,
    RunDesign,
    design_of_runs,
    fold_correlation,
    named_design,
    resampled_correlation,
)
from tests.archives import write_tree

TREE = np.array([0.212, 0.187, 0.243, 0.199, 0.226, 0.205, 0.231, 0.218, 0.194, 0.222])
NET = np.array([0.199, 0.188, 0.221, 0.190, 0.209, 0.201, 0.222, 0.199, 0.196, 0.203])
"""Error rates of two methods in ten folds."""
LONG = pd.DataFrame(
    [
        {"dataset": "iris", "method": method, "fold": fold, "error": value}
        for method, values in (("tree", TREE), ("net", NET))
        for fold, value in enumerate(values)
    ]
)
WIDE = pd.DataFrame({"dataset": "iris", "fold": range(10), "tree": TREE, "net": NET})


def written(tmp_path, name, frame):
    path = tmp_path / name
    frame.to_csv(path, index=False)
    return str(path)


def listed_archive(tmp_path):
    """A delve directory with ten folds of twenty cases, and the same mean losses, 0 or twice the mean."""
    specification = "Origin: natural\nUsage: assessment\nOrder: uninformative\nAttributes:\n1 X u (-Inf,Inf)\n2 Y u [0,Inf)\n"
    prototask = (
        "Origin: natural\nCases: all\nOrder: retain\nInputs: 1\nTargets: 2\nTest-Set-Size: 4\n"
        "Training-Set-Sizes: 4\nTest-Set-Selection: common\nMaximum-Number-Of-Instances: 2\n"
    )
    tests = [(2 * fold + 1, 2 * fold + 2) for fold in range(10)]
    instances = ""
    for number, (first, last) in enumerate(tests):
        others = " ".join(str(case) for case in range(1, 21) if case not in (first, last))
        instances += f"Instance: {number}\nTraining: {others}\nTest: {first}-{last}\n"
    files = {
        "data/iris/Dataset.spec": specification,
        "data/iris/Dataset.data": "".join(f"{case} {case % 7}\n" for case in range(20)),
        "data/iris/y/Prototask.spec": prototask,
        "data/iris/y/std.prior": "1 N real\n2 N real\n",
        "data/iris/y/std.18.instances": instances,
    }
    for method, values in (("tree", TREE), ("net", NET)):
        for fold, value in enumerate(values):
            files[f"methods/{method}/iris/y/std.18/loss.S.{fold}"] = f"0\n{2 * value}\n"
    return write_tree(tmp_path / "delve-folds", files)


@pytest.mark.slow
def test_the_same_ten_numbers_have_one_p_and_one_design_whichever_way_they_come(tmp_path):
    arrays = dv.compare(TREE, NET, names=("tree", "net"), design="cross-validation")
    tables = [LONG, WIDE, written(tmp_path, "long.csv", LONG), written(tmp_path, "wide.csv", WIDE)]
    comparisons = [arrays, *(dv.compare(one, higher_is_better=False) for one in tables)]
    comparisons += [dv.compare(one, higher_is_better=False, share=0.1) for one in tables]
    comparisons += [dv.compare(one, higher_is_better=False, design="cross-validation") for one in tables]
    assert {one.p for one in comparisons} == {arrays.p}
    archive = dv.open(listed_archive(tmp_path))
    (row,) = archive.compare("/iris", loss="S").to_pylist()
    assert row["p"] == pytest.approx(arrays.p, rel=1e-12)
    (task,) = (one for one in archive.tasks.to_pylist() if one["task"] == "std.18")
    assert (task["scheme"], task["share"]) == ("cross-validation", fold_correlation(10))
    notes = {*(one.to_frame().note[0] for one in comparisons), row["note"]}
    assert notes == {"training sets overlap (cross-validation): corrected resampled t, correlation 0.1389"}
    for one in comparisons:
        roles = one.reading.roles if one.reading else ()
        said = (*one.notes, *(f"{role.role}: {role.taken}" for role in roles))
        assert "design: 10-fold cross-validation" in said


@pytest.mark.parametrize(
    ("design", "share"), [("resampled", 0.3), ("nadeau-bengio", 0.1), ("one split", None)]
)
def test_a_design_that_is_said_is_that_of_arrays_and_tables(design, share):
    arrays = dv.compare(TREE, NET, names=("tree", "net"), design=design, share=share)
    for table in (LONG, WIDE, LONG.rename(columns={"fold": "seed"})):
        comparison = dv.compare(table, higher_is_better=False, design=design, share=share)
        assert (comparison.p, comparison.to_frame().note[0]) == (arrays.p, arrays.to_frame().note[0])


def test_commands_take_the_same_names_and_say_the_same(tmp_path, capsys):
    path = written(tmp_path, "long.csv", LONG)
    given = "table", path, "--lower-is-better", "--design"

    def said(*arguments):
        with contextlib.suppress(SystemExit):
            delve.main(arguments)
        return " ".join(capsys.readouterr().out.split())

    assert "corrected resampled t of Nadeau and Bengio, correlation 0.1" in said(*given, "nadeau-bengio")
    assert "correlation 0.1389" in said(*given, "cross-validation")
    assert all(name in said("table", "--help") for name in RUN_DESIGNS)
    with pytest.raises(SystemExit, match="2"):
        delve.main([*given, "crossed"])


@pytest.mark.parametrize(("folds", "repeats"), [(2, 1), (5, 1), (10, 1), (10, 3), (3, 2)])
def test_folds_have_the_correlation_of_their_lists(folds, repeats):
    test = [((fold, fold),) for fold in range(folds)] * repeats
    training = [
        tuple((case, case) for case in range(folds) if case != fold) for fold in range(folds)
    ] * repeats
    assert fold_correlation(folds, repeats) == overlap_of(training, test)[1]


def test_resampled_test_sets_have_the_correlation_of_what_they_share_on_average():
    # 0.3 of the cases test: 0.3 * 0.7 of the training cases, 0.7 * 0.3 of the test cases are shared.
    assert resampled_correlation(0.3) == pytest.approx(0.42)
    assert resampled_correlation(0) == 0


RUNS = [
    ({"fold": 10}, None, None, "10-fold cross-validation"),
    ({"repeat": 3, "fold": 10}, None, None, "10-fold cross-validation, 3 times"),
    ({"fold": 30}, None, 0.1, "10-fold cross-validation, 3 times"),
    ({"fold": 10}, None, 0.3, "10 resampled training sets"),
    ({"resample": 12}, None, None, "12 resampled training sets, with half of the cases for testing"),
    ({"resample": 12}, None, 0.5, "12 resampled training sets"),
    ({"seed": 5}, None, None, "5 runs on one split"),
    ({"seed": 10}, "cross-validation", None, "10-fold cross-validation"),
    ({"repeat": 2, "fold": 5}, "cross-validation", None, "5-fold cross-validation, 2 times"),
    ({"run": 20}, "repeated cross-validation", 0.1, "10-fold cross-validation, 2 times"),
    ({"fold": 10}, "hierarchical", None, "10 training sets that share no cases"),
    ({"repeat": 2, "fold": 5}, "nadeau-bengio", None, "10 runs with the correlation of Nadeau and Bengio"),
]


@pytest.mark.parametrize(("counts", "name", "share", "words"), RUNS)
def test_columns_and_what_is_said_give_the_design(counts, name, share, words):
    design = design_of_runs(counts, name=name, test_share=share)
    assert design.words == words
    assert design.assumed == (name is None and share is None)


def test_one_run_has_no_design():
    assert design_of_runs({}) == design_of_runs({"fold": 1}) == RunDesign()


@pytest.mark.parametrize(
    ("name", "share", "message"),
    [
        ("crossed", None, "design: expected one of hierarchical, cross-validation"),
        ("resampled", None, "share: expected the share of cases in a test set for resampled, found none"),
        (
            "resampled",
            1.0,
            "share: expected a share of all cases in a test set, at least 0 and below 1, found 1",
        ),
        (
            "cross-validation",
            0.3,
            "share: expected 1/k for k folds, repeated to give the 10 runs, found 0.3",
        ),
    ],
)
def test_designs_that_cannot_be_are_one_line(name, share, message):
    with pytest.raises(Fault) as caught:
        named_design(name, 10, test_share=share)
    assert str(caught.value).startswith(message)


def test_designs_of_arrays_alone_are_refused_for_tables():
    with pytest.raises(
        dv.DelveError, match=r"design: expected one of hierarchical, .*, found 'leave-one-out'"
    ):
        dv.compare(LONG, higher_is_better=False, design="leave-one-out")


def test_the_statistics_name_designs_that_exist():
    page = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"
    named = re.findall(r'design="([^"]+)"', page.read_text(encoding="utf-8"))
    assert len(named) > 5
    assert [name for name in named if name not in DESIGNS] == []
