"""Tables: the table for the paper."""

import streamlit as st

from dashboard.tables import data
from dashboard.tables.controls import show_controls
from dashboard.tables.preview import ask_part, show_files, show_table, table_sentence
from dashboard.ui import page
from dashboard.ui.commands import command_text
from dashboard.ui.page import View
from delvecore.plots import words


def show_page(view: View) -> None:
    """Ask for a table, and show it."""
    head = st.container()
    notices: list[str] = []
    left, right = st.columns([1, 2.6], gap="medium")
    with left:
        request = show_controls(view, notices)
    found = data.table_of(request)
    with head:
        answer = "**There is no such table.**" if isinstance(found, str) else table_sentence(found)
        page.answer(answer, view)
        for notice in notices:
            st.info(notice, icon=":material/info:")
    with right:
        if isinstance(found, str):
            page.empty_state("Nothing fits these choices.", words.escape(found[:1].upper() + found[1:]) + ".")
        else:
            part = ask_part(found)
            show_table(request, part)
            show_files(request, found, part)


def show_nothing(view: View) -> None:
    """Say what is needed for a table."""
    page.answer("No results to make a table of yet.", view)
    how = "Run two methods on a task:"
    line = command_text("delve", "run", "METHOD", "/DATASET/PROTOTASK/TASK")
    page.empty_state("A table needs methods with results.", how, line)


opened = page.begin("What does the table for the paper say?", tests=True)
(show_page if data.places(opened.state) else show_nothing)(opened)
