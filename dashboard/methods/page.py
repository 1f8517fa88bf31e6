"""Methods: what is this method and how does it do? The leaderboard is the list of all."""

import streamlit as st

from dashboard.methods import data as method_data
from dashboard.methods import tabs as method_parts
from dashboard.server.pages import FIRST
from dashboard.ui import page, selection
from dashboard.ui.page import LISTED, Prepared
from delvecore.report import words

QUESTION = "What is this method and how does it do?"


def show_page(prepared: Prepared) -> None:
    archive, chosen = prepared.shown.archive, prepared.selection.method
    if archive is not None and chosen is None:
        st.session_state[LISTED] = True
        selection.open_page(FIRST, others={name: st.query_params.get_all(name) for name in st.query_params})
    title = words.escape(method_data.title_of(archive, chosen)) if archive and chosen else QUESTION
    view = page.begin(prepared, title, by_loss=True)
    method_parts.show_method(view, view.selection.loss)
