"""Checklist of what a publication on a method should report."""

import pandas as pd
import streamlit as st

from dashboard.server.cache import cached
from dashboard.ui import blocks, page
from dashboard.ui.commands import command_text
from delvecore.archive import Archive
from delvecore.checks.checklist import Point, checklist
from delvecore.report import words

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
    lead = f"**{len(points) - len(missing)} of {len(points)} points** are known"
    asked = f"; missing: {words.escape('; '.join(missing))}" if missing else ""
    places = dict.fromkeys(one.where for one in points if one.missing)
    where = f" Write it into {words.escape(words.and_list(list(places)))}." if places else ""
    st.markdown(f"{lead}{asked}.{where} It is advice, not a fault.")
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
