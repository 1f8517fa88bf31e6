"""Cards of files of cases: what a dataset made of them would be, and the making of it."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.add_data.kind import ask_kind
from dashboard.server.own_cases import OwnCases, with_changes
from dashboard.server.uploads import Own
from dashboard.ui import page
from delvecore.errors import DelveError
from delvecore.importers.import_messages import column_rows, order_lines, rare_line
from delvecore.importers.plan import ImportPlan, Role
from delvecore.importers.sizes import parse_sizes
from delvecore.model import RANDOM, RETAIN, TYPES, ImportedOrder
from delvecore.plots import words

__all__ = ["show_cases"]

CHOICES = ("binary", "nominal", "ordinal", "integer", "real", "angular:360", "angular:24")
ORDERS: Mapping[ImportedOrder, str] = {RETAIN: "As in the file", RANDOM: "Random"}
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
        _choose_order(mine, number, plan)
        _edit_columns(mine, number, own)
        if rare := rare_line(plan):
            st.warning(words.escape(f"{rare[0].upper()}{rare[1:]}."))
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


def _choose_order(mine: Own, number: int, plan: ImportPlan) -> None:
    """Show which order the cases have in the tasks, and which sizes training sets; both can be chosen."""
    order_key, sizes_key = f"own-order-{number}", f"own-sizes-{number}"
    st.session_state[order_key] = plan.order.kind
    st.session_state[sizes_key] = ", ".join(map(str, plan.options.sizes))

    def choose_order() -> None:
        mine.change_cases(number, plan.options._replace(order=st.session_state[order_key]))

    def choose_sizes() -> None:
        try:
            sizes = parse_sizes(st.session_state[sizes_key])
        except DelveError as error:
            mine.refused = [str(error)]
            return
        mine.change_cases(number, plan.options._replace(sizes=sizes))

    with st.container(horizontal=True):
        st.segmented_control(
            "Order of the cases",
            list(ORDERS),
            format_func=ORDERS.__getitem__,
            key=order_key,
            on_change=choose_order,
            required=True,
        )
        st.text_input(
            "Sizes of training sets",
            key=sizes_key,
            on_change=choose_sizes,
            placeholder="the usual ones",
            help="Whole numbers such as 64, 128: a task each",
            width=200,
        )
    for said, _ in order_lines(plan):
        st.caption(words.escape(f"{said[0].upper()}{said[1:]}."))


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
