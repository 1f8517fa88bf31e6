"""What was published elsewhere on a dataset, in the measures in which it was published."""

import pandas as pd
import streamlit as st

from dashboard.datasets.data import rows_of
from dashboard.server import archive as opened
from dashboard.ui import page
from delvecore.plots import words

__all__ = ["published_table", "show_published"]

LOOKS = {
    "mean": st.column_config.NumberColumn(format="%.6g"),
    "deviation": st.column_config.NumberColumn(
        "standard deviation", format="%.6g", help="Over the runs, with n - 1"
    ),
    "measure": st.column_config.TextColumn(help="A metric, or the letter of a loss, in its own unit"),
}


@opened.cached
def published_table(state: str, dataset: str) -> pd.DataFrame:
    """The published results on a dataset, a row each, in the order of their files."""
    rows = rows_of(state, "published", dataset)
    names = ("prototask", "task", "method", "measure", "mean", "deviation", "runs", "where", "source")
    return pd.DataFrame([{name: row[name] for name in names} for row in rows], columns=names)


def show_published(state: str, dataset: str) -> None:
    """Show the published results, if there are any."""
    table = published_table(state, dataset)
    if table.empty:
        return
    st.subheader("What was published elsewhere?", anchor=False)
    sources = [words.escape(source) for source in dict.fromkeys(table["source"])]
    st.caption(f"{'; '.join(sources)}. Compare and Tables show these figures, and test none of them.")
    page.table_block(
        table,
        name=f"{dataset}-published",
        alt=f"Published results on {dataset}",
        column_config=LOOKS,
        column_order=[name for name in table.columns if name != "source" or len(sources) > 1],
    )
