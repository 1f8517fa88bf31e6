"""Task-arrays: where does each method shine or fail?"""

import streamlit as st

from dashboard import array_data, page
from dashboard.array_choice import choose_array_view
from dashboard.parts import array_controls, array_tabs

view = page.begin("Where does each method shine or fail?")
losses = array_data.losses_known(view.state)
choice = choose_array_view(
    losses, view.selection, lambda array, loss: array_data.ranked(view.state, array, loss)
)
head = st.container()
array_controls.show_controls(view, choice, choice.array)
with head:
    page.answer("First.", view)
    for notice in choice.notices:
        st.info(notice, icon=":material/info:")
legend, shown = st.columns([1, 6], gap="medium")
with legend:
    array_controls.show_legend(view, choice)
with shown:
    array_tabs.show_tabs(view, choice)
