"""Tables: a table for a paper, with a preview, files in all formats, and the command."""

import io
import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial

import pyarrow.parquet as pq
import streamlit as st

from dashboard.tables import data
from dashboard.tables.controls import show_controls
from dashboard.ui import blocks, page, selection
from dashboard.ui.controls import MOST_ROWS, part_control
from dashboard.ui.page import View
from delvecore.render.grid import BEST, EQUAL, UNTESTED, WORSE
from delvecore.render.markup import html_grid
from delvecore.render.numbers import integer, rank_text
from delvecore.render.spans import as_name
from delvecore.report import words
from delvecore.report.paper.table import (
    PAPER_FORMATS,
    PaperCell,
    PaperRequest,
    PaperTable,
    grid_of,
    paper_table_bytes,
)

MOST_NAMED = 3
"""Largest number of other methods that are named with their rows."""


def heading(table: PaperTable) -> str:
    """Return the heading of the table: the best average rank, or the size of the table."""
    first = _best_ranked(_upright(table))
    if not first:
        return f"{_size(table)[:1].upper()}{_size(table)[1:]}"
    verb = "has" if len(first) == 1 else "share"
    return f"{_names(first)} {verb} the best average rank of {words.count(table.methods, 'method')}"


def basis(table: PaperTable) -> str:
    """Return the basis of the heading, and the verdicts on the other methods by ranks and by rows."""
    upright = _upright(table)
    tasks, first = _tasks(upright), _best_ranked(upright)
    if not first:
        return f"{as_name(table.quantity)}."
    ranks = _ranks(upright)
    value = rank_text(ranks[first[0]].value)
    about = f"Average rank {value} over {words.count(tasks, 'task')}"
    if table.ranked_tasks < tasks:
        about += f", based on the {table.ranked_tasks} with results of all methods"
    others = {name: cell.standing for name, cell in ranks.items() if name not in first}
    judged = _rank_words(others, is_part=len(ranks) < table.methods)
    return f"{about}.{judged}{_row_words(upright, others)}"


def _upright(table: PaperTable) -> PaperTable:
    """Return the table with methods in columns."""
    return table.transposed if table.rows[0].kind == "method" else table


def _size(table: PaperTable) -> str:
    return f"{words.count(table.methods, 'method')} on {words.count(_tasks(_upright(table)), 'task')}"


def _tasks(table: PaperTable) -> int:
    return len({path for head in table.rows if head.kind != "rank" for path in head.tasks})


def _ranks(table: PaperTable) -> dict[str, PaperCell]:
    """Return the average rank of each method that has one."""
    names = [head.labels[0] for head in table.columns]
    return {
        name: cell
        for head, cells in zip(table.rows, table.cells, strict=True)
        for name, cell in zip(names, cells, strict=True)
        if head.kind == "rank" and cell.value is not None
    }


def _best_ranked(table: PaperTable) -> list[str]:
    return [name for name, cell in _ranks(table).items() if cell.standing == BEST]


def _rank_words(others: Mapping[str, str], *, is_part: bool) -> str:
    """Return how the average ranks of the other methods compare with the best. others: {name: standing}."""
    standings = set(others.values())
    if standings == {UNTESTED}:
        return " Differences of average ranks are not tested."
    if standings == {EQUAL}:
        return f" By average rank no other{' of those shown' * is_part} is {WORSE}."
    if standings == {WORSE}:
        return f" By average rank all others{' shown' * is_part} are {WORSE}."
    groups = {one: [name for name in others if others[name] == one] for one in (EQUAL, UNTESTED)}
    parts = [
        f"{_names(names)} {'is' if len(names) == 1 else 'are'} {standing}"
        for standing, names in groups.items()
        if names
    ]
    return f" By average rank {words.and_list(parts)}." if parts else ""


def _row_words(table: PaperTable, names: Collection[str]) -> str:
    """Return in how many rows methods are significantly worse than the best; empty without tested rows.

    table: with methods in columns; names: of the methods."""
    rows = [row for head, row in zip(table.rows, table.cells, strict=True) if head.kind != "rank"]
    counts: dict[str, tuple[int, int]] = {}
    for number, head in enumerate(table.columns):
        standings = [row[number].standing for row in rows]
        tested = sum(standing in (BEST, EQUAL, WORSE) for standing in standings)
        if head.kind == "method" and head.labels[0] in names and tested:
            counts[head.labels[0]] = standings.count(WORSE), tested
    if not any(cell.standing in (EQUAL, WORSE) for row in rows for cell in row) or not counts:
        return ""
    if len(counts) > MOST_NAMED:
        numbers = sorted({worse for worse, _ in counts.values()})
        many = " to ".join(integer(number) for number in dict.fromkeys((numbers[0], numbers[-1])))
        of = words.count(len(rows), "row")
        return f" Each of the others is {WORSE} than the best in {many} of {of}."
    (name, (worse, tested)), *rest = counts.items()
    others = [f", {as_name(other)} in {count} of {of}" for other, (count, of) in rest]
    in_rows = f"in {worse} of {words.count(tested, 'row')}"
    return f" {as_name(name)} is {WORSE} than the best {in_rows}{''.join(others)}."


def _names(names: Sequence[str]) -> str:
    return words.and_list([as_name(name) for name in names])


def show_choices(view: View) -> None:
    notices: list[str] = []
    paper = show_controls(view, notices)
    nothing = "There is no such table"
    if paper is None:
        page.answer(nothing, view, notices=notices)
        how = "Choose tasks in the list."
        page.empty_state("This archive has no results for the places in the address.", how)
        st.button("All tasks", key="all-tasks", on_click=selection.choose_local, args=("tasks", ()))
        return
    if not paper.methods:
        page.answer(nothing, view, notices=notices)
        page.no_methods(view.selection)
        return
    paper = data.with_known_units(view.archive, paper)
    table = data.table_of(view.archive, paper)
    if isinstance(table, str):
        page.answer(nothing, view, notices=notices)
        page.empty_state("No results match these choices.", words.escape(table[:1].upper() + table[1:]) + ".")
        return
    page.answer(heading(table), view, basis=basis(table), notices=notices)
    shown = ask_part(table)
    show_table(shown)
    show_files(paper, table, shown)


def show_page(prepared: View) -> None:
    view = page.begin(prepared, "tables", tests=True)
    if data.places(view.archive):
        show_choices(view)
    else:
        page.no_results(view, "No results to make a table of yet", "A table needs methods with results.")


LANGUAGES = {"latex": "latex", "latex-siunitx": "latex", "markdown": "markdown", "html": "html"}
HEIGHT = 340
MOST_CHARACTERS = 200_000
"""Largest number of characters of a file that are shown; the download is complete."""
PREFERRED = ("latex", "latex-siunitx", "markdown", "html", "typst", "csv", "parquet", "text")


def ask_part(table: PaperTable) -> PaperTable:
    """Let the visitor choose which rows and columns of a large table to show. Its files have all."""
    if max(len(table.rows), len(table.columns)) <= 2 * MOST_ROWS:
        return table
    with st.container(horizontal=True):
        rows = part_control(len(table.rows), "Rows shown", "part")
        columns = part_control(len(table.columns), "Columns shown", "columns")
    return table.part(rows, columns)


def show_table(table: PaperTable) -> None:
    with st.container(key="paper-table", border=True):
        # All texts from files are escaped in the grid. Screen readers should not find headings without words.
        shown = html_grid(grid_of(table))
        st.html(re.sub(r'<th scope="row"([^>]*)></th>', r"<td\1></td>", shown))


def show_files(paper: PaperRequest, table: PaperTable, shown: PaperTable) -> None:
    """Show the file in the chosen format, only the visible part of a large table, and the command."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="table-files"):
        titles = {name: PAPER_FORMATS[name].title for name in PREFERRED}
        form = selection.one_of("Format", "format", list(PREFERRED), format_func=titles.__getitem__)
        file_format = PAPER_FORMATS[form]
        name = f"table-{words.short_line(paper.loss or 'scores')}.{file_format.suffix}"
        make = partial(paper_table_bytes, table, form)
        blocks.download(f"Download {file_format.title}", make, name, key=f"table-{form}", type="primary")
    content = make() if shown is table else paper_table_bytes(shown, form)
    if form == "parquet":
        cells = pq.read_table(io.BytesIO(content)).to_pandas()
        st.dataframe(cells, hide_index=True, key="table-cells", height=HEIGHT, alt="The cells of the table")
    else:
        text = content.decode(errors="replace")
        with st.container(key="table-preview"):
            st.code(text[:MOST_CHARACTERS], language=LANGUAGES.get(form), height=HEIGHT)
        if len(text) > MOST_CHARACTERS:
            st.caption(
                f"The first {integer(MOST_CHARACTERS)} of {integer(len(text))} characters; the download "
                "has all."
            )
    if shown is not table:
        st.caption("This is the file of the visible part; the download has all.")
    _show_provenance(table, form)


def _show_provenance(table: PaperTable, form: str) -> None:
    about = table.provenance
    if about is None:
        return
    st.caption("This command prints exactly the same file:")
    st.code(about.command(*(() if form == "text" else ("--format", form))), language=None, wrap_lines=True)
    state = f"state `{about.state[:16]}`" if about.state else ""
    st.caption(
        f"Each file contains its provenance: archive {words.escape(about.archive)}, {state}, "
        f"numbers SHA-256 `{about.digest[:16]}`, version {about.version}, the command, and all options. "
        "`delve verify` recomputes the file and prints what changed."
    )
