"""Tables: the table for the paper."""

import streamlit as st

from dashboard.frame import page, words
from dashboard.tables import choice as table_choice
from dashboard.tables import controls as table_controls
from dashboard.tables import data as table_data
from dashboard.tables import preview as table_preview

view = page.begin("What does the table for the paper say?")
if not table_data.places(view.state):
    page.answer("No results to make a table of yet.", view)
    page.empty_state(
        "A table needs methods with results.",
        "Run two methods on a task:",
        "delve run METHOD /DATASET/PROTOTASK/TASK",
    )
    st.stop()
head = st.container()
notices: list[str] = []
left, right = st.columns([1, 2.6], gap="medium")
with left:
    request = table_controls.show_controls(view, notices)
found = table_data.table_of(view.state, request)
with head:
    page.answer(
        "**There is no such table.**" if isinstance(found, str) else table_choice.table_sentence(found), view
    )
    for notice in notices:
        st.info(notice, icon=":material/info:")
with right:
    if isinstance(found, str):
        page.empty_state("Nothing fits these choices.", words.escape(found[:1].upper() + found[1:]) + ".")
    else:
        table_preview.show_table(found)
        table_preview.show_files(view, request, found)
