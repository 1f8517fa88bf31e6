"""Which methods are ranked where nothing was chosen: those of the largest complete table."""

from dashboard.ranking import choice as ranking_choice
from dashboard.ui.selection import Selection
from delvecore.stats.ranking.ranks import methods_of_most_results

ALL = frozenset("abc")
# On 2 of 10 tasks all three have results; a and b have results on 9: 3 times 2 is less than 2 times 9.
GAPS = [ALL] * 2 + [frozenset("ab")] * 7 + [frozenset("a")]


def test_all_methods_are_ranked_where_they_share_half_of_the_tasks():
    assert methods_of_most_results("abc", [ALL, ALL, frozenset("a")]) == ("a", "b", "c")
    assert methods_of_most_results("abc", []) == ("a", "b", "c")
    # 3 methods on 2 tasks are six results, 2 methods on 2 tasks four.
    assert methods_of_most_results("abc", [ALL] * 2 + [frozenset("a")] * 3) == ("a", "b", "c")
    assert methods_of_most_results("ab", [frozenset("a"), frozenset("b")]) == ("a", "b")


def test_a_method_with_few_results_is_left_out_where_the_others_have_more_together():
    assert methods_of_most_results("abc", GAPS) == ("a", "b")


def test_what_is_left_out_is_said_and_what_is_chosen_is_kept():
    notices = []
    assert ranking_choice.choose_methods("abc", Selection(), notices, GAPS) == ("a", "b")
    assert notices == [
        "c lacks results on most of these 10 tasks and is not compared here; choose methods to change that."
    ]
    assert ranking_choice.choose_methods("abc", Selection(methods=("b", "c")), [], GAPS) == ("b", "c")
