"""Choice of a ranking. An unavailable one is replaced by the nearest available, with a notice in Markdown."""

from collections.abc import Mapping, Sequence, Set

from dashboard.ui.selection import Selection, chosen_methods, note_missing_methods
from dashboard.ui.task_filter import RankedTask
from delvecore.render.numbers import integer
from delvecore.report import words
from delvecore.stats.ranking.ranks import methods_of_most_results
from delvecore.stats.verdicts import RankTest

TESTS = tuple(RankTest)


def losses_ranked(tasks: Mapping[str, RankedTask]) -> list[str]:
    """Return the losses with results of two or more methods on two or more tasks, the most common first."""
    counts: dict[str, int] = {}
    for task in tasks.values():
        for loss, methods in task.methods.items():
            counts[loss] = counts.get(loss, 0) + (len(methods) > 1)
    return sorted((loss for loss, count in counts.items() if count > 1), key=words.loss_preference)


def choose_methods(
    available: Sequence[str],
    selection: Selection,
    notices: list[str],
    done: Sequence[Set[str]] = (),
    *,
    added: str | None = None,
) -> tuple[str, ...]:
    """Return the methods to compare: the chosen ones that are available, otherwise the default.

    The default is all methods. If that would omit most tasks, it is the methods of the largest complete
    table, with a notice. done: the methods with a result, for each task; added: a method that the visitor has
    added. It is always in the default, which then covers only the tasks of that method."""
    note_missing_methods(available, selection, notices, shown="ranked")
    if (chosen := chosen_methods(available, selection)) is not None:
        return chosen
    mine = [methods for methods in done if added in methods]
    if added is not None and 0 < len(mine) < len(done):
        beside = methods_of_most_results(sorted(frozenset().union(*mine)), mine)
        notices.append(
            f"{words.escape(added)} is ranked next to methods of this archive, on the {integer(len(mine))} "
            f"of {integer(len(done))} tasks on which it has results. Choose methods to see them "
            "without it, or choose “none” under Mine to see all tasks."
        )
        return beside if added in beside else tuple(sorted({*beside, added}))
    usual = methods_of_most_results(available, done)
    left_out = [name for name in available if name not in usual]
    if left_out:
        named = words.and_list([words.escape(name) for name in left_out])
        lack, are = ("lacks", "is") if len(left_out) == 1 else ("lack", "are")
        notices.append(
            f"{named} {lack} results on most of these {integer(len(done))} tasks and {are} not compared "
            "here; choose methods to change that."
        )
    return usual


def choose_control(
    methods: Sequence[str], reference: str | None, test: RankTest, notices: list[str]
) -> str | None:
    """Return the reference. If a test needs one and none is chosen, return the first by name, with a
    notice."""
    if reference in methods:
        return reference
    if test != RankTest.CONTROL or not methods:
        return None
    name = min(methods)
    notices.append(
        f"{words.escape(name)} is the reference because its name is the first; choose your own "
        "reference before you look at the results."
    )
    return name
