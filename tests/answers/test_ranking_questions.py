"""The questions of single tasks in words."""

import numpy as np
import pytest

from delvecore.answers.question import SingleTask
from delvecore.render.spans import plain
from delvecore.stats.ranking.analysis import analyze
from tests.questions import DataOf, ask
from tests.stats.tables import score_table


def task(name: str, may_be_best: str, methods: str = "abc"):
    """A task on which some methods may be the best: the others lose 1 more, by intervals from 0.9 to 1.1."""
    losses = np.array([0.0 if method in may_be_best else 1.0 for method in methods])
    first, second = np.triu_indices(len(methods), 1)
    difference = losses[first] - losses[second]
    p = np.where(difference == 0, 0.9, 1e-6)
    ends = difference - 0.1, difference + 0.1
    words = tuple("not significant" if one == 0 else "better" for one in difference)
    return SingleTask(name, tuple(methods), (first, second), difference, *ends, p, words)


def untested(name: str, methods: str = "abc"):
    """A task of which no pair has a test."""
    first, second = np.triu_indices(len(methods), 1)
    nothing = np.full(len(first), np.nan)
    return SingleTask(
        name,
        tuple(methods),
        (first, second),
        np.full(len(first), 0.1),
        nothing,
        nothing,
        nothing,
        ("not tested",) * len(first),
    )


@pytest.mark.parametrize(
    ("kept", "claim"),
    [
        (("a", "b", "c", "c"), "; c may be the best most often, on 2."),
        (("a", "b", "bc", "ac"), "; a, b and c may be the best most often, on 2 each."),
    ],
)
def test_who_may_be_best_most_often_is_no_majority_and_all_who_are_tied_are_named(kept, claim):
    tasks = [task(f"t{number}", names) for number, names in enumerate(kept)]
    assert plain(ask("best", data=DataOf(tasks=tasks)).headline).endswith(claim)


def column(answer, key: str):
    return next(np.asarray(field.values) for field in answer.table.columns if field.key == key)


ALWAYS_FIRST = np.array([0.2, 0.4, 0.3, 0.6, 0.5, 0.1, 0.7, 0.8])[:, None] + [0, 0.1, 0.2]


def test_the_strength_of_a_method_that_always_wins_has_an_interval():
    answer = ask("strengths", analyze(score_table(ALWAYS_FIRST)))
    assert (column(answer, "upper") - column(answer, "lower") > 3).all()


def test_methods_of_equal_strength_are_named_together():
    assert plain(ask("strengths", analyze(score_table(np.ones((8, 3))))).headline) == (
        "a, b and c are the strongest in duels on 8 tasks: each beats another method with probability 0.500 "
        "on average."
    )


def test_strengths_on_two_units_say_why_there_is_no_interval():
    answer = ask("strengths", analyze(score_table(ALWAYS_FIRST[:2])))
    assert np.isnan(column(answer, "upper")).all()
    assert plain(answer.notes[-1]) == "No intervals: they need 3 units."


VARIED = np.array([0, 0.01, 0.02, 0, 0.03, 0.01, 0.02, 0.04])


def test_effects_say_for_which_pairs_nothing_varies():
    # c varies against a and b, which differ by 0.1 on all tasks.
    answer = ask("effects", analyze(score_table(ALWAYS_FIRST + np.outer(VARIED, [0, 0, 1]))))
    d = np.array(
        [column(answer, key) for key in ("standardized", "standardized_lower", "standardized_upper")]
    )
    assert np.isnan(d).all(axis=0).tolist() == [True, False, False]
    assert ", of a minus c." in plain(answer.headline)
    assert plain(answer.notes[-1]) == "No d if differences do not vary over 8 tasks: a minus b is -0.1."


def test_without_any_variation_there_is_no_largest_effect():
    answer = ask("effects", analyze(score_table(ALWAYS_FIRST)))
    assert plain(answer.headline) == "No pair of methods has a standardized difference on 8 tasks."
    assert plain(answer.notes[-1]).endswith(": a minus b is -0.1, a minus c is -0.2 and b minus c is -0.1.")


def test_two_units_have_no_standardized_difference_and_no_interval_of_it():
    answer = ask("effects", analyze(score_table([[1.0, 2], [1, 4]])))
    assert np.isnan([column(answer, f"standardized{end}") for end in ("", "_lower", "_upper")]).all()
    assert plain(answer.notes[-1]) == "No d of 2 tasks: it needs 3."


def test_pairs_whose_differences_do_not_vary_are_not_tested_for_equivalence():
    answer = ask("equivalence", analyze(score_table(ALWAYS_FIRST + np.outer(VARIED, [0, 0, 1]))), margin=0.01)
    assert column(answer, "verdict").tolist() == ["not tested", "better", "better"]
    assert np.isnan(column(answer, "lower")).tolist() == [True, False, False]
    assert (
        plain(answer.notes[-1])
        == "No test and no interval if differences do not vary over 8 tasks: a minus b is -0.1."
    )


def test_of_many_pairs_without_variation_four_are_named():
    answer = ask("effects", analyze(score_table(np.ones((8, 4)))))
    assert plain(answer.notes[-1]).endswith(
        ": a minus b is 0, a minus c is 0, a minus d is 0, b minus c is 0 and 2 more pairs are alike."
    )


def test_tasks_without_a_test_are_named_where_methods_may_be_the_best():
    answer = ask("best", data=DataOf(tasks=[task("t", "a"), untested("u")]))
    assert plain(answer.notes[-1]).startswith("No bounds on u: some pairs have no test")
    assert len(ask("best", data=DataOf(tasks=[task("t", "a")])).notes) == 1


def test_pairs_of_single_tasks_without_a_test_are_named():
    answer = ask("same", data=DataOf(tasks=[untested(f"t{number}", "ab") for number in range(6)]))
    assert plain(answer.notes[-1]).startswith(
        "Not tested: pairs on t0, t1, t2, t3 and 2 more tasks have no test"
    )


def test_pairs_without_standard_errors_are_not_tested_by_the_hierarchical_comparison():
    differences = np.array([[0.1, 0.1, 0.1, 0.1], [0.2, 0.3, 0.4, 0.3], [0.1, 0.2, 0.3, 0.2]])
    errors = np.array([[0.0] * 4, [0.01] * 4, [0.01] * 4])
    pairs = differences, errors, np.full((3, 4), 9.0)
    answer = ask("hierarchy", analyze(score_table(ALWAYS_FIRST)), data=DataOf(differences=pairs))
    assert column(answer, "verdict").tolist()[0] == "not tested"
    assert "not tested" not in column(answer, "verdict").tolist()[1:]
    assert plain(answer.notes[-1]).startswith("Not tested: pairs with fewer than 3 tasks")


def test_a_method_that_wins_with_all_training_sets_wins_with_an_interval():
    runs = [np.tile([0.1, 0.2], (3, 1)), np.column_stack([[0.1, 0.1, 0.1], [0.5, 0.3, 0.4]])]
    analysis = analyze(score_table(ALWAYS_FIRST[:, :2]))
    data = DataOf(sets=(runs, [1.0, 1.0]))
    means, wins = (ask(word, analysis, data=data) for word in ("iqm", "improvement"))
    assert (column(wins, "improvement_lower")[0], column(wins, "improvement_upper")[0]) == (
        pytest.approx(1 - 0.32006, abs=1e-5),
        1,
    )
    assert np.isnan(column(means, "iqm_lower")).tolist() == [True, False]
    assert plain(means.notes[-1]).endswith("No interval for a: results do not vary between training sets.")
