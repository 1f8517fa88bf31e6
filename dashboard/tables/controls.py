"""Controls of the table for a paper: tasks, methods, loss, rows, digits and marks. The address has all
choices."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard.server import archive as opened
from dashboard.server.archive import classes_offered, metrics_offered
from dashboard.tables import data
from dashboard.tables.data import EVERYTHING
from dashboard.ui import controls, selection
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from dashboard.ui.selection import wanted_loss, wanted_setting
from delvecore.model import SCORED, place_names
from delvecore.render.numbers import integer
from delvecore.render.verdicts import BETTER, NOT_WORSE
from delvecore.report import words
from delvecore.report.paper.table import PaperRequest

STANDARDIZED, RAW = "standardized", "raw"
MARKED = {"best and ties": ("best", "equal", "reference"), "best": ("best", "reference"), "nothing": ()}
"""Options for marked values, as labels and for the command."""
MOST_METHODS = 6
"""Largest number of methods that fit across a page."""
DIGITS = {"of each number": "cell", "of its column": "column", "of its row": "row"}
DIGITS |= {number: number for number in "234"}
DIGITS_HELP = "Two significant digits of the standard error, or the same number of decimals everywhere"
ONE_TASK = "one task"
"""The label for one row per task."""
SHOWN = ("shown", "left out")
MARK_HELP = f"The best of each row is bold; methods {NOT_WORSE} have the sign ≈"


def show_controls(view: View, notices: list[str]) -> PaperRequest | None:
    """Show the controls and return the requested table; None if the address asks only for unknown places."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="table-controls"):
        added = controls.added_of_mine()
        paths = _paths(view, added, notices)
        if not paths:
            return None
        available = data.methods_below(view.archive, paths)
        loss = _loss(view, paths, added, notices)
        methods = data.choose_methods(available[loss], view.selection, notices)
        about = "Columns follow the order of your choice; average ranks depend on the methods in the table"
        controls.methods_control(available[loss], methods, help=about)
        by = _by(view, paths)
        with st.popover("Layout and marks", icon=":material/tune:", key="table-details"):
            reference, top = _marked_methods(view, available[loss], methods, notices)
            methods_in = selection.one_of("Methods in", "layout", ["columns", "rows"])
            in_units = not by and view.archive.measures[loss].is_loss
            about = help_for("standardized loss")
            raw = in_units and selection.one_of("Losses", "losses", [STANDARDIZED, RAW], help=about) == RAW
            marked = selection.one_of("Mark", "marks", list(MARKED), help=MARK_HELP)
            more: dict[str, Any] = {"help": DIGITS_HELP}
            more["format_func"] = lambda name: (
                f"{name} decimals" if name.isdigit() else f"two of the error {name}"
            )
            digits = DIGITS[selection.local(st.selectbox, "Digits", "digits", list(DIGITS), **more)]
            ranks = selection.one_of("Average ranks", "ranks", SHOWN) == SHOWN[0]
            has_published = view.archive.published.num_rows > 0 and not by  # rows of groups have none
            published = (
                not has_published or selection.one_of("Published results", "published", SHOWN) == SHOWN[0]
            )
    setting = wanted_setting(view.selection)
    return PaperRequest(
        paths=paths,
        loss=loss,
        methods=methods,
        keep=tuple(name for name in methods if name in {*(view.selection.methods or ()), added}),
        reference=reference,
        by=by,
        methods_in=methods_in,
        raw=raw,
        level=setting.level,
        adjust=setting.adjust,
        unit=view.selection.unit,
        marks=MARKED[marked],
        ranks=ranks,
        published=published,
        digits=digits,
        top=top,
        mine=view.selection.mine if view.selection.mine in methods else None,
        files=opened.score_paths(),
        reading=opened.score_words(),
        follow_links=view.archive.follow_links,
    )


def _loss(view: View, paths: tuple[str, ...], added: str | None, notices: list[str]) -> str:
    """Return the chosen loss, otherwise the most common one among the results of the visitor's method."""
    methods, tasks = data.methods_below(view.archive, paths), data.tasks_below(view.archive, paths)
    has = [loss for loss, names in methods.items() if added in names]
    usual = next(iter(has or methods))
    loss = wanted_loss(methods, usual, view.selection, notices, where="on these tasks")
    offered, classes = (ask(view.archive, tasks) for ask in (metrics_offered, classes_offered))
    controls.loss_control(list(methods), loss, view.archive.measures, metrics=offered, classes=classes)
    return loss


def _paths(view: View, added: str | None, notices: list[str]) -> tuple[str, ...]:
    """Return the chosen places, or none if the address asks only for unknown places.

    Without a choice, return all places, or those with results of the method that the visitor added."""
    known = data.places(view.archive)
    asked_for = set(st.query_params.get_all("tasks"))
    below = [path for path in known if path != EVERYTHING and (path in asked_for or _is_choice(path, known))]
    methods = view.choices.methods
    meant, unknown = selection.asked_of("tasks", below, methods=methods)
    is_unknown = bool(unknown) and not meant
    asked = "Choose tasks …" if is_unknown else f"all {integer(len(known[EVERYTHING]))} with results"
    more: dict[str, Any] = {"placeholder": asked, "help": "Datasets, prototasks or single tasks"}
    more["methods"] = methods
    more["format_func"] = lambda path: (
        words.short_line(path, longest=50)
        + ("" if known[path] == (path,) else f" · {words.count(len(known[path]), 'task')}")
    )
    chosen = selection.local(st.multiselect, "Tasks", "tasks", below, several=True, **more)
    if is_unknown:
        return ()
    usual = data.places_of(view.archive, added) if added else ()
    if chosen or not usual or usual == (EVERYTHING,):
        return tuple(chosen) or (EVERYTHING,)
    count, total = len(data.tasks_below(view.archive, usual)), len(known[EVERYTHING])
    notices.append(
        f"{words.escape(added or '')} is shown with the methods of this archive, on the {integer(count)} of "
        f"{integer(total)} tasks on which it has results. Choose tasks or methods to see others. "
        "To see all tasks, choose “none” under Mine."
    )
    return usual


def _is_choice(path: str, known: Mapping[str, Sequence[str]]) -> bool:
    """Can this place be chosen? If a dataset of scores has one task, only the dataset can be chosen."""
    names = place_names(path)
    return names[1:2] != (SCORED,) or len(known[f"/{names[0]}"]) > 1


def _marked_methods(
    view: View, available: Sequence[str], methods: tuple[str, ...], notices: list[str]
) -> tuple[str | None, int | None]:
    """Return (reference, number of best methods to show). The number is None for all, in their order."""
    reference = view.selection.reference
    if reference is not None and reference not in methods:
        notices.append(f"The reference {words.escape(reference)} is not in the table.")
        reference = None
    about = f"Methods {BETTER} (+) or worse (−) than this one are marked"
    controls.reference_control(methods, reference, index=None, placeholder="none", help=about)
    controls.mine_control(available)
    is_chosen = view.selection.methods is not None
    if is_chosen or len(methods) <= MOST_METHODS:
        return reference, None if is_chosen else len(methods)
    options, about = [f"best {MOST_METHODS}", "all"], "By average rank, best first"
    shown = selection.one_of("Methods shown", "most", options, help=about)
    return reference, len(methods) if shown == "all" else MOST_METHODS


def _by(view: View, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the factors whose levels make the rows; none for a row per task."""
    titles, usual = data.factors_below(view.archive, paths), data.usual_rows(view.archive, paths)
    named = words.and_list([titles[name].lower() for name in usual])
    about = "A row is one task, or the mean over the tasks that have the same levels of these factors"
    more: dict[str, Any] = {"placeholder": f"by {named}" if usual else ONE_TASK, "help": about}
    more["format_func"] = lambda name: (
        name if name == ONE_TASK else f"by {titles[name][:1].lower()}{titles[name][1:]}"
    )
    options = [*([ONE_TASK] if usual else []), *titles]
    chosen = tuple(selection.local(st.multiselect, "Rows", "rows", options, several=True, **more))
    return () if ONE_TASK in chosen else chosen or usual
