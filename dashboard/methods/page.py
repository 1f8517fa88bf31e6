"""Methods: what is this method and how does it do?"""

from typing import Literal

import streamlit as st

from dashboard.methods import data as method_data
from dashboard.methods import tabs as method_parts
from dashboard.methods.choice import chosen_loss
from dashboard.methods.columns import value_column
from dashboard.server import archive as opened
from dashboard.ui import page, selection
from dashboard.ui.commands import command_text
from dashboard.ui.defaults import usual_loss
from dashboard.ui.glossary import help_for
from dashboard.ui.page import View
from delvecore.plots import words

MOST_ROWS = 60
"""All of so many methods are seen at once."""
COLUMNS = {
    "method": st.column_config.TextColumn("Method", pinned=True, help=help_for("method")),
    "mean_rank": st.column_config.NumberColumn("Mean rank", format="%.1f", help=help_for("mean rank")),
    "tasks": st.column_config.NumberColumn("on tasks", help="Tasks with results under the loss chosen"),
    "best_on": st.column_config.NumberColumn(
        "Best on", help="How many datasets: no other method loses less there; where tasks count once, tasks"
    ),
    "done": st.column_config.NumberColumn("Tasks done", help="Tasks with results under any loss"),
    "summary": st.column_config.TextColumn("Summary", width="large"),
}


def show_list(view: View) -> None:
    counts = method_data.loss_counts(view.state)
    loss = chosen_loss(counts, view.selection.loss, usual_loss(view.state))
    total = words.count(len(opened.rows(view.state, "tasks")), "task")
    methods = words.count(len(opened.rows(view.state, "methods")), "method")
    done = frozenset().union(*opened.tasks_done(view.state).values())
    start = f"**{methods}** with results on {len(done):,} of {total}"
    page.answer(f"{start}, best mean rank first. Click one to see where it wins and what it costs.", view)
    if loss:
        selection.control(
            st.segmented_control,
            "Loss",
            "loss",
            tuple(counts),
            value=loss,
            required=True,
            format_func=words.loss_markdown,
            help=help_for("standardized loss"),
        )
    table = method_data.method_table(view.state, loss)
    shown, alt = table.drop(columns="of"), "Methods at a glance, one a row, best mean rank first"
    columns = COLUMNS | {"median": value_column(loss, "median", format="%.3f")}
    height: Literal["content", "auto"] = "content" if len(shown) <= MOST_ROWS else "auto"
    clicked = page.pick_row(shown, name="methods", alt=alt, column_config=columns, height=height)
    page.csv_button(table, "methods")
    st.caption("A median is over the method's own tasks; methods that were run on other tasks have others.")
    if clicked is not None:
        selection.choose(method=str(table.at[clicked, "method"]))
        st.rerun()


view = page.begin("What is this method and how does it do?", by_loss=True)
if not opened.rows(view.state, "methods"):
    page.answer("No methods yet.", view)
    how = "A method is a directory in `methods`; to make one:"
    page.empty_state("No methods here.", how, command_text("delve", "run", "METHOD", "TASK"))
elif view.selection.method:
    method_parts.show_method(view, view.selection.loss)
else:
    show_list(view)
