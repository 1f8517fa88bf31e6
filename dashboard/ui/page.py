"""The frame of every page: the question, the answer, notices, and figures with their numbers.

`app.py` hands a page what was prepared; the page starts with `view = page.begin(prepared, "The question?")`
and goes on with `page.answer("The answer.", view)`.
"""

import mimetypes
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
import pyarrow as pa
import streamlit as st

from dashboard.server import archive as opened
from dashboard.server import uploads
from dashboard.ui import archive_status, downloads, readings, selection
from dashboard.ui.commands import command_text, reproducing_command
from dashboard.ui.controls import open_control, setting_control
from dashboard.ui.dot_list import DotList, show_dot_list
from dashboard.ui.glossary import GLOSSARY, terms_with
from dashboard.ui.highlighted_method import line_of_mine, with_mine, with_mine_bold
from dashboard.ui.selection import Selection
from delvecore import __version__
from delvecore.archive import Archive
from delvecore.errors import DelveError
from delvecore.losses.published import PUBLISHED_SIGN, PublishedValue, origins_of
from delvecore.plots import theme
from delvecore.report import words
from delvecore.report.information import contributor_texts
from delvecore.report.provenance import PROGRAM, SHOWN_DIGITS, latex_comment
from delvecore.report.verdict_words import shared_case_notes
from delvecore.report.writers.document import read_back_lines, with_readings

FRAME, LISTED = "frame", "methods-listed"
"""What a session shows; whether it asked for a method without naming one."""
ENDINGS = {"CSV": "csv", "JSON": "json", "LaTeX": "tex"}
"""Of files of text, by what their button says."""
BUNDLE = "Methods paragraph, caption, figures (PDF, SVG, PNG), tables, values, command and BibTeX"
ADDRESS_HELP = "The address of exactly this view"
NOTHING: Mapping[str, str] = {}
PICKING: dict[str, Any] = {"on_select": "rerun", "selection_mode": ["single-row", "single-cell"]}
"""Of a table of which a click chooses a row."""


@dataclass(frozen=True)
class View:
    """What a page works with in one run: the archive, and what was chosen. choices: what may be chosen;
    notices: what was asked for but is not to be had."""

    archive: Archive
    selection: Selection
    choices: opened.Choices
    notices: tuple[str, ...]


class Prepared(NamedTuple):
    """What a session sees of the archive, or why it sees none, and what its address asks for."""

    shown: opened.Opened
    selection: Selection
    choices: opened.Choices
    notices: tuple[str, ...]


def prepare() -> Prepared:
    """Open the archive and read the address, once a run, before any page code. A session shows the archive as
    it was first, so that loading the address again shows what has changed."""
    shown = uploads.with_own(opened.with_answers(archive_status.served()))
    choices = opened.choices(shown.archive) if shown.archive else opened.Choices()
    chosen, notices = selection.current(choices)
    return Prepared(shown, chosen, choices, tuple(notices))


def begin(
    prepared: Prepared,
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
    archive, chosen = prepared.shown.archive, prepared.selection
    view = None if archive is None else View(archive, chosen, prepared.choices, prepared.notices)
    if view and (tests or by_loss):
        view = _with_metric(view, of_all=not shows_task)
    st.session_state[FRAME] = view
    if view and not view.archive.results.num_rows:
        tests = False
    _show_head(question, view.selection if view else chosen, tests=tests, adjusts=adjusts)
    if prepared.shown.opening is not None:
        archive_status.show_progress(prepared.shown.opening)
        st.stop()
    archive_status.tell_change()
    _show_own_alone()
    _show_readings(prepared.shown)
    if view is None:
        st.stop()
    if not view.archive.sources:
        how = "Start with a delve directory or a table of scores:"
        empty_state("There is no archive here.", how, "delve dashboard PATH")
        st.stop()
    return view


def _show_head(question: str, chosen: Selection, *, tests: bool, adjusts: bool) -> None:
    """Show the page's question, the setting of the tests, and the address of the view."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="page-head"):
        st.title(question, anchor=False)
        if tests:
            setting_control(selection.wanted_setting(chosen), chosen.unit, adjusts=adjusts)
        with st.popover("Copy link", icon=":material/link:", key="copy-link", help=ADDRESS_HELP):
            with st.container(key="copied"):
                st.text("Copied")
            others = {
                name: st.query_params.get_all(name)
                for name in st.query_params
                if name not in selection.FIELDS
            }
            address = selection.link(chosen, address=st.context.url or "", others=others)
            st.code(address, language=None)
            if uploads.own().is_shown:
                st.caption("Others lack what you added: they see this with your files and")
                st.code(reproducing_command(chosen.mine), language=None)


def _show_own_alone() -> None:
    """Say that a visitor's own table is shown in place of the archive, and offer the way back."""
    mine = uploads.own()
    if mine.table_alone:
        with st.container(horizontal=True, vertical_alignment="center", key="own-alone"):
            name = words.escape(mine.table_alone.name)
            st.info(f"All pages show your table **{name}** in place of the archive.", width=620)
            st.button("Back to the archive", key="back-to-archive", on_click=mine.show_alone, args=(None,))


def _with_metric(view: View, *, of_all: bool) -> View:
    """Return a view whose archive has the metric that is asked for, if one is, or says why it has none.
    of_all: say on which instances of all tasks it has no value."""
    loss = view.selection.loss
    if loss is None or loss in view.archive.index.losses:
        return view
    try:
        found = opened.with_metric(view.archive, loss)
    except DelveError as error:
        chosen = replace(view.selection, loss=None)
        return replace(view, selection=chosen, notices=(*view.notices, words.escape(str(error))))
    chosen = replace(view.selection, loss=found.loss)
    said = found.notes[:2] if of_all else ()
    notices = (*view.notices, *(words.escape(f"{note}.") for note in said))
    return replace(view, archive=found.archive, selection=chosen, notices=notices)


def _show_readings(shown: opened.Opened) -> None:
    """Show how the scores were read, or what has to be said before they can be."""
    if shown.question is not None:
        readings.show_question(shown.question, opened.answer, key="question")
    elif shown.archive is None:
        st.error("The archive cannot be read.")
        st.text(shown.error)
    else:
        is_own = uploads.own().is_shown or not opened.score_files().paths
        forget = None if opened.answered() is None else opened.forget_answers
        change = None if is_own else opened.answer
        readings.show_readings(shown.archive.readings, change=change, forget=forget)
        return
    if opened.answered() is not None:
        readings.show_forget(opened.forget_answers)


def answer(text: str, view: View, *, mine: str = "", notices: Sequence[str] = ()) -> None:
    """Write the first line of a page, which answers its question. Above it: what was asked for but is not
    there, so that nothing is taken for it.

    text: Markdown; names from files must have gone through `words.escape`; mine: what the page says of the
    visitor's own method, empty where it says nothing; notices: those of the page."""
    own = mine or line_of_mine(view.archive)
    show_notices((*view.notices, *notices))
    st.markdown(f"{text} {own}".rstrip())
    if view.archive.notice:
        st.warning(words.escape(view.archive.notice))


@st.fragment
def show_glossary() -> None:
    """Offer the meaning of every term; the list is made when it is opened."""
    menu = st.popover("Glossary", icon=":material/help:", key="all-terms", on_change="rerun")
    if menu.open:
        with menu:
            text = st.text_input("What does it mean?", key="term", placeholder="a word, such as prior")
            terms = terms_with(text)
            st.markdown("\n".join(f"- **{term}**: {GLOSSARY[term]}" for term in terms) or "No such term.")


def show_commands(*commands: str) -> None:
    """Name the commands that print the same, which can be copied."""
    programs = [re.match(r"(delve )?\S+", command) for command in commands]
    named = words.and_list([f"`{found.group()}`" for found in programs if found])
    st.caption(f"The same on the command line, by {named}:")
    st.code("; ".join(commands), language=None, wrap_lines=True)


def empty_state(what: str, how: str, command: str | None = None) -> None:
    """Say what would be here and how to get it."""
    with st.container(border=True):
        st.markdown(f"**{what}** {how}")
        if command:
            st.code(command, language=None)


def shared_cases(archive: Archive, tasks: Collection[str]) -> str:
    """Return ` /demo/age/std.21: training sets overlap ...` for the end of a caption; mostly nothing."""
    notes = shared_case_notes(archive.results, tasks)
    return "".join(f" {words.escape(note)}" for note in notes)


def published_note(found: Sequence[PublishedValue]) -> str:
    """Say what hollow marks are, and where their figures come from, for the end of a caption."""
    if not found:
        return ""
    said = words.escape("; ".join(origins_of(found)))
    return (
        f" Hollow marks, {PUBLISHED_SIGN}: published elsewhere, bars of one standard deviation over runs; "
        f"never tested. {said}."
    )


def contributors(view: View, part: str, name: str) -> None:
    """Say who contributed a dataset (part `data`) or a method (`methods`), where its documentation does."""
    texts = contributor_texts(view.archive.hierarchy, part, name)
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
    redraw: Callable[[float], go.Figure] | None = None,
    listed: DotList | None = None,
) -> str | None:
    """Show a figure with its numbers, its downloads and the command that reproduces it.

    name: of the files, unique on the page; alt: what the figure says, for those who do not see it; key: of
    the widgets, for a figure whose name changes with what it shows: its numbers, once open, stay open; latex:
    makes the numbers as a table for a paper; places: what a click can open, {first of the point's customdata:
    words}, for those who have no mouse; opens: what those are; note: stands below the picture; redraw: draws
    it so many inches wide, for a paper; listed: shown instead where the window is narrow. Returns
    what was clicked, or the place chosen, if selectable."""
    mode: dict[str, Any] = {"on_select": "rerun", "selection_mode": "points"} if selectable else {}
    key = key or name
    if figure.layout.width:
        # Streamlit would else draw it as wide as the page.
        mode["width"] = "content"
    clicked = st.session_state.pop(f"opened-{key}", None)
    _frame_of(figure, key)
    figure = with_mine(figure)
    event = st.plotly_chart(figure, key=f"figure-{key}", alt=alt, config=downloads.TOOLBAR, **mode)
    if listed:
        show_dot_list(listed, _class_of(key))
    if note:
        st.caption(note)
    shown = _Shown(figure, table, name, key, alt, command, latex, redraw, column_config, places)
    _below_figure(shown, opens)
    points = event["selection"]["points"] if selectable and event else []
    custom = (point.get("customdata") for point in points)
    opened_by = (one if isinstance(one, str) else one[0] for one in custom if one)
    return clicked or next(filter(None, opened_by), None)


def _frame_of(figure: go.Figure, key: str) -> None:
    """Let a figure that needs more room than there is move sideways in its place."""
    if least := theme.least_width(figure):
        place = f".{_class_of(key)}"
        st.html(f"<style>{place} {{overflow-x: auto}} {place} > * {{min-width: {least}px}}</style>")


def _class_of(key: str) -> str:
    """Return the class of a figure's element, which Streamlit makes of its key."""
    return f"st-key-figure-{re.sub('[^a-zA-Z0-9_-]', '-', key)}"


class _Shown(NamedTuple):
    """A figure, and what is offered below it: see `figure_block`."""

    figure: go.Figure
    table: pd.DataFrame | pa.Table
    name: str
    key: str
    alt: str
    command: str | None
    latex: Callable[[], str] | None
    redraw: Callable[[float], go.Figure] | None
    column_config: dict[str, Any] | None
    places: Mapping[str, str]


@st.fragment
def _below_figure(shown: _Shown, opens: str) -> None:
    """Offer numbers and files; made when they are opened, for no redraw should wait for what nobody sees."""
    key = shown.key
    with archive_status.told(), st.container(horizontal=True, key=f"below-{key}"):
        if shown.places:
            open_control(key, shown.places, opens)
        numbers = st.expander(
            "Show the numbers", icon=":material/table:", key=f"numbers-{key}", on_change="rerun"
        )
        if numbers.open:
            with numbers:
                _show_numbers(shown)
        menu = st.popover("Download", icon=":material/download:", key=f"download-{key}", on_change="rerun")
        if menu.open:
            with menu:
                _show_downloads(shown)


def _show_numbers(shown: _Shown) -> None:
    """Show the numbers; a click on a row opens what a click into the figure opens, where rows name it."""
    table = downloads.as_frame(shown.table)
    named = next((name for name in table if len(table) and set(table[name]) <= shown.places.keys()), None)
    times = st.session_state.setdefault(f"numbers-opened-{shown.key}", 0)
    show = plain_table if named is None else pick_row
    name, alt = f"numbers-{shown.key}-{times}", f"Numbers: {shown.alt}"
    row = show(table, name=name, alt=alt, column_config=shown.column_config)
    if named is not None and row is not None:
        # A table of its own each time: what was chosen before is not chosen again.
        st.session_state[f"numbers-opened-{shown.key}"] = times + 1
        st.session_state[f"opened-{shown.key}"] = table[named].iloc[row]
        st.rerun()


def _show_downloads(shown: _Shown) -> None:
    with st.container(horizontal=True):
        csv_button(shown.table, shown.name)
        if shown.latex:
            _latex_button(shown.latex, shown.name, shown.command)
    about = about_export(shown.name, shown.command)
    downloads.show_pictures(shown.figure, shown.name, _class_of(shown.key), about, redraw=shown.redraw)
    if shown.command:
        show_commands(shown.command)


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
    event = plain_table(table, name=name, alt=alt, **details)
    with st.container(horizontal=True):
        csv_button(table if file is None else file, name)
        if latex:
            _latex_button(latex, name, None)
    return event


def plain_table(table: pd.DataFrame | pa.Table, *, name: str, alt: str, **details: Any) -> Any:
    """Show a table without files; details: arguments of st.dataframe. Returns its event."""
    return st.dataframe(
        with_mine_bold(downloads.as_frame(table)),
        hide_index=True,
        alt=alt,
        key=f"table-{name}",
        placeholder=words.NO_VALUE,
        **details,
    )


def pick_row(table: pd.DataFrame, *, name: str, alt: str, **details: Any) -> int | None:
    """Show a table whose rows open something; return the position of the row clicked, or None."""
    return row_of(plain_table(table, name=name, alt=alt, **PICKING, **details))


def row_of(event: Any) -> int | None:
    """Return the position of the row of which a cell, or the box before it, was clicked; None for none."""
    rows = [*event["selection"]["rows"], *(cell[0] for cell in event["selection"]["cells"])]
    return rows[0] if rows else None


def csv_button(table: pd.DataFrame | pa.Table, name: str) -> None:
    """Offer a table as the file `name.csv`, which begins with how its scores were read."""
    view: View = st.session_state[FRAME]
    known = view.archive.readings
    file_button("CSV", lambda: with_readings(downloads.csv_text(table), known, "csv"), name)


def file_button(kind: str, make: Callable[[], str], name: str, *, key: str | None = None) -> None:
    """Offer a text as a file, made when it is asked for. kind: one of ENDINGS; key: of the widget."""
    download(kind, make, f"{name}.{ENDINGS[kind]}", key=key or f"{kind.lower()}-{name}")


def download(
    label: str,
    make: Callable[[], str | bytes],
    file_name: str,
    *,
    key: str,
    icon: str = ":material/download:",
    **details: Any,
) -> None:
    """Offer a file that is made when it is asked for. key: of the widget; details: of st.download_button."""
    kind, encoding = mimetypes.guess_type(file_name)
    mime = "application/gzip" if encoding else kind or "application/octet-stream"
    st.download_button(label, make, file_name, mime=mime, icon=icon, on_click="ignore", key=key, **details)


def bundle_button(make: Callable[[], bytes], name: str, *, key: str) -> None:
    """Offer all that a paper takes over in one file."""
    download("Paper bundle", make, f"{name}.zip", key=key, icon=":material/folder_zip:", help=BUNDLE)


def no_results(view: View, answer_text: str, what: str) -> None:
    """Say that there are no results yet, and how to get some."""
    answer(answer_text, view)
    command = command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK/TASK")
    empty_state(what, "Run two methods on a task:", command)


def show_notices(notices: Iterable[str]) -> None:
    """Say what was asked for but is not to be had."""
    for notice in notices:
        st.info(notice, icon=":material/info:")


def about_export(name: str, command: str | None) -> list[str]:
    """Return the lines of provenance of a picture or a table."""
    view: View | None = st.session_state.get(FRAME)
    if view is None:
        lines = [f"{PROGRAM} {__version__}: {name}", "Archive: none"]
    else:
        names = ", ".join(os.path.basename(path) for path in view.archive.sources) or "none"
        about = f"Archive: {names}, state {view.archive.state[:SHOWN_DIGITS]}"
        lines = [*read_back_lines(view.archive.readings), f"{PROGRAM} {__version__}: {name}", about]
    return [*lines, f"The same numbers: {command}"] if command else lines


def _latex_button(latex: Callable[[], str], name: str, command: str | None) -> None:
    about = latex_comment(about_export(name, command))
    file_button("LaTeX", lambda: about + latex(), name)
