"""What a ranking says of tasks that are related, in its sentence and its caveats."""

import numpy as np

from delvecore.answers.ranking_caveats import (
    Caveat,
    caveats,
    leave_out_sentence,
    ranking_sentence,
    why_nothing,
)
from delvecore.render.spans import markdown
from delvecore.stats.ranking.analysis import Analysis, analyze
from delvecore.stats.ranking.ranks import LeftOut
from delvecore.stats.ranking.score_table import ScoreTable, Units
from delvecore.stats.verdicts import RankTest, pair_verdicts

DATASETS = tuple(f"d{number // 2}" for number in range(24))


def shown(caveats: list[Caveat]) -> list[Caveat]:
    """Caveats as pages write them."""
    return [(markdown(text), is_serious) for text, is_serious in caveats]


def analyzed(datasets, families=None, **more) -> Analysis:
    """Three methods on twenty-four tasks."""
    values = np.arange(72.0).reshape(24, 3) + np.random.default_rng(0).normal(0, 0.1, (24, 3))
    units = Units(tuple(datasets), tuple(families or datasets))
    names = tuple(f"t{number}" for number in range(24))
    return analyze(ScoreTable(names, ("a", "b", "c"), values, quantity="loss", units=units), **more)


def serious(shown_caveats):
    return [text for text, is_serious in shown(caveats(shown_caveats, RankTest.NEMENYI)) if is_serious]


def test_where_no_pair_can_be_significant_nothing_is_tested():
    # The rows of signs of all ten pairs differ: p of any is at least 10 * 2 / 2^7, less where rows are alike.
    values = np.random.default_rng(3).normal(size=(7, 5))
    values[:, 0] += 10
    table = ScoreTable(tuple("tuvwxyz"), tuple("abcde"), values, quantity="loss")
    analysis = analyze(table, statistic="ranks")
    said = pair_verdicts(analysis, RankTest.FLIPS)
    assert said.smallest_p == 7 / 64 == analysis.sign_flips.p_all.min()
    assert set(said.verdict) == {"not tested"}
    claim = "Differences between methods are **not testable with 7 tasks (smallest adjusted p 0.11)**"
    assert claim in markdown(ranking_sentence(analysis, said))
    assert set(pair_verdicts(analyze(table), RankTest.FLIPS).verdict) == {"worse", "not significant"}


def test_the_sentence_says_what_counts_once_and_what_holds_of_families():
    analysis = analyzed(DATASETS, ["f", "f", "f", "f", "g", "g", *DATASETS[6:]])
    said = markdown(ranking_sentence(analysis, pair_verdicts(analysis, RankTest.NEMENYI)))
    assert "over 24 tasks of 11 families; tasks of one family count once, by loss" in said
    # All three pairs differ in all datasets alike.
    assert said.startswith("**a is the best of 3, significantly better than every other**. ")
    assert "Verdicts hold if families are independent draws." in said
    narrower = "Counting each of 12 datasets once, a is **significantly better than every other**"
    assert f"{narrower}, if datasets are independent draws." in said
    assert serious(analysis) == []


def test_tasks_that_each_count_though_they_are_related_are_said_to_be():
    (said,) = serious(analyzed(DATASETS, unit="task"))
    assert said == (
        "Each task counts, though tasks of one dataset are related: p-values are too small. The setting beside "
        "the title can count each dataset once."
    )


def test_one_dataset_or_one_family_say_nothing_of_other_data():
    (said,) = serious(analyzed(["d"] * 24))
    nothing = "they are related, so they show nothing about other data"
    assert said == f"All 24 tasks are of one dataset: {nothing}."
    (said,) = serious(analyzed(["d"] * 24, unit="task"))
    assert said == f"All 24 tasks are of one dataset: {nothing}, and p-values are too small."
    (said,) = serious(analyzed(DATASETS, ["kin"] * 24))
    assert said == "Verdicts hold for datasets of kin only: there are fewer than 6 families to count."


def few(tasks: int, methods: int = 2, missing: int = 0) -> Analysis:
    """So many tasks of a dataset each; some of them lack the last method."""
    values = np.random.default_rng(1).normal(size=(tasks, methods))
    values[:missing, -1] = np.nan
    names = tuple(f"t{number:02}" for number in range(tasks))
    return analyze(ScoreTable(names, tuple("abcdefgh")[:methods], values, quantity="loss"), drop="tasks")


def test_nine_tasks_are_few_and_ten_are_not():
    sentence = "9 tasks are few: only large differences can be found."
    assert (sentence, False) in shown(caveats(few(9), RankTest.WILCOXON))
    assert not any("are few" in text for text, _ in shown(caveats(few(10), RankTest.WILCOXON)))


def test_tests_by_mean_ranks_of_three_methods_or_more_depend_on_them():
    sentence = "Mean ranks, and therefore this test, depend on which methods are compared."
    for methods, test, expected in (
        (3, RankTest.NEMENYI, True),
        (3, RankTest.CONTROL, True),
        (2, RankTest.NEMENYI, False),
        (3, RankTest.WILCOXON, False),
    ):
        assert ((sentence, False) in shown(caveats(few(12, methods), test))) == expected


def test_tasks_left_out_touch_the_sentence_where_they_are_more_than_half():
    for missing, is_serious in ((12, False), (13, True)):
        sentence = (
            f"{missing} of 24 tasks are left out, as results are missing there: b lacks {missing}. Nothing is "
            "filled in."
        )
        assert (sentence, is_serious) in shown(caveats(few(24, missing=missing), RankTest.WILCOXON))


def test_tasks_on_which_methods_tie_are_counted():
    values = np.arange(36.0).reshape(12, 3)
    values[:2, 1] = values[:2, 0]
    analysis = analyze(ScoreTable(tuple("abcdefghijkl"), ("a", "b", "c"), values, quantity="loss"))
    sentence = "Methods tie on 2 tasks; tied methods share the mean of their ranks."
    assert (sentence, False) in shown(caveats(analysis, RankTest.WILCOXON))
    assert not any("tie" in text for text, _ in shown(caveats(few(12), RankTest.WILCOXON)))


def test_methods_left_out_touch_the_sentence():
    values = np.arange(36.0).reshape(12, 3)
    values[3, 2] = np.nan
    table = ScoreTable(tuple("abcdefghijkl"), ("a", "b", "c"), values, quantity="loss")
    analysis = analyze(table, drop="methods")
    said = ("Left out, as results are missing on some of these tasks: c.", True)
    assert said in shown(caveats(analysis, RankTest.WILCOXON))


def test_those_that_lack_most_are_named_first():
    values = np.arange(60.0).reshape(12, 5)
    for method, lacking in ((0, 1), (2, 5), (3, 3)):
        values[:lacking, method] = np.nan
    table = ScoreTable(tuple("abcdefghijkl"), tuple("abcde"), values, quantity="loss")
    ((said, _),) = (
        one for one in shown(caveats(analyze(table, drop="tasks"), RankTest.WILCOXON)) if "lacks" in one[0]
    )
    assert "c lacks 5, d lacks 3, a lacks 1." in said


def test_two_tasks_and_two_methods_are_enough_for_a_ranking():
    for tasks, methods, reason in (
        (1, 2, "There are results of 2 methods on 1 task."),
        (2, 1, "There are results of 1 method on 2 tasks."),
        (2, 2, r"Too few\."),
    ):
        table = ScoreTable(tuple("tuv"[:tasks]), tuple("ab"[:methods]), np.ones((tasks, methods)))
        assert markdown(why_nothing(table, "too few")) == reason


def left_out(group: str, ranks: tuple[float, float, float], *, same_best: bool, moved: int) -> LeftOut:
    return LeftOut(group, 12, np.array(ranks), same_best=same_best, moved=moved)


def test_what_leaving_out_a_family_changes_is_named():
    methods = ("a", "b", "c")
    same = left_out("kin", (1.0, 2.0, 3.0), same_best=True, moved=0)
    moved = left_out("bank", (1.0, 3.0, 2.0), same_best=True, moved=2)
    other = left_out("pumadyn", (2.0, 1.0, 3.0), same_best=False, moved=2)
    assert (
        markdown(leave_out_sentence(methods, [same]))
        == "**The order stays the same** whichever family is left out."
    )
    assert markdown(leave_out_sentence(methods, [same], group="task")).endswith("whichever task is left out.")
    assert markdown(leave_out_sentence(methods, [same, moved])) == (
        "**The best method stays the same** whichever family is left out; other methods change places in 1 of 2 cases, "
        "most without bank."
    )
    tied = left_out("titanic", (1.0, 3.0, 2.0), same_best=True, moved=2)
    assert markdown(leave_out_sentence(methods, [same, moved, tied])).endswith(
        "most without bank and titanic."
    )
    said = markdown(leave_out_sentence(methods, [same, moved, other]))
    assert said == "**The best method changes** without pumadyn (then b)."
