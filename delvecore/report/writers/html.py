"""Tables as HTML, to be put into a page: everything that comes from files is escaped, the text is ASCII."""

from collections.abc import Collection, Sequence
from html import escape

from delvecore.report.provenance import comment

__all__ = ["html_comment", "html_table", "html_text"]

RULE = ' style="border-bottom: 1px solid; padding: 0.2em 0.8em"'
PLAIN = ' style="padding: 0.2em 0.8em; text-align: right; white-space: nowrap"'
FIRST = ' style="padding: 0.2em 0.8em; text-align: left"'


def html_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    caption: str,
    notes: Sequence[str] = (),
    bold: Collection[tuple[int, int]] = (),
) -> str:
    """Return a `table` element with caption, column and row headings, and its notes in the foot.

    rows: texts as they are to be seen, the first of each row its heading. bold: (row, column) of the cells to
    be set bold. Raises ValueError for a row whose length is not that of the header.
    """
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"expected {len(header)} cells, one a column, found {len(row)}")
    titles = "".join(f'<th scope="col"{RULE}>{html_text(title)}</th>' for title in header)
    lines = ['<table style="border-collapse: collapse">', f"<caption>{html_text(caption)}</caption>"]
    lines += [f"<thead><tr>{titles}</tr></thead>", "<tbody>"]
    lines += [_row(row, {column for i, column in bold if i == number}) for number, row in enumerate(rows)]
    lines.append("</tbody>")
    if notes:
        shown = "<br>\n".join(html_text(note) for note in notes)
        lines.append(f'<tfoot><tr><td colspan="{len(header)}"><small>{shown}</small></td></tr></tfoot>')
    return "\n".join([*lines, "</table>", ""])


def _row(row, bold):
    first, *others = (
        f"<strong>{html_text(cell)}</strong>" if j in bold else html_text(cell) for j, cell in enumerate(row)
    )
    cells = "".join(f"<td{PLAIN}>{cell}</td>" for cell in others)
    return f'<tr><th scope="row"{FIRST}>{first}</th>{cells}</tr>'


def html_comment(line: str) -> str:
    """Return a comment of one line. Nothing in it is decoded, so that its command can be copied; it must not
    end it, either."""
    return f"<!-- {comment(line).replace('-->', '-- >').replace('--!>', '--! >')} -->"


def html_text(text: object) -> str:
    """Return a text so that HTML shows exactly its characters, in ASCII, on one line."""
    line = "".join(c if c.isprintable() else " " for c in str(text))
    return escape(line).encode("ascii", "xmlcharrefreplace").decode()
