"""What is ranked: loss, methods, control, test and level; tasks by what they are."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboard.ranking import choice
from dashboard.ranking.choice import FEWER, MOST_SHOWN, TESTS, Request
from dashboard.server.archive import classes_offered, metrics_offered
from dashboard.ui import controls, selection
from dashboard.ui.page import View
from dashboard.ui.selection import wanted_loss, wanted_setting
from dashboard.ui.task_filter import RankedTask, TaskFilter, ranked_tasks, show_filters, wanted_tasks
from delvecore.render.numbers import integer
from delvecore.report import words
from delvecore.stats.verdicts import DEFAULT_TEST, RankTest

DROPS = {"tasks": "the task", "methods": "the method"}
TEST_HELP = (
    "Sign flips: would differences be as large if their signs were chance? A permutation test, adjusted "
    "for all pairs, or for those with the control, by the largest statistic. Wilcoxon: do the signed ranks "
    "of two methods differ, with p adjusted as beside the title? Nemenyi: do two mean ranks differ by more "
    "than the critical difference, which depends on the methods compared? Bonferroni-Dunn: do mean ranks "
    "differ from the control’s?"
)
ALL, MOST_MORE = "all", 10
"""So many more than few methods are still all drawn."""
METHODS_HELP = "Mean ranks depend on which methods are compared"
CONTROL_HELP = (
    "The method that others are compared with, such as the one in use today. Sign flips and the "
    "Bonferroni-Dunn test then compare the others with it alone, and find more"
)


def show_controls(view: View, notices: list[str]) -> Request:
    """Show the controls and return what they ask for: methods, then the tasks and how methods are tested."""
    tasks = ranked_tasks(view.archive)
    losses, added = choice.losses_ranked(tasks), controls.added_of_mine()
    with st.container(border=True, key="ranking-controls"):
        first = st.container()
        by_tests, by_tasks = st.columns([2, 3])
        loss, fitting = "", []
        if losses:
            # The most wanted loss, of those of a method that the visitor has added if it has any.
            mine = {name for task in tasks.values() for name, on in task.methods.items() if added in on}
            usual = next(filter(mine.__contains__, losses), losses[0])
            loss = wanted_loss(
                losses, usual, view.selection, notices, where="on two tasks", measures=view.archive.measures
            )
            found = wanted_tasks(view.archive, notices)
            fitting = found.under(loss)
            candidates = [task for task in tasks.values() if len(task.methods.get(loss, ())) > 1]
            with by_tasks:
                _show_filters(found, candidates, len(fitting))
        done = [task.methods.get(loss, frozenset()) for task in fitting]
        available = sorted(frozenset().union(*done))
        methods = choice.choose_methods(available, view.selection, notices, done, added=added)
        with by_tests:
            test, drop, most = _statistics(len(methods))
        control = choice.choose_control(methods, view.selection.reference, test, notices)
        with first:
            _methods(view, losses, loss, fitting, available, methods, control)
    return Request(
        archive=view.archive,
        loss=loss,
        tasks=tuple(task.path for task in fitting),
        methods=methods,
        keep=tuple(name for name in methods if name in {*(view.selection.methods or ()), added}),
        control=control,
        setting=wanted_setting(view.selection),
        unit=view.selection.unit,
        test=test,
        drop=drop,
        most=most,
    )


def _most(count: int) -> int:
    """Ask how many methods are to be drawn where they are many."""
    if count <= FEWER + MOST_MORE:
        return MOST_SHOWN
    more: dict[str, Any] = {"help": "By mean rank; the answer is over all of them"}
    more["format_func"] = lambda name: (
        f"{name} of {integer(count)}" if name != ALL else f"all {integer(count)}"
    )
    options = [f"best {FEWER}", f"best {MOST_SHOWN}" if count > MOST_SHOWN else ALL]
    chosen = selection.one_of("Methods drawn", "drawn", options, **more)
    return FEWER if chosen == options[0] else MOST_SHOWN


def _show_filters(found: TaskFilter, candidates: Sequence[RankedTask], fitting: int) -> None:
    """Show the filters behind a line that says how many tasks fit."""
    label = f"Tasks: **{integer(fitting)} of {integer(len(candidates))}**"
    if said := found.options:
        label += f" ({words.escape(', '.join(said[:6]))}{' …' if len(said) > 6 else ''})"
    elif fitting:
        label += " (all)"
    with st.expander(label, icon=":material/filter_alt:", key="task-filters"):
        show_filters(found, candidates)


def _methods(
    view: View,
    losses: Sequence[str],
    loss: str,
    fitting: Sequence[RankedTask],
    available: Sequence[str],
    methods: tuple[str, ...],
    control: str | None,
) -> None:
    """Show the loss, the methods, the one that others are held against, and the visitor's own one."""
    columns = st.columns([2.4, 3.6, 1.5, 1.5])
    with columns[0]:
        classes = classes_offered(view.archive, [task.path for task in fitting])
        metrics, measures = metrics_offered(view.archive), view.archive.measures
        controls.loss_control(losses, loss or None, measures, metrics=metrics, classes=classes)
    with columns[1]:
        controls.methods_control(available, methods, help=METHODS_HELP)
    with columns[2]:
        about: dict[str, Any] = {"index": None, "placeholder": "none", "help": CONTROL_HELP}
        controls.reference_control(methods, control, "Control", then=_without_control, **about)
    with columns[3]:
        controls.mine_control(available)


def test_chosen() -> RankTest:
    """Return the test that the address asks for, else the usual one."""
    asked = st.query_params.get("test")
    return RankTest(asked) if asked in set(RankTest) else DEFAULT_TEST


def _without_control(control: str | None) -> None:
    """Choose the default test if a test against a control has lost it."""
    if control is None and st.query_params.get("test") == RankTest.CONTROL:
        del st.query_params["test"]


def _statistics(count: int) -> tuple[RankTest, str, int]:
    """Show how so many methods are ranked; return (test, what gaps leave out, how many are drawn)."""
    label = f"Statistical methods: **{test_chosen()}**"
    with (
        st.expander(label, icon=":material/functions:", key="statistics"),
        st.container(horizontal=True, vertical_alignment="bottom", gap="medium"),
    ):
        test = selection.one_of("Test", "test", list(TESTS), help=TEST_HELP)
        about = "Ranks need results of all methods; nothing is ever filled in"
        label = "Where a method has no result, leave out"
        drop = selection.one_of(label, "drop", list(DROPS), format_func=DROPS.__getitem__, help=about)
    return test, drop, _most(count)
