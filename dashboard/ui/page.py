"""The frame of every page: the question, the answer, notices, and figures with their numbers.

A page starts with `view = page.begin("The question?")` and goes on with `page.answer("The answer.", view)`.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

from dashboard.server import archive as opened
from dashboard.server import score_answers, uploads
from dashboard.ui import changed_files, downloads, loading_progress, readings, selection
from dashboard.ui.commands import reproducing_command
from dashboard.ui.controls import open_control, setting_control
from dashboard.ui.glossary import help_for
from dashboard.ui.highlighted_method import line_of_mine, with_mine, with_mine_bold
from dashboard.ui.metric_loss import with_metric
from dashboard.ui.selection import Selection
from delvecore import __version__
from delvecore.archive import Archive
from delvecore.plots import pictures, theme, words
from delvecore.report.information.contributors import contributor_texts
from delvecore.report.provenance import PROGRAM, SHOWN_DIGITS, latex_comment
from delvecore.report.readings import read_back_lines, with_readings
from delvecore.score_tables.options import Question

__all__ = ["View", "about_export", "answer", "begin", "contributors", "csv_button", "empty_state", "explain"]
__all__ += ["figure_block", "file_button", "pick_row", "prepare", "table_block"]

FRAME = "frame"
FILE_KINDS = {
    "CSV": ("csv", "text/csv"),
    "JSON": ("json", "application/json"),
    "LaTeX": ("tex", "text/x-tex"),
}
"""Ending and type of files of text, by what their button says."""
ADDRESS_HELP = "The address of exactly this view"
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True)
class View:
    """What a page works with in one run. state: the key of all cached data."""

    archive: Archive | None
    state: str
    selection: Selection
    choices: opened.Choices
    notices: tuple[str, ...]
    error: str | None
    opening: opened.Opening[opened.Opened] | None = None
    question: Question | None = None


def prepare() -> View:
    """Open the archive and read the address, once a run, before any page code. A session shows the archive as
    it was first, so that loading the address again shows what has changed."""
    found = uploads.with_own(score_answers.with_answers(changed_files.served()))
    state = found.archive.state if found.archive else ""
    choices = opened.choices(state) if found.archive else opened.Choices()
    chosen, notices = selection.current(choices)
    view = View(
        archive=found.archive,
        state=state,
        selection=chosen,
        choices=choices,
        notices=tuple(notices),
        error=found.error,
        opening=found.opening,
        question=found.question,
    )
    st.session_state[FRAME] = view
    return view


def begin(
    question: str,
    *,
    tests: bool = False,
    adjusts: bool = True,
    by_loss: bool = False,
    shows_task: bool = False,
) -> View:
    """Write the page's title and return its View; stops the page where no archive can be read.

    tests: are differences tested on the page? The setting of the tests then stands beside the title.
    adjusts: does the adjustment of p change anything there? by_loss: does it show losses, and so a metric
    that is asked for? shows_task: is it about one task only?"""
    view: View = st.session_state[FRAME]
    if tests or by_loss:
        view = st.session_state[FRAME] = with_metric(view, of_all=not shows_task)
    with st.container(horizontal=True, vertical_alignment="bottom", key="page-head"):
        st.title(question, anchor=False)
        others = {
            name: st.query_params.get_all(name) for name in st.query_params if name not in selection.FIELDS
        }
        if tests:
            chosen = selection.wanted_setting(view.selection)
            setting_control(chosen, view.selection.unit, adjusts=adjusts)
        with st.popover("Copy link", icon=":material/link:", key="copy-link", help=ADDRESS_HELP):
            with st.container(key="copied"):
                st.text("Copied")
            address = selection.link(view.selection, address=st.context.url or "", others=others)
            st.code(address, language=None)
            if uploads.own().is_shown:
                st.caption("Others lack what you added: they see this with your files and")
                st.code(reproducing_command(view.selection.mine), language=None)
    if view.opening is not None:
        loading_progress.show_progress(view.opening)
        st.stop()
    changed_files.tell_change()
    _show_readings(view)
    if view.archive is None:
        st.stop()
    if not view.archive.sources:
        how = "Start with a delve directory or a table of scores:"
        empty_state("There is no archive here.", how, "delve dashboard PATH")
        st.stop()
    return view


def _show_readings(view: View) -> None:
    """Show how the scores were read, or what has to be said before they can be."""
    if view.question is not None:
        readings.show_question(view.question, score_answers.answer, key="question")
    elif view.archive is None:
        st.error("The archive cannot be read.")
        st.text(view.error)
    else:
        is_own = uploads.own().is_shown or not opened.score_files().paths
        readings.show_readings(view.archive.readings, change=None if is_own else score_answers.answer)
    if score_answers.answered() is not None:
        st.button("Forget my answers", icon=":material/undo:", key="forget", on_click=score_answers.forget)


def answer(text: str, view: View, *, mine: str = "", notices: Sequence[str] = ()) -> None:
    """Write the first line of a page, which answers its question. Above it: what was asked for but is not
    there, so that nothing is taken for it.

    text: Markdown; names from files must have gone through `words.escape`; mine: what the page says of the
    visitor's own method, empty where it says nothing; notices: those of the page."""
    own = mine or (line_of_mine(view.state) if view.archive else "")
    for notice in (*view.notices, *notices):
        st.info(notice, icon=":material/info:")
    st.markdown(f"{text} {own}".rstrip())
    if view.archive is not None and view.archive.notice:
        st.warning(words.escape(view.archive.notice))


def explain(*terms: str) -> None:
    """Offer the meaning of terms of the glossary that appear nearby. Raises KeyError for an unknown one."""
    with st.popover("Glossary", icon=":material/help:", help="What the words mean"):
        st.markdown("\n".join(f"- **{term}**: {help_for(term)}" for term in sorted(terms)))


def empty_state(what: str, how: str, command: str | None = None) -> None:
    """Say what would be here and how to get it."""
    with st.container(border=True):
        st.markdown(f"**{what}** {how}")
        if command:
            st.code(command, language=None)


def contributors(view: View, part: str, name: str) -> None:
    """Say who contributed a dataset (part `data`) or a method (`methods`), where its documentation does."""
    texts = contributor_texts(opened.archive_of(view.state).hierarchy, part, name)
    if texts:
        st.caption(f"Contributed by {'; '.join(map(words.escape, texts))}.")


def figure_block(
    figure: go.Figure,
    table: pd.DataFrame | pa.Table,
    *,
    name: str,
    alt: str,
    key: str | None = None,
    command: str | None = None,
    selectable: bool = False,
    places: Mapping[str, str] = NOTHING,
    opens: str = "task",
    note: str = "",
    column_config: dict[str, Any] | None = None,
    latex: Callable[[], str] | None = None,
) -> list[dict[str, Any]]:
    """Show a figure with its numbers, its downloads and the command that reproduces it.

    name: of the files, unique on the page; alt: what the figure says, for those who do not see it; key: of
    the widgets, for a figure whose name changes with what it shows: its numbers, once open, stay open; latex:
    makes the numbers as a table for a paper; places: what a click can open, {first of the point's customdata:
    words}, for those who have no mouse; opens: what those are; note: stands below the picture. Returns the
    points clicked, or one like them for the place chosen, if selectable."""
    mode: dict[str, Any] = {"on_select": "rerun", "selection_mode": "points"} if selectable else {}
    key = key or name
    if figure.layout.width:
        # Streamlit would else draw it as wide as the page.
        mode["width"] = "content"
    clicked = st.session_state.pop(f"opened-{key}", None)
    _frame_of(figure, key)
    figure = downloads.with_toolbar(with_mine(figure, st.session_state[FRAME].state))
    event = st.plotly_chart(figure, key=f"figure-{key}", alt=alt, config=downloads.toolbar(name), **mode)
    if note:
        st.caption(note)
    _below_figure(
        _Files(figure=figure, table=table, name=name, key=key, alt=alt, command=command, latex=latex),
        column_config,
        places,
        opens,
    )
    if clicked is not None:
        return [{"customdata": [clicked]}]
    return event["selection"]["points"] if selectable and event else []


def _frame_of(figure: go.Figure, key: str) -> None:
    """Let a figure that needs more room than there is move sideways in its place."""
    if least := theme.least_width(figure):
        # As Streamlit makes a class of a key: nothing else of a name comes into the style sheet.
        place = f".st-key-figure-{re.sub('[^a-zA-Z0-9_-]', '-', key)}"
        st.html(f"<style>{place} {{overflow-x: auto}} {place} > * {{min-width: {least}px}}</style>")


class _Files(NamedTuple):
    """What is offered below a figure: see `figure_block`."""

    figure: go.Figure
    table: pd.DataFrame | pa.Table
    name: str
    key: str
    alt: str
    command: str | None
    latex: Callable[[], str] | None


@st.fragment
def _below_figure(
    files: _Files, column_config: dict[str, Any] | None, places: Mapping[str, str], opens: str
) -> None:
    """Offer numbers and files; made when they are opened, for no redraw should wait for what nobody sees."""
    with changed_files.told(), st.container(horizontal=True, key=f"below-{files.key}"):
        if places:
            open_control(files.key, places, opens)
        _offer(files, column_config)


def _offer(files: _Files, column_config: dict[str, Any] | None) -> None:
    key = files.key
    numbers = st.expander(
        "Show the numbers", icon=":material/table:", key=f"numbers-{key}", on_change="rerun"
    )
    if numbers.open:
        numbers.dataframe(
            with_mine_bold(downloads.as_frame(files.table)),
            hide_index=True,
            column_config=column_config,
            placeholder=words.NO_VALUE,
            alt=f"Numbers: {files.alt}",
        )
    menu = st.popover("Download", icon=":material/download:", key=f"download-{key}", on_change="rerun")
    if menu.open:
        with menu:
            _show_downloads(files)


def _show_downloads(files: _Files) -> None:
    with st.container(horizontal=True):
        csv_button(files.table, files.name)
        if files.latex:
            _latex_button(files.latex, files.name, files.command)
    if pictures.can_draw():
        downloads.show_pictures(files.figure, files.name, about_export(files.name, files.command))
    else:
        st.caption(
            "SVG: the camera above the figure. PDF and PNG are drawn by a Chromium or "
            "Chrome on the machine that serves this page; there is none yet."
        )
    if files.command:
        st.caption("The same numbers on the command line:")
        st.code(files.command, language=None)


def table_block(
    table: pd.DataFrame | pa.Table,
    *,
    name: str,
    alt: str,
    latex: Callable[[], str] | None = None,
    file: pd.DataFrame | None = None,
    **details: Any,
) -> Any:
    """Show a table with its files below it; details: arguments of st.dataframe. Returns its event.

    file: all of the table, where a part of it is shown;
    latex: makes the table for a paper, where there is one, when it is asked for."""
    event = st.dataframe(
        with_mine_bold(downloads.as_frame(table)),
        hide_index=True,
        alt=alt,
        key=f"table-{name}",
        placeholder=words.NO_VALUE,
        **details,
    )
    with st.container(horizontal=True):
        csv_button(table if file is None else file, name)
        if latex:
            _latex_button(latex, name, None)
    return event


def pick_row(table: pd.DataFrame, *, name: str, alt: str, **details: Any) -> int | None:
    """Show a table whose rows open something; return the position of the row clicked, or None."""
    event = st.dataframe(
        with_mine_bold(table),
        hide_index=True,
        alt=alt,
        key=f"table-{name}",
        placeholder=words.NO_VALUE,
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        **details,
    )["selection"]
    rows = [*event["rows"], *(cell[0] for cell in event["cells"])]
    return rows[0] if rows else None


def csv_button(table: pd.DataFrame | pa.Table, name: str) -> None:
    """Offer a table as the file `name.csv`, which begins with how its scores were read."""
    view: View = st.session_state[FRAME]
    known = view.archive.readings if view.archive else ()
    file_button("CSV", lambda: with_readings(downloads.csv_text(table), known, "csv"), name)


def file_button(kind: str, make: Callable[[], str], name: str, *, key: str | None = None) -> None:
    """Offer a text as a file, made when it is asked for. kind: one of FILE_KINDS; key: of the widget."""
    ending, mime = FILE_KINDS[kind]
    st.download_button(
        kind,
        data=make,
        file_name=f"{name}.{ending}",
        mime=mime,
        icon=":material/download:",
        on_click="ignore",
        key=key or f"{kind.lower()}-{name}",
    )


def about_export(name: str, command: str | None) -> list[str]:
    """Return the lines of provenance of a picture or a table."""
    view = st.session_state.get(FRAME)
    paths = view.archive.sources if view and view.archive else ()
    names = ", ".join(os.path.basename(path) for path in paths) or "none"
    state = f", state {view.state[:SHOWN_DIGITS]}" if view and view.state else ""
    read = read_back_lines(view.archive.readings) if view and view.archive else ()
    lines = [*read, f"{PROGRAM} {__version__}: {name}", f"Archive: {names}{state}"]
    return [*lines, f"The same numbers: {command}"] if command else lines


def _latex_button(latex: Callable[[], str], name: str, command: str | None) -> None:
    about = latex_comment(about_export(name, command))
    file_button("LaTeX", lambda: about + latex(), name)
