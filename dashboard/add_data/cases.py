"""Cards of files of cases: what a dataset made of them would be, and the making of it."""

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.add_data.kind import ask_kind
from dashboard.frame import page
from dashboard.server.own_cases import OwnCases, with_changes
from dashboard.server.uploads import Own
from delvecore.figures import words
from delvecore.importing.plan import ImportPlan, Role
from delvecore.importing.told import column_rows
from delvecore.model import TYPES

__all__ = ["show_cases"]

CHOICES = ("binary", "nominal", "ordinal", "integer", "real", "angular:360", "angular:24")
EDITED = {
    "column": st.column_config.TextColumn("Column", disabled=True, pinned=True),
    "role": st.column_config.SelectboxColumn("Role", options=[str(role) for role in Role], required=True),
    "type": st.column_config.SelectboxColumn(
        "Type", options=[*CHOICES], help="Behind angular: what the whole circle is, in degrees or hours"
    ),
    "because": st.column_config.TextColumn("Because", disabled=True, width="large"),
}


def show_cases(mine: Own, number: int, own: OwnCases) -> None:
    """A card: what each column would become, which can be changed there, and the making of the dataset."""
    plan = own.plan
    with st.container(border=True, key=f"own-cases-{number}"):
        st.subheader(f":material/dataset: {words.escape(own.name)}", anchor=False)
        columns = words.count(len(plan.columns), "column")
        st.caption(f"{words.count(plan.cases, 'case')} of {columns}: a dataset can be made of them.")
        if own.may_be_scores:
            ask_kind(mine, number, is_scores=False)
        _choose_target(mine, number, plan)
        _edit_columns(mine, number, own)
        with st.container(horizontal=True):
            if st.button("Make the dataset", type="primary", key=f"make-{number}", icon=":material/build:"):
                with st.spinner("Making the dataset …"):
                    mine.make_dataset(number)
                st.rerun()
            gone: dict[str, Any] = {"on_click": mine.remove_cases, "icon": ":material/delete:"}
            st.button("Remove", key=f"remove-cases-{number}", args=(number,), **gone)


def _choose_target(mine: Own, number: int, plan: ImportPlan) -> None:
    """Show what is predicted, where that is one column; of several the table below says it."""
    if len(plan.targets) > 1:
        st.caption(f"{len(plan.targets)} targets, a prototask for each.")
        return
    key = f"own-target-{number}"
    known = {column.name: column.source for column in plan.columns}
    st.session_state[key] = known[plan.targets[0][0]]

    def choose() -> None:
        place = [column.source for column in plan.columns].index(st.session_state[key])
        options = with_changes(plan, {place: {"role": Role.TARGET}})
        mine.change_cases(number, options._replace(targets=(plan.columns[place].name,)))

    names = [column.source for column in plan.columns]
    st.selectbox("What is to be predicted?", names, key=key, on_change=choose, width=260)


def _edit_columns(mine: Own, number: int, own: OwnCases) -> None:
    plan = own.plan
    rows = [
        {"column": name, "role": str(column.role), "type": _type(column.guess), "because": why}
        for column, (name, _, why, _) in zip(plan.columns, column_rows(plan), strict=True)
    ]
    key = f"own-columns-{number}-{hash(repr(plan.options))}"

    def change() -> None:
        edits = st.session_state[key]["edited_rows"]
        mine.change_cases(number, with_changes(plan, {int(row): dict(one) for row, one in edits.items()}))

    st.caption("Role and type of each column can be changed in this table.")
    table = pd.DataFrame(rows)
    st.data_editor(table, key=key, column_config=EDITED, hide_index=True, on_change=change)
    page.csv_button(table, f"own-columns-{number}")


def _type(guess: Any) -> str | None:
    if guess.type not in TYPES:
        return None
    return f"{guess.type}:{guess.unit}" if guess.unit else guess.type
