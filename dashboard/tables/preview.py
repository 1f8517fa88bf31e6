"""The table of a paper as it will look, as a file in every format, and what makes it again."""

import io

import pyarrow.parquet as pq
import streamlit as st

from dashboard.frame import selection, words
from dashboard.tables import data
from dashboard.tables.choice import Request
from delvecore.report.paper.formats import PAPER_FORMATS
from delvecore.report.paper.table import PaperTable, grid_of
from delvecore.report.writers.html import html_grid

__all__ = ["show_files", "show_table"]

LANGUAGES = {"latex": "latex", "latex-siunitx": "latex", "markdown": "markdown", "html": "html"}
HEIGHT = 340
PREFERRED = ("latex", "latex-siunitx", "markdown", "html", "typst", "csv", "parquet", "text")


def show_table(table: PaperTable) -> None:
    """Show the table with its caption and notes."""
    # All texts from files are escaped in it.
    with st.container(key="paper-table", border=True):
        st.html(html_grid(grid_of(table)))


def show_files(request: Request, table: PaperTable) -> None:
    """Show the file in the format chosen, to be copied or downloaded, and the command that writes it."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="table-files"):
        form = selection.local(
            st.segmented_control,
            "Format",
            "format",
            list(PREFERRED),
            required=True,
            format_func=lambda name: PAPER_FORMATS[name].title,
        )
        found = PAPER_FORMATS[form]
        st.download_button(
            f"Download {found.title}",
            data=lambda: data.file_bytes(request, form),
            file_name=f"table-{words.plain(request.paper.loss or 'scores')}.{found.suffix}",
            mime=found.mime,
            icon=":material/download:",
            on_click="ignore",
            type="primary",
            key=f"table-{form}",
        )
    content = data.file_bytes(request, form)
    if form == "parquet":
        cells = pq.read_table(io.BytesIO(content)).to_pandas()
        st.dataframe(cells, hide_index=True, key="table-cells", height=HEIGHT, alt="The cells of the table")
    else:
        st.code(content.decode(), language=LANGUAGES.get(form), height=HEIGHT)
    _show_provenance(table, form)


def _show_provenance(table: PaperTable, form: str) -> None:
    about = table.provenance
    if about is None:
        return
    st.caption("The same bytes on the command line:")
    st.code(about.command(*(() if form == "text" else ("--format", form))), language=None, wrap_lines=True)
    state = f"state `{about.state[:16]}`" if about.state else ""
    st.caption(
        f"Every file carries where it comes from: archive {words.escape(about.archive)}, {state}, numbers "
        f"SHA-256 `{about.digest[:16]}`, version {about.version}, the command, and all options."
    )
