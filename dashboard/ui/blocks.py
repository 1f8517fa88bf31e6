"""Blocks of a page: figures, tables and answers with their numbers, files and commands.

The visitor's browser makes SVG and PNG (`dashboard/static/page.js`); the server's browser makes PDF."""

import functools
import json
import mimetypes
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from math import isfinite
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st
from plotly.basedatatypes import BaseFigure

from dashboard.server.cache import cached
from dashboard.ui import archive_status, figure_numbers, page, selection
from dashboard.ui.controls import open_control
from dashboard.ui.figure_numbers import as_frame, csv_text
from dashboard.ui.page import FRAME, View
from delvecore.answers.answer import Answer, Column, Table, plain_columns, table_of
from delvecore.archive import Archive
from delvecore.archive.score_tables import content_state
from delvecore.plots import theme
from delvecore.plots.critical_difference import Diagram, critical_difference_figure
from delvecore.plots.draw import draw
from delvecore.plots.figure import Figure
from delvecore.plots.highlighted_method import emphasized
from delvecore.plots.pictures import INSTALL, can_draw, picture, png_chunk, with_provenance
from delvecore.render.answers import answer_text
from delvecore.render.document import read_back_lines, with_readings
from delvecore.render.numbers import coordinate, rank_text
from delvecore.render.provenance import digest_of, latex_comment, provenance_lines
from delvecore.render.spans import markdown, plain
from delvecore.render.verdicts import SIGNIFICANTLY
from delvecore.report import words

ENDINGS = {"CSV": "csv", "JSON": "json", "LaTeX": "tex"}
"""Endings of text files, by the label of their button."""
BUNDLE = "Methods paragraph, caption, figures (PDF, SVG, PNG), tables, values, command and BibTeX"
NOTHING: Mapping[str, str] = {}
PICKING: dict[str, Any] = {"on_select": "rerun", "selection_mode": ["single-row", "single-cell"]}
"""Options of a table whose rows open with a click."""
MOST_CELLS = 50_000
"""Largest number of cells of a table with bold cells; styling larger ones takes too long."""
MOST_EMPHASIZED = 50
"""Largest number of cached figures with a visitor's own method."""
BOLD = "font-weight: 600"
MOST_SPOKEN = 12
FORMATS = {"count": "localized", "share": "percent"}
"""Formats of numbers of an answer, by the kind of their column."""


DOT = ("name", "value", "text", "color")
"""Columns of a list. value: position of the dot on a line; text: follows it; color: color of the dot."""


def dot_list(about: str, lines: Iterable[Sequence[Any]]) -> Answer:
    """Return the list that a narrow window shows instead of a figure.

    about: a sentence above it; lines: see DOT."""
    return Answer("list", about, table_of(lines, plain_columns("name", *DOT)))


def spoken(listed: Answer) -> str:
    """Return the sentence and the first lines of a list as alternative text."""
    lines = listed.table.select("name", "text").rows[:MOST_SPOKEN]
    text = "; ".join(f"{name} {text}" for name, text in lines)
    return f"{listed.headline} {text or 'None known'}."


def show_dot_list(listed: Answer, place: str) -> None:
    """Show the list in narrow windows, instead of the element with the CSS class `place`."""
    dots = [line for line in listed.table.rows if isfinite(line[1])]
    known = [value for _, value, *_ in dots]
    low, span = min(known, default=0.0), (max(known, default=0.0) - min(known, default=0.0)) or 1.0
    lines = [
        f"<li><span>{escape(name)}</span><i><b style='left:{coordinate(100 * (value - low) / span)}%;"
        f"background:{color}'></b></i><span>{escape(text)}</span></li>"
        for name, value, text, color in dots
    ]
    hide = f"<style>@media (max-width: 640px) {{.{place} {{display: none}}}}</style>"
    st.html(f"{hide}<div class='dot-list'><p>{escape(listed.headline)}</p><ol>{''.join(lines)}</ol></div>")


class _Checked(BaseFigure):  # type: ignore[misc]
    """A figure that needs no validation, since tests have checked it. Streamlit validates other figures at
    each run."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure

    def to_dict(self) -> dict[str, Any]:
        return {"data": self._figure.data, "layout": self._figure.layout}


def figure_block(
    figure: Figure,
    table: pd.DataFrame | pa.Table,
    *,
    name: str,
    alt: str,
    key: str | None = None,
    command: str | Callable[[], str] | None = None,
    places: Mapping[str, str] = NOTHING,
    opens: str = "task of the figure",
    marks: str = "",
    note: str = "",
    help: str | None = None,
    column_config: dict[str, Any] | None = None,
    latex: Callable[[], str] | None = None,
    redraw: Callable[[float], Figure] | None = None,
    listed: Answer | None = None,
    html: str = "",
) -> str | None:
    """Show a figure with its numbers, its downloads and the command that reproduces it.

    Return the place that was clicked or chosen.

    name: of the files, unique on the page; alt: alternative text; key: of the widgets, if the name changes
    with the content, so that open numbers stay open; command: the command, or a function that makes it
    when the downloads are opened; latex: makes the numbers as a table for a paper; places: what a click can
    open, {first of the point's customdata: words}, for keyboard users; opens: kind of these places; marks:
    legend of the marks; note: text below the picture, with its help; redraw: draws the figure at a width in
    inches, for a paper; listed: list for narrow windows; html: shown instead of the figure, which can then
    only be downloaded."""
    mode: dict[str, Any] = {"on_select": "rerun", "selection_mode": "points"} if places else {}
    widget = key or name
    if "width" in figure.layout:
        # Otherwise Streamlit would draw it as wide as the page.
        mode["width"] = "content"
    clicked = st.session_state.pop(f"opened-{widget}", None)
    if (least := theme.least_width(figure)) and not html:
        # A figure that is wider than its place scrolls sideways there.
        place = f".{_class_of(widget)}"
        st.html(f"<style>{place} {{overflow-x: auto}} {place} > * {{min-width: {least}px}}</style>")
    figure_numbers.keep(widget, table)
    if own := selection.mine():
        figure = _emphasized(figure, own)
    if html:
        st.html(html)
        event = None
    else:
        event = st.plotly_chart(_Checked(figure), key=f"figure-{widget}", alt=alt, config=TOOLBAR, **mode)
    if listed:
        show_dot_list(listed, _class_of(widget))
    if marks:
        show_marks(markdown(marks), widget)
    if note:
        st.caption(markdown(note), help=help)

    @st.fragment
    def below() -> None:
        """Offer numbers and files. They are made only when they are opened, so that a redraw is fast."""
        with archive_status.told(), st.container(horizontal=True, key=f"below-{widget}"):
            if places:
                open_control(widget, places, opens)
            numbers = st.expander(
                "Show the numbers", icon=":material/table:", key=f"numbers-{widget}", on_change="rerun"
            )
            if numbers.open:
                with numbers:
                    _show_numbers(table, widget, alt, places, column_config)
            menu = st.popover(
                "Download", icon=":material/download:", key=f"download-{widget}", on_change="rerun"
            )
            if menu.open:
                line = command() if callable(command) else command
                with menu:
                    with st.container(horizontal=True):
                        csv_button(table, name)
                        if latex:
                            _latex_button(latex, name, line)
                    place = "" if html else _class_of(widget)
                    about = picture_lines(name, line, table, key=widget)
                    show_pictures(figure, name, place, about, redraw=redraw)
                    if line:
                        page.show_commands(line)

    below()
    points = event["selection"]["points"] if places and event else []
    custom = (point.get("customdata") for point in points)
    opened_by = (one if isinstance(one, str) else one[0] for one in custom if one)
    return clicked or next(filter(None, opened_by), None)


def show_marks(text: str, key: str) -> None:
    """Write the legend of a figure's marks as a caption. It is hidden if a list replaces the figure."""
    with st.container(key=f"marks-{key}"):
        st.caption(text)


def _class_of(key: str) -> str:
    """Return the CSS class of a figure's element, which Streamlit derives from its key."""
    return f"st-key-figure-{re.sub('[^a-zA-Z0-9_-]', '-', key)}"


def _show_numbers(
    numbers: pd.DataFrame | pa.Table,
    key: str,
    alt: str,
    places: Mapping[str, str],
    column_config: dict[str, Any] | None,
) -> None:
    """Show the numbers. A click on a row that names a place opens it, like a click on the figure."""
    table = as_frame(numbers)
    # Some columns hold lists, which cannot be looked up in a mapping.
    named = next((name for name in table if len(table) and set(map(str, table[name])) <= places.keys()), None)
    times = st.session_state.setdefault(f"numbers-opened-{key}", 0)
    show = plain_table if named is None else pick_row
    row = show(table, name=f"numbers-{key}-{times}", alt=f"Numbers: {alt}", column_config=column_config)
    if named is not None and row is not None:
        # Each table has its own key: an earlier choice is not repeated.
        st.session_state[f"numbers-opened-{key}"] = times + 1
        st.session_state[f"opened-{key}"] = table[named].iloc[row]
        st.rerun()


def columns_in_words(table: Table) -> dict[str, Any]:
    """Return the titles and number formats of an answer's columns, for `st.dataframe`."""
    return {column.key: _column_in_words(column) for column in table.columns}


def _column_in_words(column: Column) -> Any:
    label = ": ".join(filter(None, (column.group, column.title))) or column.key.replace("_", " ")
    about: dict[str, Any] = {"label": label, "help": column.about or None}
    if column.kind in FORMATS:
        return st.column_config.NumberColumn(format=FORMATS[column.kind], **about)
    if column.kind == "number" and column.decimals is not None:
        return st.column_config.NumberColumn(format=f"%.{column.decimals}f", **about)
    return st.column_config.Column(**about)


_emphasized = functools.lru_cache(MOST_EMPHASIZED)(emphasized)


def show_sentence(answer: Answer | str) -> bool:
    """Write the sentence of an answer, or why there is none. Return whether there is an answer."""
    if isinstance(answer, str):
        page.empty_state("This question cannot be answered here.", words.escape(answer))
        return False
    st.markdown(markdown(answer.headline))
    return True


def show_answer(
    answer: Answer,
    figure: Figure | None,
    *,
    name: str,
    key: str | None = None,
    note: str = "",
    alt: str = "",
    label: str = "",
    **details: Any,
) -> None:
    """Show the figure of an answer (None for its table) with its notes, numbers and files.

    The first of several notes describes the figure. It is hidden if a list replaces the figure.

    name: of the files; key: of the widgets, by default the question; note: added to the answer's notes, in
    Markdown; alt: replaces the alternative text of the answer; label: of the table for a paper, which is
    offered only with a label; details: see `figure_block`."""
    lead, others = _split_notes(answer, details)
    notes = " ".join(map(markdown, others)) + note
    command, alt = answer.command or None, alt or plain(answer.alt or answer.headline)
    latex = (lambda: answer_text(answer, "latex", label=label)) if label else None
    titles = columns_in_words(answer.table)
    if figure is not None:
        about: dict[str, Any] = {"key": key or answer.question, "command": command, "marks": lead}
        about |= {"note": notes, "column_config": titles, **details}
        figure_block(figure, answer.table.frame(), name=name, alt=alt, latex=latex, **about)
        return
    table_block(answer.table.frame(), name=name, alt=alt, latex=latex, column_config=titles)
    if command:
        st.code(command, language=None)
    st.caption(markdown(notes))


def _split_notes(answer: Answer, details: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return (note on the figure if a list can replace it, otherwise empty; the other notes)."""
    if details.get("listed") and len(answer.notes) > 1:
        return answer.notes[0], answer.notes[1:]
    return "", answer.notes


@cached
def figure_of(
    make: Callable[..., Answer],
    styles: Callable[[Any], Mapping[str, theme.MethodStyle]],
    arguments: tuple[object, ...],
) -> Figure:
    """Return the figure of the answer make(*arguments), cached for all visitors.

    make, styles: module-level functions. `styles` returns the styles of methods for the first argument."""
    return draw(make(*arguments), styles(arguments[0]))


def show(
    make: Callable[..., Answer],
    *arguments: object,
    styles: Callable[[Any], Mapping[str, theme.MethodStyle]],
    name: str,
    title: str = "",
    titles: Mapping[str, str] = NOTHING,
    **details: Any,
) -> str | None:
    """Show a section: title, headline, notes, figure, numbers and files of the answer make(*arguments).

    make, styles: see `figure_of`; titles: headers of columns that differ from their keys; name, details and
    result: see `figure_block`."""
    answer = make(*arguments)
    if title:
        st.subheader(title, anchor=False)
    if answer.headline:
        st.markdown(markdown(answer.headline))
    lead, others = _split_notes(answer, details)
    if lead:
        show_marks(markdown(lead), details.get("key") or name)
    for note in others:
        st.caption(markdown(note))
    table, alt = answer.table.frame().rename(columns=titles), plain(answer.alt)
    details = {"column_config": columns_in_words(answer.table), **details}
    return figure_block(figure_of(make, styles, arguments), table, name=name, alt=alt, **details)


def show_diagram(
    drawn: Diagram,
    figure: Figure,
    *,
    name: str,
    key: str,
    caption: str,
    command: str | Callable[[], str] | None,
) -> None:
    """Show a diagram with its numbers and files. caption: precedes the diagram's own notes."""
    about, dots = f"Mean ranks. Methods that share a letter do not differ {SIGNIFICANTLY}.", []
    rows = zip(drawn.methods, drawn.ranks, drawn.styles, strict=True)
    for place, (method, rank, style) in enumerate(rows):
        letters = "".join(chr(ord("a") + n) for n, group in enumerate(drawn.groups[:26]) if place in group)
        dots.append((method, rank, f"{rank_text(rank)} {letters}", style.color))
    listed = dot_list(about, dots)

    def for_paper(inches: float) -> Figure:
        """Draw a figure at a width in inches, with text in 8-point type."""
        return critical_difference_figure(drawn, width=theme.pixels_of(inches), font=theme.PAPER_LETTERS)

    figure_block(
        figure,
        diagram_numbers(drawn),
        name=name,
        key=key,
        alt=f"Critical-difference diagram. {spoken(listed)}",
        command=command,
        note=f"{caption} {words.escape(drawn.note)}",
        redraw=for_paper,
        listed=listed,
    )


def diagram_numbers(drawn: Diagram) -> pd.DataFrame:
    """Return mean ranks with p-values. Add verdicts against a control, or the groups of each method."""
    columns = {"method": drawn.methods, "rank": drawn.ranks, "p": drawn.p, "mark": drawn.marks}
    table = pd.DataFrame(columns)
    if drawn.control is not None:
        return table
    groups = [
        ", ".join(str(number) for number, group in enumerate(drawn.groups, 1) if row in group)
        for row in range(len(table))
    ]
    return table.drop(columns="mark").assign(groups=groups)


def table_block(
    table: pd.DataFrame | pa.Table,
    *,
    name: str,
    alt: str,
    latex: Callable[[], str] | None = None,
    file: pd.DataFrame | None = None,
    **details: Any,
) -> Any:
    """Show a table with its files; return the event. file: the whole table, if only a part is shown."""
    event = plain_table(table, name=name, alt=alt, **details)
    with st.container(horizontal=True):
        csv_button(table if file is None else file, name)
        if latex:
            _latex_button(latex, name, None)
    return event


def plain_table(table: pd.DataFrame | pa.Table, *, name: str, alt: str, **details: Any) -> Any:
    """Show a table without files; details: arguments of st.dataframe. Returns its event."""
    return st.dataframe(
        with_mine_bold(as_frame(table)),
        hide_index=True,
        alt=alt,
        key=f"table-{name}",
        placeholder=words.NO_VALUE,
        **details,
    )


def pick_row(table: pd.DataFrame, *, name: str, alt: str, **details: Any) -> int | None:
    """Show a table whose rows can be opened; return the position of the clicked row, or None."""
    return row_of(plain_table(table, name=name, alt=alt, **PICKING, **details))


def row_of(event: Any) -> int | None:
    """Return the position of the row whose cell or selection box was clicked; None for none."""
    rows = [*event["selection"]["rows"], *(cell[0] for cell in event["selection"]["cells"])]
    return rows[0] if rows else None


def with_mine_bold(table: pd.DataFrame) -> Any:
    """Return a table with the visitor's own method in bold, in both rows and columns."""
    name = selection.mine()
    if name is None or table.size > MOST_CELLS:
        return table
    texts = table.select_dtypes(include=["object", "string"])
    own_rows = (texts == name).any(axis=1)
    if not own_rows.any() and name not in table.columns:
        return table

    def looks(column: "pd.Series[str]") -> list[str]:
        return [BOLD if own or column.name == name else "" for own in own_rows]

    return table.style.apply(looks, axis=0)


def csv_button(table: pd.DataFrame | pa.Table, name: str) -> None:
    """Offer a table as the file `name.csv`, which begins with a record of how its scores were read."""
    view: View = st.session_state[FRAME]
    known = view.archive.readings
    file_button("CSV", lambda: with_readings(csv_text(table), known, "csv"), name)


def file_button(kind: str, make: Callable[[], str], name: str, *, key: str | None = None) -> None:
    """Offer a text as a file, made at the download. kind: one of ENDINGS; key: of the widget."""
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
    """Offer a file that is made at the download. key: of the widget; details: of st.download_button."""
    kind, encoding = mimetypes.guess_type(file_name)
    mime = "application/gzip" if encoding else kind or "application/octet-stream"
    st.download_button(label, make, file_name, mime=mime, icon=icon, on_click="ignore", key=key, **details)


def bundle_button(make: Callable[[], bytes], name: str, *, key: str) -> None:
    """Offer one file with everything that a paper needs."""
    download("Paper bundle", make, f"{name}.zip", key=key, icon=":material/folder_zip:", help=BUNDLE)


def _latex_button(latex: Callable[[], str], name: str, command: str | None) -> None:
    about = latex_comment(about_export(name, command))
    file_button("LaTeX", lambda: about + latex(), name)


def shown_archive() -> Archive:
    """Return the archive of the page that runs."""
    view: View = st.session_state[FRAME]
    return view.archive


def about_export(
    name: str, command: str | None, *, numbers: str = "", archive: Archive | None = None
) -> list[str]:
    """Return the provenance of a picture or table as lines.

    numbers: CSV text, for the digest; archive: that of the page, for a download outside of the session."""
    archive = archive or shown_archive()
    names = ", ".join(os.path.basename(path) for path in archive.sources) or "none"
    about = {"state": content_state(archive), "digest": digest_of([(numbers,)]) if numbers else ""}
    lines = provenance_lines(command or name, names, **about)
    return [*read_back_lines(archive.readings), *lines]


def picture_lines(name: str, command: str | None, table: pd.DataFrame | pa.Table, *, key: str) -> list[str]:
    """Return the lines to store in a picture: its provenance, its view and its numbers. key: of the
    figure."""
    numbers, view = figure_numbers.numbers_text(table), st.session_state[FRAME]
    about = about_export(name, command, numbers=numbers)
    return [*about, *figure_numbers.view_lines(view.page, key, numbers)]


WIDTHS = {"as shown": None, "one column, 3.3 in": 3.3, "two columns, 7 in": 7.0}
"""Widths of pictures, in inches."""
LEAST_POINTS = 7
STORED = "picture-width"
TOOLBAR: dict[str, Any] = {"displaylogo": False, "displayModeBar": False}
"""Options that hide Plotly's own buttons, which cover labels."""


def show_pictures(
    figure: Figure,
    name: str,
    place: str,
    about: Sequence[str],
    *,
    redraw: Callable[[float], Figure] | None = None,
) -> None:
    """Offer the figure's pictures.

    place: CSS class of its element, empty if it is not shown; about: see `picture_lines`."""
    options = [
        title
        for title, inches in WIDTHS.items()
        if (place if inches is None else redraw or _has_room(figure, inches))
    ]
    stored = st.session_state.get(STORED)
    title = st.segmented_control(
        "Width of pictures",
        options,
        default=stored if stored in options else options[0],
        required=True,
        key=f"picture-width-{name}",
        help="For a paper: text is set in 8-point type at this width; include the picture unscaled",
    )
    st.session_state[STORED] = title
    inches = WIDTHS[title]
    own = None if inches is None else redraw(inches) if redraw else theme.for_paper(figure, inches)
    lines = [f"Drawn: {title}", *about]

    def pdf() -> bytes:
        return with_provenance(picture((own or figure).plotly(), "pdf"), "pdf", lines)

    with st.container(horizontal=True):
        st.html(_buttons(name, place, own, lines), width="content")
        if can_draw():
            kind: dict[str, Any] = {"mime": "application/pdf", "icon": ":material/image:"}
            st.download_button("PDF", pdf, f"{name}.pdf", key=f"pdf-{name}", on_click="ignore", **kind)
    if not can_draw():
        st.caption(
            f"To get a PDF, print the SVG to a file. Or, on the machine that serves this page, {INSTALL}."
        )


def _has_room(figure: Figure, inches: float) -> bool:
    """Does a figure fit this width with text of at least 7 points?"""
    return theme.least_width(figure) * LEAST_POINTS / theme.LETTERS * 4 / 3 <= inches * theme.PIXELS_OF_INCH


def _buttons(name: str, place: str, own: Figure | None, about: Sequence[str]) -> str:
    """Return buttons with all data that a browser needs for pictures. own: separate version for a paper."""
    facts = {
        "figure": place,
        "name": name,
        "about": "\n".join(about),
        "chunk": b64encode(png_chunk("\n".join(about))).decode(),
        "template": json.dumps(theme.TEMPLATE),
        "spec": own.plotly().to_json() if own else "",
    }
    attributes = " ".join(f'data-{key}="{escape(str(value))}"' for key, value in facts.items())
    kinds = "".join(
        f'<button type="button" data-picture="{kind.lower()}">{kind}</button>' for kind in ("SVG", "PNG")
    )
    return f'<div class="pictures" {attributes}>{kinds}</div>'
