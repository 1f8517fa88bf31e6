"""The dashboard's frame: word mark, name of the archive, page list, and the page that was asked for."""

import os
import sys

# Streamlit puts this folder first at every run; `tables` or `datasets` in it must not shadow a library.
if os.path.dirname(os.path.abspath(__file__)) in sys.path:
    sys.path.remove(os.path.dirname(os.path.abspath(__file__)))

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboard.frame import changes, page
from dashboard.server.configuration import PACKAGE
from delvecore.figures import words

SIDEBAR_WIDTH = 220
PAGES = {
    "Explore": (
        ("archive", "Archive", ":material/inventory_2:"),
        ("datasets", "Datasets", ":material/dataset:"),
        ("methods", "Methods", ":material/model_training:"),
    ),
    "Compare": (
        ("compare", "Compare", ":material/balance:"),
        ("task_arrays", "Task-arrays", ":material/grid_view:"),
        ("ranking", "Ranking", ":material/leaderboard:"),
    ),
    "Publish": (
        ("tables", "Tables", ":material/table_chart:"),
        ("add_data", "Add data", ":material/upload_file:"),
        ("problems", "Problems", ":material/report:"),
    ),
}


def page_list() -> dict[str, list[StreamlitPage]]:
    """Return the pages by group; one whose file is not there is left out."""
    return {
        group: [
            st.Page(file, title=title, icon=icon, url_path=name, default=name == "archive")
            for name, title, icon in pages
            if (file := PACKAGE / name / "page.py").is_file()
        ]
        for group, pages in PAGES.items()
        if any((PACKAGE / name / "page.py").is_file() for name, _, _ in pages)
    }


def show_archive_name(view: page.View) -> None:
    """Say in the sidebar which delve directories are open."""
    paths = view.archive.sources if view.archive else ()
    none = "being read" if view.opening is not None else "no archive"
    names = words.and_list([words.plain(os.path.basename(path)) for path in paths]) or none
    st.sidebar.caption("Archive", help=words.escape(os.pathsep.join(paths)) or None)
    st.sidebar.text(names)


st.set_page_config(
    page_title="DELVE",
    page_icon=str(PACKAGE / "static" / "mark.svg"),
    layout="wide",
    initial_sidebar_state=SIDEBAR_WIDTH,
)
st.html(PACKAGE / "static" / "page.css")
st.logo(
    str(PACKAGE / "static" / "wordmark.svg"), size="large", icon_image=str(PACKAGE / "static" / "mark.svg")
)
chosen_page = st.navigation(page_list(), expanded=True)
with changes.told():
    show_archive_name(page.prepare())
    chosen_page.run()
