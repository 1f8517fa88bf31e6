"""Cards of files of cases: what a dataset made of them would be, and the making of it."""

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.frame import page
from dashboard.server.own_cases import OwnCases
from dashboard.server.uploads import Own
from delvecore.figures import words
from delvecore.importing.told import column_rows

__all__ = ["show_cases"]

COLUMNS = ("Column", "becomes", "because", "To change it")


def show_cases(mine: Own, number: int, own: OwnCases) -> None:
    """A card: what each column would become, the target to choose, and the making of the dataset."""
    plan = own.plan
    with st.container(border=True, key=f"own-cases-{number}"):
        st.subheader(f":material/dataset: {words.escape(own.name)}", anchor=False)
        columns = words.count(len(plan.columns), "column")
        st.caption(f"{words.count(plan.cases, 'case')} of {columns}: a dataset can be made of them.")
        names = [column.source for column in plan.columns]
        key = f"own-target-{number}"
        known = {column.name: column.source for column in plan.columns}
        st.session_state[key] = known[plan.targets[0][0]]

        def choose() -> None:
            mine.choose_target(number, st.session_state[key])

        st.selectbox("What is to be predicted?", names, key=key, on_change=choose, width=260)
        table = pd.DataFrame(list(column_rows(plan)), columns=list(COLUMNS))
        alt = f"What the columns of {own.name} become"
        page.table_block(table.iloc[:, :3], name=f"own-columns-{number}", alt=alt)
        with st.container(horizontal=True):
            made: dict[str, Any] = {"on_click": mine.make_dataset, "icon": ":material/build:"}
            st.button("Make the dataset", type="primary", key=f"make-{number}", args=(number,), **made)
            gone: dict[str, Any] = {"on_click": mine.remove_cases, "icon": ":material/delete:"}
            st.button("Remove", key=f"remove-cases-{number}", args=(number,), **gone)
