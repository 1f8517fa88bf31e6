"""Documentation of a method as Markdown, and a checklist of what a publication should report."""

import re

import pandas as pd
import streamlit as st

from dashboard.server.cache import cached
from dashboard.ui import blocks, page
from dashboard.ui.commands import command_text
from delvecore.archive import Archive
from delvecore.checks.checklist import Point, checklist
from delvecore.report import words

LONGEST_HEADING = 60
LIST_SIGNS = ("- ", "* ", "• ")


def rendered(text: str) -> str:
    """Return Markdown of a plain text. Only the layout is markup: headings, lists, `code`."""
    parts = [part for part in re.split(r"\n[ \t]*\n", text.expandtabs().replace("\r", "")) if part.strip()]
    return "\n\n".join(_paragraph(part.strip("\n")) for part in parts)


def _paragraph(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    if all(line.startswith("  ") for line in lines):
        return "\n".join(f"    {line}" for line in lines)
    if len(lines) == 2 and set(lines[1].strip()) <= set("=-~"):
        return f"**{_inline(lines[0])}**"
    if len(lines) == 1 and _is_heading(lines[0]):
        return f"**{_inline(lines[0].strip().lstrip('#'))}**"
    return _flowing(lines)


def _is_heading(line: str) -> bool:
    is_short = len(line) <= LONGEST_HEADING and line.rstrip()[-1] not in ".:;,?!"
    return line.startswith("#") or (is_short and not line.lstrip().startswith(LIST_SIGNS))


def _flowing(lines: list[str]) -> str:
    """Join lines that only wrap a paragraph, or an item of a list."""
    items: list[str] = []
    for line in map(str.strip, lines):
        if not items or line.startswith(LIST_SIGNS):
            items.append(line)
        else:
            items[-1] += f" {line}"
    shown = [f"- {_inline(one[2:])}" if one.startswith(LIST_SIGNS) else _inline(one) for one in items]
    # After a paragraph, a list begins with an empty line.
    is_mixed = len(items) > 1 and not items[0].startswith(LIST_SIGNS)
    return "\n".join([shown[0], "", *shown[1:]] if is_mixed else shown)


def _inline(text: str) -> str:
    """Escape a text, except for code between single backquotes."""
    parts = re.split(r"(`[^`\n]+`|\s+)", text.strip())
    return "".join(part if part.startswith("`") or part.isspace() else words.escape(part) for part in parts)


ROW = 84
LOOKS = {
    "Number": st.column_config.NumberColumn("#", width=40),
    "Point": st.column_config.TextColumn(width=200),
    "Known": st.column_config.TextColumn(width=430, help="Content of files or the description"),
    "Missing": st.column_config.TextColumn(width=170, help="Facts still missing from both"),
    "Section": st.column_config.TextColumn(help="Section of the PROBEN1 report", width=70),
}


@cached
def points_of(archive: Archive, method: str) -> tuple[Point, ...]:
    return checklist(archive.hierarchy, method)


def show_checklist(archive: Archive, method: str) -> None:
    points = points_of(archive, method)
    missing = [one.missing for one in points if one.missing]
    st.subheader("What should a paper on it say?", anchor=False)
    said = f"**{len(points) - len(missing)} of {len(points)} points** are known"
    asked = f"; missing: {words.escape('; '.join(missing))}" if missing else ""
    places = dict.fromkeys(one.where for one in points if one.missing)
    where = f" Write it into {words.escape(words.and_list(list(places)))}." if places else ""
    st.markdown(f"{said}{asked}.{where} It is advice, not a fault.")
    table = pd.DataFrame(
        {
            "Number": [*range(1, len(points) + 1)],
            "Point": [one.title for one in points],
            "Known": ["; ".join(one.known) or None for one in points],
            "Missing": [one.missing or None for one in points],
            "Section": [one.section for one in points],
        }
    )
    alt = f"The check list for publications, as far as it is known of {method}"
    # Rows of four lines: longer texts are broken.
    blocks.table_block(
        table, name=f"{method}-checklist", alt=alt, column_config=LOOKS, row_height=ROW, height="content"
    )
    st.caption(
        "After section 2.11 of the PROBEN1 report. A line of the description that begins with `2.11.4:` "
        "answers point 4; else it is searched for words."
    )
    page.show_commands(command_text("mcheck", "-c", f"/{method}"))
