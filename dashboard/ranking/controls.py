"""Controls of a ranking: loss, tasks, methods, reference and test, in one row."""

from typing import Any

import streamlit as st

from dashboard.ranking import choice
from dashboard.ranking.choice import TESTS
from dashboard.server.archive import classes_offered, metrics_offered
from dashboard.ui import controls, selection
from dashboard.ui.page import View
from dashboard.ui.request import FEWER, MOST_SHOWN, Request
from dashboard.ui.selection import wanted_loss, wanted_setting
from dashboard.ui.task_filter import RankedTask, choose_tasks, ranked_tasks
from delvecore.render.numbers import integer
from delvecore.stats.verdicts import DEFAULT_TEST, RankTest

DROPS = {"tasks": "the task", "methods": "the method"}
TEST_HELP = (
    "Sign flips: would differences be as large if their signs were random? This is a permutation "
    "test, adjusted for all pairs, or for those with the reference, by the largest statistic. "
    "Wilcoxon: do the signed ranks of two methods differ? p is adjusted as set above. Nemenyi: do "
    "two mean ranks differ by more "
    "than the critical difference, which depends on the methods compared? Bonferroni-Dunn: do mean ranks "
    "differ from that of the reference?"
)
ALL, MOST_MORE = "all", 10
"""The name for all methods; number of methods beyond FEWER up to which there is no choice."""
METHODS_HELP = "Mean ranks depend on which methods are compared"
REFERENCE_HELP = (
    "The method that the others are compared with, such as the one in use today. Choose it before "
    "you look at the results. The test then compares others only with it and has more power. "
    "Without a reference it compares all pairs"
)
WIDTHS = (200, 148, 156, 128, 128, 140)
"""Pixels of the controls: loss, tasks, methods, reference, mine, test."""


def show_controls(view: View, notices: list[str]) -> Request:
    """Show the controls in one row and return their values."""
    tasks = ranked_tasks(view.archive)
    losses, added = choice.losses_ranked(tasks), controls.added_of_mine()
    with st.container(horizontal=True, vertical_alignment="bottom", key="ranking-controls"):
        of_loss, of_tasks, of_methods, of_reference, of_mine, of_test = (
            st.container(width=width) for width in WIDTHS
        )
    loss, fitting = "", list[RankedTask]()
    if losses:
        # The most common loss of the visitor's added method if it has results; otherwise of all methods.
        mine = {name for task in tasks.values() for name, on in task.methods.items() if added in on}
        usual = next(filter(mine.__contains__, losses), losses[0])
        measures = view.archive.measures
        loss = wanted_loss(losses, usual, view.selection, notices, where="on two tasks", measures=measures)
        with of_tasks:
            fitting = choose_tasks(view.archive, loss, notices)
    paths, done = [task.path for task in fitting], [task.methods.get(loss, frozenset()) for task in fitting]
    available = sorted(frozenset().union(*done))
    methods = choice.choose_methods(available, view.selection, notices, done, added=added)
    control = choice.choose_control(methods, view.selection.reference, test_chosen(), notices)
    with of_loss:
        classes, metrics = classes_offered(view.archive, paths), metrics_offered(view.archive)
        controls.loss_control(losses, loss or None, view.archive.measures, metrics=metrics, classes=classes)
    with of_methods:
        controls.methods_control(available, methods, help=METHODS_HELP)
    with of_reference:
        about: dict[str, Any] = {"index": None, "placeholder": "none", "help": REFERENCE_HELP}
        controls.reference_control(methods, control, then=_without_reference, **about)
    with of_mine:
        controls.mine_control(available)
    with of_test, controls.chip("Test", str(test_chosen()), icon=":material/functions:", key="statistics"):
        test, drop, most = _statistics(len(methods))
    return Request(
        archive=view.archive,
        loss=loss,
        tasks=tuple(paths),
        methods=methods,
        keep=tuple(name for name in methods if name in {*(view.selection.methods or ()), added}),
        reference=control or "",
        setting=wanted_setting(view.selection),
        unit=view.selection.unit,
        test=test,
        drop=drop,
        most=most,
    )


def _most(count: int) -> int:
    """Let the visitor choose how many methods to draw if there are many."""
    if count <= FEWER + MOST_MORE:
        return MOST_SHOWN
    more: dict[str, Any] = {"help": "Ordered by mean rank; the tests use all methods"}
    more["format_func"] = lambda name: (
        f"{name} of {integer(count)}" if name != ALL else f"all {integer(count)}"
    )
    options = [f"best {FEWER}", f"best {MOST_SHOWN}" if count > MOST_SHOWN else ALL]
    chosen = selection.one_of("Methods drawn", "drawn", options, **more)
    return FEWER if chosen == options[0] else MOST_SHOWN


def test_chosen() -> RankTest:
    """Return the test in the address, otherwise the default one."""
    asked = st.query_params.get("test")
    return RankTest(asked) if asked in set(RankTest) else DEFAULT_TEST


def _without_reference(reference: str | None) -> None:
    """Choose the default test if the reference that the chosen test needs was removed."""
    if reference is None and st.query_params.get("test") == RankTest.CONTROL:
        del st.query_params["test"]


def _statistics(count: int) -> tuple[RankTest, str, int]:
    """Show the controls for the ranking; return (test, `drop`, number of methods to draw)."""
    test = selection.one_of("Test", "test", list(TESTS), help=TEST_HELP)
    about = "Ranks need results of all methods; missing results are never imputed"
    label = "If a method has no result, leave out"
    drop = selection.one_of(label, "drop", list(DROPS), format_func=DROPS.__getitem__, help=about)
    return test, drop, _most(count)
