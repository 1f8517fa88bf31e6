"""`delve rank --show power`: how many more units would decide a ranking."""

import numpy as np
import pytest

from delvecore.errors import DelveError
from delvecore.measures import Measure
from delvecore.render.answers import answer_text
from delvecore.render.spans import plain
from delvecore.stats.ranking.analysis import analyze
from tests.questions import ask
from tests.stats.tables import score_table

VALUES = np.random.default_rng(3).standard_normal((10, 3)) + np.array([0.0, 0.0, 9.0])


def test_each_pair_without_a_significant_difference_has_its_plan():
    answer = ask("power", analyze(score_table(VALUES)), margin=0.5)
    table = answer.table
    assert list(zip(table["method_a"], table["method_b"], strict=True)) == [("a", "b")]
    assert table["more"] == [table["units"][0] - 10]
    assert table["spread"] == pytest.approx([np.std(VALUES[:, 0] - VALUES[:, 1], ddof=1)])
    assert plain(answer.headline) == (
        "1 pair without a significant difference on 10 tasks. "
        f"{table['more'][0]} more tasks would give a and b 80 % power for a difference of 0.5."
    )
    assert "2 pairs differ significantly already." in answer.notes


def test_the_unit_of_the_difference_is_that_of_the_measure():
    analysis = analyze(score_table(VALUES))
    assert "0.5 of the loss of the baseline." in ask("power", analysis, margin=0.5).notes[0]
    accuracy = ask("power", analysis, margin=0.5, measure=Measure("acc", "accuracy", higher_is_better=True))
    assert "0.5 in accuracy." in plain(accuracy.notes[0])


def test_a_difference_too_small_for_any_number_is_told():
    answer = ask("power", analyze(score_table(VALUES)), margin=1e-6)
    assert answer.table["units"] == [None]
    assert "no number of tasks up to 100,000" in plain(answer.headline)
    assert "Empty cells: more than 100,000 tasks." in answer.notes


def test_a_difference_of_zero_is_refused():
    with pytest.raises(DelveError, match="--rope: expected a difference above 0 that matters, found 0"):
        ask("power", analyze(score_table(VALUES)), margin=0.0)


def test_nothing_is_planned_where_all_pairs_differ():
    values = np.arange(12)[:, None] * 0.01 + np.array([0.0, 5.0])
    values = values + 0.001 * np.random.default_rng(0).standard_normal((12, 2))
    answer = ask("power", analyze(score_table(values)), margin=0.5)
    assert plain(answer.headline) == "There is nothing to plan. Every pair differs significantly on 12 tasks."
    assert len(answer.table) == 0
    assert (
        answer_text(answer, "text") == f"{plain(answer.headline)}\n\n1 pair differs significantly already.\n"
    )


def test_methods_with_the_same_scores_are_not_called_different():
    values = np.random.default_rng(0).standard_normal((12, 1)) + np.array([0.0, 0.0])
    answer = ask("power", analyze(score_table(values)), margin=0.5)
    expected = "Every pair with varying differences differs significantly on 12 tasks."
    assert plain(answer.headline) == f"There is nothing to plan. {expected}"
    assert answer.notes == ("No plan for 1 pair whose differences do not vary.",)
