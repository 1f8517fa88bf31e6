"""A paper's table in every format, as the bytes of a file: what the command prints and the page offers."""

from dataclasses import dataclass

from delvecore.report.paper.data import csv_paper_table, parquet_paper_table
from delvecore.report.paper.html import html_paper_table
from delvecore.report.paper.latex import latex_paper_table, siunitx_paper_table
from delvecore.report.paper.table import PaperTable
from delvecore.report.paper.text import markdown_paper_table, plain_paper_table
from delvecore.report.paper.typst import typst_paper_table

__all__ = ["PAPER_FORMATS", "PaperFormat", "paper_table_bytes"]


@dataclass(frozen=True)
class PaperFormat:
    """title: in words; suffix, mime: of the file; write: table and lines of provenance -> text or bytes."""

    title: str
    suffix: str
    mime: str
    write: object


PAPER_FORMATS = {
    "text": PaperFormat("Text", "txt", "text/plain", plain_paper_table),
    "latex": PaperFormat("LaTeX", "tex", "application/x-tex", latex_paper_table),
    "latex-siunitx": PaperFormat("LaTeX, siunitx", "tex", "application/x-tex", siunitx_paper_table),
    "markdown": PaperFormat("Markdown", "md", "text/markdown", markdown_paper_table),
    "html": PaperFormat("HTML", "html", "text/html", html_paper_table),
    "typst": PaperFormat("Typst", "typ", "text/plain", typst_paper_table),
    "csv": PaperFormat("CSV", "csv", "text/csv", csv_paper_table),
    "parquet": PaperFormat("Parquet", "parquet", "application/vnd.apache.parquet", parquet_paper_table),
}


def paper_table_bytes(table: PaperTable, form: str, *, bare: bool = False) -> bytes:
    """Return the table in one of PAPER_FORMATS, text in UTF-8.

    bare: leave out the provenance. Raises KeyError for another format.
    """
    more = () if form == "text" else ("--format", form)
    lines = () if bare or table.provenance is None else table.provenance.lines(*more)
    found = PAPER_FORMATS[form].write(table, lines)
    return found if isinstance(found, bytes) else found.encode("utf-8", "surrogateescape")
