"""What every output says first if failed runs are concentrated in one method, and that nothing is added otherwise."""

import json

import numpy as np
import pandas as pd
import pytest

import delvecore
from delvecore.answers.ranking_caveats import caveats
from delvecore.cli import delve
from delvecore.render.spans import plain
from delvecore.stats.verdicts import RankTest
from tests.shared import shared_path

NAMES = ("ours", "ridge", "knn")
FIRST = (
    "Failed runs are concentrated in ours. Comparing on common runs may favor ours: 8 of 8 failed runs are its "
    "own (exact p = 0.00069)."
)
"""Each of 8 datasets has one failed run of the first of 3 methods: 3 * 3/2 * (1/3)^8."""
CHANGE = "Under --failed worst, ours ranks third of 3 and is significantly worse than ridge and knn."
"""The other words are those of the ranking with failed="worst"."""


def scores(failing=((0, 1),) * 8, datasets=8, folds=4):
    """Errors: `ours` has 1 everywhere, `ridge` and `knn` near 2, and 30 or so on the second fold.

    failing: method and fold that have no value, of each dataset."""
    draws = np.random.default_rng(0)
    rows = []
    for dataset in range(datasets):
        for fold in range(folds):
            for place, name in enumerate(NAMES):
                hard = 20.0 if fold == 1 else 0.0
                value = 1.0 + (place > 0) + hard + draws.uniform(0, 0.1)
                has_failed = dataset < len(failing) and failing[dataset] == (place, fold)
                rows.append((f"d{dataset}", name, fold, np.nan if has_failed else round(value, 3)))
    frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "error"])
    # The hardest run of each dataset is one that all methods share, and far worse than the failed ones.
    frame.loc[(frame["fold"] == 2) & (frame["method"] == "knn"), "error"] = 60.0
    frame.loc[(frame["fold"] == 2) & (frame["method"] == "ridge"), "error"] = 59.0
    frame.loc[(frame["fold"] == 2) & (frame["method"] == "ours"), "error"] = 58.0
    return frame


@pytest.fixture
def path(tmp_path):
    scores().to_csv(tmp_path / "scores.csv", index=False)
    return str(tmp_path / "scores.csv")


def ranked(frame, **options):
    return delvecore.rank(frame, higher_is_better=False, **options)


def one_line(text):
    return " ".join(text.split())


def test_the_sentence_says_first_whom_common_runs_favor_and_what_the_worst_value_changes():
    common, worst = ranked(scores()), ranked(scores(), failed="worst")
    assert common.methods[0] == "ours"
    assert worst.methods[-1] == "ours"
    assert common.sentence.startswith(
        f"{FIRST} {CHANGE} ridge then has the best mean rank. ours is the best of 3"
    )
    assert {"better"} == set(common.pairs().query("method_a == 'ours'")["verdict"])
    assert {"worse"} == set(worst.pairs().query("method_a == 'ours'")["verdict"])
    assert "Failed runs" not in worst.sentence
    assert all(len(sentence.split()) < 25 for sentence in (*FIRST.split(". "), CHANGE))


def test_every_output_says_it_first(path, run_command):
    def run(*words):
        return run_command(delve.main, *words, "--lower-is-better").out

    _, answer, *_ = run("rank", path).split("\n\n")
    assert one_line(answer).startswith(f"{FIRST} {CHANGE}")
    record = json.loads(run("rank", path, "--format", "json"))
    assert record["answer"].startswith(f"{FIRST} {CHANGE}")
    concentrated = record["failed_runs"]
    assert (concentrated["methods"], concentrated["failed"], concentrated["of"]) == (["ours"], 8, 8)
    assert concentrated["p"] == pytest.approx(4.5 / 3**8)
    assert concentrated["average_ranks_with_worst"] == ranked(scores(), failed="worst").analysis.average_ranks
    comments = [line for line in run("rank", path, "--format", "csv").splitlines() if line.startswith("# ")]
    assert comments[1].startswith(f"# {FIRST} {CHANGE}")
    latex = one_line(run("rank", path, "--format", "latex").replace("$", ""))
    assert "may favor ours: 8 of 8 failed runs" in latex
    assert latex.index("may favor ours") < latex.index("ours is the best of 3")
    report = one_line(run("report", path))
    assert report.index(one_line(FIRST)) < report.index("ours is the best of 3")
    assert report.count("Comparing on common runs may favor") == 1
    board = one_line(run("rank", path, "--show", "leaderboard"))
    assert board.index(FIRST) < board.index("ours is best of")
    assert board.count("may favor") == 1
    same = one_line(run("rank", path, "--show", "same", "--rope", "1"))
    assert same.index(FIRST) < same.index("On 8 tasks")


def test_a_page_shows_it_as_the_first_caveat_of_the_claim():
    analysis = ranked(scores()).analysis
    text, touches_claim = caveats(analysis, RankTest.FLIPS)[0]
    assert plain(text).startswith(FIRST)
    assert touches_claim
    assert sum("may favor" in one for one, _ in caveats(analysis, RankTest.FLIPS)) == 1


@pytest.mark.parametrize(
    "failing",
    [
        ((0, 1), (1, 1), (2, 1)) * 2,  # each method on two datasets
        ((0, 1), (0, 1), (0, 1)),  # too few datasets for the level
        (),
    ],
)
def test_nothing_is_added_without_concentration(failing):
    ranking = ranked(scores(failing))
    assert "favor" not in repr(ranking) + ranking.report() + ranking.to_latex()
    assert "worst" not in ranking.sentence


def absent(frame):
    return frame.dropna()


def higher(frame):
    return frame.assign(accuracy=-frame["error"]).drop(columns="error")


def without_a_dataset(frame):
    """The first method has no run at all on one dataset, and one run on another."""
    gone = (frame["method"] == "ours") & (
        (frame["dataset"] == "d0") | (frame["dataset"].eq("d1") & frame["fold"].gt(0))
    )
    return frame[~gone]


@pytest.mark.parametrize("change", [lambda frame: frame, absent, higher, without_a_dataset])
@pytest.mark.parametrize("methods", [None, ["knn", "ours"]])
def test_what_is_said_of_the_worst_value_is_what_the_option_gives(change, methods):
    frame = change(scores())
    options = {"higher_is_better": "accuracy" in frame, "methods": methods}
    common = delvecore.rank(frame, **options)
    worst = delvecore.rank(frame, failed="worst", **options).analysis
    again = common.analysis.with_failed_worst
    assert again.table.tasks == worst.table.tasks
    assert again.table.methods == worst.table.methods
    assert again.table.values == pytest.approx(worst.table.values)
    assert "Under --failed worst, ours ranks" in common.sentence


def test_names_of_tasks_and_methods_of_scores_beside_each_other_do_not_matter():
    frame = scores().replace({"ours": "z", "d0": "zz"})
    assert "may favor z: 8 of 8" in ranked(frame).sentence


def test_a_method_that_stays_best_is_said_to_and_loses_its_verdict():
    frame = scores()
    frame["error"] = [
        value / 4 if row % 7 == 0 else value for row, value in enumerate(frame["error"].to_numpy())
    ]
    common, worst = ranked(frame), ranked(frame, failed="worst")
    verdicts = set(worst.pairs().query("method_a == 'ours'")["verdict"])
    place = worst.methods.index("ours") + 1
    sentence = common.sentence
    assert ("still has the best mean rank" in sentence) == (place == 1)
    assert ("no longer significantly better than any other" in sentence) == (verdicts == {"not significant"})


def test_missing_values_of_arrays_count_as_failed_runs():
    draws = np.random.default_rng(0)
    values = draws.normal(size=(20, 3))
    values[:6, 1] = np.nan
    ranking = delvecore.rank(values, methods=NAMES, higher_is_better=False)
    assert ranking.sentence.startswith(
        "Failed runs are concentrated in ridge. Comparing on common runs may favor ridge: 6 of 6 failed runs are "
        "its own (exact p = 0.0062). Given the worst value for each failed run, ridge "
    )
    filled = values.copy()
    filled[:6, 1] = np.nanmax(values[:6], axis=1)
    worst = delvecore.rank(filled, methods=NAMES, higher_is_better=False).analysis
    assert ranking.analysis.with_failed_worst.average_ranks == worst.average_ranks


def test_of_a_control_the_worst_value_is_said_too():
    sentence = ranked(scores(), control="ridge").sentence
    assert f"{FIRST} Under --failed worst, ours ranks third of 3 and is" in sentence


@pytest.mark.shared
def test_a_table_of_equal_methods_of_which_one_fails_on_its_hard_folds():
    case = shared_path("cases/verdicts/failed_own.csv")
    if not case.exists():
        pytest.skip("the case is not beside the project")
    assert delvecore.rank(str(case), higher_is_better=False).sentence.startswith(
        "Failed runs are concentrated in m0. Comparing on common runs may favor m0: 13 of 13 failed runs are its "
        "own (exact p < 0.0001). Under --failed worst, m0 still has the best mean rank, but is no longer "
        "significantly better than any other. m0 is the best of 3, significantly better than every other."
    )
