"""What counts once: tasks, datasets or families; numbers worked by hand."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.simulated_rankings import measure_units
from delvecore.model import Factor, Level, Member, TaskArray
from delvecore.stats.ranking.analysis import analyze
from delvecore.stats.ranking.ranks import (
    array_unit,
    choose_unit,
    conditional_families,
    family_names,
    on_most_tasks,
    task_ranks,
    unit_ranks,
    units_of,
)
from delvecore.stats.ranking.score_table import ScoreTable, Units
from delvecore.stats.ranking.sign_flips import simultaneous_intervals
from delvecore.stats.verdicts import (
    RankTest,
    groups_of,
    pair_verdicts,
    place_sets_of,
    units_needed,
)
from tests.score_texts import table_of
from tests.stats.tables import score_table

TEXT = "task,a,b,c\nx/one,1,2,3\nx/two,2,1,3\ny/one,1,2,3\nz/one,3,2,1\nz/two,1,2,3\nz/three,1,2,3\n"
SIDES = Factor("side", (Level("l", "left"), Level("r", "right")))


@pytest.fixture
def table():
    return table_of(TEXT)


def test_datasets_are_known_by_the_names_of_tasks(table):
    assert table.units.datasets == ("x", "x", "y", "z", "z", "z")
    assert choose_unit(table) == "dataset"
    # A name without a slash is a dataset of its own.
    assert table_of("task,a,b\nx/std.1,1,2\ntwo,2,1\n").units.datasets == ("x", "two")
    paths = table_of("task,a,b\n/x/p/std.1,1,2\n/x/p/std.2,2,1\n")
    assert paths.units.datasets == ("x", "x")


def test_names_with_slashes_that_are_no_tasks_are_datasets():
    table = table_of("task,a,b\nopenml.org/t/3,1,2\nopenml.org/t/31,2,1\n")
    assert len(set(table.units.datasets)) == 2
    assert choose_unit(table) == "task"


def test_columns_say_which_dataset_and_family_a_task_is_of():
    table = table_of("task,Dataset,a,family,b\none,x,1,f,2\ntwo,x,2,f,1\nthree,y,1,f,2\nfour,z,1,g,2\n")
    assert table.methods == ("a", "b")
    assert table.tasks == ("x/one", "x/two", "y/three", "z/four")
    assert table.units == (("x", "x", "y", "z"), ("f", "f", "f", "g"), "column")
    assert table.select(tasks=["y/three", "x/one"]).units == (("y", "x"), ("f", "f"), "column")
    # The first column names the tasks, whatever it is called.
    assert table_of("dataset,a,b\nx,1,2\n").units is None


def test_a_family_is_a_task_array_and_other_datasets_are_their_own():
    members = (Member("kin-l", "p", "std", ("l",)), Member("kin-r", "p", "std", ("r",)))
    array = TaskArray("kin", "Kin", (SIDES,), members)
    assert units_of(["kin-l", "demo", "kin-r"], family_names([array])).families == ("kin", "demo", "kin")


def test_ranks_are_averaged_within_the_dataset(table):
    # x: a 1.5, b 1.5, c 3; y: 1, 2, 3; z: (3 + 1 + 1) / 3, 2, (1 + 3 + 3) / 3.
    analysis = analyze(table)
    assert (analysis.unit, analysis.units.tasks) == ("dataset", ("x", "y", "z"))
    np.testing.assert_allclose(
        analysis.ranks.ranks, [[1.5, 1.5, 3], [1, 2, 3], [5 / 3, 2, 7 / 3]], atol=1e-12
    )
    assert analysis.average_ranks == pytest.approx({"a": 25 / 18, "b": 11 / 6, "c": 25 / 9})
    # Sums less 6: -11/6, -1/2, 7/3; squares within datasets 1.5, 2 and 2/9: chi2 = 2 * (326/36) / (67/18).
    assert analysis.friedman.statistic == pytest.approx(326 / 67)
    assert analysis.friedman.exact_p is None
    # The critical difference is 2.3437 sqrt(12 / 18) for ranks 1 to 3, whose sum of squares is 2, not 67/54.
    assert analysis.nemenyi.cd == pytest.approx(2.343701 * (12 / 18 * 67 / 108) ** 0.5, abs=1e-5)


def test_values_are_averaged_within_the_dataset(table):
    # Means of x, y, z: a 1.5, 1, 5/3; b 1.5, 2, 2.
    analysis = analyze(table)
    np.testing.assert_allclose(analysis.units.values[:, :2], [[1.5, 1.5], [1, 2], [5 / 3, 2]])
    assert [count[0] for count in analysis.scan.wins] == [2, 1, 0]
    assert analysis.scan.tasks - 1 == 2


def test_tasks_count_once_each_on_request(table):
    analysis = analyze(table, unit="task")
    assert analysis.ranks.ranks.shape == (6, 3)
    assert analysis.friedman.exact_p is not None
    with pytest.raises(ValueError, match="expected a column dataset, or names of tasks"):
        analyze(score_table(np.eye(2)), unit="dataset")
    with pytest.raises(ValueError, match="expected a unit among task, dataset, family"):
        analyze(table, unit="case")


def test_all_tasks_of_one_dataset_count_each():
    table = table_of("task,a,b\nx/std.1,1,2\nx/std.2,2,1\n")
    assert choose_unit(table) == "task"
    with pytest.raises(
        ValueError, match="expected two datasets with results of two methods, found 1 dataset with"
    ):
        analyze(table, unit="dataset")


def of_families(count: int) -> str:
    """Two datasets of two tasks each in each of so many families."""
    rows = [f"{n},d{n // 2},f{n // 4},{n},{n + 1 + n % 3}" for n in range(4 * count)]
    return "\n".join(["task,dataset,family,a,b", *rows, ""])


def test_six_families_are_the_unit_and_five_are_not():
    analysis = analyze(table_of(of_families(6)))
    assert (analysis.unit, len(analysis.units.tasks)) == ("family", 6)
    assert (analysis.by_dataset.unit, len(analysis.by_dataset.units.tasks)) == ("dataset", 12)
    assert (analysis.by_family, analysis.by_dataset.by_dataset) == (None, None)
    assert analyze(table_of(of_families(5))).unit == "dataset"
    # Who counts datasets or tasks is also shown families, if there are enough of them.
    for unit in ("dataset", "task"):
        wider = analyze(table_of(of_families(6)), unit=unit)
        assert (wider.by_family.unit, wider.by_dataset) == ("family", None)
        assert analyze(table_of(of_families(5)), unit=unit).by_family is None
    assert analyze(table_of(TEXT)).by_family is None


def test_few_families_confine_the_claim():
    assert conditional_families(table_of(of_families(5)), "dataset") == ("f0", "f1", "f2", "f3", "f4")
    one = replace(score_table(np.eye(4)), units=Units(tuple("wxyz"), ("kin",) * 4))
    assert conditional_families(one, "task") == ("kin",)
    assert conditional_families(table_of(of_families(6)), "dataset") == ()
    assert conditional_families(table_of(TEXT), "dataset") == ()


def test_tasks_of_one_dataset_are_not_tested_unless_tasks_are_chosen():
    text = "task,a,b\n" + "".join(f"d/p{n}.128,{n},{n + 1}\n" for n in range(8))
    analysis = analyze(table_of(text))
    for test in (RankTest.FLIPS, RankTest.WILCOXON, RankTest.NEMENYI):
        said = pair_verdicts(analysis, test)
        assert (said.is_testable, said.tested, said.verdict.tolist()) == (False, 0, ["not tested"])
        assert np.isnan([said.p, said.p_adjusted]).all()
        assert place_sets_of(analysis, said) is None
        assert pair_verdicts(analyze(table_of(text), unit="task"), test).verdict.tolist() == ["better"]


def test_the_default_statistic_is_scaled_differences():
    three = np.random.default_rng(1).normal(size=(8, 3))
    right = (three > 0).astype(float)
    assert [analyze(score_table(values)).statistic for values in (three, three[:, :2], right)] == [
        "scaled",
        "ranks",
        "means",
    ]
    assert analyze(score_table(three), statistic="ranks").statistic == "ranks"


def test_sign_flips_against_a_control_adjust_for_its_pairs_only():
    values = np.random.default_rng(3).normal(size=(14, 4)) + np.arange(4) * 0.6
    analysis = analyze(score_table(values), control="b")
    said, flips = pair_verdicts(analysis, RankTest.FLIPS), analysis.sign_flips
    # Pairs ab, ac, ad, bc, bd, cd.
    assert np.isnan(said.p_adjusted).tolist() == [False, True, True, False, False, True]
    assert said.p_adjusted[[0, 3, 4]].tolist() == flips.p_one[1][[0, 2, 3]].tolist()
    assert (said.p_adjusted[[0, 3, 4]] <= flips.p_all[[0, 3, 4]]).all()
    ends = simultaneous_intervals(flips, level=0.95, control=1)
    outside = (ends.lower > 0) | (ends.upper < 0)
    assert outside.tolist() == said.different.tolist()
    assert said.verdict[[1, 2, 5]].tolist() == ["not tested"] * 3


def test_mean_ranks_that_are_equal_tie():
    # Means of three thirds in another order.
    ranks = task_ranks(table_of("task,a,b,c\n1,1,2,3\n2,2,3,1\n3,3,1,2\n"))
    assert len(set(unit_ranks(ranks, ["u"] * 3).average.tolist())) == 1


@pytest.mark.parametrize("test", [RankTest.NEMENYI, RankTest.WILCOXON, RankTest.FLIPS])
def test_bars_never_join_a_pair_that_differs_significantly(test):
    values = np.random.default_rng(2).normal(size=(20, 5)) + np.arange(5) * 0.5
    analysis = analyze(score_table(values), adjustment="none")
    said = pair_verdicts(analysis, test)
    assert said.different.any()
    together = {pair for group in groups_of(analysis, said) for pair in _pairs(group)}
    pairs = zip(
        analysis.scan.first.tolist(), analysis.scan.second.tolist(), said.different.tolist(), strict=True
    )
    for first, second, different in pairs:
        assert ((first, second) not in together) == different
    assert (
        said.first_is_better
        == (analysis.ranks.average[analysis.scan.first] < analysis.ranks.average[analysis.scan.second])
    )[said.different].all()


@pytest.mark.parametrize("test", [RankTest.NEMENYI, RankTest.WILCOXON, RankTest.FLIPS])
def test_power_is_that_of_the_test_which_gives_the_verdict(test):
    values = np.random.default_rng(2).normal(size=(20, 5)) + np.arange(5) * 0.5
    analysis = analyze(score_table(values))
    said = pair_verdicts(analysis, test)
    assert (units_needed(said, 20)[~said.different] > 20).all()
    # Cohen: (1.959964 + 0.841621)^2 = 7.849 times 20 units where z is 1; no number of them without a difference.
    by_hand = replace(said, z=np.array([1.0, 0.0]), critical=1.959964)
    assert units_needed(by_hand, 20).tolist() == [157, np.inf]


def _pairs(group):
    return {(min(a, b), max(a, b)) for a in group for b in group if a != b}


def test_the_adjustment_is_that_which_was_chosen():
    values = np.random.default_rng(3).normal(size=(14, 4)) + np.arange(4) * 0.6
    table = score_table(values)
    by_name = {name: analyze(table, control="a", adjustment=name) for name in ("none", "holm", "bonferroni")}
    for name, p in (("none", "p"), ("holm", "p_holm")):
        said = pair_verdicts(by_name[name], RankTest.WILCOXON)
        np.testing.assert_array_equal(said.p_adjusted, getattr(by_name[name].wilcoxon, p))
    flips = {name: pair_verdicts(one, RankTest.FLIPS) for name, one in by_name.items()}
    np.testing.assert_array_equal(flips["none"].p_adjusted, flips["holm"].p_adjusted)
    assert flips["bonferroni"].adjustment == "largest statistic against the control"
    control = pair_verdicts(by_name["none"], RankTest.CONTROL)
    assert np.isnan(control.p_adjusted).tolist() == [False] * 3 + [True] * 3
    assert control.first_is_better[control.different].all()


def test_something_holds_for_a_dataset_where_it_does_on_most_of_its_tasks():
    # One of two tasks is not most of them, two of three are.
    assert on_most_tasks(["x", "x", "y", "y", "y"], [True, False, True, True, False]) == 1
    assert on_most_tasks(["x", "y"], [True, True]) == 2


def test_an_array_counts_datasets_where_they_have_several_tasks():
    several, single = ("x", "x", "y"), ("x", "y", "z")
    assert [array_unit(unit, several) for unit in (None, "task", "family")] == ["dataset", "task", "dataset"]
    assert [array_unit(unit, single) for unit in (None, "dataset", "family")] == ["task"] * 3
    assert array_unit(None, ("x", "x")) == "task"


@pytest.mark.slow
def test_tasks_of_one_dataset_do_not_make_chance_look_like_proof():
    for one in measure_units(60, settings=(("dataset", 3), ("family", 12))):
        assert one.by_task > 0.3
        assert one.holds


def test_an_analysis_at_another_level_is_that_made_at_this_level():
    values = np.random.default_rng(3).normal(size=(24, 5)) + np.arange(5) * 0.4
    families = tuple(f"family-{k // 4}" for k in range(24))
    table = ScoreTable(tuple(f"t{k}" for k in range(24)), tuple("abcde"), values)
    table = replace(table, units=Units(table.tasks, families))
    first = analyze(table, unit="dataset", control="a")
    again, fresh = first.at_level(0.2), analyze(table, unit="dataset", control="a", alpha=0.2)
    for test in (RankTest.FLIPS, RankTest.NEMENYI, RankTest.WILCOXON, RankTest.CONTROL):
        one, other = pair_verdicts(again, test), pair_verdicts(fresh, test)
        assert (one.different == other.different).all()
        assert one.alpha == other.alpha
        np.testing.assert_array_equal(one.critical, other.critical)
    assert again.by_family.nemenyi.cd == fresh.by_family.nemenyi.cd != first.by_family.nemenyi.cd
